"""The novelty bonus in prime-rl, without a fork: `grpo` scores each rollout under a frozen reference, adds the bonus to the
rewards of the right ones, and normalizes as the paper does.

    REPERTOIRE_REFERENCE_URL=http://host:8000/v1  REPERTOIRE_REFERENCE_MODEL=<name>  uv run rl @ rl.toml

The reference is a server that keeps the SFT model's weights (`vllm serve`). Importing the taskset in prime-rl's orchestrator
registers it.
"""

import asyncio
import os

from repertoire_rewards import NoveltyOptions, bonuses, group_advantages, score


def with_bonus(rewards, surprisals, correct, options):
    """Advantages of one group, and its bonuses. Plain lists in and out."""
    given = bonuses([score(row, options.tokens) for row in surprisals], correct, options)
    return group_advantages([reward + bonus for reward, bonus in zip(rewards, given)]), given


def novelty_algorithm(base):
    """A subclass of prime-rl's GRPOAlgorithm."""
    from prime_rl.configs.algorithm import FrozenModelConfig
    from prime_rl.orchestrator.algo.base import iter_trainable_traces
    from prime_rl.orchestrator.algo.routing import assign_advantages
    from prime_rl.orchestrator.trajectories import iter_trainable_branches

    class NoveltyAlgorithm(base):
        async def setup(self):
            await super().setup()
            name, url = os.environ["REPERTOIRE_REFERENCE_MODEL"], os.environ["REPERTOIRE_REFERENCE_URL"]
            self.reference = await self.connect(FrozenModelConfig(name=name, base_url=url))

        async def _surprises(self, trace):
            """-logprob under the reference of every token that the policy sampled."""
            found = []
            for branch, trainable in iter_trainable_branches(trace):
                logprobs = await self.reference.score(branch.token_ids)
                found.extend(-value for value, sampled in zip(logprobs, trainable, strict=True) if sampled)
            return found

        async def score_group(self, episodes):
            traces = [trace for _, trace in iter_trainable_traces(episodes)]
            surprisals = await asyncio.gather(*(self._surprises(trace) for trace in traces))
            correct = [(trace.metrics.get("exact") or 0) >= 1 for trace in traces]
            rewards = [trace.reward for trace in traces]
            advantages, given = with_bonus(rewards, surprisals, correct, NoveltyOptions.from_environment())
            for trace, advantage, bonus in zip(traces, advantages, given, strict=True):
                trace.info["novelty_bonus"] = bonus
                assign_advantages(trace, advantage)

    return NoveltyAlgorithm


def register():
    from prime_rl.orchestrator import algo

    if not getattr(algo.ALGORITHM_CLASSES["grpo"], "novelty", False):
        made = novelty_algorithm(algo.ALGORITHM_CLASSES["grpo"])
        made.novelty = True
        algo.ALGORITHM_CLASSES["grpo"] = made
