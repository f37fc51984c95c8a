"""python -m repertoire_torch_engine.pretrain --model <folder-new-model> --lessons <folder>/lessons --out <model folder>

The miniature's base model in a plain loop: lessons written ahead by `repertoire run mini-base --lessons-only`, a Llama decoder in
fp32, AdamW. What to learn and how long is in recipe.json beside the lessons. A step is captured once as a CUDA graph and replayed."""
import argparse
import json
import math
import os
import shutil
import sys
import time

import numpy
import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional


class Layer(nn.Module):
    """Parameters are named as transformers names them."""

    def __init__(self, config):
        super().__init__()
        width, inner = config["hidden_size"], config["intermediate_size"]
        self.heads, self.epsilon = config["num_attention_heads"], config["rms_norm_eps"]
        self.self_attn = nn.ModuleDict({f"{name}_proj": nn.Linear(width, width, bias=False) for name in "qkvo"})
        self.mlp = nn.ModuleDict({
            "gate_proj": nn.Linear(width, inner, bias=False),
            "up_proj": nn.Linear(width, inner, bias=False),
            "down_proj": nn.Linear(inner, width, bias=False),
        })
        self.input_layernorm, self.post_attention_layernorm = Norm(width), Norm(width)

    def forward(self, hidden, cosine, sine):
        batch, length, width = hidden.shape
        normed = self.input_layernorm(hidden, self.epsilon)
        query, key, value = (
            self.self_attn[f"{name}_proj"](normed).view(batch, length, self.heads, -1).transpose(1, 2) for name in "qkv"
        )
        mixed = functional.scaled_dot_product_attention(
            rotated(query, cosine, sine), rotated(key, cosine, sine), value, is_causal=True
        )
        hidden = hidden + self.self_attn["o_proj"](mixed.transpose(1, 2).reshape(batch, length, width))
        normed = self.post_attention_layernorm(hidden, self.epsilon)
        return hidden + self.mlp["down_proj"](functional.silu(self.mlp["gate_proj"](normed)) * self.mlp["up_proj"](normed))


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, hidden, epsilon):
        return functional.rms_norm(hidden, self.weight.shape, self.weight, epsilon)


def rotated(states, cosine, sine):
    first, second = states.chunk(2, dim=-1)
    return states * cosine + torch.cat((-second, first), dim=-1) * sine


class Looked(torch.autograd.Function):
    """Embedding. Thousands of tokens share a word, so its gradient is a matrix product and not a race of additions."""

    @staticmethod
    def forward(context, weight, tokens):
        context.save_for_backward(tokens)
        context.words = weight.shape[0]
        return weight[tokens]

    @staticmethod
    def backward(context, gradient):
        (tokens,) = context.saved_tensors
        where = functional.one_hot(tokens.flatten(), context.words).to(gradient.dtype)
        return where.T @ gradient.flatten(0, 1), None


class Decoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.epsilon = config["rms_norm_eps"]
        self.embed_tokens = nn.Embedding(config["vocab_size"], config["hidden_size"])
        self.layers = nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))
        self.norm = Norm(config["hidden_size"])
        head = config["hidden_size"] // config["num_attention_heads"]
        rope = config.get("rope_parameters") or config
        frequencies = rope["rope_theta"] ** (-torch.arange(0, head, 2) / head)
        angles = torch.outer(torch.arange(config["max_position_embeddings"]), torch.cat((frequencies, frequencies)))
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=config["initializer_range"])

    def logits(self, tokens):
        length = tokens.shape[1]
        hidden = Looked.apply(self.embed_tokens.weight, tokens)
        for layer in self.layers:
            hidden = layer(hidden, self.cosine[:length], self.sine[:length])
        return self.norm(hidden, self.epsilon) @ self.embed_tokens.weight.T


def response_loss(model, tokens, learned):
    """The sum over response tokens; padding lies behind them and is never looked back at."""
    logits = model.logits(tokens[:, :-1])
    losses = functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
    return (losses * learned[:, 1:].flatten()).sum()


