"""Attention with a context of our own, so that one transformers model serves training and decoding.

Training packs sequences of any lengths end to end (GPU, half precision) or pads them on the right (elsewhere): in both
cases a token sees only its own sequence, so no mask is ever built. Decoding keeps the keys and values of every slot in one
buffer per layer and lets each row look at its own length.
"""
import contextlib

import torch
import torch.nn.functional as F
from transformers import AttentionInterface

from . import decode_kernel
from .packed import pack, row_width, unpack, vector_bytes

try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:  # an older PyTorch: padding serves as well, only slower
    varlen_attn = None

NAME = "repertoire"
# Kernels are made for every length they meet: lengths are filled up to a multiple of this.
FILLED_TO = 512


class Place:
    """What attention is to do in one replica of the model. Recomputed checkpoints run on autograd's own threads, so this is
    no thread-local: every attention layer knows the place of its replica."""

    def __init__(self):
        self.context = None

    @contextlib.contextmanager
    def within(self, context):
        self.context = context
        try:
            yield
        finally:
            self.context = None


def give_place(model):
    """Tells every attention layer of a model where to look; returns the place."""
    place = Place()
    for module in model.modules():
        if hasattr(module, "layer_idx"):
            module.repertoire_place = place
    return place


def can_pack(device, dtype):
    return varlen_attn is not None and device.type == "cuda" and dtype in (torch.bfloat16, torch.float16)


