"""Runs prime-rl's own code on an exported folder: its configuration, rollouts as its environment servers make them, and its
algorithm with our bonus.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/verifiers:<prime-rl>/src:<prime-rl configs>:<verifiers>:<renderers>:...
    python check.py <folder> <reward url> <sources>

Stand-ins: vLLM (an HTTP server with its two addresses: right and wrong answers in turn, and a two-layer reference that scores
given tokens), its module with the shape of a reply, and `uv`, which would fetch what the harness' program imports.
"""

import asyncio
import json
import os
import random
import sys
import tempfile
import threading
import types
from importlib.machinery import ModuleSpec

from peer_check import byte_tokenizer, launched, main, model_server, report, solutions, stand_ins, toy_model, uv_here, version_of


def reply_of_vllm():
    """The one class of vLLM's that prime-rl reads a score with."""
    from pydantic import BaseModel

    class GenerateResponse(BaseModel):
        prompt_logprobs: list[dict[int, dict] | None] | None = None

    name = "vllm"
    for part in ("", "entrypoints", "scale_out", "token_in_token_out", "protocol"):
        name = f"{name}.{part}" if part else name
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__spec__ = ModuleSpec(name, None)
    sys.modules[name].GenerateResponse = GenerateResponse


class Engine:
    """vLLM's `/inference/v1/generate`: a completion, or the log-probabilities of the prompt under the reference."""

    def __init__(self, rows, answers, tokenizer, reference):
        self.rows, self.answers, self.tokenizer, self.reference = rows, answers, tokenizer, reference
        self.random, self.asked, self.lock = random.Random(3), {}, threading.Lock()

    def __call__(self, request):
        with self.lock:
            if "prompt_logprobs" in request["sampling_params"]:
                return {"request_id": "r", "choices": [], "prompt_logprobs": self.scored(request["token_ids"])}
            ids = self.tokenizer(self.response(self.tokenizer.decode(request["token_ids"])))["input_ids"]
        entries = [{"token": f"token_id:{token}", "logprob": -0.5} for token in ids]
        choice = {"index": 0, "token_ids": ids, "logprobs": {"content": entries}, "finish_reason": "stop"}
        return {"request_id": "r", "choices": [choice]}

    def response(self, prompt):
        """The last of four attempts is wrong: three right ones compete."""
        row = next(row for row in self.rows if row["prompt"] in prompt)
        turn = self.asked[row["prompt"]] = self.asked.get(row["prompt"], -1) + 1
        answer = "?" if turn % 4 == 3 else self.answers[row["ground_truth"]]
        thought = "".join(self.random.choice("abcdefgh ") for _ in range(self.random.randint(5, 60)))
        return f"<reasoning>{thought}</reasoning><answer>{answer}</answer>"

    def scored(self, ids):
        return [None, *({token: {"logprob": value}} for token, value in zip(ids[1:], logprobs(self.reference, ids)))]


def logprobs(model, ids):
    import torch

    with torch.no_grad():
        rows = torch.log_softmax(model(torch.tensor([ids])).logits[0, :-1].double(), -1)
    return rows.gather(1, torch.tensor(ids[1:])[:, None]).squeeze(1).tolist()


def configured(folder):
    """The command line that launch.sh hands to `rl`, read by prime-rl's own reader of configurations."""
    from prime_rl.configs.rl import RLConfig
    from prime_rl.utils.config import cli

    words = launched(folder, "uv", {"PRIME_RL": "sources"})
    assert words[:4] == ["run", "--project", "sources", "rl"], words
    os.chdir(folder)
    return cli(RLConfig, args=words[4:])


