"""Measures the engine on one GPU with random weights in OLMo-3-7B's shape: python bench.py --out results.json

Training (LoRA on all linears), scoring and decoding, each with the share of the device's measured matrix rate it reaches.
"""
import argparse
import json
import os
import sys
import time

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from repertoire_torch_engine.policy import Policy
from repertoire_torch_engine.sampling import SampleJob, Sampler
from repertoire_torch_engine.training import Trainer


GPU = torch.cuda.is_available()  # without one only the script itself is tried
DEVICE, DTYPE = ("cuda", torch.bfloat16) if GPU else ("cpu", torch.float32)


def settle():
    if GPU:
        torch.cuda.synchronize()


def seconds(work, repeats=2):
    work()
    settle()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    settle()
    return (time.perf_counter() - start) / repeats


def matrix_rate():
    size = 8192 if GPU else 512
    a, b = (torch.randn(size, size, device=DEVICE, dtype=DTYPE) for _ in range(2))
    return 2 * size**3 / seconds(lambda: a @ b, 20)


def linear_parameters(policy):
    return sum(m.weight.numel() for m in policy.model.modules() if isinstance(m, torch.nn.Linear))


def datums(length, count, vocabulary, rng):
    result = []
    for _ in range(count):
        tokens = rng.integers(0, vocabulary, length + 1)
        inputs = {
            "target_tokens": tokens[1:].astype(np.int64), "weights": np.full(length, 1e-5, np.float32),
            "scored_from": np.array([256]),
        }
        result.append((tokens[:-1].astype(np.int32), inputs))
    return result


