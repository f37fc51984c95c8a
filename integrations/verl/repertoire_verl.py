"""Repertoire's rewards and novelty bonus in verl (0.9 or newer), without a fork.

Reward:  reward.custom_reward_function.path=repertoire_verl.py  reward.custom_reward_function.name=compute_score
Bonus:   VERL_USE_EXTERNAL_MODULES=repertoire_verl  trainer.v1.trainer_mode=sync_novelty

The bonus goes on the last valid token of `rm_scores`, before the group is normalized, as in the paper. It uses the
reference's log-probabilities that verl computes for its KL loss, so `use_kl_loss` must be on.
"""

import asyncio
import os

from repertoire_rewards import NoveltyOptions, RewardClient, bonuses_by_group, reward_or_error, score

_client = None


async def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    """One rollout. `acc` says whether the answer is right; the other parts stand beside it."""
    global _client
    _client = _client or RewardClient()
    reply = await asyncio.to_thread(_client.score, solution_str, ground_truth, data_source)
    return {
        "score": reward_or_error(reply, f"a rollout of {data_source}"),
        "acc": reply["exact"],
        "completion": reply["completion"],
        "format": reply["format"],
        "verdict": reply["verdict"],
        "because": reply["because"],
    }


def rewards_with_bonus(uids, rewards, masks, reference, correct, options):
    """Rewards (a row of tokens for each rollout) with the bonus of its group, and what to log.

    Rows are one-dimensional tensors of the response's tokens; `uids` names the groups; `correct` the right answers.
    """
    scores = [score((-row[mask.bool()]).tolist(), options.tokens) for row, mask in zip(reference, masks)]
    bonus = bonuses_by_group(uids, scores, [bool(value) for value in correct], options)
    changed = []
    for row, mask, value in zip(rewards, masks, bonus):
        row = row.clone()
        valid = mask.nonzero()
        if len(valid) > 0:
            row[valid[-1].item()] += value
        changed.append(row)
    task = [row.sum().item() for row in rewards]
    rewarded = {uid for uid, value in zip(uids, bonus) if value != 0}
    metrics = {
        "novelty/task_reward": sum(task) / max(1, len(task)),
        "novelty/bonus_magnitude": sum(map(abs, bonus)) / max(1, len(bonus)),
        "novelty/groups_with_bonus": len(rewarded) / max(1, len(set(uids))),
    }
    return changed, bonus, metrics


def register():
    """Makes `trainer.v1.trainer_mode=sync_novelty` known to verl."""
    import torch
    import transfer_queue as tq
    from omegaconf import open_dict
    from tensordict import TensorDict
    from verl.trainer.ppo.v1.trainer_base import register_trainer
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    @register_trainer("sync_novelty")
    class NoveltyTrainer(PPOTrainerSync):
        def __init__(self, config, *args, **kwargs):
            # verl takes every mode that is not called "sync" for an asynchronous one, with another buffer, which asks
            # for failed rollouts again for ever.
            with open_dict(config):
                config.trainer.v1.trainer_mode = "sync"
            super().__init__(config, *args, **kwargs)
            self._graded = {}

        def _compute_advantage(self, batch, metrics):
            fields = ["uid", "response_mask", "rm_scores", "ref_log_prob", "extra_fields"]
            data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=fields)
            if "ref_log_prob" not in data.keys():
                raise ValueError("the novelty bonus needs actor_rollout_ref.actor.use_kl_loss=True")
            rows = {name: list(data[name].unbind()) for name in ("response_mask", "rm_scores", "ref_log_prob")}
            correct = [extra["reward_extra_info"]["acc"] >= 1 for extra in list(data["extra_fields"])]
            # Padding repeats a rollout to fill a batch; it must not compete in the group it was taken from.
            padding = [bool(tag.get("is_padding", False)) for tag in batch.tags]
            uids = [f"padding {i}" if padding[i] else uid for i, uid in enumerate(list(data["uid"]))]
            changed, bonus, logged = rewards_with_bonus(
                uids,
                rows["rm_scores"],
                rows["response_mask"],
                rows["ref_log_prob"],
                correct,
                NoveltyOptions.from_environment(),
            )
            metrics.update(logged)
            self._graded = {
                key: {"acc": int(right), "task_reward": row.sum().item(), "novelty_bonus": value}
                for key, right, row, value in zip(batch.keys, correct, rows["rm_scores"], bonus)
            }
            nested = torch.nested.as_nested_tensor(changed, layout=torch.jagged)
            put = TensorDict({"rm_scores": nested}, batch_size=len(batch))
            tq.kv_batch_put(keys=batch.keys, partition_id=batch.partition_id, fields=put)
            return super()._compute_advantage(batch, metrics)

        def _dump_generations(self, inputs, outputs, gts, scores, reward_extra_infos_dict, dump_path, *args, **kwargs):
            """verl's dump has one number a rollout, which now includes the bonus; whether it was right stands beside it."""
            keys = reward_extra_infos_dict.get("uid", [])
            if keys and all(key in self._graded for key in keys):
                columns = {name: [self._graded[key][name] for key in keys] for name in self._graded[keys[0]]}
                reward_extra_infos_dict = {**reward_extra_infos_dict, **columns}
            return super()._dump_generations(
                inputs, outputs, gts, scores, reward_extra_infos_dict, dump_path, *args, **kwargs
            )

    return NoveltyTrainer


# verl imports this module by name only where VERL_USE_EXTERNAL_MODULES asks for the trainer; the reward function's
# workers load the same file by its path and need no trainer.
if __name__ in os.environ.get("VERL_USE_EXTERNAL_MODULES", "").split(","):
    register()
