"""One replica of a model and the weights it can run under: adapters or full weights, in training or frozen, and the base."""
import contextlib
import functools
import json
import os
import shutil
import uuid

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM

from . import attention
from .fused import fuse_layers, head_room, lay_out, linear
from .lora import AdapterSet
from .recompute import Recompute


# Beside the weights of a folder that was merged from an adapter and what lies beneath it.
MERGED_FROM = "merged-from.json"
DOWN, UP = ".lora_A.weight", ".lora_B.weight"
DESCRIPTIONS = ("tokenizer.json", "tokenizer_config.json", "generation_config.json", "chat_template.jinja", "policy-card.json")


class FullWeights:
    """A whole set of weights in training. Steps are taken in fp32: in bf16 small ones would be rounded away."""

    def __init__(self, working):
        self.working = working
        self.masters = {
            name: nn.Parameter(tensor if tensor.dtype == torch.float32 else tensor.float())
            for name, tensor in working.items()
        }

    def publish(self):
        for name, master in self.masters.items():
            if self.working[name].dtype != torch.float32:
                self.working[name].copy_(master.detach())


class Policy:
    """A base model, and by name everything it can be: adapters over it, or other full weights in its place."""

    def __init__(self, model, device, dtype, seed, checkpointing):
        self.source, self.device, self.dtype = model, torch.device(device), dtype
        self.model = load_model(model, device, dtype, seed)
        self.config = self.model.config
        for module in self.model.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        self.model.eval()
        fuse_norms(self.model)
        self.recompute = Recompute(self.model, self.device, checkpointing)
        self.place = attention.give_place(self.model)
        # By their names before adapters are wrapped around layers; parameters keep their identity, only data is exchanged.
        self.named = dict(self.model.named_parameters())
        head = self.model.get_output_embeddings().weight
        self.head_name = next(name for name, parameter in self.named.items() if parameter is head)
        self.base = lay_out({name: parameter.data for name, parameter in self.named.items()}, self.head_name, self.named)
        self.in_place = self.base
        self.adapters = None
        self.training = {}
        self.frozen = {}
        # Merged weights that adapters lie over instead of the base, by their folder; and which adapter lies over which.
        self.merged = {}
        self.over = {}
        for parameter in self.named.values():
            parameter.requires_grad_(False)
        self.groups = fuse_layers(self.model)

    # ---- Weights by name --------------------------------------------------------------------------------------------

    def start(self, name, rank, alpha, seed, base=None):
        """Begins training: an adapter of this rank, or all weights when the rank is 0; over the base, or over merged weights."""
        beneath = self.base if base is None else self._merged_weights(base)
        if rank > 0:
            self.adapters = self.adapters or AdapterSet(self.model)
            self.adapters.create(name, rank, alpha, seed)
            if base is not None:
                self.over[name] = base
        else:
            self.training[name] = FullWeights(self._copied(beneath))
            self._drop_unused()

    def _merged_weights(self, folder):
        if folder not in self.merged:
            state = self._state(folder)
            self.merged[folder] = self._placed(state)
        return self.merged[folder]

    def _placed(self, state):
        return lay_out({key: state[key].to(self.device, self.dtype, copy=True) for key in self.named}, self.head_name)

    def _copied(self, weights):
        return lay_out({key: tensor.clone() for key, tensor in weights.items()}, self.head_name)

    def _drop_unused(self):
        """Merged weights are as large as the base; they stay as long as something lies over them."""
        used = set(self.over.values())
        for folder in [folder for folder in self.merged if folder not in used]:
            if not any(weights is self.merged[folder] for weights in (self.in_place, *self.frozen.values())):
                del self.merged[folder]
                for group in self.groups:
                    group.forget()

    def freeze(self, source, name):
        """A copy of the weights as they are now, under another name."""
        if source in self.training:
            self.frozen[name] = self._copied(self.training[source].working)
        else:
            self.adapters.copy(source, name)
            if source in self.over:
                self.over[name] = self.over[source]

    def release(self, name):
        if self.adapters is not None:
            self.adapters.drop(name)
        self.training.pop(name, None)
        self.frozen.pop(name, None)
        self.over.pop(name, None)
        self._drop_unused()

    def parameters(self, name):
        """What an optimizer moves."""
        if name in self.training:
            return list(self.training[name].masters.values())
        return self.adapters.parameters(name)

    def waiting_bytes(self, name):
        """Gradients that the next backward pass will allocate."""
        waiting = sum(p.numel() * p.element_size() for p in self.parameters(name) if p.grad is None)
        if name in self.training:
            waiting += sum(tensor.numel() * tensor.element_size() for tensor in self.training[name].working.values())
        return waiting

    @contextlib.contextmanager
    def running(self, name, learning=False):
        """Runs under these weights, or under the base (None). `learning` collects the gradients of full weights."""
        full = self.training.get(name)
        adapter = name if self.adapters is not None and name in self.adapters.ranks else None
        if name is not None and full is None and adapter is None and name not in self.frozen:
            raise LookupError(f"there are no weights {name!r} any more")
        beneath = self._merged_weights(self.over[name]) if name in self.over else self.base
        weights = full.working if full is not None else self.frozen.get(name, beneath)
        if weights is not self.in_place:
            for key, parameter in self.named.items():
                parameter.data = weights[key]
            self.in_place = weights
        if self.adapters is not None:
            self.adapters.use(adapter)
        learning = learning and full is not None
        if learning:
            for parameter in self.named.values():
                parameter.requires_grad_(True)
        # Streams and captured steps belong to the current device, which is another one for every replica.
        here = torch.cuda.device(self.device) if self.device.type == "cuda" else contextlib.nullcontext()
        try:
            with here:
                yield
        finally:
            if learning:
                for parameter in self.named.values():
                    parameter.requires_grad_(False)
                    parameter.grad = None

    def collect_gradients(self, name):
        """Adds up in fp32 what a backward pass left on full weights; adapters hold their own."""
        full = self.training.get(name)
        if full is None:
            return
        for key, parameter in self.named.items():
            if parameter.grad is None:
                continue
            master, gradient = full.masters[key], parameter.grad.to(torch.float32)
            master.grad = gradient if master.grad is None else master.grad.add_(gradient)
            parameter.grad = None

    def publish(self, name):
        """After a step: the working copies are what the masters have become, and what was packed of an adapter is stale."""
        if name in self.training:
            self.training[name].publish()
        else:
            self.adapters.changed(name)

    # ---- Running ----------------------------------------------------------------------------------------------------

    def hidden(self, tokens, positions):
        """Last hidden states; masks are ours (see attention.py), so none are built here."""
        masks = None
        if getattr(self.config, "layer_types", None):
            masks = {kind: None for kind in set(self.config.layer_types)}
        return self.model.base_model(
            input_ids=tokens, position_ids=positions, attention_mask=masks, use_cache=False
        ).last_hidden_state

    def logits(self, hidden):
        logits = self.head_output(hidden).float()
        if not self.plain_logits:
            logits = logits * (getattr(self.config, "logit_scale", None) or 1.0)
            logits = logits / (getattr(self.config, "logits_scaling", None) or 1.0)
        cap = getattr(self.config, "final_logit_softcapping", None)
        return logits if cap is None else cap * torch.tanh(logits / cap)

    def head_output(self, hidden):
        """Where the head's rows were filled up, its output is a view of more columns than the vocabulary has."""
        head = self.model.get_output_embeddings()
        whole = head_room(head.weight) if head.bias is None and not head.weight.requires_grad else None
        return head(hidden) if whole is None else linear(hidden, whole)[..., : head.weight.shape[0]]

    @property
    def plain_logits(self):
        """Nothing is done to the head's output."""
        factors = [getattr(self.config, name, None) or 1.0 for name in ("logit_scale", "logits_scaling")]
        return factors == [1.0, 1.0] and getattr(self.config, "final_logit_softcapping", None) is None

    # ---- Checkpoints: PEFT's layout for adapters, a Hugging Face folder for full weights ------------------------------

    def save(self, name, folder, optimizer=None):
        temporary = f"{folder}.{uuid.uuid4().hex[:8]}.tmp"
        os.makedirs(temporary)
        if name in self.training:
            masters = self.training[name].masters
            tensors = {key: own_copy(tensor) for key, tensor in masters.items()}
            save_file(tensors, os.path.join(temporary, "model.safetensors"), metadata={"format": "pt"})
            self._describe(temporary)
        else:
            rank, alpha = self.adapters.ranks[name]
            save_file(self.adapters.state(name), os.path.join(temporary, "adapter_model.safetensors"))
            config = {
                "peft_type": "LORA", "task_type": "CAUSAL_LM", "r": rank, "lora_alpha": alpha, "lora_dropout": 0.0,
                "bias": "none", "inference_mode": True, "base_model_name_or_path": self.over.get(name, self.source),
                "target_modules": sorted({path.rpartition(".")[2] for path in self.adapters.layers}),
            }
            with open(os.path.join(temporary, "adapter_config.json"), "w") as file:
                json.dump(config, file, indent=2)
        if optimizer is not None:
            torch.save(optimizer.state_dict(), os.path.join(temporary, "optimizer.pt"))
        replace_folder(temporary, folder)

    def _describe(self, folder):
        """What makes a folder of weights a model that others load."""
        self.config.save_pretrained(folder)
        for file in DESCRIPTIONS:
            if os.path.exists(os.path.join(self.source, file)):
                shutil.copy(os.path.join(self.source, file), folder)

    def merge(self, folder):
        """Adds a checkpoint's adapter to the weights beneath it, in fp32, and writes the result beside it, once."""
        adapter = os.path.join(folder, "adapter_model.safetensors")
        if not os.path.exists(adapter):
            return folder
        out = f"{folder}-merged"
        if os.path.isdir(out):
            return out
        with open(os.path.join(folder, "adapter_config.json")) as file:
            config = json.load(file)
        tensors, scale = load_file(adapter), config["lora_alpha"] / config["r"]
        beneath = merged_beneath(folder, config)
        weights = dict(self.base if beneath is None else self._merged_weights(beneath))
        for name in [name for name in tensors if name.endswith(DOWN)]:
            key = name.removeprefix("base_model.model.").removesuffix(DOWN) + ".weight"
            up = tensors[name.removesuffix(DOWN) + UP].to(self.device, torch.float32)
            # The product in fp32, rounded once where the model is in less: adding it in bf16 would round twice.
            change = scale * (up @ tensors[name].to(self.device, torch.float32))
            weights[key] = (weights[key].float() + change).to(weights[key].dtype)
        temporary = f"{out}.{uuid.uuid4().hex[:8]}.tmp"
        os.makedirs(temporary)
        state = {key: own_copy(tensor) for key, tensor in weights.items()}
        save_file(state, os.path.join(temporary, "model.safetensors"), metadata={"format": "pt"})
        self._describe(temporary)
        with open(os.path.join(temporary, MERGED_FROM), "w") as file:
            json.dump({"adapter": os.path.basename(folder), "base": config["base_model_name_or_path"]}, file)
        replace_folder(temporary, out)
        self._drop_unused()
        return out

    def _state(self, folder):
        state = {}
        for part in sorted(os.listdir(folder)):
            if part.endswith(".safetensors"):
                state.update(load_file(os.path.join(folder, part)))
        missing = [key for key in self.named if key not in state]
        if missing:
            raise ValueError(f"{os.path.basename(folder)} lacks {missing[0]} and {len(missing) - 1} other tensors")
        return state

    def load(self, folder, name):
        """Into weights in training, or beside them as a frozen copy."""
        adapter = os.path.join(folder, "adapter_model.safetensors")
        if os.path.exists(adapter):
            if name in self.training:
                raise ValueError(f"{os.path.basename(folder)} holds an adapter, the model trains all weights")
            with open(os.path.join(folder, "adapter_config.json")) as file:
                config = json.load(file)
            self.adapters = self.adapters or AdapterSet(self.model)
            self.adapters.load(name, load_file(adapter), config["r"], config["lora_alpha"])
            self.over.pop(name, None)
            beneath = merged_beneath(folder, config)
            if beneath is not None:
                self.over[name] = beneath
            return
        if self.adapters is not None and name in self.adapters.ranks:
            raise ValueError(f"{os.path.basename(folder)} holds full weights, the model trains an adapter")
        if name not in self.training and folder in self.merged:
            self.frozen[name] = self.merged[folder]
            return
        state = self._state(folder)
        working = self._placed(state)
        if name not in self.training:
            self.frozen[name] = working
            return
        full = FullWeights(working)
        with torch.no_grad():
            for key, master in full.masters.items():
                master.copy_(state[key].to(self.device, torch.float32))
        self.training[name] = full


