"""Low-rank adapters on every linear layer, several over one base: the policy that trains and those that are frozen."""
import math

import torch
from torch import nn


class LoraLinear(nn.Module):
    """A frozen linear layer plus the adapter that is active: y = W x + (alpha / rank) · B A x, adapters in fp32."""

    def __init__(self, base):
        super().__init__()
        self.base = base
        self.adapters = {}
        self.active = None

    def add(self, name, rank, alpha, generator):
        out_features, in_features = self.base.weight.shape
        device = self.base.weight.device
        bound = 1 / math.sqrt(in_features)  # as PEFT: Kaiming uniform with a = sqrt(5), B at zero
        a = torch.empty(rank, in_features).uniform_(-bound, bound, generator=generator)
        self.adapters[name] = {
            "a": nn.Parameter(a.to(device=device, dtype=torch.float32)),
            "b": nn.Parameter(torch.zeros(out_features, rank, device=device, dtype=torch.float32)),
            "scale": alpha / rank,
        }

    def forward(self, x):
        y = self.base(x)
        if self.active is None:
            return y
        adapter = self.adapters[self.active]
        down = torch.nn.functional.linear(x, adapter["a"].to(x.dtype))
        # One product that adds to what is there: neither the scaled update nor the sum is written out on its own.
        up = adapter["b"].to(x.dtype).t()
        return torch.addmm(y.flatten(0, -2), down.flatten(0, -2), up, alpha=adapter["scale"]).view(y.shape)


def wrap_linears(model):
    """Replaces every linear layer but the output head, as PEFT's `all-linear` does. Returns them by name."""
    wrapped = {}
    head = model.get_output_embeddings()
    for name, module in list(model.named_modules()):
        if not isinstance(module, nn.Linear) or module is head:
            continue
        parent = model.get_submodule(name.rpartition(".")[0])
        layer = LoraLinear(module)
        setattr(parent, name.rpartition(".")[2], layer)
        wrapped[name] = layer
    return wrapped


class AdapterSet:
    """All adapters of a model, by name; one is active at a time."""

    def __init__(self, model):
        self.layers = wrap_linears(model)
        if not self.layers:
            raise ValueError(f"{type(model).__name__} has no linear layers to put adapters on; train all its weights (--lora-rank 0)")
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        self.ranks = {}

    def create(self, name, rank, alpha, seed):
        generator = torch.Generator().manual_seed(seed)
        for layer in self.layers.values():
            layer.add(name, rank, alpha, generator)
        self.ranks[name] = (rank, alpha)

    def copy(self, source, name):
        """A frozen copy in the precision of the layer: what the forward pass would round it to anyway."""
        for layer in self.layers.values():
            adapter = layer.adapters[source]
            dtype = layer.base.weight.dtype
            layer.adapters[name] = {
                "a": nn.Parameter(adapter["a"].detach().to(dtype, copy=True), requires_grad=False),
                "b": nn.Parameter(adapter["b"].detach().to(dtype, copy=True), requires_grad=False),
                "scale": adapter["scale"],
            }
        self.ranks[name] = self.ranks[source]

    def drop(self, name):
        for layer in self.layers.values():
            layer.adapters.pop(name, None)
        self.ranks.pop(name, None)

    def use(self, name):
        for layer in self.layers.values():
            layer.active = name

    def changed(self, name):
        """After a step: what was made of these values holds no more. (A fused optimizer does not change its tensors' own versions.)"""
        for layer in self.layers.values():
            layer.adapters[name]["version"] = layer.adapters[name].get("version", 0) + 1

    def parameters(self, name):
        return [p for layer in self.layers.values() for p in (layer.adapters[name]["a"], layer.adapters[name]["b"])]

    def state(self, name):
        """In PEFT's layout."""
        tensors = {}
        for path, layer in self.layers.items():
            prefix = f"base_model.model.{path}"
            tensors[f"{prefix}.lora_A.weight"] = layer.adapters[name]["a"].detach().cpu().contiguous()
            tensors[f"{prefix}.lora_B.weight"] = layer.adapters[name]["b"].detach().cpu().contiguous()
        return tensors

    def load(self, name, tensors, rank, alpha):
        for path, layer in self.layers.items():
            prefix = f"base_model.model.{path}"
            device = layer.base.weight.device
            layer.adapters[name] = {
                "a": nn.Parameter(tensors[f"{prefix}.lora_A.weight"].to(device, torch.float32)),
                "b": nn.Parameter(tensors[f"{prefix}.lora_B.weight"].to(device, torch.float32)),
                "scale": alpha / rank,
            }
        self.ranks[name] = (rank, alpha)
