"""The small steps between matrix products, each in one pass over memory on a GPU, forward and backward. `fused.py` has
the same functions in plain PyTorch, which is what a processor runs and what these are compared with."""
import torch

try:
    import triton
    import triton.language as tl
except ImportError:  # a PyTorch without it, as on a processor
    triton = None

# What is normed before the rotation: nothing (Llama), all heads of a row together (OLMo-3), or each head by itself (Qwen3).
NO_NORM, ROW_NORM, HEAD_NORM = 0, 1, 2


def usable(tensor):
    return triton is not None and tensor.device.type == "cuda"


if triton is not None:

    @triton.jit
    def _inverse_root(low, high, size, epsilon, MODE: tl.constexpr):
        """One over the root mean square: a number for the row, or one for each head."""
        squares = tl.sum(low * low + high * high, 1)
        if MODE == 1:
            mean = tl.sum(squares, 0) / size + tl.zeros_like(squares)
        else:
            mean = squares / size
        return tl.math.rsqrt(mean + epsilon)

    @triton.jit
    def _norm_rotate(
        joined, query, key, query_weight, key_weight, cosines, sines, epsilon, row_stride,
        QUERY_HEADS: tl.constexpr, KEY_HEADS: tl.constexpr, PADDED: tl.constexpr, HALF: tl.constexpr, MODE: tl.constexpr,
    ):
        row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
        is_query = part == 0
        heads = tl.where(is_query, QUERY_HEADS, KEY_HEADS)
        head, half = tl.arange(0, PADDED), tl.arange(0, HALF)
        inside = (head < heads)[:, None]
        cells = head[:, None] * (2 * HALF) + half[None, :]
        source = joined + row * row_stride + part * QUERY_HEADS * 2 * HALF
        low = tl.load(source + cells, mask=inside, other=0.0).to(tl.float32)
        high = tl.load(source + cells + HALF, mask=inside, other=0.0).to(tl.float32)
        kind = joined.dtype.element_ty
        if MODE != 0:
            root = _inverse_root(low, high, heads * 2 * HALF if MODE == 1 else 2 * HALF, epsilon, MODE)[:, None]
            at = cells if MODE == 1 else half[None, :] + tl.zeros_like(cells)
            low_weight = tl.load(query_weight + at, mask=inside & is_query, other=0.0).to(tl.float32)
            high_weight = tl.load(query_weight + at + HALF, mask=inside & is_query, other=0.0).to(tl.float32)
            low_weight += tl.load(key_weight + at, mask=inside & (part == 1), other=0.0).to(tl.float32)
            high_weight += tl.load(key_weight + at + HALF, mask=inside & (part == 1), other=0.0).to(tl.float32)
            low = (low * root * low_weight).to(kind).to(tl.float32)
            high = (high * root * high_weight).to(kind).to(tl.float32)
        angle = row * (2 * HALF) + half
        cosine = tl.load(cosines + angle).to(tl.float32)[None, :]
        sine = tl.load(sines + angle).to(tl.float32)[None, :]
        turned_low = (low * cosine - high * sine).to(kind)
        turned_high = (high * cosine + low * sine).to(kind)
        to_query = query + row * QUERY_HEADS * 2 * HALF + cells
        to_key = key + row * KEY_HEADS * 2 * HALF + cells
        tl.store(to_query, turned_low, mask=inside & is_query)
        tl.store(to_query + HALF, turned_high, mask=inside & is_query)
        tl.store(to_key, turned_low, mask=inside & (part == 1))
        tl.store(to_key + HALF, turned_high, mask=inside & (part == 1))

    @triton.jit
    def _norm_rotate_back(
        joined, from_query, from_key, from_value, query_weight, key_weight, cosines, sines, result, epsilon, row_stride,
        QUERY_HEADS: tl.constexpr, KEY_HEADS: tl.constexpr, PADDED: tl.constexpr, HALF: tl.constexpr, MODE: tl.constexpr,
    ):
        row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
        is_query = part == 0
        heads = tl.where(is_query, QUERY_HEADS, KEY_HEADS)
        head, half = tl.arange(0, PADDED), tl.arange(0, HALF)
        inside = (head < heads)[:, None]
        cells = head[:, None] * (2 * HALF) + half[None, :]
        # Queries, keys and values lie one behind the other in a row.
        before = tl.where(part == 0, 0, tl.where(part == 1, QUERY_HEADS, QUERY_HEADS + KEY_HEADS)) * 2 * HALF
        target = result + row * (QUERY_HEADS + 2 * KEY_HEADS) * 2 * HALF + before + cells
        if part == 2:
            given = from_value + row * KEY_HEADS * 2 * HALF + cells
            tl.store(target, tl.load(given, mask=inside, other=0.0), mask=inside)
            tl.store(target + HALF, tl.load(given + HALF, mask=inside, other=0.0), mask=inside)
        else:
            of_query, of_key = from_query + row * QUERY_HEADS * 2 * HALF + cells, from_key + row * KEY_HEADS * 2 * HALF + cells
            low = tl.load(of_query, mask=inside & is_query, other=0.0).to(tl.float32)
            high = tl.load(of_query + HALF, mask=inside & is_query, other=0.0).to(tl.float32)
            low += tl.load(of_key, mask=inside & (part == 1), other=0.0).to(tl.float32)
            high += tl.load(of_key + HALF, mask=inside & (part == 1), other=0.0).to(tl.float32)
            angle = row * (2 * HALF) + half
            cosine = tl.load(cosines + angle).to(tl.float32)[None, :]
            sine = tl.load(sines + angle).to(tl.float32)[None, :]
            back_low = low * cosine + high * sine
            back_high = high * cosine - low * sine
            if MODE != 0:
                source = joined + row * row_stride + before + cells
                x_low = tl.load(source, mask=inside, other=0.0).to(tl.float32)
                x_high = tl.load(source + HALF, mask=inside, other=0.0).to(tl.float32)
                size = heads * 2 * HALF if MODE == 1 else 2 * HALF
                root = _inverse_root(x_low, x_high, size, epsilon, MODE)[:, None]
                at = cells if MODE == 1 else half[None, :] + tl.zeros_like(cells)
                low_weight = tl.load(query_weight + at, mask=inside & is_query, other=0.0).to(tl.float32)
                high_weight = tl.load(query_weight + at + HALF, mask=inside & is_query, other=0.0).to(tl.float32)
                low_weight += tl.load(key_weight + at, mask=inside & (part == 1), other=0.0).to(tl.float32)
                high_weight += tl.load(key_weight + at + HALF, mask=inside & (part == 1), other=0.0).to(tl.float32)
                back_low, back_high = back_low * low_weight, back_high * high_weight
                along = tl.sum(back_low * x_low + back_high * x_high, 1)
                if MODE == 1:
                    along = tl.sum(along, 0) + tl.zeros_like(along)
                pull = root * root * (along / size)[:, None]
                back_low, back_high = root * (back_low - x_low * pull), root * (back_high - x_high * pull)
            tl.store(target, back_low.to(result.dtype.element_ty), mask=inside)
            tl.store(target + HALF, back_high.to(result.dtype.element_ty), mask=inside)

    @triton.jit
    def _norm_add(residual, given, weight, output, epsilon, size, stride, BLOCK: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64), tl.arange(0, BLOCK)
        inside = at < size
        x = tl.load(given + row * stride + at, mask=inside, other=0.0).to(tl.float32)
        root = tl.math.rsqrt(tl.sum(x * x, 0) / size + epsilon)
        kind = output.dtype.element_ty
        normed = (x * root * tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)).to(kind)
        before = tl.load(residual + row * size + at, mask=inside, other=0.0).to(tl.float32)
        tl.store(output + row * size + at, (before + normed.to(tl.float32)).to(kind), mask=inside)

    @triton.jit
    def _norm_back(gradient, given, weight, output, epsilon, size, stride, BLOCK: tl.constexpr):
        row, at = tl.program_id(0).to(tl.int64), tl.arange(0, BLOCK)
        inside = at < size
        x = tl.load(given + row * stride + at, mask=inside, other=0.0).to(tl.float32)
        root = tl.math.rsqrt(tl.sum(x * x, 0) / size + epsilon)
        g = tl.load(gradient + row * size + at, mask=inside, other=0.0).to(tl.float32)
        g *= tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
        back = root * (g - x * (root * root * tl.sum(g * x, 0) / size))
        tl.store(output + row * size + at, back.to(output.dtype.element_ty), mask=inside)

    @triton.jit
    def _silu_times(joined, output, size, stride, BLOCK: tl.constexpr):
        row = tl.program_id(0).to(tl.int64)
        at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
        inside = at < size
        gate = tl.load(joined + row * stride + at, mask=inside, other=0.0).to(tl.float32)
        up = tl.load(joined + row * stride + size + at, mask=inside, other=0.0).to(tl.float32)
        kind = output.dtype.element_ty
        opened = (gate * tl.sigmoid(gate)).to(kind).to(tl.float32)
        tl.store(output + row * size + at, (opened * up).to(kind), mask=inside)

    @triton.jit
    def _silu_times_back(gradient, joined, result, size, stride, BLOCK: tl.constexpr):
        row = tl.program_id(0).to(tl.int64)
        at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
        inside = at < size
        gate = tl.load(joined + row * stride + at, mask=inside, other=0.0).to(tl.float32)
        up = tl.load(joined + row * stride + size + at, mask=inside, other=0.0).to(tl.float32)
        g = tl.load(gradient + row * size + at, mask=inside, other=0.0).to(tl.float32)
        share = tl.sigmoid(gate)
        kind = result.dtype.element_ty
        tl.store(result + row * 2 * size + at, (g * up * share * (1 + gate * (1 - share))).to(kind), mask=inside)
        tl.store(result + row * 2 * size + size + at, (g * gate * share).to(kind), mask=inside)

    @triton.jit
    def _adapted_silu_times(
        both, up_halves, output, rows, size, rank, stride, scale,
        BLOCK_ROWS: tl.constexpr, BLOCK: tl.constexpr, RANK: tl.constexpr,
    ):
        """Gate and values with their adapters' second halves added, and what the gate lets through, in one reading."""
        row = tl.program_id(0).to(tl.int64) * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)
        at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
        inner = tl.arange(0, RANK)
        present, held, known = (row < rows)[:, None], (at < size)[None, :], inner < rank
        line = both + row[:, None] * stride
        gate = tl.load(line + at[None, :], mask=present & held, other=0.0).to(tl.float32)
        up = tl.load(line + size + at[None, :], mask=present & held, other=0.0).to(tl.float32)
        of_gate = tl.load(line + 2 * size + inner[None, :], mask=present & known[None, :], other=0.0)
        of_up = tl.load(line + 2 * size + rank + inner[None, :], mask=present & known[None, :], other=0.0)
        for_gate = tl.load(up_halves + inner[:, None] * 2 * size + at[None, :], mask=known[:, None] & held, other=0.0)
        for_up = tl.load(up_halves + (rank + inner)[:, None] * 2 * size + size + at[None, :], mask=known[:, None] & held, other=0.0)
        kind = output.dtype.element_ty
        gate = (gate + scale * tl.dot(of_gate, for_gate, input_precision="ieee")).to(kind).to(tl.float32)
        up = (up + scale * tl.dot(of_up, for_up, input_precision="ieee")).to(kind).to(tl.float32)
        opened = (gate * tl.sigmoid(gate)).to(kind).to(tl.float32)
        tl.store(output + row[:, None] * size + at[None, :], (opened * up).to(kind), mask=present & held)

    @triton.jit
    def _head_rows(logits, targets, normalizers, chosen, entropies, size, stride, temperature, BLOCK: tl.constexpr):
        """Log-sum-exp, the target's logit less it, and the entropy, of one row of logits in one reading."""
        row = tl.program_id(0).to(tl.int64)
        top = tl.full([BLOCK], float("-inf"), tl.float32)
        total = tl.zeros([BLOCK], tl.float32)
        mass = tl.zeros([BLOCK], tl.float32)
        for start in range(0, size, BLOCK):
            at = start + tl.arange(0, BLOCK)
            x = tl.load(logits + row * stride + at, mask=at < size, other=float("-inf")).to(tl.float32) / temperature
            higher = tl.maximum(top, x)
            safe = tl.where(higher == float("-inf"), 0.0, higher)
            shrink, own = tl.exp(top - safe), tl.exp(x - safe)
            total = total * shrink + own
            mass = mass * shrink + own * tl.where(x == float("-inf"), 0.0, x)
            top = higher
        peak = tl.max(top, 0)
        weight = tl.exp(top - peak)
        sum_ = tl.sum(total * weight, 0)
        normalizer = peak + tl.log(sum_)
        target = tl.load(targets + row)
        tl.store(normalizers + row, normalizer)
        tl.store(chosen + row, tl.load(logits + row * stride + target).to(tl.float32) / temperature - normalizer)
        tl.store(entropies + row, normalizer - tl.sum(mass * weight, 0) / sum_)

    @triton.jit
    def _head_rows_back(logits, targets, normalizers, entropies, of_chosen, of_entropy, size, stride, temperature, BLOCK: tl.constexpr):
        """The gradient of a block of logits, written over them; beyond the vocabulary it is zero."""
        row = tl.program_id(0).to(tl.int64)
        at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
        inside = at < size
        x = tl.load(logits + row * stride + at, mask=inside, other=0.0).to(tl.float32) / temperature
        log_share = x - tl.load(normalizers + row)
        share = tl.exp(log_share)
        g, h = tl.load(of_chosen + row), tl.load(of_entropy + row)
        result = g * (tl.where(at == tl.load(targets + row), 1.0, 0.0) - share)
        result -= h * share * (log_share + tl.load(entropies + row))
        result = tl.where(inside, result / temperature, 0.0)
        tl.store(logits + row * stride + at, result.to(logits.dtype.element_ty), mask=at < stride)

    @triton.jit
    def _one_row_product(given, weight, output, size, columns, LINES: tl.constexpr, BLOCK: tl.constexpr):
        """A vector times some lines of a matrix: a matter of reading the matrix, in as many programs as the chip can have under way."""
        line = tl.program_id(0) * LINES + tl.arange(0, LINES)
        total = tl.zeros([LINES, BLOCK], tl.float32)
        for start in range(0, columns, BLOCK):
            at = start + tl.arange(0, BLOCK)
            cells = line.to(tl.int64)[:, None] * columns + at[None, :]
            w = tl.load(weight + cells, mask=(line < size)[:, None] & (at < columns)[None, :], other=0.0).to(tl.float32)
            total += w * tl.load(given + at, mask=at < columns, other=0.0).to(tl.float32)[None, :]
        tl.store(output + line, tl.sum(total, 1).to(output.dtype.element_ty), mask=line < size)

    @triton.jit
    def _draw_blocks(logits, temperatures, tops, totals, tempered_totals, best, size, stride, blocks, BLOCK: tl.constexpr):
        row, block = tl.program_id(0), tl.program_id(1)
        at = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(logits + row.to(tl.int64) * stride + at, mask=at < size, other=float("-inf")).to(tl.float32)
        top = tl.max(x, 0)
        heat = tl.load(temperatures + row)
        heat = tl.where(heat > 0, heat, 1.0)
        tl.store(tops + row * blocks + block, top)
        tl.store(best + row * blocks + block, block * BLOCK + tl.argmax(x, 0))
        tl.store(totals + row * blocks + block, tl.sum(tl.exp(x - top), 0))
        tl.store(tempered_totals + row * blocks + block, tl.sum(tl.exp((x - top) / heat), 0))

    @triton.jit
    def _draw_rows(
        logits, temperatures, uniforms, tops, totals, tempered_totals, best, tokens, results, size, stride, blocks,
        BLOCK: tl.constexpr, BLOCKS: tl.constexpr,
    ):
        """The token at which the tempered distribution's cumulative sum passes a row's uniform number: first its block, then the place in it."""
        row = tl.program_id(0)
        which = tl.arange(0, BLOCKS)
        inside = which < blocks
        top = tl.load(tops + row * blocks + which, mask=inside, other=float("-inf"))
        peak = tl.max(top, 0)
        given = tl.load(temperatures + row)
        heat = tl.where(given > 0, given, 1.0)
        total = tl.sum(tl.where(inside, tl.load(totals + row * blocks + which, mask=inside, other=0.0) * tl.exp(top - peak), 0.0), 0)
        part = tl.load(tempered_totals + row * blocks + which, mask=inside, other=0.0) * tl.exp((top - peak) / heat)
        part = tl.where(inside, part, 0.0)
        reached = tl.cumsum(part, 0)
        whole = tl.sum(part, 0)
        wanted = tl.load(uniforms + row) * whole
        block = tl.minimum(tl.sum(tl.where(inside & (reached <= wanted), 1, 0), 0), blocks - 1)
        before = tl.sum(tl.where(which < block, part, 0.0), 0)
        at = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(logits + row.to(tl.int64) * stride + at, mask=at < size, other=float("-inf")).to(tl.float32)
        within = before + tl.cumsum(tl.exp((x - peak) / heat), 0)
        place = tl.sum(tl.where((within <= wanted) & (at < size), 1, 0), 0)
        token = tl.minimum(tl.minimum(block * BLOCK + place, block * BLOCK + BLOCK - 1), size - 1)
        # At temperature zero the likeliest, the first of equals.
        first = tl.min(tl.where(inside & (top == peak), tl.load(best + row * blocks + which, mask=inside, other=size), size), 0)
        token = tl.where(given > 0, token, first)
        logit = tl.load(logits + row.to(tl.int64) * stride + token).to(tl.float32)
        tl.store(tokens + row, token.to(tl.int64))
        tl.store(results + row * 3, token.to(tl.float64))
        tl.store(results + row * 3 + 1, (logit - peak - tl.log(total)).to(tl.float64))
        tl.store(results + row * 3 + 2, ((logit - peak) / heat - tl.log(whole)).to(tl.float64))