class PackedContext:
    """Sequences end to end: where each one starts."""

    def __init__(self, lengths, device):
        ends = torch.tensor([0, *lengths], dtype=torch.int32).cumsum(0, dtype=torch.int32)
        self.starts = ends.to(device)
        self.lengths, self.longest = lengths, max(lengths)
        self.filled = [-(-length // FILLED_TO) * FILLED_TO for length in lengths]
        # Long sequences go faster through the kernel for equal lengths, as long as filling them up adds little.
        self.equal_lengths = self.longest >= 2 * FILLED_TO and sum(n * n for n in self.filled) < 1.3 * sum(n * n for n in lengths)

    def attend(self, module, query, key, value, scaling, window):
        rows = [x.squeeze(0).transpose(0, 1) for x in (query, key, value)]
        rows = [x if x.stride(2) == 1 else x.contiguous() for x in rows]
        groups = rows[0].shape[1] // rows[1].shape[1]
        if groups > 1:
            rows[1:] = [x.repeat_interleave(groups, dim=1) for x in rows[1:]]
        if self.equal_lengths and (window is None or self.longest <= window):
            return self._filled(rows, scaling).unsqueeze(0)
        # A query sees itself and what came before: as far back as the window, or all of it.
        back = -1 if window is None else window - 1
        output = varlen_attn(
            *rows, self.starts, self.starts, self.longest, self.longest, scale=scaling, window_size=(back, 0)
        )
        return output.unsqueeze(0)

    def _filled(self, rows, scaling):
        """Sequences of one filled length side by side. What fills them up comes last, so that nobody sees it."""
        outputs = [None] * len(self.lengths)
        parts = [x.split(self.lengths) for x in rows]
        for length in sorted(set(self.filled)):
            places = [place for place, filled in enumerate(self.filled) if filled == length]
            if len(places) == len(self.lengths) and self.lengths == self.filled:
                batch = rows
            else:
                batch = [torch.cat([x for place in places for x in _ended(side[place], length)]) for side in parts]
            batch = [x.unflatten(0, (len(places), length)).transpose(1, 2) for x in batch]
            found = F.scaled_dot_product_attention(*batch, is_causal=True, scale=scaling).transpose(1, 2)
            if len(places) == len(self.lengths) and self.lengths == self.filled:
                return found.flatten(0, 1)
            for place, one in zip(places, found.unbind(0)):
                outputs[place] = one[: self.lengths[place]]
        return torch.cat(outputs)


def _ended(sequence, length):
    return [sequence, sequence.new_zeros(length - sequence.shape[0], *sequence.shape[1:])] if sequence.shape[0] < length else [sequence]


class PrefillContext:
    """Prompts padded on the right; their keys and values also go into the cache, those of a prompt into every slot that asked for it."""

    def __init__(self, cache, slots, lines, lengths):
        self.cache, self.slots, self.lines, self.lengths = cache, slots, lines, lengths

    def attend(self, module, query, key, value, scaling, window):
        layer = self.cache.layer(module.layer_idx, window, key)
        held, given = layer.held, key.shape[2]
        if given <= held:
            layer.write((self.slots, slice(None), slice(given)), key, value, self.lines)
        else:
            # A layer with a window keeps the last `held` positions, position p at p mod `held`.
            places = torch.arange(held, device=key.device)[None, :]
            last = (self.lengths - 1)[:, None]
            wanted = places + held * torch.div(last - places, held, rounding_mode="floor").clamp(min=0)
            wanted = wanted[:, None, :, None].expand(-1, key.shape[1], -1, key.shape[3])
            layer.write((self.slots,), key.gather(2, wanted), value.gather(2, wanted), self.lines)
        return causal(query, key, value, scaling, window)


class DecodeContext:
    """One new token in each of the first slots, at its own position."""

    def __init__(self, cache, positions, longest):
        self.cache, self.positions, self.longest = cache, positions[:, 0].contiguous(), longest

    def attend(self, module, query, key, value, scaling, window):
        layer = self.cache.layer(module.layer_idx, window, key)
        if decode_kernel.usable(query.device, query.shape[3]):
            return decode_kernel.attend(query, key, value, layer, self.positions, scaling)
        count, heads, _, size = query.shape
        length = min(self.longest + 1, layer.held)
        # Where a layer keeps a window only, its places are used in turn; softmax does not mind their order.
        rows, places = torch.arange(count, device=query.device), self.positions % layer.held
        layer.write((rows, slice(None), places), key[:, :, 0], value[:, :, 0])
        seen = torch.arange(length, device=query.device)[None, :] <= self.positions[:, None]
        # With one query a row, attention is two small products that read the cache where it lies; nothing is copied.
        grouped = query.reshape(count, key.shape[1], heads // key.shape[1], size)
        keys, values = layer.read(count, length, query.dtype)
        scores = torch.matmul(grouped, keys.transpose(2, 3)).float() * scaling
        scores = scores.masked_fill(~seen[:, None, None, :], float("-inf"))
        shares = torch.softmax(scores, -1).to(values.dtype)
        output = torch.matmul(shares, values)
        return output.reshape(count, 1, heads, size)


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


def attention(module, query, key, value, attention_mask, scaling=None, sliding_window=None, **others):
    for name in ("softcap", "s_aux"):
        if others.get(name) is not None:
            raise NotImplementedError(f"this model's attention uses {name}, which the engine does not compute")
    place = getattr(module, "repertoire_place", None)
    if place is None or place.context is None:
        return causal(query, key, value, scaling, sliding_window), None
    return place.context.attend(module, query, key, value, scaling, sliding_window), None


AttentionInterface.register(NAME, attention)


class CachedLayer:
    """Keys and values of one layer, [slots, heads, length, size] each; in fewer than 16 bits with a scale for every head's key and
    value. 16 stands for the model's own numbers, whatever they take."""

    def __init__(self, slots, heads, length, size, like, bits, sharing=None):
        self.bits = bits
        self.sharing = nobody_shares(slots, like.device) if sharing is None else sharing
        shape = (slots, heads, length)
        width, kind = row_width(size, bits)
        self.sides = [torch.zeros(*shape, width, device=like.device, dtype=kind or like.dtype) for _ in range(2)]
        self.scales = [torch.zeros(shape if self.packed else (1,), device=like.device, dtype=torch.float32) for _ in range(2)]

    @property
    def packed(self):
        return self.bits < 16

    @property
    def held(self):
        return self.sides[0].shape[2]

    @property
    def buffers(self):
        return [*self.sides, *self.scales] if self.packed else self.sides

    def write(self, where, key, value, lines=slice(None)):
        for side, scales, given in zip(self.sides, self.scales, (key, value)):
            if self.packed:
                given, scale = pack(given, self.bits)
                scales[where] = scale[lines]
            side[where] = given[lines]

    def read(self, count, length, dtype):
        kept = [side[:count, :, :length] for side in self.sides]
        if not self.packed:
            return kept
        return [unpack(x, scale[:count, :, :length], self.bits).to(dtype) for x, scale in zip(kept, self.scales)]


def nobody_shares(slots, device):
    """Which slot's first keys each slot reads in place of its own, which are the same, and how many of them."""
    return torch.stack([torch.arange(slots, dtype=torch.int32), torch.zeros(slots, dtype=torch.int32)]).to(device)


class SlotCache:
    """Keys and values of all slots, layer by layer. Layers that look back no further than a window keep no more than that."""

    def __init__(self, slots, length, bits=16):
        self.slots, self.length, self.bits = slots, length, bits
        self.layers = {}
        self.windows = {}
        self.sharing = None

    def share(self, leaders, counts):
        """Slots whose first keys are the same read those of one of them: what several rows read at a time comes from memory once."""
        if self.sharing is not None:
            given = torch.tensor([leaders, counts], dtype=torch.int32, pin_memory=self.sharing.is_cuda)
            self.sharing[:, : len(leaders)].copy_(given, non_blocking=True)

    def layer(self, index, window, like):
        if index not in self.layers:
            length = self.length if window is None else min(self.length, window)
            if self.sharing is None:
                self.sharing = nobody_shares(self.slots, like.device)
            self.layers[index] = CachedLayer(self.slots, like.shape[1], length, like.shape[3], like, self.bits, self.sharing)
            self.windows[index] = window
        return self.layers[index]

    def resize(self, slots, length):
        """Keeps what is in the first slots. Buffer by buffer, so that only one of them is held twice."""
        if self.sharing is not None:
            self.sharing = nobody_shares(slots, self.sharing.device)
        for index, layer in self.layers.items():
            window = self.windows[index]
            layer.sharing = self.sharing
            held = length if window is None else min(length, window)
            for buffers in (layer.sides, layer.scales if layer.packed else []):
                for side, old in enumerate(buffers):
                    new = old.new_zeros(slots, old.shape[1], held, *old.shape[3:])
                    rows, places = min(slots, old.shape[0]), min(held, old.shape[2])
                    new[:rows, :, :places] = old[:rows, :, :places]
                    buffers[side] = new
        self.slots, self.length = slots, length

    def move(self, source, target):
        for layer in self.layers.values():
            for buffer in layer.buffers:
                buffer[target] = buffer[source]


def slot_bytes(config, length, dtype, bits=16):
    """What the keys and values of one sequence of this length take."""
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    kinds = getattr(config, "layer_types", None) or ["full_attention"] * config.num_hidden_layers
    window = getattr(config, "sliding_window", None) or length
    tokens = sum(min(length, window) if kind == "sliding_attention" else length for kind in kinds)
    return 2 * heads * vector_bytes(head_size(config), bits, dtype) * tokens


def head_size(config):
    return getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
