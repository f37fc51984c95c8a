"""Repertoire's novelty bonus in Axolotl: `plugins: [repertoire_axolotl.NoveltyPlugin]`. Rewards are `repertoire_trl.task_reward` and
`repertoire_trl.exact` under `trl.reward_funcs`; where to ask is REPERTOIRE_REWARD_URL."""

from axolotl.integrations.base import BasePlugin


def as_it_is(cfg, *args, **kwargs):
    """A prompt strategy for exported rows, which have TRL's columns already."""

    def transform(example, tokenizer=None):
        return example

    return transform, {"remove_columns": []}


class NoveltyPlugin(BasePlugin):
    def get_trainer_cls(self, cfg):
        if cfg.rl != "grpo":
            return None
        from axolotl.core.trainers.grpo.trainer import AxolotlGRPOTrainer
        from repertoire_trl import novelty_trainer

        return novelty_trainer(AxolotlGRPOTrainer)
