"""Which layers are run again in the backward pass instead of being kept. With everything frozen but adapters, running all
of them again makes a pass half as long again; so on a GPU it is done for as many layers as the memory asks for."""
import torch
from transformers.modeling_layers import GradientCheckpointingLayer

# What the pass takes beside its layers: blocks of logits with their gradients, the allocator's rounding.
BESIDE_LAYERS = 8 << 30
MEASURED_TOKENS = 1024


class Recompute:
    def __init__(self, model, device, always):
        self.device = device
        self.layers = [module for module in model.modules() if isinstance(module, GradientCheckpointingLayer)]
        self.adaptive = device.type == "cuda" and not always and len(self.layers) > 0
        # By weights: what a token takes in a layer that is kept, and what it takes when none is.
        self.bytes = {}
        if always or self.adaptive:
            model.gradient_checkpointing_enable({"use_reentrant": False})
            # transformers checkpoints only in train mode; dropout is off.
            model.train()

    def measure(self, weights, run):
        """`run(tokens)` makes a forward pass and returns what keeps it alive."""
        if not self.adaptive or weights in self.bytes:
            return
        held = []
        for again in (0, len(self.layers)):
            self.run_again(again)
            run(MEASURED_TOKENS)  # allocations that stay, such as the kernels' own, are not a pass's
            before = torch.cuda.memory_allocated(self.device)
            alive = run(MEASURED_TOKENS)
            held.append((torch.cuda.memory_allocated(self.device) - before) / MEASURED_TOKENS)
            del alive
        self.bytes[weights] = (max(held[0] - held[1], 1) / len(self.layers), held[1])

    def ample(self, weights, waiting_bytes):
        """The most tokens of which every layer can be kept. `waiting_bytes` will be allocated in the pass as well."""
        layer, beside = self.bytes[weights]
        return int(self._free(waiting_bytes) / (layer * (len(self.layers) + 3) + beside))

    def arrange(self, weights, tokens, waiting_bytes):
        if not self.adaptive:
            return
        layer, beside = self.bytes[weights]
        # While gradients flow through one layer, about three times its share is alive.
        room = self._free(waiting_bytes) - tokens * (beside + 3 * layer)
        kept = max(0, min(len(self.layers), int(room / (tokens * layer))))
        self.run_again(len(self.layers) - kept)

    def run_again(self, count):
        for place, layer in enumerate(self.layers):
            layer.gradient_checkpointing = place < count

    def _free(self, waiting_bytes):
        free, _ = torch.cuda.mem_get_info(self.device)
        unused = torch.cuda.memory_reserved(self.device) - torch.cuda.memory_allocated(self.device)
        return 0.95 * (free + unused) - BESIDE_LAYERS - waiting_bytes
