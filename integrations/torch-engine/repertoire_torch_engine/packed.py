"""Keys and values in fewer bits than the model computes with: how a vector is packed, and what comes out again. Each vector has
a scale of its own. The kernels' forms of the same functions stand below those in plain PyTorch, which they are compared with.

8 bits: a byte an entry, 128 standing for zero; the scale is a 127th of the largest entry.

12 bits: what bf16 holds, less what a vector does not use of it. Entries keep their sign and their 7 bits of fraction, and of the
exponent the 4 bits that tell how far below the largest entry they are. They are bf16 numbers with small exponents, so that unpacking
is a matter of masks: exactly the same number comes out, unless it was smaller than 2^-14 of the largest, and then the error is
at most 2^-22 of the largest. Eight entries lie in three words: three pairs of halves in their places, and the fourth pair in
the four bits that a half does not need (14 to 11).
"""
import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # a PyTorch without it, as on a processor
    triton = None

# A 12-bit entry times this and its vector's scale is the number: together they would leave the range of a float.
LIFT = 2.0**64
# The largest entry's exponent becomes 15, the most that four bits hold: it is 2^-112 times a number between 1 and 2.
_LOWERED = 2.0**-112


def row_width(size, bits):
    """Elements of a vector in the cache, and what they are; None where the model's own numbers are kept."""
    return {16: (size, None), 12: (size // 8 * 3, torch.int32), 8: (size, torch.uint8)}[bits]


def vector_bytes(size, bits, dtype):
    return size * dtype.itemsize if bits == 16 else size * bits // 8 + 4


def pack(x, bits):
    return _to_twelve_bits(x) if bits == 12 else _to_eight_bits(x)


def unpack(packed, scale, bits):
    return _from_twelve_bits(packed, scale) if bits == 12 else (packed.float() - 128) * scale[..., None]


def _to_eight_bits(x):
    scale = x.float().abs().amax(-1).clamp(min=1e-12) / 127
    return (torch.round(x.float() / scale[..., None]) + 128).to(torch.uint8), scale


def _to_twelve_bits(x):
    x = x.to(torch.bfloat16).float()
    exponent = torch.frexp(x.abs().amax(-1)).exponent - 1
    lowered = torch.ldexp(x, -exponent[..., None]) * _LOWERED
    halves = lowered.to(torch.bfloat16).view(torch.int16).to(torch.int32) & 0x87FF
    halves = halves.unflatten(-1, (-1, 4, 2))
    first, second, third, fourth = (halves[..., 0] | halves[..., 1] << 16).unbind(-1)
    first = first | (fourth & 0x07800780) << 4
    second = second | (fourth & 0x00780078) << 8
    third = third | (fourth & 0x00070007) << 11 | fourth >> 1 & 0x40004000
    return torch.cat([first, second, third], -1), torch.ldexp(torch.ones_like(x[..., 0]), exponent + 48)


def _from_twelve_bits(words, scale):
    sides = [torch.stack([words & 0xFFFF, words >> 16 & 0xFFFF], -1)[..., part, :] for part in torch.arange(words.shape[-1]).chunk(3)]
    high, middle, low = (side >> 11 & 0xF for side in sides)
    fourth = high << 7 | middle << 3 | low & 7 | (low & 8) << 12
    halves = torch.stack([*(side & 0x87FF for side in sides), fourth], -2).flatten(-3)
    return halves.to(torch.int16).view(torch.bfloat16).float() * LIFT * scale[..., None]


if triton is not None:
    # What kernels may read of the constants above.
    LIFTED, LOWERED = tl.constexpr(LIFT), tl.constexpr(_LOWERED)

    @triton.jit
    def put(cache, scales, cell, vector, BITS: tl.constexpr, SIZE: tl.constexpr):
        """A new key or value into its place."""
        size = tl.arange(0, SIZE)
        if BITS == 16:
            tl.store(cache + cell * SIZE + size, vector)
        elif BITS == 8:
            x = vector.to(tl.float32)
            scale = tl.maximum(tl.max(tl.abs(x), 0), 1e-12) / 127
            tl.store(scales + cell, scale)
            tl.store(cache + cell * SIZE + size, tl.floor(x / scale + 128.5).to(tl.uint8))
        else:
            x = vector.to(tl.bfloat16).to(tl.float32)
            exponent = (tl.max(tl.abs(x), 0).to(tl.int32, bitcast=True) >> 23) - 127
            # Powers of two, made of their bits. Numbers beyond 2^80 have no scale: infinity, which shows.
            tl.store(scales + cell, (tl.minimum(exponent + 175, 255) << 23).to(tl.float32, bitcast=True))
            lowered = x * ((127 - exponent) << 23).to(tl.float32, bitcast=True) * LOWERED
            halves = lowered.to(tl.bfloat16).to(tl.uint16, bitcast=True).to(tl.uint32) & 0x87FF
            low, high = tl.split(tl.reshape(halves, [SIZE // 8, 2, 2, 2]))
            even, odd = tl.split(low | (high << 16))
            first, third = tl.split(even)
            second, fourth = tl.split(odd)
            first |= (fourth & 0x07800780) << 4
            second |= (fourth & 0x00780078) << 8
            third |= ((fourth & 0x00070007) << 11) | ((fourth >> 1) & 0x40004000)
            word = cache + cell * (SIZE // 8 * 3) + tl.arange(0, SIZE // 8)
            tl.store(word, first.to(tl.int32, bitcast=True))
            tl.store(word + SIZE // 8, second.to(tl.int32, bitcast=True))
            tl.store(word + SIZE // 4, third.to(tl.int32, bitcast=True))

    @triton.jit
    def entries(cache, cells, inside, BITS: tl.constexpr, SIZE: tl.constexpr, BLOCK: tl.constexpr):
        """Vectors from the cache, in fp32 and without their scales; bytes as they are, 128 too large."""
        if BITS == 8:
            at = cells[:, None] * SIZE + tl.arange(0, SIZE)[None, :]
            found = tl.load(cache + at, mask=inside[:, None], other=0).to(tl.float32)
        else:
            at = cells[:, None] * (SIZE // 8 * 3) + tl.arange(0, SIZE // 8)[None, :]
            first = tl.load(cache + at, mask=inside[:, None], other=0).to(tl.uint32, bitcast=True)
            second = tl.load(cache + at + SIZE // 8, mask=inside[:, None], other=0).to(tl.uint32, bitcast=True)
            third = tl.load(cache + at + SIZE // 4, mask=inside[:, None], other=0).to(tl.uint32, bitcast=True)
            fourth = ((first >> 4) & 0x07800780) | ((second >> 8) & 0x00780078) | ((third >> 11) & 0x00070007) | ((third << 1) & 0x80008000)
            # A bf16 number is the upper half of a float. The last join is of neighbors, the first of entries four apart.
            low = tl.join(tl.join(first << 16, third << 16), tl.join(second << 16, fourth << 16))
            high = tl.join(tl.join(first, third), tl.join(second, fourth))
            words = tl.reshape(tl.join(low, high), [BLOCK, SIZE])
            found = (words & 0x87FF0000).to(tl.float32, bitcast=True)
        return found
