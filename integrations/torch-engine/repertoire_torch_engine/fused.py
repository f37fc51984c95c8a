"""Decoder layers with fewer and larger steps: projections that read the same input are one product with their adapters
beside them, norm and rotation are one pass, and so are the gate of a feed-forward layer and a norm that is added to what came before.

A layer is rewritten where its modules have the names and the shape of Llama's, Qwen3's or OLMo-3's and the rewriting computes
what the layer did: it is tried. Where all weights learn, layers run as transformers wrote them.
"""
import functools

import torch
import torch.nn.functional as F
from torch import nn

from . import kernels
from .attention import attention
from .lora import LoraLinear

GROUPS = (
    ("self_attn", ("q_proj", "k_proj", "v_proj")), ("self_attn", ("o_proj",)),
    ("mlp", ("gate_proj", "up_proj")), ("mlp", ("down_proj",)),
)
# Behind every group there is room for the first halves of adapters up to this rank: the product that reads the input makes both.
SPARE_RANK = 64
# Matrix kernels want rows in numbers like these; a vocabulary of 100,278 would go at a third of their rate.
HEAD_ROWS = 64


# ---- Products ---------------------------------------------------------------------------------------------------------


def lay_out(weights, head=None, parameters=None):
    """Puts the tensors of one group into one piece of memory with some room behind it, in `weights` and in the parameters of those
    names; so too the output layer. One group at a time, because two copies of all weights may be too many."""
    wanted = []
    for parent, (first, *others) in GROUPS:
        for name in [name for name in weights if name.endswith(f"{parent}.{first}.weight")]:
            names = [name, *(name.removesuffix(f"{first}.weight") + f"{other}.weight" for other in others)]
            if all(other in weights for other in names) and len({weights[other].shape[1] for other in names}) == 1:
                wanted.append((names, SPARE_RANK * len(names)))
    if head in weights:
        wanted.append(([head], -weights[head].shape[0] % HEAD_ROWS))
    for names, spare in wanted:
        tensors = [weights[name] for name in names]
        if room_of(tensors, spare) is not None:
            continue
        joined = torch.cat([*tensors, tensors[0].new_zeros(spare, tensors[0].shape[1])])
        start = 0
        for name in names:
            weights[name] = joined[start : start + weights[name].shape[0]]
            start += weights[name].shape[0]
            if parameters is not None:
                parameters[name].data = weights[name]
        del tensors
    return weights


def room_of(tensors, spare):
    """One view of matrices that lie side by side, with the room behind them, or None where `lay_out` did not put them there."""
    first = tensors[0]
    end = first.data_ptr()
    for tensor in tensors:
        if tensor.data_ptr() != end or not tensor.is_contiguous():
            return None
        end += tensor.numel() * tensor.element_size()
    rows, columns = sum(tensor.shape[0] for tensor in tensors) + spare, first.shape[1]
    if first.storage_offset() != 0 or first.untyped_storage().nbytes() != rows * columns * first.element_size():
        return None
    return first.detach().as_strided((rows, columns), (columns, 1))


def head_room(weight):
    return room_of([weight], -weight.shape[0] % HEAD_ROWS)


def _with_rows_behind(weight, a):
    """W and the A that lies behind it as one matrix; None where A lies elsewhere. Up to seven more rows of the room are taken along:
    kernels want numbers that are divided by 8, of rows in a product as of steps between the rows of its result."""
    if a.data_ptr() != weight.data_ptr() + weight.numel() * weight.element_size():
        return None
    rows = weight.shape[0] + a.shape[0]
    held = weight.untyped_storage().nbytes() // (weight.shape[1] * weight.element_size())
    return weight.as_strided((min(rows + -rows % 8, held), weight.shape[1]), weight.stride())


def linear(x, weight):
    """x Wᵀ, where the gradient is somebody else's."""
    if x.shape[0] == 1 and not torch.is_grad_enabled() and kernels.usable(x) and x.is_contiguous() and weight.is_contiguous():
        return kernels.one_row_product(x, weight)
    return F.linear(x, weight)


def _product(x, weight, a, b, scale):
    """x Wᵀ + scale · (x Aᵀ) B, and x Aᵀ. Where A lies behind W, one product makes both."""
    rows, whole = weight.shape[0], _with_rows_behind(weight, a)
    if whole is not None:
        both = linear(x, whole)
        y, down = both[:, :rows], both[:, rows : rows + a.shape[0]]
    else:
        y, down = linear(x, weight), linear(x, a)
    return y.addmm_(down, b, alpha=scale), down


