"""Repertoire's novelty bonus in slime, without a fork. Rewards come from the server (--rm-type remote_rm).

    --custom-reward-post-process-path repertoire_slime.verdicts_and_rewards
    --custom-advantage-function-path  repertoire_slime.advantages_with_bonus

The bonus is added to the reward before the group is normalized, as in the paper. It uses the reference's
log-probabilities that slime computes for its KL loss, so `--use-kl-loss` must be on.
"""

from repertoire_rewards import NoveltyOptions, bonuses, group_advantages, largest


def verdicts_and_rewards(args, samples):
    """slime keeps two numbers a rollout: `raw_reward`, of which it logs pass rates, and what trains. Not normalized yet."""
    exact = [sample.reward["exact"] for sample in samples]
    return exact, [float(sample.reward["score"]) for sample in samples]


def advantages_with_bonus(args, rollout_data):
    """Every rank knows its own rollouts, and with context parallelism only a part of their tokens; groups need them all."""
    import torch
    import torch.distributed as dist
    from megatron.core import mpu
    from slime.backends.megatron_utils.cp_utils import slice_log_prob_with_cp

    if rollout_data.get("ref_log_probs") is None:
        raise ValueError("the novelty bonus needs the reference: set --use-kl-loss and --ref-load")
    options = NoveltyOptions.from_environment()
    mine = []
    columns = ("partition", "rewards", "ref_log_probs", "loss_masks", "total_lengths", "response_lengths")
    for place, reward, logps, mask, total, length in zip(*(rollout_data[name] for name in columns), strict=True):
        kept = slice_log_prob_with_cp(torch.as_tensor(mask), total, length).bool().to(logps.device)
        mine.append((place, reward, largest((-logps[kept]).tolist(), options.tokens)))
    group = mpu.get_data_parallel_group(with_context_parallel=True)
    everybody = [None] * dist.get_world_size(group)
    dist.all_gather_object(everybody, mine, group=group)

    rewards, surprisals = {}, {}
    for place, reward, values in (row for rows in everybody for row in rows):
        rewards[place] = reward
        surprisals.setdefault(place, []).extend(values)
    correct = [value >= 1 for value in rollout_data["raw_reward"]]
    advantages = {}
    size = args.n_samples_per_prompt
    for first in range(0, len(correct), size):
        members = range(first, first + size)
        scores = [sum(largest(surprisals[i], options.tokens)) / options.tokens for i in members]
        given = bonuses(scores, [correct[i] for i in members], options)
        totals = [rewards[i] + bonus for i, bonus in zip(members, given)]
        advantages.update(zip(members, group_advantages(totals)))
    shaped = [
        torch.full_like(logps, advantages[place], dtype=torch.float32)
        for place, logps in zip(rollout_data["partition"], rollout_data["ref_log_probs"], strict=True)
    ]
    rollout_data["advantages"] = shaped
    rollout_data["returns"] = shaped
