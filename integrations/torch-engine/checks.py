"""Checks of the engine's own arithmetic against transformers' plain attention and against PEFT: one JSON record a line.
python checks.py, or python checks.py cuda for what a GPU does in other ways (its decoding kernel, captured steps, packing);
python checks.py cuda olmo3 for one kind of model"""
import copy
import itertools
import json
import os
import sys
import tempfile

import numpy as np
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, Olmo3Config, Qwen3Config

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from repertoire_torch_engine import attention, decode_kernel, training
from repertoire_torch_engine.attention import CachedLayer, slot_bytes
from repertoire_torch_engine.fused import linear
from repertoire_torch_engine.merge import merge
from repertoire_torch_engine.packed import pack, unpack
from repertoire_torch_engine.policy import Policy
from repertoire_torch_engine.sampling import SampleJob, Sampler, _Row, prompt_leaders
from repertoire_torch_engine.training import Trainer

DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cpu"
SIZES = dict(
    vocab_size=50, hidden_size=64, intermediate_size=64, num_attention_heads=4, num_key_value_heads=2,
    max_position_embeddings=512, pad_token_id=0, bos_token_id=1, eos_token_id=1,
)
MODELS = {
    "llama": LlamaConfig(num_hidden_layers=2, **SIZES),
    "qwen3, tied head": Qwen3Config(num_hidden_layers=2, head_dim=16, tie_word_embeddings=True, **SIZES),
    # Three layers that look back 16 tokens, one that sees all: sequences here are longer than that.
    # As in OLMo-3-7B every head has its own keys, which other kernels decode than keys that several heads share.
    "olmo3, sliding windows": Olmo3Config(num_hidden_layers=4, sliding_window=16, **{**SIZES, "num_key_value_heads": 4}),
}


def tell(name, difference, bound):
    print(json.dumps({"check": name, "difference": float(difference), "bound": bound, "holds": bool(difference <= bound)}), flush=True)


def sequences(rng):
    data = []
    for length in [5, 40, 23, 60, 9, 33, 17]:
        tokens = rng.integers(2, 50, length + 1)
        inputs = {"target_tokens": tokens[1:].astype(np.int64), "weights": rng.normal(size=length).astype(np.float32)}
        data.append((tokens[:-1].astype(np.int32), inputs))
    return data


def plain_logprobs(model, data, gradient=False):
    results, loss = [], 0.0
    with torch.set_grad_enabled(gradient):
        for tokens, inputs in data:
            given, targets, weights = (
                torch.from_numpy(x).to(DEVICE) for x in (tokens.astype(np.int64), inputs["target_tokens"], inputs["weights"])
            )
            chosen = torch.log_softmax(model(given[None]).logits[0], -1).gather(1, targets[:, None])[:, 0]
            loss = loss - (chosen * weights).sum()
            results.append(chosen.detach().cpu().numpy())
    if gradient:
        loss.backward()
    return results


def largest(one, other):
    return max(np.abs(a - b).max() for a, b in zip(one, other))


def logprobs(trainer, data, weights):
    return [output["logprobs"] for output in trainer.run(data, "cross_entropy", {}, False, weights)[0]]


def plain_copy(policy):
    model = AutoModelForCausalLM.from_config(copy.deepcopy(policy.config), attn_implementation="eager").eval()
    model.load_state_dict(dict(policy.model.state_dict()))
    return model.to(DEVICE)


