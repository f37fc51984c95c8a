"""Repertoire in SkyRL: an environment of SkyRL-gym, and a trainer with the novelty bonus.

    python -m repertoire_skyrl environment.env_class=repertoire ...        # what launch.sh runs

The bonus goes on the last token of the reward before the group is normalized, as in the paper. It uses the reference's
log-probabilities that SkyRL computes for its KL loss, so `trainer.algorithm.use_kl_loss` must be on.
"""

from repertoire_rewards import NoveltyOptions, RewardClient, bonuses_by_group, reward_or_error, score
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from skyrl_gym.envs.registration import register


class RepertoireEnv(BaseTextEnv):
    """One turn: the response is scored. Rows are verl's: `reward_spec` or `reward_model` has the ground truth."""

    def __init__(self, env_config=None, extras=None):
        super().__init__()
        extras = extras or {}
        spec = extras.get("reward_spec") or extras["reward_model"]
        self.ground_truth = spec["ground_truth"]
        self.data_source = extras.get("data_source")
        self._verdict = None
        self._prompt = None

    def init(self, prompt):
        self._prompt = prompt
        return super().init(prompt)

    def step(self, action):
        self._verdict = RewardClient().score(action, self.ground_truth, self.data_source, self._prompt)
        reward = reward_or_error(self._verdict)
        return BaseTextEnvStepOutput(observations=[], reward=reward, done=True, metadata={"verdict": self._verdict})

    def get_metrics(self):
        """SkyRL logs their means."""
        if self._verdict is None:
            return {}
        return {name: float(self._verdict[name]) for name in ("exact", "completion", "format")}


def register_env():
    register(id="repertoire", entry_point="repertoire_skyrl:RepertoireEnv")


def rewards_with_bonus(data, correct, options):
    """Token rewards with the bonus of each group on the last token of the response, and the bonuses."""
    rewards = data["rewards"].clone()
    masks = data["response_mask"].bool()
    scores = [score((-row[mask].double()).tolist(), options.tokens) for row, mask in zip(data["base_action_log_probs"], masks)]
    given = bonuses_by_group(data.metadata["uids"], scores, correct, options)
    for i, bonus in enumerate(given):
        valid = masks[i].nonzero()
        if len(valid) > 0:
            rewards[i, valid[-1].item()] += bonus
    return rewards, given


def novelty_trainer(base):
    """A subclass of SkyRL's RayPPOTrainer whose rewards carry the bonus."""

    class NoveltyTrainer(base):
        def convert_to_training_input(self, generator_output, uids):
            batch = super().convert_to_training_input(generator_output, uids)
            said = generator_output.get("env_metrics")
            if said is None:
                raise ValueError("SkyRL kept no metrics of its environments (env_metrics), so the bonus cannot tell right answers: set generator.batched=false")
            # A prompt that was too long is never answered and has no metrics; rows that only fill the batch come last.
            padding = [False] * batch.metadata.get("pad_size", 0)
            batch.metadata["correct"] = [one.get("exact", 0) >= 1 for one in said] + padding
            return batch

        def compute_advantages_and_returns(self, data):
            if data.get("base_action_log_probs") is None:
                raise ValueError("the novelty bonus needs the reference: set trainer.algorithm.use_kl_loss=true")
            data["rewards"], given = rewards_with_bonus(data, data.metadata["correct"], NoveltyOptions.from_environment())
            self.all_metrics.update({"novelty/bonus_magnitude": sum(map(abs, given)) / max(1, len(given))})
            return super().compute_advantages_and_returns(data)

    return NoveltyTrainer


def main(arguments):
    """SkyRL's own entry point with our environment and, unless REPERTOIRE_NOVELTY_WEIGHT is 0, our trainer."""
    import ray
    from skyrl.train.config import SkyRLTrainConfig
    from skyrl.train.entrypoints.main_base import BasePPOExp, validate_cfg
    from skyrl.train.trainer import RayPPOTrainer
    from skyrl.train.utils import initialize_ray

    class Experiment(BasePPOExp):
        def get_trainer(self, **parts):
            base = RayPPOTrainer if NoveltyOptions.from_environment().weight == 0 else novelty_trainer(RayPPOTrainer)
            return base(**parts)

    @ray.remote(num_cpus=1)
    def entrypoint(cfg):
        register_env()
        Experiment(cfg).run()

    config = SkyRLTrainConfig.from_cli_overrides(arguments)
    validate_cfg(config)
    initialize_ray(config)
    ray.get(entrypoint.remote(config))


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
