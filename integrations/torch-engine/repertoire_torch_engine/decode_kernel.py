"""Attention of one new token a row over the cache, on a GPU: each row reads its own length and no more, and the new key and
value are put into the cache on the way. Without Triton there is `DecodeContext`'s plain form."""
import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # a PyTorch without it, as on a processor
    triton = None
else:
    from .packed import LIFTED, entries, put

# Rows are shared by several programs until there are about this many: more than the chip needs, because rows differ in length.
PROGRAMS = 1024
PROGRAMS_OF_ONE_ROW = 256
MOST_SHARES = 32
# Of fewer places than these, starting a program takes longer than reading them.
PLACES_OF_A_SHARE = 96


def usable(device, size):
    return triton is not None and device.type == "cuda" and size >= 16 and size & (size - 1) == 0


if triton is not None:

    @triton.jit
    def _shared(positions, leaders, shared, position, row, head, heads, held, line):
        """How many first keys another row has, too, and how far away they lie: what several rows read at a time comes from memory once.
        None where one of the two has begun to use its places again."""
        leader = tl.load(leaders + row)
        common = tl.where((position < held) & (tl.load(positions + leader) < held), tl.load(shared + row), 0)
        return common, (leader * heads + head - line).to(tl.int64) * held

    @triton.jit
    def _read_packed_share(
        query, new_key, new_value, keys, values, key_scales, value_scales, positions, leaders, shared, partial_sums, partial_tops, partial_totals,
        output, scaling, heads, held, shares, key_stride, value_stride,
        SIZE: tl.constexpr, BLOCK: tl.constexpr, BITS: tl.constexpr, STAGES: tl.constexpr, ALONE: tl.constexpr,
    ):
        """Packed vectors, one query for each key head: a matrix unit would be idle for fifteen rows of sixteen, and entries would have
        to be brought into its order. Every line of a block keeps a softmax of its own until the end."""
        row, head, share = tl.program_id(0), tl.program_id(1), tl.program_id(2)
        position = tl.load(positions + row)
        place = position % held
        seen = tl.minimum(position, held)
        part = tl.cdiv(tl.cdiv(seen, shares), BLOCK) * BLOCK
        first = share * part
        last = tl.minimum(first + part, seen)
        line = row * heads + head
        size = tl.arange(0, SIZE)
        lift: tl.constexpr = LIFTED if BITS == 12 else 1.0
        asked = tl.load(query + line * SIZE + size).to(tl.float32) * scaling
        lifted = asked * lift
        # Bytes stand for numbers from -128 on.
        shift = 128.0 * tl.sum(asked, 0) if BITS == 8 else 0.0
        base = line.to(tl.int64) * held
        common, away = _shared(positions, leaders, shared, position, row, head, heads, held, line)
        top = tl.full([BLOCK], float("-inf"), tl.float32)
        total = tl.zeros([BLOCK], tl.float32)
        weight = tl.zeros([BLOCK], tl.float32)
        sums = tl.zeros([BLOCK, SIZE], tl.float32)
        # Stages said here, not at the launch, hold for loads that no matrix unit waits for, too: blocks are fetched ahead.
        for start in tl.range(first, last, BLOCK, num_stages=STAGES):
            at = start + tl.arange(0, BLOCK)
            inside = (at < last) & (at != place)
            where = base + at + tl.where(at < common, away, 0)
            key = entries(keys, where, inside, BITS, SIZE, BLOCK)
            value = entries(values, where, inside, BITS, SIZE, BLOCK)
            score = (tl.sum(key * lifted[None, :], 1) - shift) * tl.load(key_scales + where, mask=inside, other=0.0)
            score = tl.where(inside, score, float("-inf"))
            higher = tl.maximum(top, score)
            safe = tl.where(higher == float("-inf"), 0.0, higher)
            shrink, own = tl.exp(top - safe), tl.exp(score - safe)
            top, total = higher, total * shrink + own
            own *= tl.load(value_scales + where, mask=inside, other=0.0)
            if BITS == 8:
                weight = weight * shrink + own
            sums = sums * shrink[:, None] + own[:, None] * value
        peak = tl.max(top, 0)
        safe = tl.where(peak == float("-inf"), 0.0, peak)
        rest = tl.exp(top - safe)
        whole = tl.sum(total * rest, 0)
        result = tl.sum(sums * rest[:, None], 0) * lift
        if BITS == 8:
            result -= 128.0 * tl.sum(weight * rest, 0)
        if share == 0:
            key = tl.load(new_key + row * key_stride + head * SIZE + size)
            value = tl.load(new_value + row * value_stride + head * SIZE + size)
            put(keys, key_scales, base + place, key, BITS, SIZE)
            put(values, value_scales, base + place, value, BITS, SIZE)
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
        GROUP: tl.constexpr, PADDED: tl.constexpr, SIZE: tl.constexpr, BLOCK: tl.constexpr, BITS: tl.constexpr, ALONE: tl.constexpr,
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
        kind: tl.constexpr = query.dtype.element_ty
        lift: tl.constexpr = LIFTED if BITS == 12 else 1.0
        lifted = (asked.to(tl.float32) * lift).to(kind)
        base = line.to(tl.int64) * held
        common, away = _shared(positions, leaders, shared, position, row, head, heads, held, line)
        top = tl.full([PADDED], float("-inf"), tl.float32)
        total = tl.zeros([PADDED], tl.float32)
        sums = tl.zeros([PADDED, SIZE], tl.float32)
        for start in range(first, last, BLOCK):
            at = start + tl.arange(0, BLOCK)
            inside = (at < last) & (at != place)
            where = base + at + tl.where(at < common, away, 0)
            if BITS == 16:
                cells = where[:, None] * SIZE + size[None, :]
                key = tl.load(keys + cells, mask=inside[:, None], other=0)
                value = tl.load(values + cells, mask=inside[:, None], other=0)
            else:
                # Bytes less 128 are small integers, and 12-bit entries bf16 numbers: both exact in the kind.
                zero: tl.constexpr = 128.0 if BITS == 8 else 0.0
                key = (entries(keys, where, inside, BITS, SIZE, BLOCK) - zero).to(kind)
                value = (entries(values, where, inside, BITS, SIZE, BLOCK) - zero).to(kind)
            scores = tl.dot(lifted, tl.trans(key), input_precision="ieee") * scaling
            if BITS != 16:
                scores *= tl.load(key_scales + where, mask=inside, other=0.0)[None, :]
            scores = tl.where(inside[None, :], scores, float("-inf"))
            higher = tl.maximum(top, tl.max(scores, 1))
            # Before the first key there is nothing to rescale, and a block may be all masked.
            safe = tl.where(higher == float("-inf"), 0.0, higher)
            shrink = tl.exp(top - safe)
            own = tl.exp(scores - safe[:, None])
            top, total = higher, total * shrink + tl.sum(own, 1)
            if BITS != 16:
                own *= tl.load(value_scales + where, mask=inside, other=0.0)[None, :]
            sums = sums * shrink[:, None] + tl.dot(own.to(kind), value, input_precision="ieee")
        sums *= lift
        if share == 0:
            key = tl.load(new_key + row * key_stride + head * SIZE + size)
            value = tl.load(new_value + row * value_stride + head * SIZE + size)
            put(keys, key_scales, base + place, key, BITS, SIZE)
            put(values, value_scales, base + place, value, BITS, SIZE)
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


