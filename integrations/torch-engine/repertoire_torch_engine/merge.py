"""python -m repertoire_torch_engine.merge --model <base> --adapter <checkpoint> --out <folder>

Adds an adapter to its base model, for engines that take the base for the reference (verl) or serve whole models (vLLM).
"""
import argparse
import json
import os
import shutil

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM


def merge(base, adapter, out):
    with open(os.path.join(adapter, "adapter_config.json")) as file:
        config = json.load(file)
    scale = config["lora_alpha"] / config["r"]
    tensors = load_file(os.path.join(adapter, "adapter_model.safetensors"))
    model = AutoModelForCausalLM.from_pretrained(base, dtype="auto")
    down, up = ".lora_A.weight", ".lora_B.weight"
    for name in [name for name in tensors if name.endswith(down)]:
        path = name.removeprefix("base_model.model.").removesuffix(down)
        weight = model.get_submodule(path).weight
        # The product in fp32, rounded once: adding it in bf16 would round twice.
        change = scale * (tensors[name.removesuffix(down) + up].float() @ tensors[name].float())
        with torch.no_grad():
            weight.copy_((weight.float() + change).to(weight.dtype))
    model.save_pretrained(out)
    if os.path.isdir(base):
        for file in os.listdir(base):
            if file.startswith(("tokenizer", "special_tokens", "vocab", "merges", "chat_template", "added_tokens")):
                shutil.copy(os.path.join(base, file), out)


def main():
    parser = argparse.ArgumentParser(prog="repertoire_torch_engine.merge", description=__doc__)
    parser.add_argument("--model", required=True, help="the base model, a folder or a hub name")
    parser.add_argument("--adapter", required=True, help="a checkpoint with adapter_model.safetensors")
    parser.add_argument("--out", required=True, help="a new folder")
    given = parser.parse_args()
    if os.path.exists(given.out):
        parser.error(f"{given.out} exists; nothing is overwritten")
    merge(given.model, given.adapter, given.out)


if __name__ == "__main__":
    main()
