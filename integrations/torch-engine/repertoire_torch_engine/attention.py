"""Attention with a context of our own, so that one transformers model serves training and decoding.

Training packs sequences of any lengths end to end (GPU, half precision) or pads them on the right (elsewhere): in both
cases a token sees only its own sequence, so no mask is ever built. Decoding keeps the keys and values of every slot in one
buffer per layer and lets each row look at its own length.
"""
import contextlib

import torch
import torch.nn.functional as F
from transformers import AttentionInterface

try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:  # an older PyTorch: padding serves as well, only slower
    varlen_attn = None

NAME = "repertoire"
# One worker owns the device, but recomputed checkpoints run on autograd's own threads: so a plain variable, not a local one.
_current = None


def can_pack(device, dtype):
    return varlen_attn is not None and device.type == "cuda" and dtype in (torch.bfloat16, torch.float16)


class PackedContext:
    """Sequences end to end: where each one starts."""

    def __init__(self, lengths, device):
        ends = torch.tensor([0, *lengths], dtype=torch.int32).cumsum(0, dtype=torch.int32)
        self.starts = ends.to(device)
        self.longest = max(lengths)

    def attend(self, module, query, key, value, scaling, window):
        rows = [x[0].transpose(0, 1).contiguous() for x in (query, key, value)]
        groups = rows[0].shape[1] // rows[1].shape[1]
        if groups > 1:
            rows[1:] = [x.repeat_interleave(groups, dim=1) for x in rows[1:]]
        # A query sees itself and what came before: as far back as the window, or all of it.
        back = -1 if window is None else window - 1
        output = varlen_attn(
            *rows, self.starts, self.starts, self.longest, self.longest, scale=scaling, window_size=(back, 0)
        )
        return output.unsqueeze(0)


class PrefillContext:
    """Prompts padded on the right; their keys and values also go into the cache."""

    def __init__(self, cache, slots):
        self.cache, self.slots = cache, slots

    def attend(self, module, query, key, value, scaling, window):
        keys, values = self.cache.layers[module.layer_idx]
        length = key.shape[2]
        keys[self.slots, :, :length] = key
        values[self.slots, :, :length] = value
        return causal(query, key, value, scaling, window)


class DecodeContext:
    """One new token in each of the first `rows` slots, at its own position; keys up to `length` are looked at."""

    def __init__(self, cache, positions, length):
        self.cache, self.positions, self.length = cache, positions, length
        self.rows = torch.arange(positions.shape[0], device=positions.device)
        self.columns = torch.arange(length, device=positions.device)

    def attend(self, module, query, key, value, scaling, window):
        keys, values = self.cache.layers[module.layer_idx]
        count, heads, _, size = query.shape
        at = self.positions[:, 0]
        keys[self.rows, :, at] = key[:, :, 0]
        values[self.rows, :, at] = value[:, :, 0]
        seen = self.columns[None, :] <= at[:, None]
        if window is not None:
            seen = seen & (self.columns[None, :] > at[:, None] - window)
        # With one query a row, attention is two small products that read the cache where it lies; nothing is copied.
        grouped = query.view(count, key.shape[1], heads // key.shape[1], size)
        scores = torch.matmul(grouped, keys[:count, :, : self.length].transpose(2, 3)).float() * scaling
        scores = scores.masked_fill(~seen[:, None, None, :], float("-inf"))
        shares = torch.softmax(scores, -1).to(values.dtype)
        output = torch.matmul(shares, values[:count, :, : self.length])
        return output.reshape(count, 1, heads, size)


@contextlib.contextmanager
def within(context):
    global _current
    _current = context
    try:
        yield
    finally:
        _current = None


def causal(query, key, value, scaling, window):
    if window is not None and query.shape[2] > window:
        output = _sliding(query, key, value, scaling, window)
    else:
        grouped = query.shape[1] != key.shape[1]
        output = F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=scaling, enable_gqa=grouped)
    return output.transpose(1, 2).contiguous()


def _sliding(query, key, value, scaling, window):
    """Causal attention over the last `window` keys, in blocks of queries that each look at two blocks of keys."""
    length = query.shape[2]
    outputs = []
    for start in range(0, length, window):
        end = min(start + window, length)
        first = max(0, start - window + 1)
        rows = torch.arange(start, end, device=query.device)[:, None]
        columns = torch.arange(first, end, device=query.device)[None, :]
        mask = (columns <= rows) & (columns > rows - window)
        part = (query[:, :, start:end], key[:, :, first:end], value[:, :, first:end])
        grouped = query.shape[1] != key.shape[1]
        outputs.append(F.scaled_dot_product_attention(*part, attn_mask=mask, scale=scaling, enable_gqa=grouped))
    return torch.cat(outputs, dim=2)


def attention(module, query, key, value, attention_mask, scaling=None, sliding_window=None, **_):
    if _current is None:
        return causal(query, key, value, scaling, sliding_window), None
    return _current.attend(module, query, key, value, scaling, sliding_window), None


AttentionInterface.register(NAME, attention)


class SlotCache:
    """Keys and values of all slots: one [slots, heads, length, size] pair per layer."""

    def __init__(self, config, slots, length, device, dtype):
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.length = length
        self.layers = [
            tuple(torch.zeros(slots, heads, length, size, device=device, dtype=dtype) for _ in range(2))
            for _ in range(config.num_hidden_layers)
        ]

    def move(self, source, target):
        for pair in self.layers:
            for buffer in pair:
                buffer[target] = buffer[source]
