"""Replicas of the model: one in this process, or one process for each device, each with an interpreter and a worker of its own.
The parent forwards: weights by name, shares of a batch, samples; gradients come back and values go out through shared memory."""
import contextlib
import signal
import threading

import torch
import torch.multiprocessing

from .policy import Policy
from .sampling import SampleJob, Sampler
from .training import Replica, TrainingError


def replica_here(arguments, device):
    policy = Policy(arguments.model, device, getattr(torch, arguments.dtype), arguments.seed, arguments.gradient_checkpointing)
    sampler = Sampler(policy, arguments.slots, arguments.cache_bytes, arguments.cache_bits)
    return Replica(policy, arguments.head_rows, sampler)


def open_replicas(arguments):
    devices = arguments.device.split(",")
    if len(devices) == 1:
        return [replica_here(arguments, devices[0])]
    # All of them begin to load before the first is waited for.
    replicas = [RemoteReplica(arguments, device) for device in devices]
    for replica in replicas:
        replica.facts = replica._receive()
    return replicas


class RemoteReplica:
    """The same verbs as a `Replica`, done by a process of its own."""

    def __init__(self, arguments, device):
        self.device = device
        context = torch.multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, arguments, device), daemon=True)
        self.process.start()
        theirs.close()
        self.lock = threading.Lock()
        self.facts = None

    def call(self, verb, *given):
        with self.lock:
            self._send((verb, given))
            return self._receive()

    def sample(self, weights, jobs, more):
        """`jobs` and what `more` returns are sample jobs; they are delivered as they end."""
        known = {}

        def described(fresh):
            for job in fresh:
                known[id(job)] = job
            return [(id(job), job.prompt, job.count, job.parameters) for job in fresh]

        with self.lock:
            self._send(("sample", (weights, described(jobs))))
            while True:
                kind, *told = self._receive()
                if kind == "ended":
                    return
                if kind == "more":
                    self._send(described(more(*told)))
                else:
                    known.pop(told[0]).deliver(told[1])

    def close(self):
        self.process.terminate()

    def _send(self, message):
        try:
            self.connection.send(message)
        except OSError as error:
            raise self._gone() from error

    def _receive(self):
        try:
            failed, answer = self.connection.recv()
        except (EOFError, OSError) as error:
            raise self._gone() from error
        if failed == "user":
            raise TrainingError(answer)
        if failed:
            raise RuntimeError(answer)
        return answer

    def _gone(self):
        return RuntimeError(f"the replica on {self.device} has ended; restart the server, weights go on from their last checkpoint")


def _serve(connection, arguments, device):
    # Ctrl-C reaches the whole group; the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    torch.set_float32_matmul_precision("high" if arguments.dtype == "bfloat16" else "highest")
    replica = replica_here(arguments, device)
    with contextlib.suppress(BrokenPipeError, EOFError):  # the parent is gone
        connection.send((None, replica.facts))
        while True:
            verb, given = connection.recv()
            connection.send(_answer(connection, replica, verb, given))


def _answer(connection, replica, verb, given):
    """What went wrong, if anything did, and the answer: the parent tells whoever asked."""
    try:
        if verb == "sample":
            _sample(connection, replica, *given)
            return None, ("ended",)
        return None, replica.call(verb, *given)
    except TrainingError as error:
        return "user", str(error)
    except (BrokenPipeError, EOFError):
        raise
    except Exception as error:  # noqa: BLE001
        if isinstance(error, torch.cuda.OutOfMemoryError):
            torch.cuda.empty_cache()
        return "server", f"{type(error).__name__}: {error}"


def _sample(connection, replica, weights, described):
    def jobs_of(described):
        return [
            SampleJob(prompt, count, parameters, lambda sequences, key=key: connection.send((None, ("deliver", key, sequences))))
            for key, prompt, count, parameters in described
        ]

    def more(room, wait=0.0):
        connection.send((None, ("more", room, wait)))
        return jobs_of(connection.recv())

    replica.sample(weights, jobs_of(described), more)