class _Adapted(torch.autograd.Function):
    """x Wᵀ + scale · (x Aᵀ) B for a frozen W; A holds the adapters of a group one below the other, B blocks along its diagonal."""

    @staticmethod
    def forward(ctx, x, weight, a, b, scale, sizes, *parameters):
        y, down = _product(x, weight, a, b, scale)
        ctx.save_for_backward(x, weight, a, b, down)
        ctx.scale, ctx.sizes, ctx.kinds = scale, sizes, [p.dtype for p in parameters]
        return y

    @staticmethod
    def backward(ctx, gradient):
        x, weight, a, b, down = ctx.saved_tensors
        from_down = torch.mm(gradient, b.t()).mul_(ctx.scale)
        of_x = None
        if ctx.needs_input_grad[0]:
            of_x = torch.mm(gradient, weight)
            of_x.addmm_(from_down, a)
        of_a, of_b = torch.mm(from_down.t(), x), torch.mm(gradient.t(), down).mul_(ctx.scale)
        return of_x, None, None, None, None, None, *_shares(of_a, of_b, ctx.sizes, ctx.kinds)


class _GatedDown(torch.autograd.Function):
    """The second half of a feed-forward layer: what the gate lets through is not kept for the backward pass but computed again."""

    @staticmethod
    def forward(ctx, joined, weight, a, b, scale, sizes, *parameters):
        x = kernels.silu_times(joined) if kernels.usable(joined) else plain_silu_times(joined)
        y, down = _product(x, weight, a, b, scale)
        ctx.save_for_backward(joined, weight, a, b, down)
        ctx.scale, ctx.sizes, ctx.kinds = scale, sizes, [p.dtype for p in parameters]
        return y

    @staticmethod
    def backward(ctx, gradient):
        joined, weight, a, b, down = ctx.saved_tensors
        fast = kernels.usable(joined)
        from_down = torch.mm(gradient, b.t()).mul_(ctx.scale)
        x = kernels.silu_times(joined) if fast else plain_silu_times(joined)
        of_a, of_b = torch.mm(from_down.t(), x), torch.mm(gradient.t(), down).mul_(ctx.scale)
        del x
        of_x = torch.mm(gradient, weight)
        of_x.addmm_(from_down, a)
        of_joined = kernels.silu_times_back(of_x, joined) if fast else plain_silu_times_back(of_x, joined)
        return of_joined, None, None, None, None, None, *_shares(of_a, of_b, ctx.sizes, ctx.kinds)


def _shares(of_a, of_b, sizes, kinds):
    """Gradients of each layer's own A and B."""
    rank = of_a.shape[0] // len(sizes)
    result, start = [], 0
    for index, size in enumerate(sizes):
        columns = slice(index * rank, (index + 1) * rank)
        result += [of_a[columns].to(kinds[2 * index]), of_b[start : start + size, columns].to(kinds[2 * index + 1])]
        start += size
    return result


class Group:
    """Linear layers that read the same input, as one."""

    def __init__(self, parent, names):
        self.parent, self.names = parent, names
        self.forget()

    def forget(self):
        """Lets go of adapters and weights."""
        self.packed_for = self.packed_in = self.packed = None

    @property
    def layers(self):
        return [getattr(self.parent, name) for name in self.names]

    def parts(self):
        """The whole weight, and the active adapter packed; None where it cannot be done in one product."""
        layers = self.layers
        bases = [layer.base if isinstance(layer, LoraLinear) else layer for layer in layers]
        whole = room_of([base.weight for base in bases], SPARE_RANK * len(bases))
        if whole is None or any(base.bias is not None or base.weight.requires_grad for base in bases):
            return None
        weight = whole[: -SPARE_RANK * len(bases)]
        active = layers[0].active if isinstance(layers[0], LoraLinear) else None
        if active is None:
            self.forget()
            return weight, None
        adapters = [layer.adapters[active] for layer in layers]
        if len({(adapter["a"].shape[0], adapter["scale"]) for adapter in adapters}) > 1:
            return None
        return weight, self._packed(adapters, whole)

    def _packed(self, adapters, whole):
        # Adapters and weights are held, so that neither an identity nor a place in memory is given to others in the meantime.
        made_of = [(adapter, adapter.get("version", 0)) for adapter in adapters]
        fresh = self.packed_for is None or any(a is not b or v != w for (a, v), (b, w) in zip(self.packed_for, made_of))
        if fresh or self.packed_in.data_ptr() != whole.data_ptr():
            parameters = [p for adapter in adapters for p in (adapter["a"], adapter["b"])]
            sizes = [p.shape[0] for p in parameters[1::2]]
            with torch.no_grad():
                a = torch.cat([adapter["a"] for adapter in adapters]).to(whole.dtype)
                room = whole[sum(sizes) : sum(sizes) + a.shape[0]]
                if room.shape == a.shape:
                    a = room.copy_(a)
                b = torch.block_diag(*(adapter["b"] for adapter in adapters)).to(whole.dtype).t().contiguous()
            self.packed_for, self.packed = made_of, (a, b, adapters[0]["scale"], sizes, parameters)
            self.packed_in = whole
        return self.packed

    def __call__(self, x, gated=False):
        """x: [rows, width]. `gated`: x holds gate and values side by side."""
        parts = self.parts()
        if parts is None:
            x = silu_times(x) if gated else x
            return torch.cat([layer(x) for layer in self.layers], -1)
        weight, packed = parts
        if packed is None:
            return linear(silu_times(x) if gated else x, weight)
        a, b, scale, sizes, parameters = packed
        return (_GatedDown if gated else _Adapted).apply(x, weight, a, b, scale, sizes, *parameters)


    def passed(self, x):
        """What the gate lets through, where nothing is kept for a backward pass; None where it takes two steps."""
        weight, packed = self.parts()
        whole = None if packed is None or not kernels.usable(x) else _with_rows_behind(weight, packed[0])
        return None if whole is None else kernels.adapted_silu_times(linear(x, whole), packed[1], packed[2])


