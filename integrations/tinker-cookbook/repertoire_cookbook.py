"""Repertoire in tinker-cookbook: an environment, groups with the novelty bonus, and a dataset builder.

    from repertoire_cookbook import RepertoireDatasetBuilder
    config = train.Config(dataset_builder=RepertoireDatasetBuilder(rows="train.jsonl", test_rows="test.jsonl", ...), ...)

Rows are JSON lines with verl's columns, as `repertoire puzzles generate --out rows.jsonl` writes them. Rewards come from
`repertoire serve rewards` (REPERTOIRE_REWARD_URL); the bonus from a sampling client of the frozen SFT checkpoint, at temperature 1.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import chz
import tinker
from repertoire_rewards import NoveltyOptions, RewardClient, bonuses, reward_or_error, score
from tinker_cookbook import renderers
from tinker_cookbook.rl.types import Env, EnvGroupBuilder, RLDataset, RLDatasetBuilder, StepResult
from tinker_cookbook.tokenizer_utils import get_tokenizer


class RepertoireEnv(Env):
    """One turn: the response is scored. A rollout that cannot be graded is an error and never a 0."""

    def __init__(self, row, renderer):
        self.row = row
        self.renderer = renderer

    async def initial_observation(self):
        return self.renderer.build_generation_prompt(list(self.row["prompt"])), self.renderer.get_stop_sequences()

    async def step(self, action, *, extra=None):
        message, _ = self.renderer.parse_response(action)
        response = renderers.get_text_content(message)
        row = self.row
        asked = (response, row["reward_model"]["ground_truth"], row.get("data_source"), row["prompt"])
        graded = await asyncio.to_thread(RewardClient().score, *asked)
        return StepResult(
            reward=reward_or_error(graded),
            episode_done=True,
            next_observation=tinker.ModelInput.empty(),
            next_stop_condition=self.renderer.get_stop_sequences(),
            # Under the name that cookbook's own environments use.
            metrics={"correct": graded["exact"], "completion": graded["completion"], "format": graded["format"]},
            logs={"verdict": graded["verdict"], "because": graded["because"]},
        )


@cache
def reference_client(url, path):
    """One for the process: builders are pickled, and a client cannot be."""
    return tinker.ServiceClient(**({"base_url": url} if url else {})).create_sampling_client(model_path=path)


@dataclass(frozen=True)
class RepertoireGroupBuilder(EnvGroupBuilder):
    row: dict
    renderer: renderers.Renderer
    group_size: int
    # The SFT checkpoint's path on the server; without one there is no bonus.
    reference: str | None = None
    base_url: str | None = None
    novelty: NoveltyOptions = NoveltyOptions()

    async def make_envs(self) -> Sequence[Env]:
        return [RepertoireEnv(self.row, self.renderer) for _ in range(self.group_size)]

    async def compute_group_rewards(self, trajectory_group, env_group):
        """The bonus of each rollout, which cookbook adds before it centers the group."""
        nothing = [(0.0, {}) for _ in trajectory_group]
        turns = [trajectory.transitions[-1] for trajectory in trajectory_group]
        correct = [turn.metrics.get("correct", 0) >= 1 for turn in turns]
        if self.reference is None or self.novelty.weight == 0 or sum(correct) < 2:
            return nothing
        # Only what is right competes, so only that is scored.
        scores = await asyncio.gather(*(self._score(turn) if right else _zero() for turn, right in zip(turns, correct)))
        given = bonuses(scores, correct, self.novelty)
        return [(bonus, {"novelty/bonus": bonus, "novelty/score": value}) for bonus, value in zip(given, scores)]

    async def _score(self, turn):
        prompt, response = turn.ob.to_ints(), list(turn.ac.tokens)
        client = reference_client(self.base_url, self.reference)
        logprobs = await client.compute_logprobs_async(tinker.ModelInput.from_ints(prompt + response))
        return score([-value for value in logprobs[len(prompt) :]], self.novelty.tokens)

    def logging_tags(self):
        return [self.row.get("data_source", "repertoire").removeprefix("repertoire/")]


async def _zero():
    return 0.0


class RepertoireDataset(RLDataset):
    def __init__(self, builders, groups_per_batch):
        self._builders = builders
        self._groups_per_batch = groups_per_batch

    def get_batch(self, index):
        start = index * self._groups_per_batch
        return self._builders[start : start + self._groups_per_batch]

    def __len__(self):
        return -(-len(self._builders) // self._groups_per_batch)


@chz.chz
class RepertoireDatasetBuilder(RLDatasetBuilder):
    """The paper's step by default: 128 problems, 8 rollouts each. Rows stay in their order, which is that of the steps."""

    rows: str
    model_name_for_tokenizer: str
    renderer_name: str
    test_rows: str | None = None
    groups_per_batch: int = 128
    group_size: int = 8
    reference: str | None = None
    base_url: str | None = None
    novelty_weight: float = 0.1

    async def __call__(self):
        renderer = renderers.get_renderer(self.renderer_name, tokenizer=get_tokenizer(self.model_name_for_tokenizer))
        novelty = NoveltyOptions(weight=self.novelty_weight)

        def dataset(path, group_size, reference):
            with open(path, encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            builders = [
                RepertoireGroupBuilder(row, renderer, group_size, reference, self.base_url, novelty) for row in rows
            ]
            return RepertoireDataset(builders, self.groups_per_batch)

        test = None if self.test_rows is None else dataset(self.test_rows, 1, None)
        return dataset(self.rows, self.group_size, self.reference), test
