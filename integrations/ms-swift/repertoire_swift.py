"""Repertoire's rewards in ms-swift: `--external_plugins repertoire_swift.py --reward_funcs repertoire repertoire_exact`."""

from repertoire_rewards import RewardClient, reward_of, rollouts_of
from swift.rewards import ORM, orms


class Repertoire(ORM):
    """The reward that trains; None where a rollout could not be graded."""

    part = "score"
    _last = (None, None)

    def __call__(self, completions, ground_truth, data_source=None, **_):
        rollouts = rollouts_of(completions, ground_truth, data_source)
        # ms-swift asks each function about the same completions in turn; the server is asked once.
        if Repertoire._last[0] != rollouts:
            Repertoire._last = (rollouts, RewardClient().scores(rollouts))
        return [None if reward_of(score) is None else float(score[self.part]) for score in Repertoire._last[1]]


class RepertoireExact(Repertoire):
    """Whether the answer is right, with weight 0, so that it is logged."""

    part = "exact"


orms["repertoire"] = Repertoire
orms["repertoire_exact"] = RepertoireExact
