"""python -m repertoire_torch_engine.merge --model <base> --adapter <checkpoint> --out <folder>

Adds an adapter to its base model, for engines that take the base for the reference (verl) or serve whole models (vLLM).
"""
import argparse
import json
import os
import shutil
from fnmatch import fnmatch

import torch
from huggingface_hub import snapshot_download
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM


TOKENIZER_FILES = [f"{name}*" for name in ("tokenizer", "special_tokens", "vocab", "merges", "chat_template", "added_tokens")]


# Settings of an adapter that change nothing about what its tensors mean, and the plain values of others.
HARMLESS = {
    *("peft_type", "task_type", "peft_version", "auto_mapping", "inference_mode", "base_model_name_or_path", "revision"),
    *("r", "lora_alpha", "lora_dropout", "target_modules", "exclude_modules", "layers_to_transform", "layers_pattern"),
    *("megatron_core", "qalora_group_size", "eva_config"),
}
# Adapters that were initialized otherwise begin on weights that are not the base's.
PLAIN = {"bias": ("none",), "init_lora_weights": (True, "gaussian", "eva", "orthogonal")}


def tokenizer_of(base):
    """The base's own files; a model without them would be loaded with another tokenizer, or with an empty one."""
    folder = base if os.path.isdir(base) else snapshot_download(base, allow_patterns=TOKENIZER_FILES)
    files = [file for file in os.listdir(folder) if any(fnmatch(file, pattern) for pattern in TOKENIZER_FILES)]
    if not any(file.startswith(("tokenizer.json", "tokenizer.model", "vocab")) for file in files):
        raise SystemExit(f"{base} has no tokenizer (tokenizer.json, tokenizer.model or vocab.*); give a model that has one")
    return [os.path.join(folder, file) for file in files]


def merge(base, adapter, out):
    with open(os.path.join(adapter, "adapter_config.json")) as file:
        config = json.load(file)
    for setting, value in config.items():
        # What makes another model of the same tensors: PEFT knows dozens of variants.
        if setting not in HARMLESS and value and value not in PLAIN.get(setting, ()):
            raise SystemExit(f"{adapter} has {setting}, which only PEFT can merge (merge_and_unload)")
    scale = config["lora_alpha"] / config["r"]
    tensors = load_file(os.path.join(adapter, "adapter_model.safetensors"))
    down, up = ".lora_A.weight", ".lora_B.weight"
    for name in tensors:
        if not name.endswith((down, up)):
            raise SystemExit(f"{adapter} trains {name} as well, which only PEFT can merge (merge_and_unload)")
    model = AutoModelForCausalLM.from_pretrained(base, dtype="auto")
    for name in [name for name in tensors if name.endswith(down)]:
        path = name.removeprefix("base_model.model.").removesuffix(down)
        weight = model.get_submodule(path).weight
        # The product in fp32, rounded once: adding it in bf16 would round twice.
        change = scale * (tensors[name.removesuffix(down) + up].float() @ tensors[name].float())
        with torch.no_grad():
            weight.copy_((weight.float() + change).to(weight.dtype))
    model.save_pretrained(out)


def main():
    parser = argparse.ArgumentParser(prog="repertoire_torch_engine.merge", description=__doc__)
    parser.add_argument("--model", required=True, help="the base model, a folder or a hub name")
    parser.add_argument("--adapter", required=True, help="a checkpoint with adapter_model.safetensors")
    parser.add_argument("--out", required=True, help="a new folder")
    given = parser.parse_args()
    if os.path.exists(given.out):
        parser.error(f"{given.out} exists; nothing is overwritten")
    tokenizer = tokenizer_of(given.model)
    merge(given.model, given.adapter, given.out)
    for file in tokenizer:
        shutil.copy(file, given.out)


if __name__ == "__main__":
    main()
