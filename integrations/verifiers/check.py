"""Runs verifiers' own evaluation, old and new, with our taskset and our environment on exported rows.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/verifiers:<verifiers>:... python check.py <folder> <reward url> <sources>

Stand-ins: the model (an HTTP server that answers right and wrong in turn) and `uv`, which would fetch what the harness' program
imports; here this Python runs it.
"""

import asyncio
import json
import os
import tempfile
import threading

from peer_check import chat_completion, main, model_server, report, solutions, stand_ins, uv_here, version_of


class Model:
    """Answers the exported prompts: three right answers, then a wrong one, then none in words that can be read."""

    endings = ("right", "right", "right", "?", None)

    def __init__(self, rows, answers):
        self.by_prompt = {row["prompt"]: answers[row["ground_truth"]] for row in rows}
        self.asked = {}
        self.lock = threading.Lock()

    def __call__(self, request):
        prompt = next(message["content"] for message in request["messages"] if message["role"] == "user")
        with self.lock:
            turn = self.asked[prompt] = self.asked.get(prompt, -1) + 1
        ending = self.endings[turn % len(self.endings)]
        answer = self.by_prompt[prompt] if ending == "right" else ending
        return chat_completion("I do not know." if answer is None else f"<reasoning>so</reasoning><answer>{answer}</answer>")


def expect(rewards, exact, rows):
    """Of five answers to each puzzle three are right, and what is wrong is worth less."""
    assert len(exact) == 5 * rows and sum(exact) == 3 * rows, exact
    assert min(r for r, e in zip(rewards, exact) if e) > 2 > max(r for r, e in zip(rewards, exact) if not e), rewards


def evaluated(url, rows, work):
    """verifiers 1: `eval` with the null harness, as prime-rl's environment servers run it."""
    from verifiers.v1.cli.eval.runner import run_eval
    from verifiers.v1.cli.output import TRACES_FILE, output_path
    from verifiers.v1.configs.cli.eval import EvalConfig

    agent = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
    config = EvalConfig.model_validate(
        {
            "env": {"taskset": {"id": "repertoire-puzzles"}, "agent": agent}, "serve": None, "model": "toy", "num_rollouts": 5,
            "client": {"type": "eval", "base_url": f"{url}/v1", "api_key_var": "NO_KEY"}, "rich": None, "push": False, "output_dir": work,
        }
    )  # fmt: skip
    episodes = asyncio.run(run_eval(config))
    traces = [trace for episode in episodes for trace in episode.traces]
    assert all(trace.ok for trace in traces), [trace.errors for trace in traces if not trace.ok][0]
    expect([trace.reward for trace in traces], [trace.metrics["exact"] for trace in traces], rows)
    report("verifiers 1: eval", rollouts=len(traces), rewards=[trace.reward for trace in traces])
    with open(output_path(config) / TRACES_FILE) as file:
        report("a dump", file=TRACES_FILE, rows=[json.loads(line) for line in file], exact=[trace.metrics["exact"] for trace in traces])


def evaluated_before(url, rows, work):
    """The older interface, by the name that `load_environment` finds a package by."""
    import verifiers as vf
    from verifiers.types import ClientConfig

    environment = vf.load_environment("repertoire-puzzles")
    client = ClientConfig(api_base_url=f"{url}/v1", api_key_var="NO_KEY")
    from pathlib import Path

    folder = Path(work) / "results"
    said = environment.evaluate_sync(client, "toy", rollouts_per_example=5, results_path=folder, save_results=True)
    outputs = said["outputs"]
    exact = [one["metrics"]["exact"] for one in outputs]
    expect([one["reward"] for one in outputs], exact, rows)
    report("the older environment", rollouts=len(outputs), mean=sum(one["reward"] for one in outputs) / len(outputs))
    with open(folder / "results.jsonl") as file:
        saved = [json.loads(line) for line in file]
    report("a dump", file="results.jsonl", rows=saved, exact=[row["metrics"]["exact"] if "metrics" in row else row["exact"] for row in saved])


def check(folder, url, sources):
    os.environ.update(REPERTOIRE_REWARD_URL=url, NO_KEY="none", REPERTOIRE_ROWS=os.path.join(folder, "train.jsonl"))
    # Sandboxes elsewhere, titles of processes and other judges, which it imports; none is used here.
    stand_ins("connectrpc", "pyqwest", "setproctitle", "agents", "math_verify")
    report("verifiers", version=version_of(sources))
    with open(os.environ["REPERTOIRE_ROWS"]) as file:
        rows = [json.loads(line) for line in file]
    answers = solutions([row["ground_truth"] for row in rows])
    with tempfile.TemporaryDirectory() as work:
        uv_here(work)
        for run in (evaluated, evaluated_before):
            with model_server({"/v1/chat/completions": Model(rows, answers)}) as model:
                run(model, len({row["prompt"] for row in rows}), work)


if __name__ == "__main__":
    main(check)