def check_passes(name, folder, rng):
    data = sequences(rng)
    policy = Policy(folder, DEVICE, torch.float32, 1, False)
    plain = plain_copy(policy)
    # Small budgets, so that there are many groups and many blocks of logits.
    trainer = Trainer([policy], 64, 16)
    policy.start("full", 0, 0, 1)
    tell(f"{name}: log-probs against plain attention", largest(logprobs(trainer, data, "full"), plain_logprobs(plain, data, True)), 2e-5)
    trainer.run(data, "cross_entropy", {}, True, "full")
    masters = policy.training["full"].masters
    wanted = dict(plain.named_parameters())
    scale = max(p.grad.abs().max().item() for p in wanted.values())
    tell(f"{name}: gradients against autograd over the whole", max((masters[k].grad - wanted[k].grad).abs().max().item() for k in masters) / scale, 1e-4)

    for title, count in [("with checkpointing", None), ("with one layer run twice, the others kept", 1)]:
        checkpointed = Policy(folder, DEVICE, torch.float32, 1, True)
        if count is not None:
            checkpointed.recompute.run_again(count)
        checkpointed.start("full", 0, 0, 1)
        Trainer([checkpointed], 64, 16).run(data, "cross_entropy", {}, True, "full")
        again = checkpointed.training["full"].masters
        tell(f"{name}: gradients {title}", max((masters[k].grad - again[k].grad).abs().max().item() for k in masters) / scale, 1e-5)


def packed_attention(query, key, value, starts, _starts, _longest, _longest_again, scale, window_size):
    """What the GPU's kernel computes, sequence by sequence: every query sees itself and `window_size[0]` keys before it."""
    output = torch.empty_like(query)
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist()):
        q, k, v = (x[first:last].transpose(0, 1) for x in (query, key, value))
        rows = torch.arange(last - first, device=query.device)
        seen = rows[None, :] <= rows[:, None]
        if window_size[0] >= 0:
            seen &= rows[None, :] >= rows[:, None] - window_size[0]
        scores = (q @ k.transpose(1, 2) * scale).masked_fill(~seen, float("-inf"))
        output[first:last] = (torch.softmax(scores, -1) @ v).transpose(0, 1)
    return output


def check_packing(name, folder, rng):
    """The packed layout that a GPU uses, with its kernel written out."""
    data = sequences(rng)
    policy = Policy(folder, DEVICE, torch.float32, 1, False)
    policy.start("full", 0, 0, 1)
    plain = plain_copy(policy)
    wanted = plain_logprobs(plain, data, True)
    masters, expected = policy.training["full"].masters, dict(plain.named_parameters())
    scale = max(p.grad.abs().max().item() for p in expected.values())
    kernel, test, filled_to = attention.varlen_attn, training.can_pack, attention.FILLED_TO
    attention.varlen_attn, training.can_pack = packed_attention, lambda *_: True
    # As they are, and filled up to a few lengths, which is what long ones are on a GPU.
    for title, attention.FILLED_TO in (("packed", filled_to), ("packed and filled up", 4)):
        try:
            [outputs, _] = Trainer([policy], 64, 16).run(data, "cross_entropy", {}, True, "full")
        finally:
            attention.FILLED_TO = filled_to
        tell(f"{name}: {title}: log-probs", largest([output["logprobs"] for output in outputs], wanted), 2e-5)
        tell(f"{name}: {title}: gradients", max((masters[k].grad - expected[k].grad).abs().max().item() for k in masters) / scale, 1e-4)
        for master in masters.values():
            master.grad = None
    attention.varlen_attn, training.can_pack = kernel, test


def check_kernels(name, folder, rng):
    """On a GPU in bf16: packed passes with the kernel itself, against the same weights in fp32."""
    data = sequences(rng)
    found = []
    for dtype in (torch.bfloat16, torch.float32):
        policy = Policy(folder, DEVICE, dtype, 1, False)
        if found:
            policy.model.load_state_dict({key: value.float() for key, value in found[0][2].items()})
        state = {key: value.clone() for key, value in policy.model.state_dict().items()}
        policy.start("adapter", 4, 8, 3)
        trainer = Trainer([policy])
        for _ in range(2):
            outputs, _ = trainer.run(data, "cross_entropy", {}, True, "adapter")
        gradient = torch.cat([p.grad.flatten() for p in policy.parameters("adapter")])
        found.append(([output["logprobs"] for output in outputs], gradient, state))
    tell(f"{name}: packed log-probs in bf16 against fp32", largest(found[0][0], found[1][0]), 0.1)
    tell(f"{name}: packed gradients in bf16 against fp32", 1 - torch.nn.functional.cosine_similarity(found[0][1], found[1][1], dim=0).item(), 0.02)


