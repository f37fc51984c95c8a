"""A model and the weights it can run under: the live ones, frozen copies, adapters or full weights."""
import contextlib
import json
import os
import shutil
import uuid

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM

from . import attention
from .lora import AdapterSet


class Policy:
    """One base model. `live` names the weights that train; `frozen` holds copies that only score and sample."""

    def __init__(self, folder, device, dtype, seed, checkpointing):
        config = AutoConfig.from_pretrained(folder)
        config._attn_implementation = attention.NAME
        has_weights = any(name.endswith((".safetensors", ".bin")) for name in os.listdir(folder))
        if has_weights:
            self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation=attention.NAME)
        else:
            torch.manual_seed(seed)
            previous = torch.get_default_dtype()
            torch.set_default_dtype(dtype)
            try:
                with torch.device(device):
                    self.model = AutoModelForCausalLM.from_config(config, attn_implementation=attention.NAME)
            finally:
                torch.set_default_dtype(previous)
        self.model.to(device).eval()
        self.folder, self.device, self.dtype = folder, torch.device(device), dtype
        self.config = self.model.config
        if checkpointing:
            self.model.gradient_checkpointing_enable({"use_reentrant": False})
            # transformers checkpoints only in train mode; there is no dropout that this would turn on.
            self.model.train()
        self.adapters = None
        self.live = None
        self.frozen = {}

    def start(self, name, rank, alpha, seed):
        """Begins training: an adapter of this rank, or all weights when the rank is 0."""
        if rank > 0:
            self.adapters = self.adapters or AdapterSet(self.model)
            self.adapters.create(name, rank, alpha, seed)
        else:
            for parameter in self.model.parameters():
                parameter.requires_grad_(True)
        self.live = name

    def parameters(self):
        if self.adapters is not None:
            return self.adapters.parameters(self.live)
        return [p for p in self.model.parameters() if p.requires_grad]

    def freeze(self, name):
        if self.adapters is not None:
            self.adapters.copy(self.live, name)
        else:
            self.frozen[name] = {k: v.detach().clone() for k, v in self.model.state_dict().items()}

    def release(self, name):
        if self.adapters is not None:
            self.adapters.drop(name)
        self.frozen.pop(name, None)

    @contextlib.contextmanager
    def running(self, name):
        """Runs under the live weights, a frozen copy, or the untouched base (None)."""
        if self.adapters is not None:
            self.adapters.use(name)
            yield
        elif name in self.frozen:
            # Full weights: the copy takes the live weights' place for the while.
            kept = {k: v.detach().clone() for k, v in self.model.state_dict().items()}
            self.model.load_state_dict(self.frozen[name])
            try:
                yield
            finally:
                self.model.load_state_dict(kept)
        else:
            yield

    def decode_hidden(self, tokens, positions):
        """Last hidden states; masks are ours (see attention.py), so none are built here."""
        masks = None
        if getattr(self.config, "layer_types", None):
            masks = {kind: None for kind in set(self.config.layer_types)}
        return self.model.model(
            input_ids=tokens, position_ids=positions, attention_mask=masks, use_cache=False
        ).last_hidden_state

    # ---- Checkpoints: PEFT's layout for adapters, a Hugging Face folder for full weights ------------------------------

    def save(self, folder, optimizer=None):
        temporary = f"{folder}.{uuid.uuid4().hex[:8]}.tmp"
        os.makedirs(temporary)
        if self.adapters is not None:
            rank, alpha = self.adapters.ranks[self.live]
            save_file(self.adapters.state(self.live), os.path.join(temporary, "adapter_model.safetensors"))
            config = {
                "peft_type": "LORA", "task_type": "CAUSAL_LM", "r": rank, "lora_alpha": alpha, "lora_dropout": 0.0,
                "bias": "none", "inference_mode": True, "base_model_name_or_path": os.path.basename(self.folder),
                "target_modules": sorted({name.rpartition(".")[2] for name in self.adapters.layers}),
            }
            with open(os.path.join(temporary, "adapter_config.json"), "w") as file:
                json.dump(config, file, indent=2)
        else:
            self.model.save_pretrained(temporary)
            for name in ("tokenizer.json", "tokenizer_config.json"):
                if os.path.exists(os.path.join(self.folder, name)):
                    shutil.copy(os.path.join(self.folder, name), temporary)
        if optimizer is not None:
            torch.save(optimizer.state_dict(), os.path.join(temporary, "optimizer.pt"))
        if os.path.exists(folder):
            shutil.rmtree(folder)
        os.replace(temporary, folder)

    def load(self, folder, name):
        """Into the live weights (`name` is the live one) or beside them as a frozen copy."""
        adapter = os.path.join(folder, "adapter_model.safetensors")
        if os.path.exists(adapter):
            with open(os.path.join(folder, "adapter_config.json")) as file:
                config = json.load(file)
            self.adapters = self.adapters or AdapterSet(self.model)
            self.adapters.load(name, load_file(adapter), config["r"], config["lora_alpha"])
            return
        state = {}
        for part in sorted(os.listdir(folder)):
            if part.endswith(".safetensors"):
                state.update(load_file(os.path.join(folder, part)))
        if "lm_head.weight" not in state and self.config.tie_word_embeddings:
            state["lm_head.weight"] = state["model.embed_tokens.weight"]
        state = {k: v.to(self.device, self.dtype) for k, v in state.items()}
        if name == self.live:
            self.model.load_state_dict(state)
        else:
            self.frozen[name] = state
