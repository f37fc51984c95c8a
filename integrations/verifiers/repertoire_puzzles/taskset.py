"""A verifiers 1 taskset: each puzzle is a task, its reward is Repertoire's."""

import asyncio

import verifiers.v1 as vf
from repertoire_rewards import RewardClient, reward_or_error

from .rows import load_rows


class PuzzleData(vf.TaskData):
    ground_truth: str
    data_source: str


class PuzzleTask(vf.Task[PuzzleData]):
    async def _verdict(self, trace):
        """Metrics are asked before rewards, both about the same trace; the server is asked once."""
        if "verdict" not in trace.info:
            trace.info["verdict"] = await asyncio.to_thread(
                RewardClient().score, trace.last_reply or "", self.data.ground_truth, self.data.data_source
            )
        return trace.info["verdict"]

    @vf.reward(weight=1.0)
    async def task_reward(self, trace: vf.Trace) -> float:
        return reward_or_error(await self._verdict(trace))

    @vf.metric
    async def exact(self, trace: vf.Trace) -> float:
        """Whether the answer is right: what pass rates and the bonus are made of."""
        return float((await self._verdict(trace))["exact"])


class PuzzleConfig(vf.TasksetConfig):
    path: str | None = None
    """Exported rows; without it those that REPERTOIRE_ROWS names, else puzzles are made as the rest says."""
    puzzle: str = "bridges"
    params: str = "7x7d0"
    count: int = 1000
    split: str = "train"
    seed: str = "1"


class PuzzleTaskset(vf.Taskset[PuzzleTask, PuzzleConfig]):
    def load(self):
        config = self.config
        rows = load_rows(config.path, config.puzzle, config.params, config.count, config.split, config.seed)
        for i, row in enumerate(rows):
            data = PuzzleData(idx=i, prompt=row["prompt"], ground_truth=row["ground_truth"], data_source=row["data_source"])
            yield PuzzleTask(data, config.task)
