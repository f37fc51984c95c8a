"""The PyTorch side of `npm run bench:engine`: the same model, tuned as one would by hand.

Reads one JSON task a line on stdin and answers with one JSON line: {"seconds", "cpuSeconds", "tokens", "peakMegabytes"}.
Fused QKV and gate-up projections, scaled_dot_product_attention, F.rms_norm, fused AdamW, inference_mode, a KV cache that
is allocated once and read as slices.
"""
import json
import resource
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, width, heads, feed_forward):
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.Parameter(torch.ones(width))
        self.feed_forward_norm = nn.Parameter(torch.ones(width))
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.gate_up = nn.Linear(width, 2 * feed_forward, bias=False)
        self.down = nn.Linear(feed_forward, width, bias=False)

    def forward(self, x, cos, sin, cache=None, position=0):
        batch, length, width = x.shape
        normed = F.rms_norm(x, (width,), self.attention_norm, 1e-6)
        q, k, v = self.qkv(normed).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if cache is not None:
            keys, values = cache
            keys[:, :, position:position + length] = k
            values[:, :, position:position + length] = v
            k, v = keys[:, :, :position + length], values[:, :, :position + length]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        gate, up = self.gate_up(F.rms_norm(x, (width,), self.feed_forward_norm, 1e-6)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


def rotate(x, cos, sin):
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


class Decoder(nn.Module):
    def __init__(self, vocabulary, width, layers, heads, feedForward, context):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(Layer(width, heads, feedForward) for _ in range(layers))
        self.norm = nn.Parameter(torch.ones(width))
        size = width // heads
        angles = torch.outer(torch.arange(context), 10000.0 ** (-torch.arange(0, size, 2) / size))
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def forward(self, tokens, caches=None, position=0):
        cos = self.cos[position:position + tokens.shape[1]]
        sin = self.sin[position:position + tokens.shape[1]]
        x = self.embedding(tokens)
        for i, layer in enumerate(self.layers):
            x = layer(x, cos, sin, None if caches is None else caches[i], position)
        return F.linear(F.rms_norm(x, (x.shape[-1],), self.norm, 1e-6), self.embedding.weight)


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Contestant:
    def __init__(self, shape, threads):
        torch.set_num_threads(threads)
        torch.manual_seed(0)
        self.batch, self.length = shape.pop("batch"), shape.pop("length")
        self.shape = shape
        self.model = Decoder(**shape)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4, fused=True)
        self.tokens = torch.randint(3, shape["vocabulary"], (self.batch, self.length + 1))

    def train(self):
        logits = self.model(self.tokens[:, :-1])
        F.cross_entropy(logits.flatten(0, 1), self.tokens[:, 1:].flatten()).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return self.batch * self.length

    @torch.inference_mode()
    def score(self):
        logits = self.model(self.tokens[:, :-1])
        torch.log_softmax(logits, -1).gather(-1, self.tokens[:, 1:, None])
        return self.batch * self.length

    @torch.inference_mode()
    def decode(self, sequences, prompt, new):
        heads, size = self.shape["heads"], self.shape["width"] // self.shape["heads"]
        store = torch.empty(self.shape["layers"], 2, sequences, heads, prompt + new, size)
        caches = [(layer[0], layer[1]) for layer in store]
        logits = self.model(self.tokens[:1, :prompt].repeat(sequences, 1), caches)[:, -1]
        for position in range(prompt, prompt + new):
            logprobs = torch.log_softmax(logits, -1)
            token = torch.multinomial(logprobs.exp(), 1)
            logprobs.gather(-1, token)
            logits = self.model(token, caches, position)[:, -1]
        return sequences * new

    def matmul(self, size, repeats):
        a, b = torch.rand(size, size), torch.rand(size, size)
        with torch.inference_mode():
            for _ in range(repeats):
                torch.mm(a, b)
        return 0


contestant = None
for line in sys.stdin:
    task = json.loads(line)
    name = task.pop("task")
    if name == "start":
        contestant = Contestant(**task)
        print(json.dumps({"version": f"PyTorch {torch.__version__}"}), flush=True)
        continue
    cpu, wall = cpu_seconds(), time.perf_counter()
    tokens = getattr(contestant, name)(**task)
    print(json.dumps({"seconds": time.perf_counter() - wall, "cpuSeconds": cpu_seconds() - cpu, "tokens": tokens,
                      "peakMegabytes": peak_megabytes()}), flush=True)
