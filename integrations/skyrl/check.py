"""Runs SkyRL's own code on an exported folder: configuration, dataset, SkyRL-gym, and the advantages of its trainer.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/skyrl:<SkyRL>:<SkyRL>/skyrl-gym python check.py <folder> <reward url> <sources>

Stand-ins: the responses (right and wrong answers) and the reference's log-probabilities (drawn). The configuration is checked
where SkyRL itself can be imported; SkyRL-gym needs nothing.
"""

import os
import random

from peer_check import launched, main, report, solutions, stand_ins, version_of


def check(folder, url, sources):
    import pandas
    import skyrl_gym
    from repertoire_skyrl import register_env

    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("SkyRL", version=version_of(sources))
    rows = pandas.read_parquet(os.path.join(folder, "train.parquet"))
    answers = solutions([spec["ground_truth"] for spec in rows["reward_spec"]])
    register_env()
    draw, said = random.Random(1), []
    for _, row in rows.iterrows():
        for _ in range(4):
            env = skyrl_gym.make("repertoire", extras=row.to_dict())
            prompt, _ = env.init(list(row["prompt"]))
            answer = answers[row["reward_spec"]["ground_truth"]] if draw.random() < 0.7 else "?"
            output = env.step(f"<reasoning>so</reasoning><answer>{answer}</answer>")
            assert output["done"] and prompt[0]["role"] == "user"
            said.append({"uid": row["extra_info"]["id"], "reward": output["reward"], **env.get_metrics()})
    report("SkyRL-gym", rewards=[one["reward"] for one in said], exact=[one["exact"] for one in said])
    stand_ins("vllm", "flash_attn", "pybase64", "zstandard", "vllm_router", "sglang")
    try:
        import skyrl.train.trainer  # noqa: F401
    except ImportError as error:
        report("SkyRL's configuration and trainer", skipped=str(error))
        return
    configured(folder)
    trained(said, draw)


def configured(folder):
    from skyrl.train.config import SkyRLTrainConfig
    from skyrl.train.utils.utils import validate_cfg

    words = [word for word in launched(folder, "python") if "=" in word]
    config = SkyRLTrainConfig.from_cli_overrides(words)
    validate_cfg(config)
    report("SkyRL's configuration", loss=config.trainer.algorithm.policy_loss_type)


def trained(said, draw):
    """The bonus in SkyRL's own advantages."""
    import torch
    from repertoire_skyrl import novelty_trainer
    from skyrl.backends.skyrl_train.training_batch import TrainingInputBatch
    from skyrl.train.config import SkyRLTrainConfig
    from skyrl.train.trainer import RayPPOTrainer

    longest = 30
    lengths = [draw.randint(5, longest) for _ in said]
    mask = torch.tensor([[1] * length + [0] * (longest - length) for length in lengths])
    rewards = torch.zeros(len(said), longest)
    for i, (one, length) in enumerate(zip(said, lengths)):
        rewards[i, length - 1] = one["reward"]
    torch.manual_seed(3)
    reference = torch.randn(len(said), longest).sub(3).clamp(max=-0.01)
    batch = TrainingInputBatch({"rewards": rewards, "response_mask": mask, "loss_mask": mask, "base_action_log_probs": reference, "values": None})
    batch.metadata = {"uids": [one["uid"] for one in said], "correct": [one["exact"] >= 1 for one in said], "response_length": longest, "avg_response_length": sum(lengths) / len(lengths)}
    trainer = object.__new__(novelty_trainer(RayPPOTrainer))
    trainer.cfg, trainer.all_metrics = SkyRLTrainConfig(), {}
    trainer.cfg.trainer.algorithm.advantage_estimator = "grpo"
    batch = trainer.compute_advantages_and_returns(batch)
    report(
        "SkyRL's advantages with the bonus",
        uids=batch.metadata["uids"],
        surprises=[(-row[: length].double()).tolist() for row, length in zip(reference, lengths)],
        correct=batch.metadata["correct"],
        task=[one["reward"] for one in said],
        rewards=batch["rewards"].sum(dim=1).tolist(),
        advantages=batch["advantages"][:, 0].tolist(),
    )


if __name__ == "__main__":
    main(check)
