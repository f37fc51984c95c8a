"""Checks a plugin's novelty bonus on the vectors that Repertoire's own formulas made.

    PYTHONPATH=rewards:trl:verl python rewards/check_vectors.py plain|verl|trl
"""

import json
import os
import sys

from repertoire_rewards import NoveltyOptions, bonuses, score

here = os.path.dirname(os.path.abspath(__file__))


def plain(vector, options):
    scores = [score(row, options.tokens) for row in vector["surprisals"]]
    return scores, bonuses(scores, vector["correct"], options)


def verl(vector, options):
    import torch
    from repertoire_verl import rewards_with_bonus

    # A row of padding at the end, as verl's are, and prompts of two groups in one batch.
    reference = [torch.tensor([-value for value in row] + [-50.0], dtype=torch.float64) for row in vector["surprisals"]]
    masks = [torch.tensor([1] * len(row) + [0]) for row in vector["surprisals"]]
    rewards = [torch.zeros(len(row), dtype=torch.float64) for row in reference]
    other = (["other"], [torch.zeros(2)], [torch.tensor([1, 1])], [torch.tensor([-1.0, -2.0])], [1])
    uids = ["group"] * len(reference)
    changed, bonus, _ = rewards_with_bonus(
        uids + other[0], rewards + other[1], masks + other[2], reference + other[3], vector["correct"] + other[4], options
    )
    for row, mask, value in zip(changed, masks, bonus):
        last = int(mask.sum()) - 1
        # An empty response has no token to carry a bonus.
        assert last < 0 or (abs(row[last].item() - value) < 1e-9 and row.count_nonzero() <= 1)
    assert bonus[-1] == 0.0
    return vector["scores"], bonus[:-1]


def trl(vector, options):
    import torch
    from repertoire_trl import group_bonuses, reference_scores

    longest = max(1, max(len(row) for row in vector["surprisals"]))
    logps = torch.tensor([[-v for v in row] + [-50.0] * (longest - len(row)) for row in vector["surprisals"]])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in vector["surprisals"]])
    scores = reference_scores(logps.double(), mask, options.tokens)
    given = group_bonuses(scores, torch.tensor(vector["correct"]), len(vector["correct"]), options)
    return scores.tolist(), given.tolist()


def main(name):
    with open(os.path.join(here, "novelty-vectors.jsonl")) as file:
        vectors = [json.loads(line) for line in file]
    for number, vector in enumerate(vectors):
        scores, given = {"plain": plain, "verl": verl, "trl": trl}[name](vector, NoveltyOptions(tokens=vector["tokens"]))
        for kind, ours, theirs in (("score", scores, vector["scores"]), ("bonus", given, vector["bonuses"])):
            for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
                # Scores go through float32 in a trainer; the bonus is what must agree to 1e-6.
                assert abs(a - b) <= 1e-6 * max(1.0, abs(b)), f"{name} group {number} rollout {i}: {kind} {a}, not {b}"
    print(json.dumps({"checked": name, "groups": len(vectors)}))


if __name__ == "__main__":
    main(sys.argv[1])
