"""A verifiers 1 taskset: each puzzle is a task, its reward is Repertoire's."""

import asyncio

import verifiers.v1 as vf
from repertoire_rewards import RewardClient, reward_or_error

from .rows import load_rows


class PuzzleData(vf.TaskData):
    ground_truth: str
    data_source: str


class PuzzleTask(vf.Task[PuzzleData]):
    async def _score(self, trace):
        return await asyncio.to_thread(
            RewardClient().score, trace.last_reply or "", self.data.ground_truth, self.data.data_source
        )

    @vf.reward(weight=1.0)
    async def task_reward(self, trace: vf.Trace) -> float:
        score = await self._score(trace)
        trace.info["verdict"] = score
        return reward_or_error(score)

    @vf.metric
    async def exact(self, trace: vf.Trace) -> float:
        """Whether the answer is right: what pass rates and the bonus are made of."""
        verdict = trace.info.get("verdict") or await self._score(trace)
        return float(verdict["exact"])


class PuzzleConfig(vf.TasksetConfig):
    path: str | None = None
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
            yield PuzzleTask(data)
