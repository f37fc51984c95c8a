"""Runs open-instruct's own program on the exported launch.sh: its parser, its dataclasses and their validation, its tokenizer; its
data transformation on our rows; and its registry of verifiers, which finds ours as it finds its own.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/open-instruct:<open-instruct> python check.py <folder> <reward url> <sources>

Stand-ins: packages for cards (vLLM, DeepSpeed, OLMo-core) and what its other verifiers import. The program is stopped where it
would start Ray.
"""

import asyncio
import importlib
import json
import os
import runpy
import sys
import tempfile
import types

from peer_check import byte_tokenizer, launched, main, report, solutions, stand_ins, toy_model, version_of


class Parsed(BaseException):
    """The program has read and validated everything."""


def parsed(folder, sources):
    """What `python -m repertoire_open_instruct` makes of the words of launch.sh, with a toy model in place of the real one."""
    from open_instruct import utils

    # The verifiers are built where the program would build them, while our module is still the one that runs.
    def stop():
        from open_instruct.ground_truth_utils import build_all_verifiers

        found = sys._getframe(1).f_locals
        raise Parsed(found, build_all_verifiers(found["args"], found["streaming_config"]))

    work = tempfile.mkdtemp()
    toy_model(work, byte_tokenizer(work))
    words = launched(folder, "python", {"OPEN_INSTRUCT": sources})
    assert words[:2] == ["-m", "repertoire_open_instruct"], words[:2]
    utils.maybe_get_beaker_config = stop
    os.chdir(folder)
    sys.argv = ["grpo_fast.py", *words[2:], "--model_name_or_path", work]
    try:
        runpy.run_module("repertoire_open_instruct", run_name="__main__", alter_sys=True)
    except Parsed as found:
        return found.args
    raise AssertionError("open-instruct did not get as far as its experiment tracking")


def check(folder, url, sources):
    import cloudpickle

    folder, sources = os.path.abspath(folder), os.path.abspath(sources)
    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("open-instruct", version=version_of(sources))
    stand_ins("langdetect", "litellm", "defusedxml", "emoji", "syllapy", "vllm", "deepspeed", "beaker", "olmo_core", "openenv", "backoff", "mcp_types")
    # A module, as something there is a subclass of what is in it; and numbers that are compared.
    importlib.import_module("olmo_core.data.data_loader")
    backoff = importlib.import_module("backoff")
    backoff.on_exception = backoff.on_predicate = lambda *_, **__: lambda function: function
    # Its vLLM patch widens a field of this record.
    spec = type("MambaSpec", (), {"__dataclass_fields__": {"dtypes": types.SimpleNamespace()}, "__annotations__": {}})
    importlib.import_module("vllm.v1.kv_cache_interface").MambaSpec = spec
    for name, kind in (("comet", "CometCallback"), ("wandb", "WandBCallback")):
        setattr(importlib.import_module(f"olmo_core.train.callbacks.{name}"), kind, type(kind, (), {"priority": 100}))
    configs, verifiers = parsed(folder, sources)
    args, streaming, vllm = configs["args"], configs["streaming_config"], configs["vllm_config"]
    report(
        "its program, up to Ray",
        steps=args.num_training_steps, learners=args.num_learners_per_node, parallel=args.sequence_parallel_size,
        engines=vllm.vllm_num_engines, tokens=streaming.pack_length, reward=streaming.verification_reward,
    )  # fmt: skip
    assert streaming.pack_length >= streaming.max_prompt_token_length + streaming.response_length

    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    truth = rows[0]["ground_truth"]
    right = f"<answer>{solutions([truth])[truth]}</answer>"
    # It goes to the actors that grade as Ray sends it.
    verifier = cloudpickle.loads(cloudpickle.dumps(verifiers[rows[0]["dataset"]]))
    scores = [asyncio.run(verifier.async_call([], said, truth)).score for said in (right, "?")]
    assert scores[0] > 2 and scores[1] == 0, scores
    report("its verifiers", found=len(verifiers), scores=scores)


if __name__ == "__main__":
    main(check)
