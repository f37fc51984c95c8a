"""Attention of one new token a row over the cache, on a GPU: each row reads its own length and no more, and the new key and
value are put into the cache on the way. Without Triton there is `DecodeContext`'s plain form."""
import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # a PyTorch without it, as on a processor
    triton = None

# Long rows are shared by several programs until there are about this many.
PROGRAMS = 1024
MOST_SHARES = 32


def usable(device, size):
    return triton is not None and device.type == "cuda" and size >= 16 and size & (size - 1) == 0


if triton is not None:

    @triton.jit
    def _from_eight_bits(x):
        """Numbers from -128 to 127, exactly, without a conversion: 1024 + x is a half-precision number whose last bits are x."""
        return (x.to(tl.int16) | 0x6400).to(tl.float16, bitcast=True) - 1152.0

    @triton.jit
    def _shared(positions, leaders, shared, position, row, head, heads, held, line):
        """How many first keys another row has, too, and how far away they lie: what several rows read at a time comes from memory once.
        None where one of the two has begun to use its places again."""
        leader = tl.load(leaders + row)
        common = tl.where((position < held) & (tl.load(positions + leader) < held), tl.load(shared + row), 0)
        return common, (leader * heads + head - line).to(tl.int64) * held

    @triton.jit
    def _put(cache, scales, cell, vector, size, EIGHT: tl.constexpr, SIZE: tl.constexpr):
        """A new key or value into its place."""
        if EIGHT:
            scale = tl.maximum(tl.max(tl.abs(vector.to(tl.float32)), 0), 1e-12) / 127
            tl.store(scales + cell, scale)
            tl.store(cache + cell * SIZE + size, tl.floor(vector.to(tl.float32) / scale + 128.5).to(tl.uint8))
        else:
            tl.store(cache + cell * SIZE + size, vector)

    @triton.jit
    def _read_share_of_one(
        query, new_key, new_value, keys, values, key_scales, value_scales, positions, leaders, shared, partial_sums, partial_tops, partial_totals,
        output, scaling, heads, held, shares, key_stride, value_stride,
        SIZE: tl.constexpr, BLOCK: tl.constexpr, ALONE: tl.constexpr,
    ):
        """8 bits, one query for each key head: a matrix unit would be idle for fifteen rows of sixteen, and bytes would have to be
        brought into its order. Every line of a block keeps a softmax of its own until the end."""
        row, head, share = tl.program_id(0), tl.program_id(1), tl.program_id(2)
        position = tl.load(positions + row)
        place = position % held
        seen = tl.minimum(position, held)
        part = tl.cdiv(tl.cdiv(seen, shares), BLOCK) * BLOCK
        first = share * part
        last = tl.minimum(first + part, seen)
        line = row * heads + head
        size = tl.arange(0, SIZE)
        asked = tl.load(query + line * SIZE + size).to(tl.float32) * scaling
        shift = 128.0 * tl.sum(asked, 0)
        base = line.to(tl.int64) * held
        common, away = _shared(positions, leaders, shared, position, row, head, heads, held, line)
        top = tl.full([BLOCK], float("-inf"), tl.float32)
        total = tl.zeros([BLOCK], tl.float32)
        weight = tl.zeros([BLOCK], tl.float32)
        sums = tl.zeros([BLOCK, SIZE], tl.float32)
        for start in range(first, last, BLOCK):
            at = start + tl.arange(0, BLOCK)
            inside = (at < last) & (at != place)
            where = base + at + tl.where(at < common, away, 0)
            cells = where[:, None] * SIZE + size[None, :]
            key = tl.load(keys + cells, mask=inside[:, None], other=128)
            value = tl.load(values + cells, mask=inside[:, None], other=128)
            key_scale = tl.load(key_scales + where, mask=inside, other=0.0)
            value_scale = tl.load(value_scales + where, mask=inside, other=0.0)
            score = (tl.sum(key.to(tl.float32) * asked[None, :], 1) - shift) * key_scale
            score = tl.where(inside, score, float("-inf"))
            higher = tl.maximum(top, score)
            safe = tl.where(higher == float("-inf"), 0.0, higher)
            shrink, own = tl.exp(top - safe), tl.exp(score - safe)
            top, total = higher, total * shrink + own
            own *= value_scale
            weight = weight * shrink + own
            sums = sums * shrink[:, None] + own[:, None] * value.to(tl.float32)
        peak = tl.max(top, 0)
        safe = tl.where(peak == float("-inf"), 0.0, peak)
        rest = tl.exp(top - safe)
        whole = tl.sum(total * rest, 0)
        # Bytes stand for numbers from -128 on.
        result = tl.sum(sums * rest[:, None], 0) - 128.0 * tl.sum(weight * rest, 0)
        if share == 0:
            key = tl.load(new_key + row * key_stride + head * SIZE + size)
            value = tl.load(new_value + row * value_stride + head * SIZE + size)
            _put(keys, key_scales, base + place, key, size, True, SIZE)
            _put(values, value_scales, base + place, value, size, True, SIZE)
            score = tl.sum(asked * key.to(tl.float32), 0)
            higher = tl.maximum(peak, score)
            shrink, own = tl.exp(peak - higher), tl.exp(score - higher)
            peak, whole = higher, whole * shrink + own
            result = result * shrink + own * value.to(tl.float32)
        if ALONE:
            tl.store(output + line * SIZE + size, (result / whole).to(output.dtype.element_ty))
        else:
            out = line * shares + share
            tl.store(partial_tops + out, peak)
            tl.store(partial_totals + out, whole)
            tl.store(partial_sums + out * SIZE + size, result)

    @triton.jit
    def _read_share(
        query, new_key, new_value, keys, values, key_scales, value_scales, positions, leaders, shared, partial_sums, partial_tops, partial_totals,
        output, scaling, heads, held, shares, key_stride, value_stride,
        GROUP: tl.constexpr, PADDED: tl.constexpr, SIZE: tl.constexpr, BLOCK: tl.constexpr, EIGHT: tl.constexpr, ALONE: tl.constexpr,
    ):
        row, head, share = tl.program_id(0), tl.program_id(1), tl.program_id(2)
        position = tl.load(positions + row)
        # A layer that keeps a window only uses its places in turn: the new key takes the place of the oldest.
        place = position % held
        seen = tl.minimum(position, held)
        part = tl.cdiv(tl.cdiv(seen, shares), BLOCK) * BLOCK
        first = share * part
        last = tl.minimum(first + part, seen)
        line = row * heads + head
        group, size = tl.arange(0, PADDED), tl.arange(0, SIZE)
        asked = tl.load(query + (line * GROUP + group[:, None]) * SIZE + size[None, :], mask=group[:, None] < GROUP, other=0.0)
        if EIGHT:
            asked = asked.to(tl.float16)
        base = line.to(tl.int64) * held
        common, away = _shared(positions, leaders, shared, position, row, head, heads, held, line)
        top = tl.full([PADDED], float("-inf"), tl.float32)
        total = tl.zeros([PADDED], tl.float32)
        sums = tl.zeros([PADDED, SIZE], tl.float32)
        for start in range(first, last, BLOCK):
            at = start + tl.arange(0, BLOCK)
            inside = (at < last) & (at != place)
            where = base + at + tl.where(at < common, away, 0)
            cells = where[:, None] * SIZE + size[None, :]
            key = tl.load(keys + cells, mask=inside[:, None], other=0)
            value = tl.load(values + cells, mask=inside[:, None], other=0)
            if EIGHT:
                key, value = _from_eight_bits(key), _from_eight_bits(value)
            scores = tl.dot(asked, tl.trans(key), input_precision="ieee") * scaling
            if EIGHT:
                scores *= tl.load(key_scales + where, mask=inside, other=0.0)[None, :]
            scores = tl.where(inside[None, :], scores, float("-inf"))
            higher = tl.maximum(top, tl.max(scores, 1))
            # Before the first key there is nothing to rescale, and a block may be all masked.
            safe = tl.where(higher == float("-inf"), 0.0, higher)
            shrink = tl.exp(top - safe)
            own = tl.exp(scores - safe[:, None])
            top, total = higher, total * shrink + tl.sum(own, 1)
            if EIGHT:
                own *= tl.load(value_scales + where, mask=inside, other=0.0)[None, :]
            sums = sums * shrink[:, None] + tl.dot(own.to(value.dtype), value, input_precision="ieee")
        if share == 0:
            key = tl.load(new_key + row * key_stride + head * SIZE + size)
            value = tl.load(new_value + row * value_stride + head * SIZE + size)
            _put(keys, key_scales, base + place, key, size, EIGHT, SIZE)
            _put(values, value_scales, base + place, value, size, EIGHT, SIZE)
            score = tl.sum(asked.to(tl.float32) * key.to(tl.float32)[None, :], 1) * scaling
            higher = tl.maximum(top, score)
            shrink, own = tl.exp(top - higher), tl.exp(score - higher)
            top, total = higher, total * shrink + own
            sums = sums * shrink[:, None] + own[:, None] * value.to(tl.float32)[None, :]
        kept = group < GROUP
        if ALONE:
            cells = (line * GROUP + group)[:, None] * SIZE + size[None, :]
            tl.store(output + cells, (sums / total[:, None]).to(output.dtype.element_ty), mask=kept[:, None])
        else:
            out = (line * GROUP + group) * shares + share
            tl.store(partial_tops + out, top, mask=kept)
            tl.store(partial_totals + out, total, mask=kept)
            tl.store(partial_sums + out[:, None] * SIZE + size[None, :], sums, mask=kept[:, None])

    @triton.jit
    def _add_shares(partial_sums, partial_tops, partial_totals, output, SHARES: tl.constexpr, SIZE: tl.constexpr):
        line = tl.program_id(0)
        share, size = tl.arange(0, SHARES), tl.arange(0, SIZE)
        tops = tl.load(partial_tops + line * SHARES + share)
        weights = tl.exp(tops - tl.max(tops, 0))
        total = tl.sum(weights * tl.load(partial_totals + line * SHARES + share), 0)
        sums = tl.load(partial_sums + (line * SHARES + share[:, None]) * SIZE + size[None, :])
        result = tl.sum(sums * weights[:, None], 0) / total
        tl.store(output + line * SIZE + size, result.to(output.dtype.element_ty))


