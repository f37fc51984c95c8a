"""Reward functions for trainers that take one by its dotted name, each in that trainer's own signature.

    AReaL   reward_fn="repertoire_rewards.functions.areal"
    EasyR1  worker.reward.reward_function=<path of this file>:easyr1
    rLLM    reward function `rllm(task_info, action)`
"""

from repertoire_rewards.client import RewardClient
from repertoire_rewards.shapes import reward_or_error

# EasyR1 reads these from the file that it is given.
REWARD_NAME = "repertoire"
REWARD_TYPE = "batch"


def areal(prompt, completions, prompt_ids, completion_ids, ground_truth=None, answer=None, data_source=None, **_):
    """One rollout; `ground_truth` or `answer` is a column of the dataset, whose prompts are `messages`."""
    truth = ground_truth if ground_truth is not None else answer
    # AReaL waits 15 s and then takes 0 for the reward; an error, which it reports, is better than a 0 that means nothing.
    return reward_or_error(RewardClient(deadline_s=10.0).score(str(completions), truth, data_source, prompt))


def easyr1(reward_inputs, **_):
    """A batch of {"response", "ground_truth"}; `overall` trains, the rest is logged."""
    scores = RewardClient().scores(reward_inputs)
    return [
        {"overall": reward_or_error(score), **{part: float(score[part]) for part in ("exact", "completion", "format")}}
        for score in scores
    ]


def rllm(task_info, action):
    """One rollout; the task has `ground_truth`."""
    from rllm.rewards.reward_types import RewardOutput

    asked = {"ground_truth": task_info["ground_truth"], "data_source": task_info.get("data_source")}
    score = RewardClient().score(getattr(action, "action", action), **asked, prompt=task_info.get("question"))
    return RewardOutput(reward=reward_or_error(score), is_correct=score["exact"] >= 1, metadata=score)
