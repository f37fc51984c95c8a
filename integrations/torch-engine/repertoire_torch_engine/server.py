"""The Tinker protocol over HTTP: requests become jobs of one worker, results are fetched as futures."""
import hashlib
import json
import os
import queue
import re
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import torch

from . import wire
from .policy import Policy
from .sampling import SampleJob, Sampler
from .training import Trainer, TrainingError

LARGEST_BODY = 1 << 30
POLL_SECONDS = 20
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")


class RequestError(ValueError):
    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


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
        dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16}[arguments.dtype]
        self.policy = Policy(arguments.model, arguments.device, dtype, arguments.seed, arguments.gradient_checkpointing)
        self.trainer = Trainer(self.policy, arguments.train_tokens, arguments.head_rows)
        self.sampler = Sampler(self.policy, arguments.slots, arguments.cache_tokens)
        self.jobs = queue.Queue()
        self.futures = {}
        self.answered = {}
        self.sessions = {}
        self.samplers = {}
        self.model_id = None
        self.lock = threading.Lock()
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
            while len(self.futures) > 100_000:
                self.futures.pop(next(iter(self.futures)))
        self.jobs.put((self.futures[request_id], work))
        return request_id

    def _work(self):
        postponed = None
        while True:
            future, work = postponed or self.jobs.get()
            postponed = None
            try:
                if isinstance(work, tuple) and work[0] == "sample":
                    postponed = self._sample(future, work)
                else:
                    future.resolve(work())
            except TrainingError as error:
                future.fail(error, "user")
            except Exception as error:  # noqa: BLE001 - one bad request must not end the server
                future.fail(f"{type(error).__name__}: {error}")
                if isinstance(error, torch.cuda.OutOfMemoryError):
                    torch.cuda.empty_cache()

    def _sample(self, future, work):
        """Runs everything in the queue that samples under the same weights, and takes in what arrives meanwhile."""
        _, weights, first = work
        postponed = []

        def job_of(future, request):
            def deliver(sequences):
                future.resolve({"type": "sample", "sequences": sequences, "prompt_logprobs": None})
            return SampleJob(request["prompt"], request["count"], request["parameters"], deliver)

        def take(length=None):
            """Sampling jobs that fit; the first other job ends the taking and is done next."""
            jobs = []
            while not postponed:
                try:
                    other, next_work = self.jobs.get_nowait()
                except queue.Empty:
                    break
                fits = isinstance(next_work, tuple) and next_work[1] == weights
                if fits and not next_work[2]["wants"]:
                    request = next_work[2]
                    longest = len(request["prompt"]) + int(request["parameters"].get("max_tokens") or 16)
                    if length is None or longest <= length:
                        jobs.append(job_of(other, request))
                        continue
                postponed.append((other, next_work))
            return jobs

        if first["wants"]:
            batch = [(future, first)]
            while True:
                try:
                    other, next_work = self.jobs.get_nowait()
                except queue.Empty:
                    break
                if isinstance(next_work, tuple) and next_work[1] == weights and next_work[2]["wants"]:
                    batch.append((other, next_work[2]))
                else:
                    postponed.append((other, next_work))
                    break
            self._score_prompts(weights, batch)
        else:
            jobs = [job_of(future, first), *take()]
            with self.policy.running(weights):
                self.sampler.run(jobs, take)
        return postponed[0] if postponed else None

    def _score_prompts(self, weights, batch):
        """Prompt log-probs for many prompts at once; the sample that the protocol asks for is one greedy token."""
        temperature = float(batch[0][1]["parameters"].get("prompt_logprobs_temperature", 1.0))
        datums = []
        for _, request in batch:
            tokens = np.asarray(request["prompt"], np.int32)
            inputs = {"target_tokens": tokens[1:].astype(np.int64), "weights": np.zeros(len(tokens) - 1, np.float32)}
            datums.append((tokens[:-1], inputs))
        outputs, _ = self.trainer.run(datums, "cross_entropy", {"temperature": temperature}, False, weights=weights)
        for (future, request), output in zip(batch, outputs):
            logprobs = [None, *(float(x) for x in output["logprobs"])]
            sequence = {"stop_reason": "length", "tokens": [], "logprobs": []}
            future.resolve({"type": "sample", "sequences": [sequence] * request["count"], "prompt_logprobs": logprobs})

    # ---- What requests do -------------------------------------------------------------------------------------------

    def create_model(self, body):
        lora = body.get("lora_config") or {}
        rank = int(lora.get("rank", 0))
        alpha = float(lora.get("alpha") or self.arguments.lora_alpha or 2 * rank)

        def work():
            if self.model_id is not None:
                self.policy.release(self.model_id)
            self.model_id = f"model-{secrets.token_hex(6)}"
            self.trainer.optimizer = None
            if rank == 0 and self.policy.adapters is not None:
                raise TrainingError("this server already trains adapters; start another one for full weights")
            self.policy.start(self.model_id, rank, alpha, int(lora.get("seed") or self.arguments.seed))
            return {"type": "create_model", "model_id": self.model_id}

        return self.submit(work)

    def forward_backward(self, body, forward_only, digest):
        key = (body["model_id"], body["seq_id"])
        self._known(body["model_id"])
        work_input = body["data"], body["loss_fn"], body["loss_fn_config"]

        def work():
            outputs, metrics = self.trainer.run(*work_input, backward=not forward_only)
            return {"forward_backward": (outputs, metrics)}

        return self.submit(work, key, digest)

    def optim_step(self, body, digest):
        self._known(body["model_id"])
        adam = body.get("adam_params") or {}
        return self.submit(
            lambda: {"type": "optim_step", "metrics": self.trainer.step(adam)}, (body["model_id"], body["seq_id"]), digest
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
            self.policy.save(folder, self.trainer.optimizer)
            return {"type": "save_weights", "path": f"tinker://{body['model_id']}/weights/{name}"}

        return self.submit(work, (body["model_id"], body["seq_id"]), digest)

    def load_weights(self, body, digest):
        self._known(body["model_id"])
        name, folder = self.path_of(body["path"])

        def work():
            if not os.path.isdir(folder):
                raise TrainingError(f"there is no checkpoint {name!r}")
            self.policy.load(folder, self.policy.live)
            self.trainer.optimizer = None
            saved = os.path.join(folder, "optimizer.pt")
            if body.get("optimizer") and os.path.exists(saved):
                self.trainer.optimizer = torch.optim.AdamW(
                    self.policy.parameters(), lr=0.0, fused=self.policy.device.type == "cuda"
                )
                self.trainer.optimizer.load_state_dict(torch.load(saved, map_location=self.policy.device))
            return {"type": "load_weights", "path": body["path"]}

        return self.submit(work, (body["model_id"], body["seq_id"]), digest)

    def save_for_sampler(self, body, digest):
        """A sampling session on the weights as they are now; named ones are also written down."""
        self._known(body["model_id"])

        def work():
            session = f"sampler-{secrets.token_hex(6)}"
            self.policy.freeze(session)
            # Sessions on passing weights replace one another; only the newest is still asked.
            if not body.get("path"):
                for old in [k for k, v in self.samplers.items() if v == "passing"]:
                    self.policy.release(old)
                    del self.samplers[old]
                self.samplers[session] = "passing"
                return {"type": "save_weights_for_sampler", "path": None, "sampling_session_id": session}
            name, folder = self.path_of(body["path"])
            self.policy.save(folder)
            self.samplers[session] = name
            path = f"tinker://{body['model_id']}/sampler_weights/{name}"
            return {"type": "save_weights_for_sampler", "path": path, "sampling_session_id": session}

        return self.submit(work, (body["model_id"], body["seq_id"]), digest)

    def create_sampling_session(self, body):
        """On a saved checkpoint, or on the base model."""
        path = body.get("model_path")
        if not path:
            self.samplers["base"] = "base"
            return {"type": "create_sampling_session", "sampling_session_id": "base"}
        name, folder = self.path_of(path)
        for session, held in self.samplers.items():
            if held == name:
                return {"type": "create_sampling_session", "sampling_session_id": session}
        if not os.path.isdir(folder):
            raise RequestError(f"there is no checkpoint {name!r}", 404)
        session = f"sampler-{secrets.token_hex(6)}"
        future_id = self.submit(lambda: self.policy.load(folder, session))
        future = self.futures[future_id]
        future.done.wait()
        if future.error:
            raise RequestError(future.error["error"], 500)
        self.samplers[session] = name
        return {"type": "create_sampling_session", "sampling_session_id": session}

    def sample(self, body):
        session = body.get("sampling_session_id")
        if session not in self.samplers:
            raise RequestError(f"unknown sampling session {session!r}", 404)
        prompt = [t for chunk in body["prompt"]["chunks"] for t in chunk["tokens"]]
        request = {
            "prompt": prompt, "count": int(body.get("num_samples", 1)),
            "parameters": body.get("sampling_params") or {}, "wants": bool(body.get("prompt_logprobs")),
        }
        if not prompt or (request["wants"] and len(prompt) < 2):
            raise RequestError("the prompt is too short")
        weights = None if session == "base" else session
        return self.submit(("sample", weights, request))

    def _known(self, model_id):
        if model_id != self.model_id:
            raise RequestError(f"unknown model {model_id!r}; the server may have restarted: create it again and load its weights", 404)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    engine: Engine

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/api/v1/healthz":
            return self._reply({"status": "ok"})
        if self.path == "/api/v1/get_server_capabilities":
            config = self.engine.policy.config
            model = {"model_name": self.engine.arguments.name, "max_context_length": config.max_position_embeddings}
            return self._reply({
                "supported_models": [model], "server": "repertoire-torch-engine",
                "vocabulary_size": config.vocab_size, "device": str(self.engine.policy.device),
            })
        self._reply({"detail": f"unknown path {self.path}"}, 404)

    def do_POST(self):
        try:
            token = self.engine.arguments.token
            if token and not secrets.compare_digest(self.headers.get("X-API-Key", ""), token):
                raise RequestError("missing or wrong X-API-Key", 401)
            self._route(self.path.removeprefix("/api/v1/"), self._body())
        except RequestError as error:
            self._reply({"detail": str(error)}, error.status)
        except (wire.WireError, KeyError, TypeError, json.JSONDecodeError, UnicodeDecodeError, ValueError) as error:
            self._reply({"detail": f"malformed request: {type(error).__name__}: {error}"}, 400)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _body(self):
        size = int(self.headers.get("Content-Length") or 0)
        if size > LARGEST_BODY:
            self.close_connection = True
            raise RequestError(f"body of {size} bytes is too large; split it", 413)
        return self.rfile.read(size)

    def _route(self, path, raw):
        engine = self.engine
        digest = hashlib.sha256(raw).digest()
        protobuf = self.headers.get("Content-Type", "").startswith("application/x-protobuf")
        if path == "forward_backward" and protobuf:
            body = wire.decode_forward_backward(raw)
            body["loss_fn_config"] = dict(body["loss_fn_config"])
            return self._future(engine.forward_backward(body, body["forward_only"], digest))
        body = json.loads(raw or b"{}")
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
        }
        if path in queued:
            return self._future(queued[path](body, digest))
        if path == "create_model":
            return self._future(engine.create_model(body))
        if path == "asample":
            return self._future(engine.sample(body))
        if path in ("unload_model", "telemetry"):
            return self._reply({})
        raise RequestError(f"unknown path {self.path}", 404)

    def _future(self, request_id):
        self._reply({"request_id": request_id, "model_id": self.engine.model_id})

    def _retrieve(self, body):
        future = self.engine.futures.get(body["request_id"])
        if future is None:
            raise RequestError("unknown or expired request; send it again", 410)
        if not future.done.wait(POLL_SECONDS):
            return self._reply({"type": "try_again", "request_id": body["request_id"], "queue_state": "active"})
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
        self.end_headers()
        self.wfile.write(content)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


def serve(arguments):
    handler = type("BoundHandler", (Handler,), {"engine": Engine(arguments)})
    server = Server((arguments.host, arguments.port), handler)
    print(json.dumps({"ready": f"http://{arguments.host}:{server.server_address[1]}", "device": arguments.device}), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.shutdown()
