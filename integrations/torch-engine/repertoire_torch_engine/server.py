"""The Tinker protocol over HTTP: requests become jobs of one worker, results are fetched as futures."""
import collections
import hashlib
import json
import os
import queue
import re
import secrets
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import torch

from . import wire
from .gate import Refusal as RequestError
from .gate import body_length, is_allowed, read_json, refuse_body, refuse_cross_site
from .openai import BadRequest, OpenAi, stream
from .policy import tidy
from .replicas import open_replicas
from .sampling import SampleJob, SampleWork
from .training import Trainer, TrainingError

POLL_SECONDS = 20
# How long a batch that arrives in pieces is waited for, and how many prompts are scored in one go.
GATHER_SECONDS = 0.003
MOST_PROMPTS = 1024
# Results that were fetched are kept a while, in case the answer was lost on its way.
FETCHED_RESULTS = 128
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")


class Future:
    def __init__(self):
        self.done = threading.Event()
        self.result = None
        self.error = None

    def resolve(self, result):
        self.result = result
        self.done.set()

    def fail(self, error, category="server"):
        self.error = {"error": str(error), "category": category}
        self.done.set()


class Engine:
    """State of the server: one model, its weights by name, and a worker that owns the device."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.checkpoints = os.path.abspath(arguments.checkpoints)
        os.makedirs(self.checkpoints, exist_ok=True)
        tidy(self.checkpoints)
        self.replicas = open_replicas(arguments)
        self.facts = self.replicas[0].facts
        self.trainer = Trainer(self.replicas, arguments.train_tokens)
        self.jobs = queue.Queue()
        self.futures = {}
        self.fetched = collections.deque()
        self.answered = {}
        self.sessions = {}
        self.models = set()
        # Sampling sessions: the checkpoint that each is open on, or the model whose passing weights it holds.
        self.samplers = {}
        self.lock = threading.Lock()
        self.opening = threading.Lock()
        self._openai = None
        self.reads = reading_of(arguments.model)
        threading.Thread(target=self._work, daemon=True).start()

    # ---- Jobs -----------------------------------------------------------------------------------------------------

    def submit(self, work, key=None, digest=None):
        """Queues work and returns its request id; the same (model, sequence number) again is the same request."""
        with self.lock:
            if key is not None and key in self.answered:
                request_id, known = self.answered[key]
                if known != digest:
                    raise RequestError(f"sequence number {key[1]} was used for another request", 409)
                return request_id
            request_id = secrets.token_hex(12)
            self.futures[request_id] = Future()
            if key is not None:
                self.answered[key] = (request_id, digest)
        self.jobs.put((self.futures[request_id], work))
        return request_id

    def fetch(self, request_id):
        """Called when a result is on its way to the client."""
        with self.lock:
            self.fetched.append(request_id)
            while len(self.fetched) > FETCHED_RESULTS:
                self.futures.pop(self.fetched.popleft(), None)

    def _work(self):
        postponed = None
        while True:
            future, work = postponed or self.jobs.get()
            postponed = None
            if isinstance(work, SampleWork):
                postponed = self._sample(future, work)
            else:
                self._attempt([future], lambda: future.resolve(work()))

    @staticmethod
    def _attempt(futures, work):
        """One bad request must not end the server, and nobody waits for what will not come."""
        try:
            work()
        except Exception as error:  # noqa: BLE001
            category, message = "server", f"{type(error).__name__}: {error}"
            if isinstance(error, TrainingError):
                category, message = "user", str(error)
            for future in futures:
                if not future.done.is_set():
                    future.fail(message, category)
            if isinstance(error, torch.cuda.OutOfMemoryError):
                torch.cuda.empty_cache()

    def _sample(self, future, first):
        """Runs everything in the queue that goes with this job, and takes in what arrives meanwhile. The first other job
        ends the taking; it is returned, to be done next."""
        futures, postponed = [future], []

        def job_of(future, work):
            def deliver(sequences):
                future.resolve({"type": "sample", "sequences": sequences, "prompt_logprobs": None})
            return SampleJob(work.prompt, work.count, work.parameters, deliver)

        def take(room, wait):
            jobs = []
            while not postponed and len(jobs) < room:
                try:
                    # Clients send a batch as many small requests: a moment's patience gathers it.
                    other, work = self.jobs.get(timeout=wait) if wait else self.jobs.get_nowait()
                except queue.Empty:
                    break
                if isinstance(work, SampleWork) and work.kind == first.kind:
                    futures.append(other)
                    jobs.append((other, work))
                else:
                    postponed.append((other, work))
            return jobs

        def more(room, wait=0.0):
            return [job_of(*job) for job in take(room, wait)]

        if first.scores_prompt:
            batch = [(future, first), *take(MOST_PROMPTS, GATHER_SECONDS)]
            self._attempt(futures, lambda: self._score_prompts(batch))
        else:
            self._attempt(futures, lambda: self._decode(first.weights, job_of(future, first), more))
        return postponed[0] if postponed else None

    def _decode(self, weights, first, more):
        lock = threading.Lock()

        def fairly(room, wait=0.0):
            with lock:
                # What waits is for everybody; who has room left asks again before the next step.
                share = -(-(self.jobs.qsize() + 1) // len(self.replicas))
                return more(min(room, share), wait)

        if len(self.replicas) == 1:
            return self.replicas[0].sample(weights, [first], more)
        begun = [[first]] + [[]] * (len(self.replicas) - 1)
        list(self.trainer.pool.map(lambda replica, jobs: replica.sample(weights, jobs, fairly), self.replicas, begun))

    def _score_prompts(self, batch):
        """Prompt log-probs for many prompts at once, without the token that the protocol would sample after them."""
        datums = []
        for _, work in batch:
            tokens = np.asarray(work.prompt, np.int32)
            inputs = {"target_tokens": tokens[1:].astype(np.int64), "weights": np.zeros(len(tokens) - 1, np.float32)}
            datums.append((tokens[:-1], inputs))
        first = batch[0][1]
        outputs, _ = self.trainer.run(datums, "cross_entropy", {"temperature": first.temperature}, False, first.weights)
        for (future, work), output in zip(batch, outputs):
            logprobs = [None, *(float(x) for x in output["logprobs"])]
            sequence = {"stop_reason": "length", "tokens": [], "logprobs": []}
            future.resolve({"type": "sample", "sequences": [sequence] * work.count, "prompt_logprobs": logprobs})

    # ---- What requests do -------------------------------------------------------------------------------------------

    @property
    def openai(self):
        """Made when it is first asked: training needs no tokenizer here."""
        with self.opening:
            self._openai = self._openai or OpenAi(self)
        return self._openai

    def create_model(self, body, digest):
        lora = body.get("lora_config") or {}
        rank = int(lora.get("rank", 0))
        alpha = float(lora.get("alpha") or self.arguments.lora_alpha or 2 * rank)
        seed = int(self.arguments.seed if lora.get("seed") is None else lora["seed"])
        base = self.path_of(body["base_weights"])[1] if body.get("base_weights") else None

        def work():
            model_id = f"model-{secrets.token_hex(6)}"
            self.trainer.all("start", model_id, rank, alpha, seed, base)
            self.models.add(model_id)
            return {"type": "create_model", "model_id": model_id}

        # A create that is sent again, because its answer was lost on the way, makes no second model.
        return self.submit(work, (body.get("session_id"), body.get("model_seq_id")), digest)

    def unload_model(self, body):
        model_id = body["model_id"]

        def work():
            self.models.discard(model_id)
            self.trainer.all("forget", model_id)
            passing = [session for session, held in self.samplers.items() if held == ("passing", model_id)]
            for name in [model_id, *passing]:
                self.samplers.pop(name, None)
                self.trainer.all("release", name)
            return {"type": "unload_model", "model_id": model_id}

        return self.submit(work)

    def forward_backward(self, body, forward_only, digest):
        key = (body["model_id"], body["seq_id"])
        self._known(body["model_id"])
        work_input = body["data"], body["loss_fn"], body["loss_fn_config"]

        def work():
            outputs, metrics = self.trainer.run(*work_input, backward=not forward_only, weights=body["model_id"])
            return {"forward_backward": (outputs, metrics)}

        return self.submit(work, key, digest)

    def optim_step(self, body, digest):
        self._known(body["model_id"])
        adam = body.get("adam_params") or {}
        return self.submit(
            lambda: {"type": "optim_step", "metrics": self.trainer.step(body["model_id"], adam)},
            (body["model_id"], body["seq_id"]),
            digest,
        )

    def path_of(self, path):
        """`tinker://model/weights/name`, a bare name, never anything outside the checkpoints folder."""
        name = path.rpartition("/")[2]
        if not NAME.match(name):
            raise RequestError(f"{path!r} is no checkpoint name; use letters, digits, '.', '_' and '-'")
        return name, os.path.join(self.checkpoints, name)

    def save_weights(self, body, digest):
        self._known(body["model_id"])
        name, folder = self.path_of(body.get("path") or f"step-{body['seq_id']}")

        def work():
            self.replicas[0].call("save_all", body["model_id"], folder)
            self._release_sampler(lambda held: held == name)
            return {"type": "save_weights", "path": f"tinker://{body['model_id']}/weights/{name}"}

        return self.submit(work, (body["model_id"], body["seq_id"]), digest)

    def load_weights(self, body, digest):
        self._known(body["model_id"])
        name, folder = self.path_of(body["path"])

        def work():
            if not os.path.isdir(folder):
                raise TrainingError(f"there is no checkpoint {name!r}")
            self.trainer.all("load", folder, body["model_id"])
            self.trainer.all("forget", body["model_id"])
            saved = os.path.join(folder, "optimizer.pt")
            if body.get("optimizer") and os.path.exists(saved):
                self.replicas[0].call("load_optimizer", body["model_id"], saved)
            return {"type": "load_weights", "path": body["path"]}

        return self.submit(work, (body["model_id"], body["seq_id"]), digest)

    def merge_weights(self, body, digest):
        """The adapter of a checkpoint added to the weights it lies over, as whole weights beside it."""
        self._known(body["model_id"])
        name, folder = self.path_of(body["path"])

        def work():
            if not os.path.isdir(folder):
                raise TrainingError(f"there is no checkpoint {name!r}")
            merged = self.replicas[0].call("merge", folder)
            return {"type": "merge_weights", "path": f"tinker://{body['model_id']}/weights/{os.path.basename(merged)}"}

        return self.submit(work, (body["model_id"], body["seq_id"]), digest)

    def save_for_sampler(self, body, digest):
        """A sampling session on the weights as they are now; named ones are also written down."""
        self._known(body["model_id"])

        model_id = body["model_id"]

        def work():
            session = f"sampler-{secrets.token_hex(6)}"
            self.trainer.all("freeze", model_id, session)
            if body.get("path"):
                name, folder = self.path_of(body["path"])
                self.replicas[0].call("save", model_id, folder)
                self._release_sampler(lambda held: held == name)
                self.samplers[session] = name
                path = f"tinker://{model_id}/sampler_weights/{name}"
                return {"type": "save_weights_for_sampler", "path": path, "sampling_session_id": session}
            # Sessions on passing weights replace one another; only the newest is still asked.
            self._release_sampler(lambda held: held == ("passing", model_id))
            self.samplers[session] = ("passing", model_id)
            return {"type": "save_weights_for_sampler", "path": None, "sampling_session_id": session}

        return self.submit(work, (model_id, body["seq_id"]), digest)

    def _release_sampler(self, condition):
        for session in [session for session, held in self.samplers.items() if condition(held)]:
            del self.samplers[session]
            self.trainer.all("release", session)

    def create_sampling_session(self, body):
        """On a saved checkpoint, or on the base model."""
        path = body.get("model_path")
        if not path:
            self.samplers["base"] = "base"
            return {"type": "create_sampling_session", "sampling_session_id": "base"}
        name, folder = self.path_of(path)
        if not os.path.isdir(folder):
            raise RequestError(f"there is no checkpoint {name!r}", 404)
        session = f"sampler-{secrets.token_hex(6)}"

        def work():
            for known, held in self.samplers.items():
                if held == name:
                    return known
            self.trainer.all("load", folder, session)
            self.samplers[session] = name
            return session

        future = self.futures[self.submit(work)]
        future.done.wait()
        if future.error:
            raise RequestError(future.error["error"], 500)
        return {"type": "create_sampling_session", "sampling_session_id": future.result}

    def sample(self, body):
        session = body.get("sampling_session_id")
        if session not in self.samplers:
            raise RequestError(f"unknown sampling session {session!r}", 404)
        prompt = [t for chunk in body["prompt"]["chunks"] for t in chunk["tokens"]]
        scores_prompt = bool(body.get("prompt_logprobs"))
        if not prompt or (scores_prompt and len(prompt) < 2):
            raise RequestError("the prompt is too short")
        if min(prompt) < 0 or max(prompt) >= self.facts["vocab_size"]:
            raise RequestError(f"tokens must lie below the vocabulary of {self.facts['vocab_size']}")
        weights = None if session == "base" else session
        parameters = body.get("sampling_params") or {}
        return self.submit(SampleWork(weights, prompt, int(body.get("num_samples", 1)), parameters, scores_prompt))

    def _known(self, model_id):
        if model_id not in self.models:
            raise RequestError(f"unknown model {model_id!r}; the server may have restarted: create it again and load its weights", 404)


def reading_of(source, text="Row 3 has 12 + 7 = 19 cells; check it."):
    """A text and its tokens by the model's own file, so that clients with another model's tokenizer find out; None without one."""
    from tokenizers import Tokenizer
    from transformers.utils import cached_file

    try:
        file = cached_file(source, "tokenizer.json")
        return {"text": text, "tokens": Tokenizer.from_file(file).encode(text, add_special_tokens=False).ids}
    except Exception:  # there is none, or none that can be read: nothing is said, and training needs none here
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A client that never finishes its request does not hold a thread for ever.
    timeout = 300
    engine: Engine

    def log_message(self, *_):
        pass

    def do_GET(self):
        try:
            self._guard(body=False)
            refuse_body(self.headers)
            self._get()
        except RequestError as error:
            self._refuse(error)

    def _get(self):
        if self.path == "/api/v1/healthz":
            return self._reply({"status": "ok"})
        if self.path == "/api/v1/get_server_capabilities":
            facts = self.engine.facts
            model = {"model_name": self.engine.arguments.name, "max_context_length": facts["max_position_embeddings"]}
            return self._reply({
                "supported_models": [model], "server": "repertoire-torch-engine", "reads": self.engine.reads,
                "vocabulary_size": facts["vocab_size"], "device": self.engine.arguments.device,
            })
        if self.path == "/v1/models":
            if not self._allowed():
                return self._reply({"error": {"message": "missing or wrong key", "type": "invalid_request_error"}}, 401)
            return self._reply(self.engine.openai.models())
        self._reply({"detail": f"unknown path {self.path}"}, 404)

    def _allowed(self):
        return is_allowed(self.headers, self.engine.arguments.token)

    def _guard(self, body):
        if not self.engine.arguments.token:
            refuse_cross_site(self.headers, self.engine.arguments.host, body)
        elif body and not self._allowed():
            raise RequestError("missing or wrong X-API-Key", 401)

    def _refuse(self, error):
        # What is left of its body is no other request.
        self.close_connection = True
        self._reply({"detail": str(error)}, error.status)

    def do_POST(self):
        try:
            self._guard(body=True)
            raw = self._body()
        except RequestError as error:
            return self._refuse(error)
        try:
            if self.path in ("/v1/chat/completions", "/v1/completions"):
                return self._complete(self.path == "/v1/chat/completions", read_json(raw))
            self._route(self.path.removeprefix("/api/v1/"), raw)
        except RequestError as error:
            self._reply({"detail": str(error)}, error.status)
        except (wire.WireError, LookupError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
            self._reply({"detail": f"malformed request: {type(error).__name__}: {error}"}, 400)

    def _complete(self, chat, body):
        try:
            answer = self.engine.openai.answer(body, chat)
        except (BadRequest, RequestError) as error:
            return self._reply({"error": {"message": str(error), "type": "invalid_request_error"}}, error.status)
        if isinstance(answer, list):
            return self._send(stream(answer), "text/event-stream")
        self._reply(answer)

    def _body(self):
        size = body_length(self.headers)
        raw = self.rfile.read(size)
        if len(raw) < size:
            raise RequestError(f"the body ended after {len(raw)} of {size} bytes")
        return raw

    def _route(self, path, raw):
        engine = self.engine
        digest = hashlib.sha256(raw).digest()
        protobuf = self.headers.get("Content-Type", "").startswith("application/x-protobuf")
        if path == "forward_backward" and protobuf:
            body = wire.decode_forward_backward(raw)
            body["loss_fn_config"] = dict(body["loss_fn_config"])
            return self._future(engine.forward_backward(body, body["forward_only"], digest))
        body = read_json(raw)
        if path in ("forward", "forward_backward"):
            given = body["forward_input" if path == "forward" else "forward_backward_input"]
            flat = {
                "model_id": body["model_id"], "seq_id": body["seq_id"], "loss_fn": given["loss_fn"],
                "data": wire.decode_json_datums(given["data"]), "loss_fn_config": given.get("loss_fn_config") or {},
            }
            return self._future(engine.forward_backward(flat, path == "forward", digest))
        if path == "retrieve_future":
            return self._retrieve(body)
        if path == "client/config":
            return self._reply({"pjwt_auth_enabled": False, "proto_compress_fwdbwd": False})
        if path == "create_session":
            session = f"session-{secrets.token_hex(6)}"
            engine.sessions[session] = time.time()
            return self._reply({"type": "create_session", "session_id": session, "info_message": None})
        if path == "session_heartbeat":
            engine.sessions[body["session_id"]] = time.time()
            return self._reply({"type": "session_heartbeat"})
        if path == "create_sampling_session":
            return self._reply(engine.create_sampling_session(body))
        queued = {
            "optim_step": engine.optim_step, "save_weights": engine.save_weights,
            "load_weights": engine.load_weights, "save_weights_for_sampler": engine.save_for_sampler,
            "merge_weights": engine.merge_weights,
        }
        if path in queued:
            return self._future(queued[path](body, digest))
        if path == "create_model":
            return self._future(engine.create_model(body, digest))
        if path == "unload_model":
            return self._future(engine.unload_model(body))
        if path == "asample":
            return self._future(engine.sample(body))
        if path == "telemetry":
            return self._reply({})
        raise RequestError(f"unknown path {self.path}", 404)

    def _future(self, request_id):
        self._reply({"request_id": request_id})

    def _retrieve(self, body):
        future = self.engine.futures.get(body["request_id"])
        if future is None:
            raise RequestError("unknown or expired request; send it again", 410)
        if not future.done.wait(POLL_SECONDS):
            return self._reply({"type": "try_again", "request_id": body["request_id"], "queue_state": "active"})
        self.engine.fetch(body["request_id"])
        if future.error:
            return self._reply(future.error)
        result = future.result
        if isinstance(result, dict) and "forward_backward" in result:
            outputs, metrics = result["forward_backward"]
            if "application/x-protobuf" in self.headers.get("Accept", ""):
                return self._send(wire.encode_forward_backward_output(outputs, metrics), "application/x-protobuf")
            tensors = [
                {k: {"data": [float(x) for x in v], "dtype": "float32", "shape": [len(v)]} for k, v in output.items()}
                for output in outputs
            ]
            result = {"loss_fn_output_type": "TrainingOutput", "loss_fn_outputs": tensors, "metrics": metrics}
        self._reply(result)

    def _reply(self, content, status=200):
        self._send(json.dumps(content).encode(), "application/json", status)

    def _send(self, content, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        # Who hung up needs no reply.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def serve(arguments):
    def stop(*_):
        raise KeyboardInterrupt

    # Before anything is loaded: replicas that are on their way are ended with this process.
    signal.signal(signal.SIGTERM, stop)
    try:
        handler = type("BoundHandler", (Handler,), {"engine": Engine(arguments)})
    except KeyboardInterrupt:
        sys.exit(0)
    server = Server((arguments.host, arguments.port), handler)
    print(json.dumps({"ready": f"http://{arguments.host}:{server.server_address[1]}", "device": arguments.device}), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
    for replica in handler.engine.replicas:
        replica.close()
    # The worker may be in the middle of a long computation; nothing that was saved is lost by leaving it.
    os._exit(0)