def attention_flops(config, length):
    """Per sequence and forward pass: scores and values over the keys that each layer lets a query see."""
    total = 0
    for kind in config.layer_types:
        window = config.sliding_window if kind == "sliding_attention" else length
        seen = sum(min(t + 1, window) for t in range(length))
        total += 4 * seen * config.hidden_size
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "configs/olmo-3-7b"))
    parser.add_argument("--rank", type=int, default=64)
    parser.add_argument("--lengths", type=int, nargs="*", default=[4096, 16384, 28672])
    parser.add_argument("--batches", type=int, nargs="*", default=[1, 64, 256])
    parser.add_argument("--decode-tokens", type=int, default=256)
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--long", type=lambda pair: [int(x) for x in pair.split("x")], nargs="*", default=[[32, 8192], [16, 24576]], help="decode batch x context")
    parser.add_argument("--group", type=int, default=8, help="decode also with so many rows to a prompt")
    parser.add_argument("--cache-bits", type=int, choices=[16, 12, 8], nargs="*", default=[16, 12, 8], help="of keys and values")
    parser.add_argument("--profile", help="a folder for tables of kernels by time")
    parser.add_argument("--out", default="results.json")
    given = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    rng = np.random.default_rng(0)
    results = {"device": torch.cuda.get_device_name() if GPU else "processor", "torch": torch.__version__, "rank": given.rank, "rows": []}
    results["matrix_tflops"] = matrix_rate() / 1e12
    print(f"{results['device']}: {results['matrix_tflops']:.0f} TFLOP/s in bf16 matrix products", flush=True)
    policy = Policy(given.model, DEVICE, DTYPE, 1, checkpointing=False)
    policy.start("policy", given.rank, 2 * given.rank, 1)
    trainer = Trainer([policy])
    parameters = linear_parameters(policy)
    print(f"{parameters / 1e9:.2f}B parameters in linear layers", flush=True)

    def row(what, tokens, elapsed, flops):
        entry = {
            "what": what, "tokens_per_second": tokens / elapsed, "share_of_peak": flops / elapsed / (results["matrix_tflops"] * 1e12),
            "peak_gib": torch.cuda.max_memory_allocated() / 2**30 if GPU else 0,
        }
        results["rows"].append(entry)
        print(f"{what:46s} {entry['tokens_per_second']:10.0f} tokens/s  {100 * entry['share_of_peak']:5.1f}% of peak  {entry['peak_gib']:6.1f} GiB", flush=True)
        if GPU:
            torch.cuda.reset_peak_memory_stats()
        with open(given.out, "w") as file:
            json.dump(results, file, indent=2)

    def profiled(name, work):
        if given.profile:
            os.makedirs(given.profile, exist_ok=True)
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA if GPU else torch.profiler.ProfilerActivity.CPU]) as found:
                work()
                settle()
            table = found.key_averages().table(sort_by="cuda_time_total" if GPU else "cpu_time_total", row_limit=40, max_name_column_width=90)
            with open(os.path.join(given.profile, f"{name}.txt"), "w") as file:
                file.write(table)

    for length in given.lengths:
        count = max(1, 32768 // length)
        data = datums(length, count, policy.config.vocab_size, rng)
        tokens = count * length
        forward = 2 * parameters * tokens + count * attention_flops(policy.config, length)
        train = lambda: (trainer.run(data, "cross_entropy", {}, True, "policy"), trainer.step("policy", {"learning_rate": 1e-5}))
        elapsed = seconds(train)
        again = sum(layer.gradient_checkpointing for layer in policy.recompute.layers)
        # Forward, and the gradients of activations alone, since base weights are frozen; layers that run again are not counted.
        row(f"train {count} x {length}, {again} of {len(policy.recompute.layers)} layers twice", tokens, elapsed, 2 * forward)
        score = lambda: trainer.run(data, "cross_entropy", {}, False, "policy")
        row(f"score {count} x {length}", tokens, seconds(score), forward)
        profiled(f"train-{length}", train)
        profiled(f"score-{length}", score)

    policy.freeze("policy", "frozen")
    for bits in given.cache_bits:
        for batch, context in [(batch, given.prompt) for batch in given.batches] + [tuple(pair) for pair in given.long]:
            decode(policy, batch, context, given.decode_tokens if context == given.prompt else 64, bits, rng, row, parameters, profiled)
        for batch in [batch for batch in given.batches if given.group > 1 and batch >= given.group]:
            decode(policy, batch, given.prompt, given.decode_tokens, bits, rng, row, parameters, profiled, given.group)
        agreement(policy, trainer, bits, rng, results)
    with open(given.out, "w") as file:
        json.dump(results, file, indent=2)


def decode(policy, batch, context, spoken, bits, rng, row, parameters, profiled, group=1):
    # Long prompts are the same for all rows, to be read once; they stand for what rows have said, so each row reads its own copy of the keys.
    # `group`: so many rows begin with the same prompt and may share them, as rollouts of one problem do.
    distinct = 1 if context > 2048 else -(-batch // group)
    prompts = [rng.integers(0, 1000, context).tolist() for _ in range(distinct)]
    jobs = [
        SampleJob(prompts[i * distinct // batch], 1, {"max_tokens": spoken, "seed": i, "temperature": 0.8}, lambda _: None)
        for i in range(batch)
    ]
    # Asked for more work before every step, since there is room for one more row: the clock ticks there.
    ticks = []

    def tick(room, wait):
        ticks.append(time.perf_counter())
        return []

    with policy.running("frozen"):
        Sampler(policy, slots=batch + 1, bits=bits, shares=group > 1).run(jobs, tick)
    # Prompts are read and steps captured before the sixth tick; at the end rows leave.
    first, last = 5, len(ticks) - 5
    title = f"decode batch {batch}, context {context}, {bits} bits" + (f", groups of {group}" if group > 1 else "")
    row(title, batch * (last - first), ticks[last] - ticks[first], 2 * parameters * batch * (last - first))
    profile_name = f"decode-{batch}-{context}-{bits}"
    with policy.running("frozen"):
        few = [SampleJob(job.prompt, 1, {"max_tokens": 24, "seed": 1, "temperature": 0.8}, lambda _: None) for job in jobs]
        profiled(profile_name, lambda: Sampler(policy, slots=batch + 1, bits=bits).run(few, lambda room, wait: []))


def agreement(policy, trainer, bits, rng, results):
    """How far the log-probs of samples are from a pass over them: by token, and as the mean of a sequence, which is what GSPO's ratio is of."""
    told, prompts = {}, [rng.integers(0, 1000, 64).tolist() for _ in range(64)]
    jobs = [
        SampleJob(prompt, 1, {"max_tokens": 256, "seed": i, "temperature": 0.8}, lambda sequences, i=i: told.__setitem__(i, sequences[0]))
        for i, prompt in enumerate(prompts)
    ]
    with policy.running("frozen"):
        Sampler(policy, slots=64, bits=bits).run(jobs, lambda room, wait: [])
    data = []
    for i, prompt in enumerate(prompts):
        tokens = np.array(prompt + told[i]["tokens"])
        data.append((tokens[:-1].astype(np.int32), {"target_tokens": tokens[1:].astype(np.int64), "weights": np.zeros(len(tokens) - 1, np.float32)}))
    outputs, _ = trainer.run(data, "cross_entropy", {}, False, "frozen")
    apart = np.array([output["logprobs"][63:] - told[i]["logprobs"] for i, output in enumerate(outputs)])
    entry = {
        "what": f"samples against scoring, {bits} bits", "mean": float(np.abs(apart).mean()), "largest": float(np.abs(apart).max()),
        "sequence_mean": float(np.abs(apart.mean(1)).mean()), "sequence_largest": float(np.abs(apart.mean(1)).max()),
    }
    results["rows"].append(entry)
    print(json.dumps(entry), flush=True)


if __name__ == "__main__":
    main()