def attend(query, key, value, layer, positions, scaling, block=None, warps=None, stages=None):
    """query [rows, heads, 1, size], key and value [rows, key heads, 1, size]; `layer` holds the cache's keys and values."""
    rows, heads, _, size = query.shape
    key_heads = key.shape[1]
    group = heads // key_heads
    shares = 1
    while shares < MOST_SHARES and rows * key_heads * shares < PROGRAMS:
        shares *= 2
    lines = rows * heads
    parts = 1 if shares == 1 else lines * shares
    partial_sums = torch.empty(parts, size, device=query.device, dtype=torch.float32)
    partial_tops, partial_totals = (torch.empty(parts, device=query.device, dtype=torch.float32) for _ in range(2))
    output = torch.empty(rows, 1, heads, size, device=query.device, dtype=query.dtype)
    # A row's heads lie side by side; rows may have others between them.
    key, value = (x if x.stride(1) == size and x.stride(3) == 1 else x.contiguous() for x in (key, value))
    given = (
        query.contiguous(), key, value, *layer.sides, *layer.scales, positions, *layer.sharing, partial_sums, partial_tops, partial_totals,
        output, scaling, key_heads, layer.held, shares, key.stride(0), value.stride(0),
    )
    alone = shares == 1
    if layer.eight and group == 1:
        block, warps = block or 32, warps or 4
        _read_share_of_one[(rows, key_heads, shares)](
            *given, SIZE=size, BLOCK=block, ALONE=alone, num_warps=warps, num_stages=stages or 2,
        )
    else:
        # Searched on an H200: long caches go best in large blocks.
        long = layer.held >= 4096 and query.element_size() == 2
        best = (32, 4, 3) if query.element_size() == 4 else (64, 2, 3) if layer.eight else (128, 8, 2) if long else (64, 4, 3)
        _read_share[(rows, key_heads, shares)](
            *given, GROUP=group, PADDED=max(16, triton.next_power_of_2(group)), SIZE=size, BLOCK=block or best[0],
            EIGHT=layer.eight, ALONE=alone, num_warps=warps or best[1], num_stages=stages or best[2],
        )
    if shares > 1:
        _add_shares[(lines,)](partial_sums, partial_tops, partial_totals, output, SHARES=shares, SIZE=size)
    return output
