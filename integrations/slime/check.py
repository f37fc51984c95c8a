"""Runs slime's own parser and validation on an exported launch.sh, its remote reward client, and its place for advantages.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/slime:<slime> python check.py <folder> <reward url> <sources of slime>

Stand-ins: SGLang and Megatron, which it imports. Megatron's own flags (parallelism, optimizer, layers) are theirs to parse and are
passed over.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import types

from peer_check import launched, main, report, solutions, stand_ins, version_of


def in_one_process():
    """Megatron's groups for one rank, which holds whole sequences."""
    import torch.distributed as dist

    stand_ins("sglang", "sglang_router", "megatron", "wandb", "pylatexenc")
    import megatron.core

    megatron.core.mpu = types.SimpleNamespace(get_data_parallel_group=lambda **_: dist.group.WORLD)
    for name in ("slime.backends.megatron_utils", "slime.backends.megatron_utils.cp_utils"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["slime.backends.megatron_utils.cp_utils"].slice_log_prob_with_cp = lambda row, *_: row


def parsed(folder, sources):
    """slime's own flags from its own parser; then its own validation."""
    reference = tempfile.mkdtemp()
    environment = {"SLIME": sources, "SLIME_MODEL": "qwen3-8B", "SLIME_REF": reference}
    words = launched(folder, "python", environment)[1:]
    from slime.utils import arguments

    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("--lr", "--clip-grad", "--weight-decay"):
        parser.add_argument(name, type=float)
    for name in ("--save-interval", "--num-layers", "--global-batch-size", "--context-parallel-size", "--tensor-model-parallel-size"):
        parser.add_argument(name, type=int)
    for name in ("--save", "--load"):
        parser.add_argument(name)
    for name in ("--sequence-parallel",):
        parser.add_argument(name, action="store_true")
    parser = arguments.get_slime_extra_args_provider()(parser)
    given, unknown = parser.parse_known_args(words)
    megatron = {word for word in unknown if word.startswith("--")}
    report("slime's parser", left_to_megatron=sorted(megatron))
    sys.argv = ["train.py", *words]
    for name, value in vars(arguments._pre_parse_mode()).items():
        setattr(given, name, value)
    for name, value in {"ckpt_step": None, "seq_length": 4096, "critic_save": None, "critic_load": None, "critic_lr": None}.items():
        if not hasattr(given, name):
            setattr(given, name, value)
    arguments.slime_validate_args(given)
    report("slime_validate_args", save=given.save, ref_load=given.ref_load == reference, rm_url=given.rm_url)
    return given


async def rewarded(arguments, folder):
    from repertoire_slime import verdicts_and_rewards
    from slime.rollout.rm_hub import remote_rm
    from slime.utils.types import Sample

    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    answers = solutions([row["label"] for row in rows])
    draw, samples = random.Random(2), []
    for row in rows:
        for _ in range(4):
            answer = answers[row["label"]] if draw.random() < 0.7 else "?"
            sample = Sample(prompt=row["prompt"], response=f"<answer>{answer}</answer>", label=row["label"])
            sample.reward = await remote_rm(arguments, sample)
            samples.append(sample)
    exact, scores = verdicts_and_rewards(arguments, samples)
    assert scores == [sample.get_reward_value(arguments) for sample in samples]
    report("slime's remote_rm", rewards=scores, exact=exact)
    return exact, scores


def advantages(arguments, exact, scores):
    import torch
    import torch.distributed as dist
    from repertoire_slime import advantages_with_bonus

    dist.init_process_group("gloo", init_method=f"file://{tempfile.mktemp()}", rank=0, world_size=1)
    arguments.n_samples_per_prompt = 4
    draw = random.Random(4)
    order = list(range(len(scores)))
    draw.shuffle(order)
    lengths = [draw.randint(5, 30) for _ in order]
    torch.manual_seed(3)
    logps = [torch.randn(length).sub(3).clamp(max=-0.01) for length in lengths]
    data = {
        "partition": order, "rewards": [scores[i] for i in order], "raw_reward": exact, "ref_log_probs": logps,
        "loss_masks": [torch.ones(length, dtype=torch.int) for length in lengths], "response_lengths": lengths, "total_lengths": [length + 5 for length in lengths],
    }  # fmt: skip
    advantages_with_bonus(arguments, data)
    report(
        "advantages with the bonus",
        uids=[i // 4 for i in order],
        surprisals=[(-row.double()).tolist() for row in logps],
        correct=[exact[i] >= 1 for i in order],
        task=[scores[i] for i in order],
        advantages=[row[0].item() for row in data["advantages"]],
    )


def check(folder, url, sources):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    in_one_process()
    report("slime", version=version_of(sources))
    given = parsed(folder, sources)
    exact, scores = asyncio.run(rewarded(given, folder))
    advantages(given, exact, scores)


if __name__ == "__main__":
    main(check)