def check_grouped_products(name, folder, rng):
    """Adapters beside one product for several layers, against each layer by itself; after a step, so that both halves of an adapter matter."""
    data = sequences(rng)
    found = []
    for alone in (False, True):
        policy = Policy(folder, DEVICE, torch.float32, 1, False)
        policy.start("adapter", 4, 8, 3)
        if alone:
            for module in policy.model.modules():
                module.__dict__.pop("forward", None)
        trainer = Trainer([policy], 64, 16)
        trainer.run(data, "cross_entropy", {}, True, "adapter")
        trainer.step("adapter", {"learning_rate": 1e-2})
        outputs, _ = trainer.run(data, "cross_entropy", {}, True, "adapter")
        gradient = torch.cat([p.grad.flatten() for p in policy.parameters("adapter")])
        found.append(([output["logprobs"] for output in outputs], gradient))
    tell(f"{name}: log-probs with grouped products", largest(found[0][0], found[1][0]), 5e-5)
    tell(f"{name}: gradients with grouped products", ((found[0][1] - found[1][1]).norm() / found[1][1].norm()).item(), 1e-3)


def check_half_precision(name, folder, rng):
    """In bf16 the working weights round, but many small steps must add up as they do in fp32."""
    data = sequences(rng)
    for rank in (4, 0):
        moved = []
        for dtype in (torch.float32, torch.bfloat16):
            policy = Policy(folder, DEVICE, dtype, 1, False)
            policy.start("policy", rank, 8, 3)
            trainer = Trainer([policy])
            before = [p.detach().clone() for p in policy.parameters("policy")]
            for _ in range(20):
                trainer.run(data, "cross_entropy", {}, True, "policy")
                # Too small for bf16: a weight of 0.02 has neighbors 1e-4 away.
                trainer.step("policy", {"learning_rate": 1e-6})
            moved.append(torch.cat([(p - b).flatten() for p, b in zip(policy.parameters("policy"), before)]))
        cosine = torch.nn.functional.cosine_similarity(*moved, dim=0).item()
        length = (moved[1].norm() / moved[0].norm()).item()
        tell(f"{name}: small steps in bf16 against fp32, rank {rank}", max(1 - cosine, abs(1 - length)), 0.1)


def check_replicas(name, folder, rng):
    data = sequences(rng)
    one, *two = [Policy(folder, DEVICE, torch.float32, 1, False) for _ in range(3)]
    before = logprobs(Trainer([one]), data, None)
    for rank in (4, 0):
        trainers = Trainer([one], 64, 16), Trainer(two, 64, 16)
        for trainer in trainers:
            for replica in trainer.replicas:
                replica.policy.start(f"rank-{rank}", rank, 8, 3)
            for _ in range(2):
                trainer.run(data, "cross_entropy", {}, True, f"rank-{rank}")
                trainer.step(f"rank-{rank}", {"learning_rate": 1e-2})
        after = [logprobs(trainer, data, f"rank-{rank}") for trainer in trainers]
        tell(f"{name}: two replicas learn what one does, rank {rank}", largest(*after), 1e-4)
        # Unlike an adapter, full weights are exchanged: the base must come back untouched.
        tell(f"{name}: the base beside rank {rank}", largest(logprobs(trainers[0], data, None), before), 5e-6)


