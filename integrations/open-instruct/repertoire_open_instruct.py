"""Repertoire's rewards in open-instruct, OLMo's own trainer. Its verifiers are the subclasses that it finds, so importing
this module before it builds them is all: `python -m repertoire_open_instruct <arguments of grpo_fast.py>`.

Rows name the verifier in `dataset`: `repertoire`. open-instruct multiplies the score by `--verification_reward` (its default is
10; ours is 1).
"""

from open_instruct.ground_truth_utils import VerificationResult, VerifierFunction
from repertoire_rewards import RewardClient, reward_or_error


class RepertoireVerifier(VerifierFunction):
    def __init__(self, verifier_config=None):
        super().__init__("repertoire", verifier_config=verifier_config, weight=1.0)

    def __call__(self, tokenized_prediction, prediction, label, query=None, rollout_state=None):
        # Labels may come as lists of one.
        truth = label[0] if isinstance(label, list) else label
        score = RewardClient().score(prediction, truth, prompt=query)
        return VerificationResult(score=reward_or_error(score), reasoning=score["because"] or None)


if __name__ == "__main__":
    import runpy

    runpy.run_module("open_instruct.grpo_fast", run_name="__main__", alter_sys=True)
