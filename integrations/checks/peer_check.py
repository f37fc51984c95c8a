"""What the checks of the integrations share: what an exported launch.sh would run, a toy tokenizer, and the report.

A check runs a peer's own code on our export, given its sources or its package on the PYTHONPATH; it prints one JSON
record a thing that was tried and fails where the peer does. `test/serving/peers.test.ts` runs those it finds.
"""

import contextlib
import json
import os
import shlex
import subprocess
import sys
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.machinery import ModuleSpec


def launched(folder, program, environment=None):
    """The arguments that launch.sh hands to `program`, as the shell makes them."""
    script = f'{program}() {{ printf "%s\\0" "$@"; }}; export -f {program}; bash {shlex.quote(os.path.join(folder, "launch.sh"))}'
    said = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env={**os.environ, **(environment or {})}
    )
    if said.returncode != 0:
        raise SystemExit(f"launch.sh ended with {said.returncode}: {said.stderr}")
    return said.stdout.rstrip("\0").split("\0")


def report(what, **found):
    print(json.dumps({"tried": what, **found}), flush=True)


def solutions(truths):
    """The answers to puzzles, by ground truth, from `repertoire puzzles solve`."""
    command = shlex.split(os.environ["REPERTOIRE_COMMAND"])
    asked = "".join(f"{truth}\n" for truth in truths)
    said = subprocess.run(
        [*command, "puzzles", "solve", "--json"], input=asked, capture_output=True, text=True, check=True
    )
    return {truth: json.loads(line)["solution"] for truth, line in zip(truths, said.stdout.splitlines(), strict=True)}


def byte_tokenizer(folder):
    """A tokenizer with a chat template whose tokens are bytes, saved where trainers look for one."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {word: i for i, word in enumerate(["<pad>", "<eos>", *alphabet])}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, pad_token="<pad>", eos_token="<eos>")
    tokenizer.chat_template = (
        "{% for message in messages %}[{{ message.role }}] {{ message.content }}\n{% endfor %}"
        "{% if add_generation_prompt %}[assistant] {% endif %}"
    )
    tokenizer.save_pretrained(folder)
    return tokenizer


def toy_model(folder, tokenizer, seed=5):
    """A Llama with two small layers over that tokenizer, saved beside it."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=4, max_position_embeddings=4096, pad_token_id=0, eos_token_id=1, bos_token_id=None,
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    return model


@contextlib.contextmanager
def model_server(routes):
    """An HTTP server on this machine in place of a model's; `routes` maps a path to a function from request to reply."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            length = int(self.headers.get("content-length") or 0)
            asked = json.loads(self.rfile.read(length)) if length else None
            route = routes.get(self.path.split("?")[0])
            said = json.dumps({} if route is None else route(asked)).encode()
            self.send_response(404 if route is None else 200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def chat_completion(text, model="toy"):
    """OpenAI's reply with one message."""
    return {
        "id": "c", "object": "chat.completion", "created": 0, "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }  # fmt: skip


def uv_here(folder):
    """`uv sync --script` has nothing to fetch and `uv python find --script` finds this Python."""
    path = os.path.join(folder, "uv")
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\ncase \"$1\" in python) echo {sys.executable};; esac\n")
    os.chmod(path, 0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


class _Idle(type):
    """A class whose every attribute is a function that does nothing."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None


class _Anything(types.ModuleType):
    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        takes_anything = {"__init__": lambda self, *_, **__: None, "__class_getitem__": classmethod(lambda cls, _: cls)}
        return _Idle(name, (), takes_anything)


class _Absent:
    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in self.names else None

    def create_module(self, spec):
        return _Anything(spec.name)

    def exec_module(self, module):
        pass


def stand_ins(*names):
    """Empty modules for packages that need a GPU and are only imported on the way to what is checked. Real ones win."""
    sys.meta_path.append(absent(*names))


def absent(*names):
    """A finder that has an empty module for each of these packages and for all in them."""
    return _Absent(names)


def version_of(sources):
    """The version a folder of sources says of itself, and its commit where it has one."""
    said = subprocess.run(["git", "-C", sources, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    commit = f" ({said.stdout.strip()})" if said.returncode == 0 else ""
    for name in ("version.txt", "VERSION", "verl/version/version"):
        path = os.path.join(sources, name)
        if os.path.exists(path):
            with open(path) as file:
                return file.read().strip() + commit
    return f"sources{commit}"


def main(check):
    check(*sys.argv[1:])
