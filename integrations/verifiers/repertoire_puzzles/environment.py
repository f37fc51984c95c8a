"""The same puzzles as a single-turn environment of verifiers' older interface."""

import asyncio

from repertoire_rewards import RewardClient, completion_text, reward_or_error

from .rows import load_rows


async def _verdict(completion, answer, info, state):
    if "repertoire" not in state:
        asked = (completion_text(completion), answer, info.get("data_source"))
        state["repertoire"] = await asyncio.to_thread(RewardClient().score, *asked)
    return state["repertoire"]


async def task_reward(completion, answer, info, state, **_):
    return reward_or_error(await _verdict(completion, answer, info, state))


async def exact(completion, answer, info, state, **_):
    """Whether the answer is right; it has weight 0 and is logged."""
    return float((await _verdict(completion, answer, info, state))["exact"])


def load_environment(path=None, puzzle="bridges", params="7x7d0", count=1000, split="train", seed="1", **options):
    import verifiers as vf
    from datasets import Dataset

    rows = load_rows(path, puzzle, params, count, split, seed)
    dataset = Dataset.from_list(
        [
            {"question": row["prompt"], "answer": row["ground_truth"], "info": {"data_source": row["data_source"]}}
            for row in rows
        ]
    )
    rubric = vf.Rubric(funcs=[task_reward, exact], weights=[1.0, 0.0])
    return vf.SingleTurnEnv(dataset=dataset, rubric=rubric, **options)