def settings(layer, query, group):
    """Keys of a block, warps, and blocks under way: the best of several dozen on an H200."""
    long = layer.held >= 4096
    if layer.packed and group == 1:
        if layer.bits == 8 and not long:
            return 16, 1, 2
        return (32, 4, 2) if layer.bits == 12 and long and query.shape[0] > 1 else (32, 4, 3)
    if query.element_size() == 4:
        return 32, 4, 3
    return (64, 2, 3) if layer.packed else (128, 8, 2) if long else (64, 4, 3)


def attend(query, key, value, layer, positions, scaling):
    """query [rows, heads, 1, size], key and value [rows, key heads, 1, size]; `layer` holds the cache's keys and values."""
    rows, heads, _, size = query.shape
    key_heads = key.shape[1]
    group = heads // key_heads
    shares, programs = 1, PROGRAMS_OF_ONE_ROW if rows == 1 else PROGRAMS
    while shares < MOST_SHARES and rows * key_heads * shares < programs and layer.held >= 2 * shares * PLACES_OF_A_SHARE:
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
    block, warps, stages = settings(layer, query, group)
    sizes = dict(SIZE=size, BLOCK=block, BITS=layer.bits, ALONE=shares == 1, num_warps=warps)
    if layer.packed and group == 1:
        _read_packed_share[(rows, key_heads, shares)](*given, STAGES=stages, **sizes)
    else:
        padded = max(16, triton.next_power_of_2(group))
        _read_share[(rows, key_heads, shares)](*given, GROUP=group, PADDED=padded, num_stages=stages, **sizes)
    if shares > 1:
        _add_shares[(lines,)](partial_sums, partial_tops, partial_totals, output, SHARES=shares, SIZE=size)
    return output
