"""The puzzles: from an exported file, or made now by `repertoire`."""

import json
import os

from repertoire_rewards import puzzle_dataset


def load_rows(path=None, puzzle="bridges", params="7x7d0", count=1000, split="train", seed="1"):
    """Rows with `prompt` (text), `ground_truth` and `data_source`. `path` defaults to REPERTOIRE_ROWS."""
    path = path or os.environ.get("REPERTOIRE_ROWS")
    if path is None:
        made = puzzle_dataset(puzzle, params, count, split, seed)
        return [
            {
                "prompt": row["prompt"][0]["content"],
                "ground_truth": row["reward_model"]["ground_truth"],
                "data_source": row["data_source"],
            }
            for row in made
        ]
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]