def own_copy(tensor):
    """Tensors that lie side by side in memory are written one by one."""
    return tensor.detach().to("cpu", copy=True).contiguous()


def load_model(source, device, dtype, seed):
    """A Hugging Face folder or hub name; a folder with a configuration alone starts from random weights."""
    folder = os.path.isdir(source)
    if not folder or any(name.endswith((".safetensors", ".bin")) for name in os.listdir(source)):
        model = AutoModelForCausalLM.from_pretrained(source, dtype=dtype, attn_implementation=attention.NAME)
        return model.to(device)
    config = AutoConfig.from_pretrained(source)
    torch.manual_seed(seed)
    previous = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device(device):
            model = AutoModelForCausalLM.from_config(config, attn_implementation=attention.NAME)
    finally:
        torch.set_default_dtype(previous)
    return model.to(device)


def fuse_norms(model):
    """RMS norms in one kernel instead of six, where a model's own compute just that: it is tried."""
    for module in model.modules():
        epsilon = getattr(module, "variance_epsilon", None)
        if epsilon is None or getattr(module, "weight", None) is None:
            continue
        given = torch.linspace(-2, 3, 2 * module.weight.numel(), device=module.weight.device).view(2, -1).to(module.weight.dtype)
        fused = functools.partial(_rms_norm, module, epsilon)
        if torch.allclose(module(given).float(), fused(given).float(), rtol=1e-2 if given.dtype != torch.float32 else 1e-5):
            module.forward = fused


