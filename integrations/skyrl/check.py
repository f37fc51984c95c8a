"""Runs SkyRL's own code on an exported folder: configuration, dataset, SkyRL-gym, generator, and its trainer up to the advantages.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/skyrl:<SkyRL>:<SkyRL>/skyrl-gym python check.py <folder> <reward url> <sources>

Stand-ins: the inference engine (right and wrong answers) and the reference's log-probabilities (drawn). The configuration and
the trainer are checked where SkyRL itself can be imported; SkyRL-gym needs nothing.
"""

import asyncio
import os
import random
import tempfile
import types

from peer_check import byte_tokenizer, launched, main, report, solutions, stand_ins, version_of

# Not a divisor of the batch, so that SkyRL pads it.
CARDS = 3


def check(folder, url, sources):
    import pandas
    import skyrl_gym
    from repertoire_skyrl import register_env

    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("SkyRL", version=version_of(sources))
    rows = pandas.read_parquet(os.path.join(folder, "train.parquet"))
    answers = solutions([spec["ground_truth"] for spec in rows["reward_spec"]])
    register_env()
    said = []
    for _, row in rows.iterrows():
        env = skyrl_gym.make("repertoire", extras=row.to_dict())
        prompt, _ = env.init(list(row["prompt"]))
        output = env.step(f"<answer>{answers[row['reward_spec']['ground_truth']]}</answer>")
        assert output["done"] and prompt[0]["role"] == "user"
        said.append({"reward": output["reward"], **env.get_metrics()})
    report("SkyRL-gym", rewards=[one["reward"] for one in said], exact=[one["exact"] for one in said])
    stand_ins("vllm", "flash_attn", "pybase64", "zstandard", "vllm_router", "sglang")
    try:
        import skyrl.train.trainer  # noqa: F401
    except ImportError as error:
        report("SkyRL's configuration and trainer", skipped=str(error))
        return
    config = configured(folder)
    asyncio.run(trained(config, folder, answers))


def configured(folder):
    from skyrl.train.config import SkyRLTrainConfig
    from skyrl.train.utils.utils import validate_cfg

    words = [word for word in launched(folder, "python") if "=" in word]
    config = SkyRLTrainConfig.from_cli_overrides(words)
    validate_cfg(config)
    report("SkyRL's configuration", loss=config.trainer.algorithm.policy_loss_type)
    return config


class ToyEngine:
    """In place of vLLM: three of four answers are right."""

    def __init__(self, tokenizer, answers):
        self.tokenizer, self.draw = tokenizer, random.Random(1)
        self.answers = {tuple(ids): answer for ids, answer in answers}

    async def generate(self, engine_input, model=None):
        said = []
        for ids in engine_input["prompt_token_ids"]:
            thought = "".join(self.draw.choice("abcdefgh ") for _ in range(self.draw.randint(5, 60)))
            answer = self.answers[tuple(ids)] if self.draw.random() < 0.75 else "?"
            said.append(f"<reasoning>{thought}</reasoning><answer>{answer}</answer>")
        tokens = [self.tokenizer(text)["input_ids"] for text in said]
        return {"responses": said, "response_ids": tokens, "stop_reasons": ["stop"] * len(said)}

    async def finish_session(self, *_):
        pass


async def trained(config, folder, answers):
    """A step of SkyRL's trainer on its own rollouts, up to the advantages, with the bonus."""
    import torch
    from repertoire_skyrl import novelty_trainer
    from skyrl.train.dataset import PromptDataset
    from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator
    from skyrl.train.generators.utils import prepare_generator_input
    from skyrl.train.trainer import RayPPOTrainer

    tokenizer = byte_tokenizer(tempfile.mkdtemp())
    data = PromptDataset([os.path.join(folder, "train.parquet")], tokenizer, 10_000, num_workers=1)
    rows = [data[i] for i in range(len(data))]
    rows = data.collate_fn(rows)
    asked = [tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, tokenize=True, return_dict=False) for row in rows]
    engine = ToyEngine(tokenizer, [(ids, answers[row["env_extras"]["reward_spec"]["ground_truth"]]) for ids, row in zip(asked, rows)])

    config.generator.max_input_length, config.generator.n_samples_per_prompt = 10_000, 4
    config.trainer.train_batch_size = config.trainer.policy_mini_batch_size = len(rows)
    trainer = object.__new__(novelty_trainer(RayPPOTrainer))
    trainer.cfg, trainer.tokenizer, trainer.all_metrics = config, tokenizer, {}
    trainer.dispatch = types.SimpleNamespace(get_lcm_dp_size=lambda: CARDS)
    trainer.generator = SkyRLGymGenerator(config.generator, config.environment.skyrl_gym, engine, tokenizer)
    given, uids = prepare_generator_input(rows, 4, {}, config.environment.env_class, "train", 1)
    output, uids = trainer.postprocess_generator_output(await trainer.generate(given), uids)
    correct, task = [one["exact"] >= 1 for one in output["env_metrics"]], [sum(row) for row in output["rewards"]]
    batch = trainer.convert_to_training_input(output, uids)
    torch.manual_seed(3)
    reference = torch.randn(batch["response_mask"].shape).sub(3).clamp(max=-0.01)
    batch["base_action_log_probs"], batch["values"] = reference, None
    batch = trainer.compute_advantages_and_returns(batch)
    masks = batch["response_mask"].bool()
    count = len(uids)
    report(
        "SkyRL's advantages with the bonus",
        padding=len(masks) - count,
        uids=uids,
        surprisals=[(-row[mask].double()).tolist() for row, mask in zip(reference[:count], masks)],
        correct=correct,
        task=task,
        rewards=batch["rewards"].sum(dim=1).tolist()[:count],
        advantages=[row[mask][0].item() for row, mask in zip(batch["advantages"][:count], masks)],
    )


if __name__ == "__main__":
    main(check)
