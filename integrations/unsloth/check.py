"""What Unsloth's own functions make of a batch, and what our plugin makes of that; its arguments, and the settings of an export in its TRL.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/trl:<TRL 0.24>:<unsloth>:<unsloth-zoo> python check.py <folder> <reward url> <sources>

Unsloth does not train without a card. It moves the padding of prompts behind their completions before it asks the reference, with
its own functions; those are run here on a model of two layers, in the same order.
"""

import ast
import json
import os
import tempfile

from peer_check import byte_tokenizer, main, report, stand_ins, toy_model, version_of
from tiny import version_of_trl


def keywords(path, name):
    """The parameters of every function of that name in a file."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]
    return {argument.arg for node in found for argument in [*node.args.args, *node.args.kwonlyargs]}


def calls(path, names):
    """The keywords that a file hands to functions of these names."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
            found.setdefault(node.func.attr, set()).update(word.arg for word in node.keywords if word.arg)
    return found


def replacements(names):
    """Functions that Unsloth puts into TRL, from its own file; the package around them refuses a transformers newer than it knows."""
    import importlib.util

    import torch

    (place,) = importlib.util.find_spec("unsloth_zoo").submodule_search_locations
    with open(os.path.join(place, "rl_replacements.py"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    kept = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    found = {"torch": torch}
    exec(compile(ast.Module(kept, []), "rl_replacements.py", "exec"), found)
    return [found[name] for name in names]


def packed(work):
    """Prompts of several lengths: log-probabilities as Unsloth lays them out, and each row alone without padding."""
    import torch
    from repertoire_trl import of_completions, reference_scores

    pack, padding = replacements(["left_pack_padding", "calculate_pad_tokens_in_prompt"])
    model = toy_model(work, byte_tokenizer(work)).eval()
    torch.manual_seed(2)
    sizes = [(3, 5), (7, 2), (6, 6), (1, 4)]
    rows = [(torch.randint(2, 200, (p,)), torch.randint(2, 200, (c,))) for p, c in sizes]
    longest, most = max(p for p, _ in sizes), max(c for _, c in sizes)
    pad = torch.nn.functional.pad
    prompts = torch.stack([pad(p, (longest - len(p), 0)) for p, _ in rows])
    completions = torch.stack([pad(c, (0, most - len(c))) for _, c in rows])
    ids = torch.cat([prompts, completions], dim=1)

    def logprobs(sequence, kept):
        with torch.no_grad():
            logits = model(sequence, attention_mask=(sequence != 0).long()).logits.double()
        found = torch.log_softmax(logits[:, :-1], -1).gather(2, sequence[:, 1:, None]).squeeze(2)
        return found[:, -kept:]

    extra = padding(ids, most, 0).max().item()
    wide = logprobs(pack(ids, 0), most + extra)
    mask = (completions != 0).long()
    ours = of_completions(wide, mask, (prompts != 0).long())
    apart = 0.0
    for row, (prompt, completion) in zip(ours, rows):
        alone = logprobs(torch.cat([prompt, completion])[None], len(completion))[0]
        apart = max(apart, (row[: len(completion)] - alone).abs().max().item())
    assert wide.shape[1] > mask.shape[1] and apart < 1e-5, (wide.shape, apart)
    report("its layout of a batch", columns=wide.shape[1], completion=most, apart=apart, scores=reference_scores(ours, mask, 3).tolist())


def check(folder, url, sources):
    os.environ.update(REPERTOIRE_REWARD_URL=url, UNSLOTH_ALLOW_CPU="1", UNSLOTH_IS_PRESENT="1")
    stand_ins("bitsandbytes", "xformers", "torchao", "cut_cross_entropy", "hf_transfer", "triton")
    report("Unsloth", version=version_of(sources), trl=version_of_trl())
    places = [os.path.join(sources, "unsloth", "models", name) for name in ("loader.py", "llama.py")]
    for name, given in calls(os.path.join(folder, "plugin", "train.py"), ("from_pretrained", "get_peft_model")).items():
        known = set().union(*(keywords(place, name) for place in places))
        assert given <= known, f"{name}: {sorted(given - known)}"
    report("its arguments", of=["from_pretrained", "get_peft_model"])

    from repertoire_trl import paper_config

    with open(os.path.join(folder, "settings.json")) as file:
        settings = json.load(file)
    for name in ("adapter", "novelty", "max_seq_length", "gpu_memory_utilization"):
        settings.pop(name)
    with tempfile.TemporaryDirectory() as work:
        config = paper_config(settings, output_dir=work, use_cpu=True, bf16=False, use_vllm=False)
        report("the settings in its TRL", level=config.importance_sampling_level, generations=config.num_generations, beta=config.beta)
        packed(work)


if __name__ == "__main__":
    main(check)