def norm_rotate(joined, query_heads, key_heads, size, query_weight, key_weight, cosines, sines, epsilon, mode):
    """joined: [rows, (query heads + 2 key heads) · size]; returns the rotated queries and keys."""
    rows = joined.shape[0]
    query = joined.new_empty(rows, query_heads, size)
    key = joined.new_empty(rows, key_heads, size)
    _norm_rotate[(rows, 2)](
        joined, query, key, query_weight, key_weight, cosines, sines, epsilon, joined.stride(0),
        QUERY_HEADS=query_heads, KEY_HEADS=key_heads, PADDED=triton.next_power_of_2(query_heads), HALF=size // 2, MODE=mode,
    )
    return query, key


def norm_rotate_back(joined, from_query, from_key, from_value, query_weight, key_weight, cosines, sines, epsilon, mode):
    rows, query_heads, size = from_query.shape
    key_heads = from_key.shape[1]
    result = torch.empty(joined.shape, device=joined.device, dtype=joined.dtype)
    _norm_rotate_back[(rows, 3)](
        joined, from_query, from_key, from_value, query_weight, key_weight, cosines, sines, result, epsilon, joined.stride(0),
        QUERY_HEADS=query_heads, KEY_HEADS=key_heads, PADDED=triton.next_power_of_2(query_heads), HALF=size // 2, MODE=mode,
    )
    return result


