"""A score in the words of a trainer: one number that trains, or none where there is none to give."""


def reward_of(score):
    """The number that trains; None where the rollout could not be graded, or mathematics not decided in time.

    What nobody could grade must not push a rollout down; trainers that know None leave it out of its group's baseline.
    """
    return None if score["verdict"] in ("undecided", "failed") else score["score"]


def reward_or_error(score, what="a rollout"):
    """For trainers without a word for "no reward": they are told why, and never handed a 0 that means nothing."""
    if score["score"] is None:
        raise ValueError(f"no score for {what}: {score['because']}")
    return float(score["score"])


def completion_text(completion):
    """A completion as text: as it is, or what the assistant said in a list of messages."""
    if isinstance(completion, str):
        return completion
    return "\n".join(message.get("content") or "" for message in completion if message.get("role") == "assistant")


def rollouts_of(completions, ground_truth, data_source=None, prompts=None):
    """Columns, as most trainers have them, as rollouts for `RewardClient.scores`."""
    nothing = [None] * len(ground_truth)
    columns = (completions, ground_truth, data_source or nothing, prompts or nothing)
    return [
        {"response": completion_text(completion), "ground_truth": truth, "data_source": source, "prompt": prompt}
        for completion, truth, source, prompt in zip(*columns, strict=True)
    ]
