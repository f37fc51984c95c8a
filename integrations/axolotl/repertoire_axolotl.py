"""Repertoire's novelty bonus in Axolotl: `trainer_cls: repertoire_axolotl.NoveltyTrainer`. Rewards are `repertoire_trl.task_reward`
and `repertoire_trl.exact` under `trl.reward_funcs`; where to ask is REPERTOIRE_REWARD_URL.

A plugin's `get_trainer_cls` would not do: Axolotl hands such a trainer neither the model nor the reward functions.
"""

from axolotl.core.trainers.grpo.trainer import AxolotlGRPOTrainer
from repertoire_trl import novelty_trainer

NoveltyTrainer = novelty_trainer(AxolotlGRPOTrainer)


def as_it_is(cfg, *args, **kwargs):
    """A prompt strategy for exported rows, which have TRL's columns already."""

    def transform(example, tokenizer=None):
        return example

    return transform, {"remove_columns": []}