# ---- The steps between products ---------------------------------------------------------------------------------------


def plain_silu_times(joined):
    gate, up = joined.chunk(2, -1)
    return F.silu(gate) * up


def plain_silu_times_back(gradient, joined):
    gate, up = (x.float() for x in joined.chunk(2, -1))
    share = torch.sigmoid(gate)
    given = gradient.float()
    return torch.cat([given * up * share * (1 + gate * (1 - share)), given * gate * share], -1).to(joined.dtype)


class _SiluTimes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, joined):
        ctx.save_for_backward(joined)
        return kernels.silu_times(joined)

    @staticmethod
    def backward(ctx, gradient):
        return kernels.silu_times_back(gradient.contiguous(), ctx.saved_tensors[0])


def silu_times(joined):
    return _SiluTimes.apply(joined) if kernels.usable(joined) else plain_silu_times(joined)


class _NormAdd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, residual, given, weight, epsilon):
        ctx.save_for_backward(given, weight)
        ctx.epsilon = epsilon
        return kernels.norm_add(residual, given, weight, epsilon)

    @staticmethod
    def backward(ctx, gradient):
        given, weight = ctx.saved_tensors
        gradient = gradient.contiguous()
        return gradient, kernels.norm_back(gradient, given, weight, ctx.epsilon), None, None


def plain_norm_add(residual, given, weight, epsilon):
    return residual + F.rms_norm(given, weight.shape, weight, epsilon)


def norm_add(residual, given, weight, epsilon):
    if not kernels.usable(given) or weight.requires_grad:
        return plain_norm_add(residual, given, weight, epsilon)
    return _NormAdd.apply(residual, given, weight, epsilon)


class _NormRotate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, joined, heads, key_heads, size, query_weight, key_weight, cosines, sines, epsilon, mode):
        query, key = kernels.norm_rotate(joined, heads, key_heads, size, query_weight, key_weight, cosines, sines, epsilon, mode)
        value = joined[:, (heads + key_heads) * size :].unflatten(1, (key_heads, size))
        ctx.save_for_backward(joined, query_weight, key_weight, cosines, sines)
        ctx.epsilon, ctx.mode = epsilon, mode
        return query, key, value

    @staticmethod
    def backward(ctx, *gradients):
        joined, query_weight, key_weight, cosines, sines = ctx.saved_tensors
        gradients = [gradient.contiguous() for gradient in gradients]
        joined = kernels.norm_rotate_back(joined, *gradients, query_weight, key_weight, cosines, sines, ctx.epsilon, ctx.mode)
        return joined, *[None] * 9


