"""What a second replica is worth: python bench_replicas.py --devices cpu,cpu --threads 1

Passes and samples of one batch on the first replica alone, then shared over all of them, in turn, so that a busy machine
spoils both alike. Random weights; every replica is a process of its own and computes with the given number of threads.
Two numbers: by the clock, and by processor time, which holds on a busy machine, too: that of the one alone over that of the busiest of all.
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
from transformers import LlamaConfig

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from repertoire_torch_engine.replicas import RemoteReplica
from repertoire_torch_engine.sampling import SampleJob
from repertoire_torch_engine.training import Trainer

SHAPE = dict(
    vocab_size=2000, hidden_size=512, intermediate_size=1536, num_hidden_layers=6, num_attention_heads=8,
    num_key_value_heads=8, max_position_embeddings=1024, pad_token_id=0, bos_token_id=1, eos_token_id=1,
)
SEQUENCES, LENGTH, SAMPLES, SPOKEN = 16, 64, 64, 24


def passes(trainer, data):
    trainer.run(data, "cross_entropy", {}, True, "policy")
    trainer.step("policy", {"learning_rate": 1e-5})


def samples(replicas, prompts):
    """As the server does it: every replica takes its share of what waits."""
    waiting = [SampleJob(prompt, 1, {"max_tokens": SPOKEN, "seed": i, "temperature": 0.8}, lambda _: None) for i, prompt in enumerate(prompts)]
    lock = threading.Lock()
    share = -(-len(waiting) // len(replicas))

    def more(room, wait=0.0):
        with lock:
            taken, waiting[:] = waiting[: min(room, share)], waiting[min(room, share) :]
            return taken

    threads = [threading.Thread(target=replica.sample, args=("policy", [], more)) for replica in replicas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def processor_seconds(replica):
    """Of its process so far: fields 14 and 15 of Linux's own record."""
    with open(f"/proc/{replica.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", default="cpu,cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    devices = given.devices.split(",")
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        LlamaConfig(**SHAPE).save_pretrained(folder)
        arguments = argparse.Namespace(
            model=folder, dtype="float32", seed=1, gradient_checkpointing=False, slots=SAMPLES, cache_bytes=None, cache_bits=16,
            head_rows=2048, threads=given.threads,
        )
        replicas = [RemoteReplica(arguments, device) for device in devices]
        for replica in replicas:
            replica.facts = replica._receive()
    for replica in replicas:
        replica.call("start", "policy", 16, 32, 1)
    data = []
    for _ in range(SEQUENCES):
        tokens = rng.integers(2, SHAPE["vocab_size"], LENGTH + 1)
        data.append((tokens[:-1].astype(np.int32), {"target_tokens": tokens[1:].astype(np.int64), "weights": np.full(LENGTH, 1e-4, np.float32)}))
    prompts = [rng.integers(2, SHAPE["vocab_size"], 64).tolist() for _ in range(SAMPLES)]
    # Both have the same budget a group, or the one would run larger batches than the other.
    one, all_ = Trainer(replicas[:1], SEQUENCES * LENGTH // len(replicas)), Trainer(replicas, SEQUENCES * LENGTH)
    works = {
        "passes": (lambda: passes(one, data), lambda: passes(all_, data)),
        "samples": (lambda: samples(replicas[:1], prompts), lambda: samples(replicas, prompts)),
    }
    for what, (alone, shared) in works.items():
        alone(), shared()
        times, used = [], []
        for _ in range(given.repeats):
            pair, spent = [], []
            for work in (alone, shared):
                before = [processor_seconds(replica) for replica in replicas]
                began = time.perf_counter()
                work()
                pair.append(time.perf_counter() - began)
                spent.append([processor_seconds(replica) - start for replica, start in zip(replicas, before)])
            times.append(pair)
            used.append(spent)
        ratios = sorted(a / b for a, b in times)
        alone_used = sum(sum(a) for a, _ in used)
        busiest = sum(max(b) for _, b in used)
        print(json.dumps({
            "what": what, "replicas": len(devices), "devices": given.devices, "threads_each": given.threads,
            "seconds_alone": round(statistics.median(a for a, _ in times), 3), "seconds_shared": round(statistics.median(b for _, b in times), 3),
            "speed_up": round(statistics.median(ratios), 2), "from": round(ratios[0], 2), "to": round(ratios[-1], 2),
            "speed_up_by_processor_time": round(alone_used / busiest, 2),
            # More than 1 is work that sharing adds.
            "processor_time": round(sum(sum(b) for _, b in used) / alone_used, 2),
        }), flush=True)
    for replica in replicas:
        replica.close()


if __name__ == "__main__":
    main()
