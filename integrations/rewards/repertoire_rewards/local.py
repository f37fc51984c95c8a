"""Repertoire on this machine, from Python: puzzles as data, and a reward server that lives as long as a `with` block.

    from repertoire_rewards import LocalServer, puzzle_dataset

    rows = puzzle_dataset("bridges", "7x7d0", 100)
    with LocalServer() as client:
        print(client.score("<answer>...</answer>", rows[0]["reward_model"]["ground_truth"]))

The command is `repertoire`, or what REPERTOIRE_COMMAND says, as in "node /path/to/repertoire/dist/cli/main.js".
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading

from .client import RewardClient, RewardServerError


def _command():
    given = os.environ.get("REPERTOIRE_COMMAND")
    if given:
        return shlex.split(given)
    if shutil.which("repertoire") is None:
        raise FileNotFoundError(
            "no command `repertoire` on the PATH; install it with npm, or set REPERTOIRE_COMMAND"
            " as in 'node /path/to/repertoire/dist/cli/main.js'"
        )
    return ["repertoire"]


def puzzle_dataset(puzzle, params, count, split="train", seed="1"):
    """`count` puzzles with exactly one solution each, as rows with verl's columns (prompt, reward_model, data_source …)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "puzzles.jsonl")
        wanted = ["--params", params, "--count", str(count), "--split", split, "--seed", str(seed), "--out", path]
        made = subprocess.run([*_command(), "puzzles", "generate", puzzle, *wanted], capture_output=True, text=True)
        if made.returncode != 0:
            raise ValueError(made.stderr.strip() or f"repertoire puzzles generate ended with {made.returncode}")
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


class LocalServer:
    """Starts `repertoire serve rewards` on a free port of this machine; entering gives a client of it, leaving drains it."""

    def __init__(self, *arguments, start_s=60.0):
        self._arguments = arguments
        self._start_s = start_s
        self._process = None
        self.url = None

    def __enter__(self):
        command = [*_command(), "serve", "rewards", "--port", "0", *self._arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said, found = [], threading.Event()

        def listen():
            for line in self._process.stderr:
                said.append(line)
                address = re.search(r"http://\S+", line)
                if address and self.url is None:
                    self.url = address.group().rstrip(";,")
                    found.set()
            found.set()

        threading.Thread(target=listen, daemon=True).start()
        found.wait(self._start_s)
        if self.url is None:
            self.__exit__()
            raise RewardServerError(f"the server did not start: {''.join(said).strip()[-500:]}")
        return RewardClient(self.url)

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(35)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
