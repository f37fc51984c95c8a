"""A small bidirectional encoder of spans. All weights have a leading dimension of members, so that the models of all folds
learn side by side from the same batches, each blind to its own held-out traces."""
import math

import torch
from torch import nn
from torch.nn import functional

# Ids below this are ours: padding, mask, start, separator, and ten places in a trace (unknown, then first to last ninth).
PAD, MASK, START, SEPARATOR, PLACES, SPECIAL = 0, 1, 2, 3, 4, 14


class Encoder(nn.Module):
    def __init__(self, config, members=1, seed=1):
        super().__init__()
        self.config, self.members = config, members
        width, inner, vocabulary = config["width"], config["inner"], config["vocabulary"]
        generator = torch.Generator().manual_seed(seed)

        def drawn(*shape, scale=None):
            scale = scale or 1 / math.sqrt(shape[0])
            return nn.Parameter((torch.randn(*shape, generator=generator) * scale).expand(members, *shape).clone())

        self.words = drawn(vocabulary, width, scale=0.02)
        self.segments = drawn(2, width, scale=0.02)
        self.layers = nn.ModuleList()
        depth = math.sqrt(2 * config["layers"])
        for _ in range(config["layers"]):
            layer = nn.Module()
            layer.norm_attention = nn.Parameter(torch.ones(members, width))
            layer.mix = drawn(width, 3 * width)
            layer.out = drawn(width, width, scale=1 / math.sqrt(width) / depth)
            layer.norm_inner = nn.Parameter(torch.ones(members, width))
            layer.inner = drawn(width, 2 * inner)
            layer.back = drawn(inner, width, scale=1 / math.sqrt(inner) / depth)
            self.layers.append(layer)
        self.norm = nn.Parameter(torch.ones(members, width))
        self.classes = drawn(2 * width, config["classes"], scale=0.02)
        self.bias = nn.Parameter(torch.zeros(members, config["classes"]))
        self.word_bias = nn.Parameter(torch.zeros(members, vocabulary))

    def hidden(self, tokens, segments, dropout=0.0, padded=True):
        """tokens, segments: [batch, length], the same for all members. Returns [members, batch, length, width]."""
        members, (batch, length), width = self.members, tokens.shape, self.config["width"]
        heads, dtype = self.config["heads"], self.compute_dtype(tokens)
        # One table for all members: its gradient is then summed by the kernel that is made for it.
        shifts = torch.arange(members, device=tokens.device)[:, None, None] * self.config["vocabulary"]
        words = functional.embedding(tokens[None] + shifts, self.words.flatten(0, 1))
        later = (segments == 1)[None, :, :, None]
        kinds = torch.where(later, self.segments[:, 1, None, None], self.segments[:, 0, None, None])
        states = (words + kinds).to(dtype)
        states = functional.dropout(states, dropout, self.training)
        cosine, sine = rotation(length, width // heads, tokens.device, dtype)
        visible = (tokens != PAD)[:, None, None, :].expand(batch, 1, length, length).repeat(members, 1, 1, 1) if padded else None
        for layer in self.layers:
            normed = rms(states, layer.norm_attention)
            mixed = product(normed, layer.mix).view(members * batch, length, 3, heads, width // heads)
            query, key, value = (part.transpose(1, 2) for part in mixed.unbind(2))
            query, key = rotated(query, cosine, sine), rotated(key, cosine, sine)
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=visible)
            seen = seen.transpose(1, 2).reshape(members, batch, length, width)
            states = states + functional.dropout(product(seen, layer.out), dropout, self.training)
            gate, inner = product(rms(states, layer.norm_inner), layer.inner).chunk(2, dim=-1)
            inner = product(functional.silu(gate) * inner, layer.back)
            states = states + functional.dropout(inner, dropout, self.training)
        return rms(states, self.norm)

    def compute_dtype(self, tokens):
        return torch.bfloat16 if tokens.is_cuda else torch.float32

    def labels(self, tokens, segments, dropout=0.0):
        """[members, batch, classes]: from the start token and the mean over the span."""
        states = self.hidden(tokens, segments, dropout).float()
        span = ((segments == 1) & (tokens != PAD)).float()[None, :, :, None]
        mean = (states * span).sum(2) / span.sum(2).clamp(min=1)
        both = functional.dropout(torch.cat((states[:, :, 0], mean), dim=-1), dropout, self.training)
        return torch.baddbmm(self.bias[:, None], both, self.classes)

    def words_at(self, tokens, segments, rows):
        """Logits of the vocabulary at some positions of the flattened batch."""
        states = self.hidden(tokens, segments, padded=False).flatten(1, 2)[:, rows]
        return product(states, self.words.transpose(1, 2)).float() + self.word_bias[:, None]


def product(states, weight):
    """[members, …, a] times [members, a, b]."""
    flat = states.flatten(1, -2)
    return torch.bmm(flat, weight.to(states.dtype)).view(*states.shape[:-1], weight.shape[-1])


def rms(states, weight):
    weight = weight.to(states.dtype).view(weight.shape[0], *[1] * (states.dim() - 2), -1)
    return functional.rms_norm(states, states.shape[-1:], eps=1e-5) * weight


def rotation(length, head, device, dtype):
    frequencies = 10_000 ** (-torch.arange(0, head, 2, device=device) / head)
    angles = torch.outer(torch.arange(length, device=device), torch.cat((frequencies, frequencies)))
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotated(states, cosine, sine):
    first, second = states.chunk(2, dim=-1)
    return states * cosine + torch.cat((-second, first), dim=-1) * sine


def repeated(model, members):
    """The same weights for several members, to learn apart from here."""
    copy = Encoder(model.config, members)
    with torch.no_grad():
        for target, source in zip(copy.parameters(), model.parameters()):
            target.copy_(source.expand_as(target))
    return copy


def member(model, index):
    """One member alone."""
    copy = Encoder(model.config)
    with torch.no_grad():
        for target, source in zip(copy.parameters(), model.parameters()):
            target.copy_(source[index : index + 1])
    return copy