def check_merging(name, folder, rng):
    """An adapter merged on the server, and a fresh one begun on the result: as `merge.py` writes it, as PEFT adds it up."""
    data = sequences(rng)
    policy = Policy(folder, DEVICE, torch.float32, 1, False)
    plain = plain_copy(policy)
    trainer = Trainer([policy], 64, 16)
    base = logprobs(trainer, data, None)
    policy.start("sft", 4, 8, 3)
    for _ in range(3):
        trainer.run(data, "cross_entropy", {}, True, "sft")
        trainer.step("sft", {"learning_rate": 3e-2})
    with tempfile.TemporaryDirectory() as place:
        saved = os.path.join(place, "sft")
        policy.save("sft", saved)
        merged = policy.merge(saved)
        beside = os.path.join(place, "beside")
        plain.save_pretrained(f"{place}/base")
        merge(f"{place}/base", saved, beside)
        policy.start("rl", 4, 32, 5, merged)
        tell(f"{name}: a fresh adapter on merged weights", largest(logprobs(trainer, data, "rl"), logprobs(trainer, data, "sft")), 2e-4)
        other = AutoModelForCausalLM.from_pretrained(beside, dtype=torch.float32).to(DEVICE)
        tell(f"{name}: merged as merge.py does", largest(logprobs(trainer, data, "rl"), plain_logprobs(other, data)), 2e-4)
        policy.load(merged, "reference")
        trainer.run(data, "cross_entropy", {}, True, "rl")
        trainer.step("rl", {"learning_rate": 3e-2})
        moved = logprobs(trainer, data, "rl")
        tell(f"{name}: the reference stays while the fresh adapter learns", largest(logprobs(trainer, data, "reference"), plain_logprobs(other, data)), 2e-4)
        tell(f"{name}: the base beneath merged weights", largest(logprobs(trainer, data, None), base), 5e-6)
        policy.save("rl", os.path.join(place, "rl"))
        fresh = Policy(folder, DEVICE, torch.float32, 1, False)
        fresh.load(os.path.join(place, "rl"), "again")
        tell(f"{name}: an adapter on merged weights, saved and loaded", largest(logprobs(Trainer([fresh], 64, 16), data, "again"), moved), 2e-5)
        # Nothing lies over them any more: they go.
        for weights in ("rl", "reference"):
            policy.release(weights)
        logprobs(trainer, data, None)
        policy._drop_unused()
        tell(f"{name}: merged weights are given back", len(policy.merged), 0)


def check_sampling(name, folder, rng):
    policy = Policy(folder, DEVICE, torch.float32, 1, False)
    policy.start("adapter", 4, 8, 3)
    prompts = [rng.integers(2, 50, length).tolist() for length in [3, 30, 12, 50, 7, 9, 20, 41]]
    # Rows that begin with the same prompt have it read once.
    prompts[5] = prompts[6] = prompts[1]
    said = {}
    tight = 3 * slot_bytes(policy.config, 256, torch.float32)
    # 12 bits hold what bf16 does, which is less than fp32.
    for title, slots, cache, bits, bound in [
        ("ample", 8, None, 16, 5e-5), ("tight", 6, tight, 16, 5e-5), ("12-bit", 8, None, 12, 0.005), ("8-bit", 8, None, 8, 0.02),
    ]:
        samples = {}
        jobs = [
            SampleJob(prompt, 1, {"max_tokens": 90, "seed": i, "temperature": 0.9, "stop": [1]},
                      lambda sequences, i=i: samples.__setitem__(i, sequences[0]))
            for i, prompt in enumerate(prompts)
        ]
        read = []
        hidden = policy.hidden
        policy.hidden = lambda ids, positions: (read.append(ids.shape), hidden(ids, positions))[1]
        with policy.running("adapter"):
            Sampler(policy, slots, cache, bits).run(jobs, lambda room, wait: [])
        del policy.hidden
        if title == "ample":
            lines = sum(count for count, length in read if length > 1)
            tell(f"{name}: prompts that were read again", lines - len(set(map(tuple, prompts))), 0)
        trainer, worst = Trainer([policy]), 0.0
        for i, prompt in enumerate(prompts):
            tokens = np.array(prompt + samples[i]["tokens"])
            inputs = {"target_tokens": tokens[1:].astype(np.int64), "weights": np.zeros(len(tokens) - 1, np.float32)}
            [scored] = logprobs(trainer, [(tokens[:-1].astype(np.int32), inputs)], "adapter")
            worst = max(worst, np.abs(scored[len(prompt) - 1 :] - samples[i]["logprobs"]).max())
        tell(f"{name}: log-probs of samples, {title} cache, against scoring", worst, bound)
        said[title] = [samples[i]["tokens"] for i in range(len(prompts))]
    # Sequences that had to make room are read again and go on as if they had not.
    tell(f"{name}: samples that differ under a tight cache", sum(a != b for a, b in zip(said["ample"], said["tight"])), 0)


