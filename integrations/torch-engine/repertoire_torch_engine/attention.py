"""Attention with a context of our own, so that one transformers model serves training and decoding.

Training batches are padded on the right and causal: a real token never sees padding, so no mask is needed and the fused
kernels apply. Decoding keeps keys and values of every slot in one buffer per layer and attends to each slot's own length.
"""
import contextlib
import threading

import torch
import torch.nn.functional as F
from transformers import AttentionInterface

NAME = "repertoire"
_context = threading.local()


class DecodeContext:
    """Where new keys and values go (slot, position), and how far each row may look."""

    def __init__(self, cache, slots, positions, length):
        self.cache = cache
        self.slots = slots
        self.positions = positions
        self.length = length
        columns = torch.arange(length, device=positions.device)
        # [rows, 1, queries, length]: a query sees the positions up to its own.
        self.visible = (columns[None, None, :] <= positions[:, :, None]).unsqueeze(1)
        self.columns = columns


@contextlib.contextmanager
def decoding(context):
    _context.decode = context
    try:
        yield
    finally:
        _context.decode = None


def _expand(heads, groups):
    return heads if groups == 1 else heads.repeat_interleave(groups, dim=1)


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
        outputs.append(
            F.scaled_dot_product_attention(
                query[:, :, start:end], key[:, :, first:end], value[:, :, first:end], attn_mask=mask, scale=scaling
            )
        )
    return torch.cat(outputs, dim=2)


def attention(module, query, key, value, attention_mask, scaling=None, sliding_window=None, **_):
    groups = query.shape[1] // key.shape[1]
    context = getattr(_context, "decode", None)
    if context is None:
        key, value = _expand(key, groups), _expand(value, groups)
        if sliding_window is not None and query.shape[2] > sliding_window:
            output = _sliding(query, key, value, scaling, sliding_window)
        else:
            output = F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=scaling)
    else:
        keys, values = context.cache.layers[module.layer_idx]
        rows = context.slots[:, None].expand_as(context.positions)
        keys[rows, context.positions] = key.transpose(1, 2)
        values[rows, context.positions] = value.transpose(1, 2)
        visible = context.visible
        if sliding_window is not None:
            visible = visible & (context.columns[None, None, None, :] > context.positions[:, None, :, None] - sliding_window)
        key = _expand(keys[context.slots, : context.length].transpose(1, 2), groups)
        value = _expand(values[context.slots, : context.length].transpose(1, 2), groups)
        output = F.scaled_dot_product_attention(query, key, value, attn_mask=visible, scale=scaling)
    return output.transpose(1, 2).contiguous(), None


AttentionInterface.register(NAME, attention)


class SlotCache:
    """Keys and values of all slots: one [slots, length, heads, size] pair per layer."""

    def __init__(self, config, slots, length, device, dtype):
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.length = length
        self.layers = [
            tuple(torch.zeros(slots, length, heads, size, device=device, dtype=dtype) for _ in range(2))
            for _ in range(config.num_hidden_layers)
        ]
