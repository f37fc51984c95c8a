"""Runs OpenRLHF's own parser and agent executor on an exported folder.

    PYTHONPATH=integrations/checks:<OpenRLHF> python check.py <folder> <reward url> <sources>

Its command line is parsed and validated by its own main program, stopped where training would begin. Stand-ins: vLLM's modules,
which it imports, and the engine, which answers with right and wrong answers.
"""

import asyncio
import json
import os
import sys

from peer_check import launched, main, report, solutions, stand_ins, version_of


def check(folder, url, sources):
    stand_ins("vllm", "deepspeed", "flash_attn", "ring_flash_attn", "bitsandbytes", "optree", "pynvml", "torchmetrics", "jsonlines")
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
    """Rewards as its own client reads them, in the tensors that its experience maker takes the mean of."""
    import requests
    import torch

    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    answers = solutions([row["label"] for row in rows])
    prompts = [f"<|im_start|>user\n{row['prompt'][0]['content']}<|im_end|>\n<|im_start|>assistant\n" for row in rows]
    for name, said in (("right", [answers[row["label"]] for row in rows]), ("wrong", ["?"] * len(rows))):
        queries = [f"{prompt}<answer>{answer}</answer><|im_end|>" for prompt, answer in zip(prompts, said)]
        asked = {"query": queries, "prompts": prompts, "labels": [row["label"] for row in rows]}
        reply = requests.post(arguments.reward.remote_url[0], json=asked, timeout=60)
        rewards = torch.tensor([[reward] for reward in reply.json()["rewards"]])
        report(f"rewards of {name} answers", rewards=rewards.flatten().tolist(), mean=rewards.mean().item(), dtype=str(rewards.dtype))
    whole = requests.post(arguments.reward.remote_url[0], json={"query": ["ab\\boxed{3}"], "prompts": ["ab"], "labels": ["3"]}, timeout=60)
    rewards = torch.tensor([whole.json()["rewards"]])
    report("whole numbers", mean=rewards.mean().item(), dtype=str(rewards.dtype))


if __name__ == "__main__":
    main(check)