class Lessons:
    """All lessons on the device, by classes of length. A step takes from every class its share, so that its shapes never change."""

    def __init__(self, folder, files, per_step, device):
        parts = [numpy.fromfile(os.path.join(folder, f"{file}.bin"), dtype=numpy.uint16) for file in range(files)]
        words = numpy.concatenate(parts)
        starts, prompts, lengths = [], [], []
        at = 0
        while at < len(words):
            starts.append(at + 2), prompts.append(words[at]), lengths.append(words[at + 1])
            at += 2 + int(words[at + 1])
        self.words = torch.from_numpy(words.astype(numpy.int16)).to(device)
        self.starts = torch.tensor(starts, device=device)
        self.prompts = torch.tensor(numpy.array(prompts, dtype=numpy.int64), device=device)
        self.lengths = torch.tensor(numpy.array(lengths, dtype=numpy.int64), device=device)
        self.count = len(starts)
        order = torch.argsort(self.lengths)
        # Ends of the classes, in shares of the lessons sorted by length: few long ones, so that little is padding.
        ends = [0, *(round(per_step * share) for share in (0.25, 0.5, 0.62, 0.72, 0.82, 0.9, 0.96)), per_step]
        self.classes = []
        for low, high in zip(ends, ends[1:]):
            if high > low:
                members = order[self.count * low // per_step : self.count * high // per_step]
                self.classes.append((members, high - low, int(self.lengths[members].max())))

    def batches(self, generator):
        """Endless steps; within a class every lesson comes once before any comes again."""
        device = self.words.device
        queues = [torch.empty(0, dtype=torch.long, device=device) for _ in self.classes]
        while True:
            step = []
            for index, (members, count, longest) in enumerate(self.classes):
                while len(queues[index]) < count:
                    shuffled = members[torch.randperm(len(members), generator=generator).to(device)]
                    queues[index] = torch.cat((queues[index], shuffled))
                chosen, queues[index] = queues[index][:count], queues[index][count:]
                places = torch.arange(longest, device=device)
                inside = places < self.lengths[chosen, None]
                at = (self.starts[chosen, None] + places).clamp_(max=len(self.words) - 1)
                tokens = torch.where(inside, self.words[at].long(), 0)
                learned = (inside & (places >= self.prompts[chosen, None])).float()
                step.append((tokens, learned))
            total = sum(learned.sum() for _, learned in step)
            yield [(tokens, learned / total) for tokens, learned in step]


def factor(schedule, step, steps):
    """Warm-up, then a cosine down to the floor."""
    warmup, floor = schedule["warmupSteps"], schedule["floor"]
    if step < warmup:
        return (step + 1) / warmup
    done = (step - warmup) / max(1, steps - warmup)
    return floor + (1 - floor) * (1 + math.cos(math.pi * done)) / 2


def train(model, lessons, recipe, tell):
    device = lessons.words.device
    generator = torch.Generator().manual_seed(recipe["seed"])
    batches = lessons.batches(generator)
    rate = torch.tensor(0.0, device=device)
    cuda = device.type == "cuda"
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=rate if cuda else 0.0, betas=(0.9, recipe["beta2"]),
        weight_decay=recipe["weightDecay"], fused=cuda, capturable=cuda,
    )

    def step_on(batch):
        optimizer.zero_grad(set_to_none=False)
        total = torch.zeros((), device=device)
        for tokens, learned in batch:
            loss = response_loss(model, tokens, learned)
            loss.backward()
            total += loss.detach()
        nn.utils.clip_grad_norm_(model.parameters(), recipe["maxGradientNorm"])
        optimizer.step()
        return total

    static = [(tokens.clone(), learned.clone()) for tokens, learned in next(batches)] if cuda else None
    graph, captured = (capture(step_on, static, model) if cuda else (None, None))
    mean, begun = 0.0, time.time()
    for step in range(recipe["steps"]):
        learning_rate = recipe["learningRate"] * factor(recipe["schedule"], step, recipe["steps"])
        batch = next(batches)
        if cuda:
            rate.fill_(learning_rate)
            for (tokens, learned), (new_tokens, new_learned) in zip(static, batch):
                tokens.copy_(new_tokens), learned.copy_(new_learned)
            graph.replay()
            loss = captured
        else:
            optimizer.param_groups[0]["lr"] = learning_rate
            loss = step_on(batch)
        if (step + 1) % 250 == 0 or step + 1 == recipe["steps"]:
            mean = float(loss)
            tell(f"step {step + 1}: loss {mean:.4f}, {time.time() - begun:.0f} s")
    return mean


def capture(step_on, static, model):
    """Warming up takes real steps at a learning rate of 0, which change moments but no weights."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step_on(static)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = step_on(static)
    return graph, captured


def main():
    parser = argparse.ArgumentParser(prog="repertoire_torch_engine.pretrain", description=__doc__)
    parser.add_argument("--model", required=True, help="config.json and tokenizer of the untrained model")
    parser.add_argument("--lessons", required=True, help="folder with recipe.json and the lessons")
    parser.add_argument("--out", required=True, help="the finished model, a Hugging Face folder")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precision", choices=["highest", "high"], default="high", help="of matrix products: fp32, or TF32 where there is")
    given = parser.parse_args()
    if os.path.exists(given.out):
        sys.exit(f"{given.out} exists; choose another --out or remove it")
    with open(os.path.join(given.lessons, "recipe.json")) as file:
        recipe = json.load(file)
    with open(os.path.join(given.model, "config.json")) as file:
        config = json.load(file)
    torch.set_float32_matmul_precision(given.precision)
    torch.manual_seed(recipe["seed"])
    model = Decoder(config).to(given.device)
    lessons = Lessons(given.lessons, recipe["files"], recipe["lessonsPerStep"], torch.device(given.device))
    shapes = ", ".join(f"{count} of up to {longest}" for _, count, longest in lessons.classes)
    print(f"{lessons.count} lessons; a step: {shapes} words", flush=True)
    train(model, lessons, recipe, lambda line: print(line, flush=True))
    os.makedirs(given.out)
    tensors = {f"model.{name}": value.detach().cpu().contiguous() for name, value in model.named_parameters()}
    save_file(tensors, os.path.join(given.out, "model.safetensors"), metadata={"format": "pt"})
    for name in os.listdir(given.model):
        if name.endswith(".json"):
            shutil.copy(os.path.join(given.model, name), given.out)
    print(f"the model is {given.out}", flush=True)


if __name__ == "__main__":
    main()
