"""Golden values of the embedded engine, from PyTorch and transformers.

    python integrations/golden/engine.py make  FOLDER            a tiny random model of each family and what it gives
    python integrations/golden/engine.py serve                   reads a JSON list of questions about saved folders on
                                                                 stdin, writes the list of answers on stdout

`make` writes, for each family, the model as `save_pretrained` leaves it, `case.json` (token ids, prompt lengths,
weights) and `expected.safetensors`:
  logits.<i>      AutoModelForCausalLM(...)(input_ids).logits of sequence i
  logprobs.<i>    torch.log_softmax(logits / temperature, -1) at the token that followed, response positions only
  entropies.<i>   -(p * log p).sum(-1) at the same positions
  gradient.<name> torch.autograd.grad of sum(weight * logprob), for every parameter
  both.<name>     the same of sum(weight * logprob) + sum(entropy_weight * entropy)
and beside them
  lora/            the llama model under peft.get_peft_model(LoraConfig(...)) with random adapters: the adapter as
                   `save_pretrained` leaves it, logits, and gradients of the adapters
  adamw.json       five steps of torch.optim.AdamW with torch.nn.utils.clip_grad_norm_
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


def make_lora(folder: Path) -> None:
    from peft import LoraConfig, get_peft_model

    case = json.loads((folder / "llama" / "case.json").read_text())
    base = AutoModelForCausalLM.from_pretrained(folder / "llama", dtype=torch.float32, attn_implementation="eager")
    torch.manual_seed(11)
    model = get_peft_model(base, LoraConfig(r=3, lora_alpha=5, target_modules=["q_proj", "v_proj", "down_proj"],
                                            task_type="CAUSAL_LM"))
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_" in name:
                parameter.normal_(0, 0.3)
    model.save_pretrained(folder / "lora")
    (folder / "lora" / "README.md").unlink(missing_ok=True)
    expected, objective = {}, 0.0
    for i, sequence in enumerate(case["sequences"]):
        tokens, prompt = torch.tensor(sequence["tokens"]), sequence["promptLength"]
        logits = model(tokens[None]).logits[0]
        scores = torch.log_softmax(logits[prompt - 1:-1] / case["temperature"], -1)
        logprobs = scores.gather(1, tokens[prompt:, None])[:, 0]
        objective = objective + (torch.tensor(sequence["weights"]) * logprobs).sum()
        expected[f"logprobs.{i}"] = logprobs
    named = [(name, parameter) for name, parameter in model.named_parameters() if "lora_" in name]
    for (name, _), gradient in zip(named, torch.autograd.grad(objective, [parameter for _, parameter in named])):
        expected["gradient." + name.replace("base_model.model.", "").replace(".default", "")] = gradient
    save_file({name: value.detach().contiguous() for name, value in expected.items()},
              folder / "lora" / "expected.safetensors")


def make_adamw(folder: Path) -> None:
    torch.manual_seed(5)
    weight = torch.nn.Parameter(torch.randn(7))
    options = dict(lr=0.03, betas=(0.9, 0.95), eps=1e-6, weight_decay=0.1)
    optimizer = torch.optim.AdamW([weight], **options)
    steps, start = [], weight.tolist()
    for _ in range(5):
        gradient = torch.randn(7)
        weight.grad = gradient.clone()
        norm = torch.nn.utils.clip_grad_norm_([weight], 1.5)
        optimizer.step()
        steps.append(dict(gradient=gradient.tolist(), norm=norm.item(), weight=weight.tolist()))
    (folder / "adamw.json").write_text(json.dumps(dict(start=start, steps=steps)))


def logits(model: str, tokens: list[int], adapter: str | None = None):
    loaded = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    if adapter is not None:
        from peft import PeftModel

        loaded = PeftModel.from_pretrained(loaded, adapter)
    with torch.no_grad():
        return loaded(torch.tensor([tokens])).logits[0].tolist()


def encode(tokenizer: str, texts: list[str]):
    from transformers import AutoTokenizer

    loaded = AutoTokenizer.from_pretrained(tokenizer)
    ids = [loaded(text, add_special_tokens=False).input_ids for text in texts]
    return dict(ids=ids, texts=[loaded.decode(each, skip_special_tokens=True) for each in ids])


def make_all(folder: str):
    for part in (make, make_lora, make_adamw):
        part(Path(folder))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make_all(sys.argv[2])
    else:
        verbs = dict(make=make_all, logits=logits, encode=encode)
        print(json.dumps([verbs[question.pop("verb")](**question) for question in json.load(sys.stdin)]))