def _rms_norm(module, epsilon, hidden):
    return nn.functional.rms_norm(hidden, module.weight.shape, module.weight, epsilon)


def merged_beneath(folder, config):
    """The merged weights that an adapter was trained over; None where that was the base model itself."""
    given = config["base_model_name_or_path"]
    beside = os.path.join(os.path.dirname(folder), os.path.basename(given))
    for place in (given, beside):
        if os.path.exists(os.path.join(place, MERGED_FROM)):
            return place
    if given.endswith("-merged"):
        raise ValueError(f"{os.path.basename(folder)} was trained over {given}, which is not there any more")
    return None


def replace_folder(temporary, folder):
    """The old folder is moved aside, not removed, until the new one is in its place; see `tidy`."""
    if not os.path.exists(folder):
        return os.replace(temporary, folder)
    old = f"{temporary}.old"
    os.replace(folder, old)
    os.replace(temporary, folder)
    shutil.rmtree(old)


def tidy(checkpoints):
    """After a kill in the middle of a save: the checkpoint that was moved aside comes back, what is half written goes."""
    for entry in sorted(os.listdir(checkpoints), reverse=True):
        path = os.path.join(checkpoints, entry)
        if entry.endswith(".tmp.old"):
            place = os.path.join(checkpoints, entry.rsplit(".", 3)[0])
            shutil.rmtree(path) if os.path.exists(place) else os.replace(path, place)
        elif entry.endswith(".tmp"):
            shutil.rmtree(path)
