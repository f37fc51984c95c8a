"""Golden values of the embedded engine, from PyTorch and transformers.

    python integrations/golden/engine.py make  FOLDER            a tiny random model of each family and what it gives
    python integrations/golden/engine.py logits FOLDER TOKENS    logits of a saved folder, as JSON on stdout

`make` writes, for each family, the model as `save_pretrained` leaves it, `case.json` (token ids, prompt lengths,
weights) and `expected.safetensors`:
  logits.<i>      AutoModelForCausalLM(...)(input_ids).logits of sequence i
  logprobs.<i>    torch.log_softmax(logits / temperature, -1) at the token that followed, response positions only
  entropies.<i>   -(p * log p).sum(-1) at the same positions
  gradient.<name> torch.autograd.grad of sum(weight * logprob), for every parameter
  both.<name>     the same of sum(weight * logprob) + sum(entropy_weight * entropy)
Run with torch 2.13 and transformers 5.18; any recent version gives the same to 1e-6.
"""
import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, LlamaConfig, Olmo3Config, Qwen3Config

SIZES = dict(vocab_size=29, hidden_size=24, intermediate_size=40, num_attention_heads=4, num_key_value_heads=2,
             max_position_embeddings=64, pad_token_id=None, bos_token_id=0, eos_token_id=1)
YARN = dict(rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=16)
FAMILIES = {
    "llama": LlamaConfig(**SIZES, num_hidden_layers=2, tie_word_embeddings=True),
    "qwen3": Qwen3Config(**SIZES, num_hidden_layers=2, head_dim=8, tie_word_embeddings=False),
    "olmo3": Olmo3Config(**SIZES, num_hidden_layers=4, sliding_window=5, tie_word_embeddings=False, rope_parameters={
        "full_attention": YARN, "sliding_attention": dict(rope_type="default", rope_theta=10000.0)}),
    "llama3-rope": LlamaConfig(**SIZES, num_hidden_layers=1, rope_parameters=dict(
        rope_type="llama3", rope_theta=500.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
        original_max_position_embeddings=32)),
}
TEMPERATURE = 0.8
LENGTHS = [(21, 6), (9, 1), (17, 11)]


def make(folder: Path) -> None:
    for seed, (family, config) in enumerate(FAMILIES.items()):
        torch.manual_seed(seed)
        config.initializer_range = 0.4
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32, attn_implementation="eager")
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if "norm" in name:
                    parameter.uniform_(0.5, 1.5)
        out = folder / family
        model.save_pretrained(out)
        sequences, expected = [], {}
        logprob_sum, both_sum = 0.0, 0.0
        for i, (length, prompt) in enumerate(LENGTHS):
            tokens = torch.randint(0, config.vocab_size, (length,))
            weights = torch.randn(length - prompt)
            entropy_weights = torch.randn(length - prompt)
            logits = model(tokens[None]).logits[0]
            scores = torch.log_softmax(logits[prompt - 1:-1] / TEMPERATURE, -1)
            logprobs = scores.gather(1, tokens[prompt:, None])[:, 0]
            entropies = -(scores.exp() * scores).sum(-1)
            logprob_sum = logprob_sum + (weights * logprobs).sum()
            both_sum = both_sum + (weights * logprobs).sum() + (entropy_weights * entropies).sum()
            expected[f"logits.{i}"], expected[f"logprobs.{i}"], expected[f"entropies.{i}"] = logits, logprobs, entropies
            sequences.append(dict(tokens=tokens.tolist(), promptLength=prompt, weights=weights.tolist(),
                                  entropyWeights=entropy_weights.tolist()))
        names, parameters = zip(*model.named_parameters())
        for label, objective in (("gradient", logprob_sum), ("both", both_sum)):
            for name, gradient in zip(names, torch.autograd.grad(objective, parameters, retain_graph=True)):
                expected[f"{label}.{name}"] = gradient
        save_file({name: value.detach().contiguous() for name, value in expected.items()}, out / "expected.safetensors")
        (out / "case.json").write_text(json.dumps(dict(temperature=TEMPERATURE, sequences=sequences)))


def logits(folder: Path, tokens: list[int]) -> None:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    with torch.no_grad():
        print(json.dumps(model(torch.tensor([tokens])).logits[0].tolist()))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        logits(Path(sys.argv[2]), json.loads(sys.argv[3]))