def norm_add(residual, given, weight, epsilon):
    rows, size = given.shape
    output = given.new_empty(rows, size)
    _norm_add[(rows,)](residual, given, weight, output, epsilon, size, given.stride(0), BLOCK=triton.next_power_of_2(size))
    return output


def norm_back(gradient, given, weight, epsilon):
    rows, size = given.shape
    output = given.new_empty(rows, size)
    _norm_back[(rows,)](gradient, given, weight, output, epsilon, size, given.stride(0), BLOCK=triton.next_power_of_2(size))
    return output


def silu_times(joined):
    rows, size = joined.shape[0], joined.shape[1] // 2
    output = joined.new_empty(rows, size)
    _silu_times[(rows, triton.cdiv(size, 1024))](joined, output, size, joined.stride(0), BLOCK=1024)
    return output


def silu_times_back(gradient, joined):
    rows, size = gradient.shape
    result = joined.new_empty(rows, 2 * size)
    _silu_times_back[(rows, triton.cdiv(size, 1024))](gradient, joined, result, size, joined.stride(0), BLOCK=1024)
    return result


def adapted_silu_times(both, up_halves, scale):
    """both: [rows, 2 · size + 2 · rank], gate and values with their adapters' first halves behind them; up_halves: [2 · rank, 2 · size]."""
    rows, rank, size = both.shape[0], up_halves.shape[0] // 2, up_halves.shape[1] // 2
    output = both.new_empty(rows, size)
    lines, block = (16, 64) if rows <= 64 else (64, 128)
    _adapted_silu_times[(triton.cdiv(rows, lines), triton.cdiv(size, block))](
        both, up_halves, output, rows, size, rank, both.stride(0), scale,
        BLOCK_ROWS=lines, BLOCK=block, RANK=max(16, triton.next_power_of_2(rank)),
    )
    return output