def plain_norm_rotate(joined, heads, key_heads, size, query_weight, key_weight, cosines, sines, epsilon, mode):
    query, key, value = joined.split([heads * size, key_heads * size, key_heads * size], -1)

    def turned(x, weight, count):
        if mode == kernels.ROW_NORM:
            x = F.rms_norm(x, weight.shape, weight, epsilon)
        x = x.unflatten(1, (count, size))
        if mode == kernels.HEAD_NORM:
            x = F.rms_norm(x, weight.shape, weight, epsilon)
        low, high = x.float().chunk(2, -1)
        cosine, sine = (angle[:, None, : size // 2].float() for angle in (cosines, sines))
        return torch.cat([low * cosine - high * sine, high * cosine + low * sine], -1).to(x.dtype)

    return turned(query, query_weight, heads), turned(key, key_weight, key_heads), value.unflatten(1, (key_heads, size))


def norm_rotate(joined, *others):
    return (_NormRotate.apply if kernels.usable(joined) else plain_norm_rotate)(joined, *others)


# ---- Layers -----------------------------------------------------------------------------------------------------------


def _attention_forward(module, original, group, out, mode, hidden_states, position_embeddings, attention_mask=None, **others):
    if group.parts() is None:
        return original(hidden_states, position_embeddings=position_embeddings, attention_mask=attention_mask, **others)
    size = module.head_dim
    shape = hidden_states.shape[:-1]
    joined = group(hidden_states.flatten(0, -2))
    key_heads = module.k_proj_out // size
    heads = joined.shape[1] // size - 2 * key_heads
    cosines, sines = (x.expand(*shape, size).reshape(-1, size) for x in position_embeddings)
    norms = [getattr(module, name, None) for name in ("q_norm", "k_norm")]
    weights = [joined if norm is None else norm.weight for norm in norms]
    epsilon = 0.0 if norms[0] is None else norms[0].variance_epsilon
    turned = norm_rotate(joined, heads, key_heads, size, *weights, cosines, sines, epsilon, mode)
    rows = [x.unflatten(0, shape).transpose(1, 2) for x in turned]
    result, _ = attention(module, *rows, None, scaling=module.scaling, sliding_window=getattr(module, "sliding_window", None))
    return out(result.reshape(-1, heads * size)).unflatten(0, shape), None


def _mlp_forward(original, group, down, x):
    if group.parts() is None or down.parts() is None:
        return original(x)
    rows = x.flatten(0, -2)
    passed = None if torch.is_grad_enabled() else group.passed(rows)
    return (down(group(rows), gated=True) if passed is None else down(passed)).unflatten(0, x.shape[:-1])


def _post_norm_layer_forward(module, hidden_states, attention_mask=None, position_embeddings=None, **others):
    """OLMo's order: what a half of the layer says is normed and then added."""
    for half, norm in ((module.self_attn, module.post_attention_layernorm), (module.mlp, module.post_feedforward_layernorm)):
        if half is module.mlp:
            said = half(hidden_states)
        else:
            said, _ = half(hidden_states=hidden_states, attention_mask=attention_mask, position_embeddings=position_embeddings, **others)
        shape = hidden_states.shape
        rows = (x.reshape(-1, shape[-1]) for x in (hidden_states, said))
        hidden_states = norm_add(*rows, norm.weight, norm.variance_epsilon).view(shape)
    return hidden_states


def _norm_mode(module):
    norm = getattr(module, "q_norm", None)
    if norm is None:
        return kernels.NO_NORM
    return kernels.HEAD_NORM if norm.weight.shape[0] == module.head_dim else kernels.ROW_NORM


def fuse_layers(model):
    """Returns the groups of products that were made."""
    made = []
    for layer in list(getattr(model.base_model, "layers", [])):
        attending, feeding = getattr(layer, "self_attn", None), getattr(layer, "mlp", None)
        linears = [getattr(attending, name, None) for name in ("q_proj", "k_proj", "v_proj", "o_proj")]
        linears += [getattr(feeding, name, None) for name in ("gate_proj", "up_proj", "down_proj")]
        norms = [getattr(attending, name, None) for name in ("q_norm", "k_norm")]
        if not all(isinstance(linear, nn.Linear) and linear.bias is None for linear in linears):
            continue
        if any(norm is not None and not hasattr(norm, "variance_epsilon") for norm in norms):
            continue
        groups = [Group(parent, names) for parent, (_, names) in zip((attending, attending, feeding, feeding), GROUPS)]
        rewritten = {
            attending: functools.partial(_attention_forward, attending, attending.forward, *groups[:2], _norm_mode(attending)),
            feeding: functools.partial(_mlp_forward, feeding.forward, *groups[2:]),
        }
        attending.k_proj_out = linears[1].weight.shape[0]
        post_norm = hasattr(layer, "post_feedforward_layernorm") and not hasattr(layer, "pre_feedforward_layernorm")
        if post_norm and not hasattr(layer, "input_layernorm"):
            rewritten[layer] = functools.partial(_post_norm_layer_forward, layer)
        if _try(layer, rewritten, attending.head_dim):
            made += groups
    return made


@torch.no_grad()
def _try(layer, rewritten, size):
    """A layer keeps its new form only where that gives what the old one did."""
    weight = next(layer.parameters())
    generator = torch.Generator().manual_seed(0)
    given = torch.randn(1, 4, layer.self_attn.q_proj.weight.shape[1], generator=generator).to(weight.device, weight.dtype)
    angles = torch.rand(1, 4, size // 2, generator=generator).repeat(1, 1, 2).to(weight.device)
    angles = tuple(x.to(weight.dtype) for x in (angles.cos(), angles.sin()))
    call = functools.partial(type(layer).forward, layer, given, attention_mask=None, position_embeddings=angles)
    wanted = call()
    for module, forward in rewritten.items():
        module.forward = forward
    found = layer.forward(given, attention_mask=None, position_embeddings=angles)
    tolerance = 1e-4 if weight.dtype == torch.float32 else 0.03
    if (found - wanted).float().norm() <= tolerance * (wanted - given).float().norm():
        return True
    for module in rewritten:
        del module.forward
    return False