def check_packing_of_vectors():
    """bf16 vectors of all magnitudes in 12 bits: the same numbers come out but for those far below the largest, which are nearly so."""
    generator = torch.Generator().manual_seed(0)
    different, error = 0, 0.0
    for size in (16, 64, 128):
        for magnitude in (0.0, 1e-30, 1e-3, 1.0, 300.0, 1e15):
            spread = torch.exp2(torch.randint(-20, 3, (200, size), generator=generator).float())
            x = (torch.randn(200, size, generator=generator) * spread * magnitude).to(torch.bfloat16).float().to(DEVICE)
            found, top = unpack(*pack(x, 12), 12), x.abs().amax(-1, keepdim=True)
            different += (found != x)[x.abs() > top * 2**-14].sum().item()
            error = max(error, ((found - x).abs() / top.clamp(min=1e-38)).max().item())
    tell("entries that 12 bits change, of those above 2^-14 of their vector's largest", different, 0)
    tell("the largest change of the others, in units of it", error, 2**-22 if DEVICE != "cpu" else 2**-14)  # some processors take 1e-38 for 0


def check_decoding_kernels():
    """One step of attention over a cache in 16, 12 and 8 bits, in all layouts, against double precision over what the cache holds."""
    generator = torch.Generator(DEVICE).manual_seed(0)
    wrong_puts, positions = 0, torch.tensor([0, 7, 89, 300], device=DEVICE)
    for dtype, bound in ((torch.float32, 1e-5), (torch.bfloat16, 8e-3)):
        worst = 0.0
        for bits, group, size, held in itertools.product((16, 12, 8), (1, 2), (16, 128), (90, 400)):
            draw = lambda heads, length: torch.randn(4, heads, length, size, device=DEVICE, dtype=dtype, generator=generator)
            query, key, value = draw(2 * group, 1), draw(2, 1), draw(2, 1)
            layer = CachedLayer(4, 2, held, size, key, bits)
            layer.write((torch.arange(4, device=DEVICE),), draw(2, held), draw(2, held))
            kept = [side.double().repeat_interleave(group, 1) for side in layer.read(4, held, torch.float32)]
            places = torch.arange(held, device=DEVICE)[None, :]
            seen = (places < positions[:, None]) & (places != (positions % held)[:, None])
            seen = torch.cat([seen, torch.ones_like(seen[:, :1])], 1)[:, None, None, :]
            keys, values = (torch.cat([old, new.double().repeat_interleave(group, 1)], 2) for old, new in zip(kept, (key, value)))
            scores = (query.double() @ keys.transpose(2, 3) * 0.3).masked_fill(~seen, float("-inf"))
            wanted = (torch.softmax(scores, -1) @ values)[:, :, 0]
            found = decode_kernel.attend(query, key, value, layer, positions, 0.3)[:, 0].double()
            worst = max(worst, ((found - wanted).norm() / wanted.norm()).item())
            expected = CachedLayer(4, 2, held, size, key, bits)
            expected.write((torch.arange(4, device=DEVICE), slice(None), positions % held), key[:, :, 0], value[:, :, 0])
            for got, want in zip(layer.read(4, held, torch.float32), expected.read(4, held, torch.float32)):
                lines = torch.arange(4, device=DEVICE), slice(None), positions % held
                # A byte may be rounded to its other neighbor.
                wrong_puts += ((got[lines] - want[lines]).abs() > (want[lines].abs().amax() / 100 if bits == 8 else 0)).sum().item()
        tell(f"decoding kernels in {str(dtype).removeprefix('torch.')}", worst, bound)
    tell("entries that the kernels put into the cache otherwise than a prompt's are", wrong_puts, 0)


