"""ms-swift's own arguments and registry of rewards on an exported folder: its parser reads launch.sh, its loader of plugins loads ours.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/ms-swift:<ms-swift>:<modelscope> python check.py <folder> <reward url> <sources>

Stand-ins: vLLM, and packages that its other models and datasets import. The model is a folder with two layers, as its arguments
look into it.
"""

import json
import os
import tempfile

from peer_check import byte_tokenizer, launched, main, report, solutions, stand_ins, toy_model, version_of


def parsed(folder, work):
    """What its command line makes of launch.sh, validated as `swift rlhf` does before it loads anything."""
    from swift.arguments import RLHFArguments
    from swift.utils import parse_args

    toy_model(work, byte_tokenizer(work))
    words = launched(folder, "swift")
    assert words[0] == "rlhf", words
    os.chdir(folder)
    # A folder on this machine in place of the hub's model, and one CPU in place of eight cards.
    here = ["--model", work, "--model_type", "llama", "--template", "llama3", "--bf16", "false", "--torch_dtype", "float32", "--per_device_eval_batch_size", "8"]
    arguments, rest = parse_args(RLHFArguments, [*words[1:], *here])
    assert rest == [], rest
    report(
        "its arguments", type=arguments.rlhf_type, level=arguments.importance_sampling_level, beta=arguments.beta, rank=arguments.lora_rank,
        rewards=arguments.reward_funcs, weights=arguments.reward_weights, generations=arguments.num_generations, iterations=arguments.num_iterations,
    )  # fmt: skip


def check(folder, url, sources):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    stand_ins(
        "json_repair", "vllm", "dacite", "attrdict", "binpacking", "rouge", "oss2", "zstandard", "cpm_kernels", "gradio", "transformers_stream_generator", "simplejson",
    )  # fmt: skip
    report("ms-swift", version=version_of(sources))
    with tempfile.TemporaryDirectory() as work:
        parsed(folder, work)

    # The arguments have loaded the plugin that launch.sh names.
    from swift.rewards import orms

    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    truths = [row["ground_truth"] for row in rows]
    answers = solutions(truths)
    completions = [f"<answer>{answers[truth]}</answer>" for truth in truths]
    rewards = orms["repertoire"]()(completions, ground_truth=truths)
    exact = orms["repertoire_exact"]()(completions, ground_truth=truths)
    assert exact == [1.0] * len(rows), exact
    report("its registry of rewards", rewards=rewards)


if __name__ == "__main__":
    main(check)
