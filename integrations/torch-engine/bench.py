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


def seconds(work, repeats=2):
    work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / repeats


def matrix_rate():
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    return 2 * 8192**3 / seconds(lambda: a @ b, 20)


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
    parser.add_argument("--long", type=lambda pair: [int(x) for x in pair.split("x")], nargs="*", default=[[32, 8192]], help="decode batch x context")
    parser.add_argument("--out", default="results.json")
    given = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    rng = np.random.default_rng(0)
    results = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "rank": given.rank, "rows": []}
    results["matrix_tflops"] = matrix_rate() / 1e12
    print(f"{results['device']}: {results['matrix_tflops']:.0f} TFLOP/s in bf16 matrix products", flush=True)
    policy = Policy(given.model, "cuda", torch.bfloat16, 1, checkpointing=False)
    policy.start("policy", given.rank, 2 * given.rank, 1)
    trainer = Trainer([policy])
    parameters = linear_parameters(policy)
    print(f"{parameters / 1e9:.2f}B parameters in linear layers", flush=True)

    def row(what, tokens, elapsed, flops):
        entry = {
            "what": what, "tokens_per_second": tokens / elapsed, "share_of_peak": flops / elapsed / (results["matrix_tflops"] * 1e12),
            "peak_gib": torch.cuda.max_memory_allocated() / 2**30,
        }
        results["rows"].append(entry)
        print(f"{what:46s} {entry['tokens_per_second']:10.0f} tokens/s  {100 * entry['share_of_peak']:5.1f}% of peak  {entry['peak_gib']:6.1f} GiB", flush=True)
        torch.cuda.reset_peak_memory_stats()
        with open(given.out, "w") as file:
            json.dump(results, file, indent=2)

    for length in given.lengths:
        count = max(1, 32768 // length)
        data = datums(length, count, policy.config.vocab_size, rng)
        tokens = count * length
        forward = 2 * parameters * tokens + count * attention_flops(policy.config, length)
        elapsed = seconds(lambda: (trainer.run(data, "cross_entropy", {}, True, "policy"), trainer.step("policy", {"learning_rate": 1e-5})))
        again = sum(layer.gradient_checkpointing for layer in policy.recompute.layers)
        # Forward, and the gradients of activations alone, since base weights are frozen; layers that run again are not counted.
        row(f"train {count} x {length}, {again} of {len(policy.recompute.layers)} layers twice", tokens, elapsed, 2 * forward)
        elapsed = seconds(lambda: trainer.run(data, "cross_entropy", {}, False, "policy"))
        row(f"score {count} x {length}", tokens, elapsed, forward)

    policy.freeze("policy", "frozen")
    for batch, context in [(batch, given.prompt) for batch in given.batches] + [tuple(pair) for pair in given.long]:
        jobs = [
            SampleJob(rng.integers(0, 1000, context).tolist(), 1, {"max_tokens": given.decode_tokens, "seed": i, "temperature": 0.8}, lambda _: None)
            for i in range(batch)
        ]
        # Asked for more work before every step, since there is room for one more row: the clock ticks there.
        ticks = []
        with policy.running("frozen"):
            Sampler(policy, slots=batch + 1).run(jobs, lambda room, wait: ticks.append(time.perf_counter()) or [])
        # Prompts are read and steps captured before the third tick.
        steps = len(ticks) - 3
        row(f"decode batch {batch}, context {context}", batch * steps, ticks[-1] - ticks[2], 2 * parameters * batch * steps)


if __name__ == "__main__":
    main()