def check_one_row():
    """A product with a single row has a kernel of its own."""
    generator = torch.Generator(DEVICE).manual_seed(0)
    for dtype, bound in ((torch.float32, 1e-5), (torch.bfloat16, 5e-3)):
        worst = 0.0
        for rows, columns in ((50, 64), (4161, 4096), (136, 11008), (3, 1000)):
            x, weight = (torch.randn(n, columns, device=DEVICE, dtype=dtype, generator=generator) for n in (1, rows))
            wanted = x.double() @ weight.double().t()
            with torch.no_grad():
                worst = max(worst, ((linear(x, weight).double() - wanted).norm() / wanted.norm()).item())
        tell(f"one row times a matrix in {str(dtype).removeprefix('torch.')}", worst, bound)


def check_leaders():
    """Whose copy of a prompt's keys each slot reads, before and after the first of them has left: brute force over pairs of slots."""
    wrong = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows = [None if rng.random() < 0.3 else _Row(SampleJob([2], 1, {"seed": 1}, None), 0) for _ in range(9)]
        for row in filter(None, rows):
            row.read_with = int(rng.integers(4))
            row.read = 10 + row.read_with
        leaders, counts = prompt_leaders(rows)
        for slot, row in enumerate(rows):
            same = [other for other, there in enumerate(rows) if row and there and there.read_with == row.read_with]
            wanted = (same[0], row.read if same[0] != slot else 0) if row else (slot, 0)
            wrong += (leaders[slot], counts[slot]) != wanted
    tell("slots that read another prompt's keys", wrong, 0)


def check_peft(name, folder, rng):
    try:
        from peft import PeftModel
    except ImportError:
        return

    data = sequences(rng)
    policy = Policy(folder, DEVICE, torch.float32, 1, False)
    plain = plain_copy(policy)
    trainer = Trainer([policy])
    policy.start("adapter", 4, 8, 3)
    for _ in range(3):
        trainer.run(data, "cross_entropy", {}, True, "adapter")
        trainer.step("adapter", {"learning_rate": 1e-2})
    ours = logprobs(trainer, data, "adapter")
    with tempfile.TemporaryDirectory() as place:
        trainer.replicas[0].save_all("adapter", f"{place}/adapter")
        plain.save_pretrained(f"{place}/base")
        merge(f"{place}/base", f"{place}/adapter", f"{place}/merged")
        merged = AutoModelForCausalLM.from_pretrained(f"{place}/merged", attn_implementation="eager").eval().to(DEVICE)
        tell(f"{name}: the merged model", largest(ours, plain_logprobs(merged, data)), 5e-5)
        tell(f"{name}: the adapter in PEFT", largest(ours, plain_logprobs(PeftModel.from_pretrained(plain, f"{place}/adapter"), data)), 5e-5)


def main():
    torch.set_num_threads(1)
    check_leaders()
    check_packing_of_vectors()
    if DEVICE != "cpu":
        check_decoding_kernels()
        check_one_row()
    for name, config in MODELS.items():
        if len(sys.argv) > 2 and not name.startswith(sys.argv[2]):
            continue
        rng = np.random.default_rng(0)
        with tempfile.TemporaryDirectory() as folder:
            config.save_pretrained(folder)
            check_passes(name, folder, rng)
            check_packing(name, folder, rng)
            if DEVICE != "cpu":
                check_kernels(name, folder, rng)
            check_grouped_products(name, folder, rng)
            check_half_precision(name, folder, rng)
            check_replicas(name, folder, rng)
            check_merging(name, folder, rng)
            check_sampling(name, folder, rng)
            check_peft(name, folder, rng)


if __name__ == "__main__":
    main()