def one_row_product(given, weight):
    """given @ weight.T for one row. The library's kernels are made for eight and leave a fifth of memory's rate unused."""
    size, columns = weight.shape
    output = given.new_empty(1, size)
    # Searched on an H200 over the five products of a 7B model.
    block, warps = (2048, 4) if columns % 2048 == 0 else (1024, 2)
    _one_row_product[(triton.cdiv(size, 4),)](given, weight, output, size, columns, LINES=4, BLOCK=block, num_warps=warps)
    return output


def head_rows(logits, size, targets, temperature):
    """`size` is the vocabulary's; rows of logits may be longer."""
    normalizers, chosen, entropies = (torch.empty(logits.shape[0], device=logits.device, dtype=torch.float32) for _ in range(3))
    _head_rows[(logits.shape[0],)](logits, targets, normalizers, chosen, entropies, size, logits.stride(0), temperature, BLOCK=4096, num_warps=8)
    return normalizers, chosen, entropies


def head_rows_back(logits, size, targets, normalizers, entropies, of_chosen, of_entropy, temperature):
    rows, stride = logits.shape
    _head_rows_back[(rows, triton.cdiv(stride, 2048))](
        logits, targets, normalizers, entropies, of_chosen, of_entropy, size, stride, temperature, BLOCK=2048,
    )
    return logits


def draw(logits, temperatures, uniforms):
    """One token a row; returns the tokens, and [rows, 3] doubles: token, log-prob, log-prob at the row's temperature."""
    rows, size = logits.shape
    block = 4096 if size > 4096 else triton.next_power_of_2(size)
    blocks = triton.cdiv(size, block)
    tops, totals, tempered = (torch.empty(rows, blocks, device=logits.device, dtype=torch.float32) for _ in range(3))
    best = torch.empty(rows, blocks, device=logits.device, dtype=torch.int32)
    tokens = torch.empty(rows, device=logits.device, dtype=torch.int64)
    results = torch.empty(rows, 3, device=logits.device, dtype=torch.float64)
    _draw_blocks[(rows, blocks)](logits, temperatures, tops, totals, tempered, best, size, logits.stride(0), blocks, BLOCK=block, num_warps=8)
    _draw_rows[(rows,)](
        logits, temperatures, uniforms, tops, totals, tempered, best, tokens, results, size, logits.stride(0), blocks,
        BLOCK=block, BLOCKS=triton.next_power_of_2(blocks), num_warps=8,
    )
    return tokens, results
