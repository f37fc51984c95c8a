"""What a second replica is worth: python bench_replicas.py --devices cpu,cpu --threads 1

Passes and samples of one batch on the first device alone, then shared over all of them, in turn, so that a busy machine
spoils both alike. Random weights; every replica computes with the given number of threads.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time

import numpy as np
import torch
from transformers import LlamaConfig

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from repertoire_torch_engine.policy import Policy
from repertoire_torch_engine.sampling import SampleJob, Sampler
from repertoire_torch_engine.training import Trainer

SHAPE = dict(
    vocab_size=2000, hidden_size=512, intermediate_size=1536, num_hidden_layers=6, num_attention_heads=8,
    num_key_value_heads=8, max_position_embeddings=1024, pad_token_id=0, bos_token_id=1, eos_token_id=1,
)
SEQUENCES, LENGTH, SAMPLES, SPOKEN = 8, 64, 16, 16


def passes(trainer, data):
    trainer.run(data, "cross_entropy", {}, True, "policy")
    trainer.step("policy", {"learning_rate": 1e-5})


def samples(policies, prompts):
    """As the server does it: every replica takes from one queue what it has room for."""
    waiting = [SampleJob(prompt, 1, {"max_tokens": SPOKEN, "seed": i, "temperature": 0.8}, lambda _: None) for i, prompt in enumerate(prompts)]
    lock = threading.Lock()
    share = -(-len(waiting) // len(policies))

    def more(room, wait=0.0):
        with lock:
            taken, waiting[:] = waiting[: min(room, share)], waiting[min(room, share) :]
            return taken

    def work(policy):
        with policy.running("policy"):
            Sampler(policy, slots=share).run([], more)

    threads = [threading.Thread(target=work, args=(policy,)) for policy in policies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", default="cpu,cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    devices = given.devices.split(",")
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        LlamaConfig(**SHAPE).save_pretrained(folder)
        policies = [Policy(folder, device, torch.float32, 1, False) for device in devices]
    for policy in policies:
        policy.start("policy", 16, 32, 1)
    data = []
    for _ in range(SEQUENCES):
        tokens = rng.integers(2, SHAPE["vocab_size"], LENGTH + 1)
        data.append((tokens[:-1].astype(np.int32), {"target_tokens": tokens[1:].astype(np.int64), "weights": np.full(LENGTH, 1e-4, np.float32)}))
    prompts = [rng.integers(2, SHAPE["vocab_size"], 64).tolist() for _ in range(SAMPLES)]
    # Both have the same budget a group, or the one would run larger batches than the other.
    one, all_ = Trainer(policies[:1], SEQUENCES * LENGTH // len(policies)), Trainer(policies, SEQUENCES * LENGTH)
    works = {
        "passes": (lambda: passes(one, data), lambda: passes(all_, data)),
        "samples": (lambda: samples(policies[:1], prompts), lambda: samples(policies, prompts)),
    }
    for what, (alone, shared) in works.items():
        alone(), shared()
        times, processor = [], [0.0, 0.0]
        for _ in range(given.repeats):
            pair = []
            for work in (alone, shared):
                began, used = time.perf_counter(), time.process_time()
                work()
                pair.append(time.perf_counter() - began)
                processor[len(pair) - 1] += time.process_time() - used
            times.append(pair)
        ratios = sorted(a / b for a, b in times)
        print(json.dumps({
            "what": what, "replicas": len(devices), "devices": given.devices, "threads_each": given.threads,
            "seconds_alone": round(statistics.median(a for a, _ in times), 3), "seconds_shared": round(statistics.median(b for _, b in times), 3),
            "speed_up": round(statistics.median(ratios), 2), "from": round(ratios[0], 2), "to": round(ratios[-1], 2),
            # More than 1 is work that sharing adds; it holds on a busy machine, too.
            "processor_time": round(processor[1] / processor[0], 2),
        }), flush=True)


if __name__ == "__main__":
    main()
