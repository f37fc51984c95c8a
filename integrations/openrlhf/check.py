"""Runs OpenRLHF's own parser and agent executor on an exported folder.

    PYTHONPATH=integrations/checks:<OpenRLHF> python check.py <folder> <reward url> <sources>

Its command line is parsed and validated by its own main program, stopped where training would begin. Stand-ins: vLLM's modules,
which it imports, and the engine, which answers with right and wrong answers.
"""

import asyncio
import json
import os
import sys
import tempfile
from types import SimpleNamespace

from peer_check import byte_tokenizer, launched, main, report, solutions, stand_ins, version_of


def check(folder, url, sources):
    stand_ins("vllm", "deepspeed", "flash_attn", "ring_flash_attn", "bitsandbytes", "optree", "pynvml", "torchmetrics", "jsonlines", "pylatexenc")
    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("OpenRLHF", version=version_of(sources))
    sys.argv = ["train_ppo_ray", *launched(folder, "python")[2:]]
    import openrlhf.cli.train_ppo_ray as program

    stopped = []
    with open(program.__file__) as file:
        source = file.read().replace("\n    train(args)\n", "\n    stopped.append(args)\n")
    exec(compile(source, program.__file__, "exec"), {**vars(program), "__name__": "__main__", "stopped": stopped})
    (arguments,) = stopped
    report(
        "its command line",
        loss=arguments.actor.policy_loss_type,
        lora_rank=arguments.ds.lora.rank,
        ring=arguments.ds.ring_attn_size,
        remote_url=arguments.reward.remote_url,
    )
    asyncio.run(executed(folder, arguments))


async def executed(folder, arguments):
    """Its executor with its own client of rewards, its samples, and its experience maker from rewards to advantages."""
    import torch
    from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker
    from openrlhf.trainer.ppo_utils.samples_generator import SamplesGenerator
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    with open(os.path.join(folder, "train.jsonl")) as file:
        row = json.loads(file.readline())
    answer = solutions([row["label"]])[row["label"]]
    puzzle = (row["prompt"][0]["content"], row["label"])
    right, wrong = f"<answer>{answer}</answer>", "<answer>?</answer>"
    with tempfile.TemporaryDirectory() as home:
        tokenizer = byte_tokenizer(home)
    executor = SingleTurnAgentExecutor(arguments.reward.remote_url)
    generator = object.__new__(SamplesGenerator)
    maker = object.__new__(RemoteExperienceMaker)
    maker.args, maker.strategy, maker.tokenizer = arguments, SimpleNamespace(args=arguments), tokenizer
    maker.advantage_estimator, maker.kl_ctl = arguments.algo.advantage.estimator, SimpleNamespace(value=0.0)
    size = arguments.rollout.n_samples_per_prompt
    # Mathematics, and a puzzle that nobody solves, have whole numbers alone.
    batches = {
        "a puzzle": (puzzle, [right] * (size // 2) + [wrong] * (size - size // 2)),
        "a puzzle without answers": (puzzle, ["?"] * size),
        "mathematics": (("What is 1 + 2?", "3"), ["\\boxed{3}"] * (size - 1) + ["\\boxed{4}"]),
    }
    for name, ((question, label), said) in batches.items():
        prompt = f"[user] {question}\n[assistant] "
        samples = []
        for text in said:
            parameters = SimpleNamespace(max_tokens=200, logprobs=None)
            output = await executor.execute(prompt, label, parameters, 10_000, tokenizer, Engine(tokenizer, text))
            samples.append(generator._process_response_into_experience(output, max_len=10_000))
        experiences = maker.split_rollout_samples(samples)
        for experience in experiences:
            experience.kl = torch.zeros_like(experience.action_mask, dtype=torch.float32)
        rewards = torch.cat([experience.rewards.flatten() for experience in experiences]).tolist()
        maker.compute_advantages_and_returns(experiences)
        advantages = [float(row[mask.bool()][-1]) for one in experiences for row, mask in zip(one.advantages, one.action_mask)]
        mean = sum(rewards) / size
        deviation = (sum((reward - mean) ** 2 for reward in rewards) / (size - 1)) ** 0.5
        expected = [(reward - mean) / (deviation + 1e-9) for reward in rewards]
        assert max(abs(one - other) for one, other in zip(advantages, expected)) < 1e-4, (advantages, expected)
        report(f"its experience maker, {name}", rewards=rewards, advantage=advantages)


class Engine:
    """Answers what it was told to, as vLLM's engine does."""

    def __init__(self, tokenizer, text):
        self.answer = SimpleNamespace(token_ids=tokenizer(text)["input_ids"], text=text, finish_reason="stop", logprobs=None)

    async def generate(self, *_, **__):
        return SimpleNamespace(outputs=[self.answer])


if __name__ == "__main__":
    main(check)
