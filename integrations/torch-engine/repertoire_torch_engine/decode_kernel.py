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
    def _taken_in(scores, values, top, total, sums):
        """One more block of keys in a softmax that is not yet divided by its sum."""
        higher = tl.maximum(top, tl.max(scores, 1))
        # Before the first key there is nothing to rescale, and a block may be all masked.
        safe = tl.where(higher == float("-inf"), 0.0, higher)
        shrink = tl.exp(top - safe)
        shares = tl.exp(scores - safe[:, None])
        total = total * shrink + tl.sum(shares, 1)
        sums = sums * shrink[:, None] + tl.dot(shares.to(values.dtype), values, input_precision="ieee")
        return higher, total, sums

    @triton.jit
    def _read_share(
        query, new_key, new_value, keys, values, positions, partial_sums, partial_tops, partial_totals, scaling, heads, held,
        shares, slot_stride, head_stride,
        GROUP: tl.constexpr, PADDED: tl.constexpr, SIZE: tl.constexpr, BLOCK: tl.constexpr,
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
        base = row.to(tl.int64) * slot_stride + head * head_stride
        top = tl.full([PADDED], float("-inf"), tl.float32)
        total = tl.zeros([PADDED], tl.float32)
        sums = tl.zeros([PADDED, SIZE], tl.float32)
        for start in range(first, last, BLOCK):
            at = start + tl.arange(0, BLOCK)
            inside = (at < last) & (at != place)
            cells = base + at[:, None] * SIZE + size[None, :]
            key = tl.load(keys + cells, mask=inside[:, None], other=0.0)
            value = tl.load(values + cells, mask=inside[:, None], other=0.0)
            scores = tl.dot(asked, tl.trans(key), input_precision="ieee") * scaling
            scores = tl.where(inside[None, :], scores, float("-inf"))
            top, total, sums = _taken_in(scores, value, top, total, sums)
        if share == 0:
            key = tl.load(new_key + line * SIZE + size)
            value = tl.load(new_value + line * SIZE + size)
            tl.store(keys + base + place * SIZE + size, key)
            tl.store(values + base + place * SIZE + size, value)
            score = tl.sum(asked.to(tl.float32) * key.to(tl.float32)[None, :], 1) * scaling
            higher = tl.maximum(top, score)
            shrink, own = tl.exp(top - higher), tl.exp(score - higher)
            top, total = higher, total * shrink + own
            sums = sums * shrink[:, None] + own[:, None] * value.to(tl.float32)[None, :]
        out = (line * GROUP + group) * shares + share
        kept = group < GROUP
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


def attend(query, key, value, keys, values, positions, scaling):
    """query [rows, heads, 1, size], key and value [rows, key heads, 1, size]; keys and values are the cache's of this layer."""
    rows, heads, _, size = query.shape
    key_heads = key.shape[1]
    group = heads // key_heads
    shares = 1
    while shares < MOST_SHARES and rows * key_heads * shares < PROGRAMS:
        shares *= 2
    lines = rows * heads
    partial_sums = torch.empty(lines, shares, size, device=query.device, dtype=torch.float32)
    partial_tops, partial_totals = (torch.empty(lines, shares, device=query.device, dtype=torch.float32) for _ in range(2))
    output = torch.empty(rows, 1, heads, size, device=query.device, dtype=query.dtype)
    _read_share[(rows, key_heads, shares)](
        query.contiguous(), key.contiguous(), value.contiguous(), keys, values, positions, partial_sums, partial_tops,
        partial_totals, scaling, key_heads, keys.shape[2], shares, keys.stride(0), keys.stride(1),
        GROUP=group, PADDED=max(16, triton.next_power_of_2(group)), SIZE=size, BLOCK=64 if keys.element_size() == 2 else 32,
    )
    _add_shares[(lines,)](partial_sums, partial_tops, partial_totals, output, SHARES=shares, SIZE=size)
    return output
