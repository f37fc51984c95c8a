"""One puzzle played over several turns: what every environment protocol (OpenEnv, MCP) is a table over.

A turn is a whole board; the verifier answers with every broken rule and its cells. A board's worth is the paper's reward, and a
turn is paid by what it changed, so that an episode adds up to the worth of its last board.
"""

import json

from .client import RewardClient


class PuzzleSession:
    def __init__(self, client=None, max_turns=8):
        self._client = client or RewardClient()
        self.max_turns = max_turns
        self.puzzle = self.id = None
        self.turns, self.solved, self.worth, self.moves = 0, False, 0.0, []

    def start(self, kind="bridges=7x7d0", seed=1, split="train"):
        """The puzzle's text. The same kind and seed are the same puzzle."""
        row = self._client.ask("/puzzles/make", {"kinds": [kind], "count": 1, "seed": str(seed), "split": split})["rows"][0]
        self.resume(row["reward_model"]["ground_truth"])
        return row["prompt"][0]["content"]

    def resume(self, ground_truth):
        """A puzzle that a row of a dataset already asks."""
        truth = json.loads(ground_truth)
        self.puzzle, self.id = truth["puzzle"], truth["id"]
        self.turns, self.solved, self.worth, self.moves = 0, False, 0.0, []

    @property
    def done(self):
        return self.solved or self.turns >= self.max_turns

    def check(self, board=None, response=None):
        """The verifier's word on a board, or on a response that has it between answer tags: {"verdict", "because", "violations", "reward", "done", "turns_left"}."""
        self._must_be_on()
        graded = self._verify(**({"answer": board} if response is None else {"response": response}))
        self.turns += 1
        self.solved = graded["exact"] >= 1
        broken = [f"- {one['because']}" for one in graded["violations"]]
        paid, self.worth = graded["reward"] - self.worth, graded["reward"]
        return {
            "verdict": graded["verdict"],
            "because": "\n".join(broken) or graded["because"] or "",
            "violations": graded["violations"],
            "reward": paid,
            "done": self.done,
            "turns_left": self.max_turns - self.turns,
        }

    def place(self, row, column, symbol):
        """One symbol into one cell, counted from 1, or "" to clear it: {"board", "verdict", "because", "violations"}. It is no turn and pays
        nothing; a complete board is told every rule that it breaks."""
        self._must_be_on()
        moves = [*self.moves, {"row": row, "column": column, "symbol": symbol}]
        played = self._verify(moves=moves)
        self.moves, self.solved = moves, played["verdict"] == "correct"
        return played

    def _must_be_on(self):
        if self.id is None:
            raise ValueError("no puzzle yet: start one first")
        if self.done:
            raise ValueError("this puzzle is over: start another one")

    def _verify(self, **given):
        graded = self._client.ask("/puzzles/verify", {"items": [{"puzzle": self.puzzle, "id": self.id, **given}]})["verdicts"][0]
        if "error" in graded:
            raise ValueError(graded["error"])
        return graded
