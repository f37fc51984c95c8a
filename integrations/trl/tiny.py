"""A model of two layers that knows ten words, and prompts that it answers rightly about half the time: enough for groups in which
right answers compete. For the checks of everything that trains with TRL."""

import os

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

# With so few words a random model is right about half the time: "1" is the last number it says, or "2" is.
words = ["<pad>", "<eos>", "<unk>", "1", "2", "so", "and", "say", "one", "two"]


def tiny_tokenizer():
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left"
    )


def tiny_model():
    config = LlamaConfig(
        vocab_size=len(words), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=64, pad_token_id=0, eos_token_id=1, bos_token_id=None,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def tiny_rows():
    return [{"prompt": f"say {word}", "ground_truth": digit} for word, digit in (("one", "1"), ("two", "2"))] * 4


def save_tiny(folder, seed=5):
    """Both, where trainers look for them."""
    torch.manual_seed(seed)
    tiny_model().save_pretrained(folder)
    tiny_tokenizer().save_pretrained(folder)
    return folder


def record_of(trainer, output):
    """Everything the bonus of a batch is made of, so that it can be computed again elsewhere. TRL adds 1e-4 to the deviation."""
    mask = output["completion_mask"].bool()
    return {
        "uids": [i // trainer.num_generations for i in range(len(mask))],
        "surprisals": [(-row[keep]).tolist() for row, keep in zip(output["ref_per_token_logps"].double(), mask)],
        "correct": trainer.last_bonus["correct"],
        "task": trainer._rewards_per_func[:, 0].tolist(),
        "advantages": output["advantages"].tolist(),
        "epsilon": 1e-4,
    }


def version_of_trl():
    """What its sources say of themselves; metadata would be those of the package that is installed beside them."""
    import trl

    stated = os.path.join(os.path.dirname(os.path.dirname(trl.__file__)), "VERSION")
    if not os.path.exists(stated):
        return trl.__version__
    with open(stated) as file:
        return file.read().strip()