async def rolled_out(config, url, tokenizer_folder, work):
    """Rollouts with tokens, by verifiers' client for training, as prime-rl asks for them."""
    from verifiers.v1.cli.eval.runner import run_eval
    from verifiers.v1.configs.cli.eval import EvalConfig

    source = config.orchestrator.train.source[0]
    client = {
        "type": "train", "base_url": f"{url}/v1", "api_key_var": "NO_KEY",
        "renderer": config.orchestrator.renderer.model_dump(), "renderer_model_name": tokenizer_folder,
    }  # fmt: skip
    settings = {"env": source.env, "serve": None, "model": "toy", "num_rollouts": 4, "client": client, "rich": None, "push": False, "output_dir": work}
    return await run_eval(EvalConfig.model_validate(settings))


async def trained(config, url, tokenizer_folder, work, reference):
    from prime_rl.orchestrator.algo import build_algorithm
    from prime_rl.orchestrator.trajectories import trace_to_samples

    episodes = await rolled_out(config, url, tokenizer_folder, work)
    algorithm = build_algorithm(config.orchestrator.train.source[0].algo, None)
    await algorithm.setup()
    groups = {}
    for episode in episodes:
        groups.setdefault(episode.task.key, []).append(episode)
    uids, surprisals, correct, task, advantages, bonuses = [], [], [], [], [], []
    for uid, group in groups.items():
        for episode in group:
            await algorithm.finalize_episode(episode)
        await algorithm.finalize_group(group)
        for trace in (trace for episode in group for trace in episode.traces):
            assert trace.ok, trace.errors
            (sample,) = trace_to_samples(trace, env_name="repertoire")
            given = {value for value, kept in zip(sample.advantages, sample.mask) if kept}
            assert len(given) == 1, given
            under = [0.0, *logprobs(reference, list(sample.token_ids))]
            uids.append(uid)
            surprisals.append([-value for value, kept in zip(under, sample.mask) if kept])
            correct.append(trace.metrics["exact"] >= 1)
            task.append(trace.reward)
            advantages.append(given.pop())
            bonuses.append(trace.info["novelty_bonus"])
    report("its algorithm with the bonus", uids=uids, surprisals=surprisals, correct=correct, task=task, advantages=advantages, bonuses=bonuses)


def check(folder, url, sources):
    # The reference's address makes the taskset register the bonus when prime-rl imports it.
    rows_file = os.path.join(folder, "train.jsonl")
    os.environ.update(REPERTOIRE_REWARD_URL=url, NO_KEY="none", REPERTOIRE_ROWS=rows_file, REPERTOIRE_REFERENCE_MODEL="reference")
    # Sandboxes elsewhere, titles of processes, other judges and cards, which it imports; none is used here.
    stand_ins("connectrpc", "pyqwest", "setproctitle", "agents", "math_verify", "openai_harmony", "pybase64", "pynvml", "prime_cli")
    reply_of_vllm()
    report("prime-rl", version=version_of(os.path.dirname(sources)))
    with open(rows_file) as file:
        rows = [json.loads(line) for line in file]
    answers = solutions([row["ground_truth"] for row in rows])
    with tempfile.TemporaryDirectory() as work:
        uv_here(work)
        tokenizer = byte_tokenizer(work)
        reference = toy_model(work, tokenizer)
        engine = Engine(rows, answers, tokenizer, reference)
        models = {"data": [{"id": "toy"}, {"id": "reference"}]}
        routes = {"/health": lambda _: {}, "/v1/models": lambda _: models, "/inference/v1/generate": engine}
        with model_server(routes) as server:
            os.environ["REPERTOIRE_REFERENCE_URL"] = f"{server}/v1"
            config = configured(folder)
            report(
                "its configuration",
                batch=config.orchestrator.batch_size, group=config.orchestrator.group_size, seq_len=config.trainer.model.seq_len,
                lora=config.trainer.model.lora.rank, broadcast=config.trainer.weight_broadcast.type, temperature=config.orchestrator.train.source[0].sampling.temperature,
            )  # fmt: skip
            asyncio.run(trained(config, server, work, work, reference))


if __name__ == "__main__":
    main(check)
