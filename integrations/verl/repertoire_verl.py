"""Repertoire's rewards and novelty bonus in verl, without a fork.

Reward:  reward.custom_reward_function.path=repertoire_verl.py  reward.custom_reward_function.name=compute_score
Bonus:   VERL_USE_EXTERNAL_MODULES=repertoire_verl  trainer.v1.trainer_mode=sync_novelty

The bonus goes on the last valid token of `rm_scores`, before the group is normalised, as in the paper. It uses the
reference's log-probabilities that verl computes for its KL loss, so `use_kl_loss` must be on.
"""

import asyncio
import os

from repertoire_rewards import NoveltyOptions, RewardClient, bonuses, score

_client = None


async def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    """One rollout. `acc` says whether the answer is right; verl logs and dumps the other parts beside it."""
    global _client
    _client = _client or RewardClient()
    item = {"data_source": data_source, "solution_str": solution_str, "ground_truth": ground_truth}
    reply = await asyncio.to_thread(_client.ask, "/score", item)
    if reply["score"] is None:
        raise ValueError(f"no score for a rollout of {data_source}: {reply['because']}")
    return {
        "score": reply["score"],
        "acc": reply["exact"],
        "completion": reply["completion"],
        "format": reply["format"],
        "verdict": reply["verdict"],
        "because": reply["because"],
    }


def novelty_from_environment():
    return NoveltyOptions(weight=float(os.environ.get("REPERTOIRE_NOVELTY_WEIGHT", NoveltyOptions.weight)))


def rewards_with_bonus(uids, rewards, masks, reference, correct, options):
    """Rewards (a row of tokens for each rollout) with the bonus of its group, and what to log.

    Rows are one-dimensional tensors of the response's tokens; `uids` names the groups; `correct` the right answers.
    """
    scores = [
        score([-value for value, valid in zip(row.tolist(), mask.tolist()) if valid], options.tokens)
        for row, mask in zip(reference, masks)
    ]
    groups = {}
    for i, uid in enumerate(uids):
        groups.setdefault(uid, []).append(i)
    bonus = [0.0] * len(scores)
    for members in groups.values():
        given = bonuses([scores[i] for i in members], [bool(correct[i]) for i in members], options)
        for i, value in zip(members, given):
            bonus[i] = value
    changed = []
    for row, mask, value in zip(rewards, masks, bonus):
        row = row.clone()
        valid = mask.nonzero()
        if len(valid) > 0:
            row[valid[-1].item()] += value
        changed.append(row)
    task = [row.sum().item() for row in rewards]
    metrics = {
        "novelty/task_reward": sum(task) / max(1, len(task)),
        "novelty/bonus_magnitude": sum(map(abs, bonus)) / max(1, len(bonus)),
        "novelty/groups_with_bonus": sum(any(bonus[i] != 0 for i in m) for m in groups.values()) / max(1, len(groups)),
    }
    return changed, bonus, metrics


def register():
    """Makes `trainer.v1.trainer_mode=sync_novelty` known to verl."""
    import torch
    import transfer_queue as tq
    from tensordict import TensorDict
    from verl.trainer.ppo.v1.trainer_base import register_trainer
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    @register_trainer("sync_novelty")
    class NoveltyTrainer(PPOTrainerSync):
        def _compute_advantage(self, batch, metrics):
            fields = ["uid", "response_mask", "rm_scores", "ref_log_prob", "extra_fields"]
            data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=fields)
            if "ref_log_prob" not in data.keys():
                raise ValueError("the novelty bonus needs actor_rollout_ref.actor.use_kl_loss=True")
            rows = {name: list(data[name].unbind()) for name in ("response_mask", "rm_scores", "ref_log_prob")}
            extras = data["extra_fields"].tolist()
            # Padding repeats a rollout to fill a batch; it must not compete in the group it was taken from.
            padding = [bool(tag.get("is_padding", False)) for tag in batch.tags]
            uids = [f"padding {i}" if padding[i] else uid for i, uid in enumerate(data["uid"].tolist())]
            changed, _, logged = rewards_with_bonus(
                uids,
                rows["rm_scores"],
                rows["response_mask"],
                rows["ref_log_prob"],
                [extra["reward_extra_info"]["acc"] >= 1 for extra in extras],
                novelty_from_environment(),
            )
            metrics.update(logged)
            nested = torch.nested.as_nested_tensor(changed, layout=torch.jagged)
            put = TensorDict({"rm_scores": nested}, batch_size=len(batch))
            tq.kv_batch_put(keys=batch.keys, partition_id=batch.partition_id, fields=put)
            return super()._compute_advantage(batch, metrics)

    return NoveltyTrainer


# verl imports this module by name only where VERL_USE_EXTERNAL_MODULES asks for the trainer; the reward function's
# workers load the same file by its path and need no trainer.
if __name__ in os.environ.get("VERL_USE_EXTERNAL_MODULES", "").split(","):
    register()
