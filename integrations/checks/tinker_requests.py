"""Requests of ours, read with the Tinker SDK's own models, which forbid fields that they do not know, and its own protobuf.

    PYTHONPATH=integrations/checks:<tinker>/src python tinker_requests.py < requests.jsonl

A line is {"path", "body"}, or {"path", "base64"} of protobuf. Prints how many were read of each path, and fails at the first that is not one.
"""

import base64
import collections
import importlib
import json
import sys

import tinker
from tinker.proto import tinker_public_pb2

MODELS = {
    "asample": "sample_request.SampleRequest",
    "client/config": "client_config_request.ClientConfigRequest",
    "create_model": "create_model_request.CreateModelRequest",
    "create_sampling_session": "create_sampling_session_request.CreateSamplingSessionRequest",
    "create_session": "create_session_request.CreateSessionRequest",
    "load_weights": "load_weights_request.LoadWeightsRequest",
    "optim_step": "optim_step_request.OptimStepRequest",
    "retrieve_future": "future_retrieve_request.FutureRetrieveRequest",
    "save_weights": "save_weights_request.SaveWeightsRequest",
    "save_weights_for_sampler": "save_weights_for_sampler_request.SaveWeightsForSamplerRequest",
    "session_heartbeat": "session_heartbeat_request.SessionHeartbeatRequest",
    "unload_model": "unload_model_request.UnloadModelRequest",
}

read = collections.Counter()
for line in sys.stdin:
    asked = json.loads(line)
    path = asked["path"]
    read[path] += 1
    if "base64" in asked:
        raw = base64.b64decode(asked["base64"])
        message = tinker_public_pb2.ForwardBackwardRequest.FromString(raw)
        # Fields that it does not know would be written again; those of another type would not be read.
        message.DiscardUnknownFields()
        assert message.ByteSize() == len(raw), f"{path}: {len(raw)} bytes are {message.ByteSize()} to the SDK"
        continue
    module, name = MODELS[path].split(".")
    getattr(importlib.import_module(f"tinker.types.{module}"), name).model_validate(asked["body"])
print(json.dumps({"tinker": tinker.__version__, "read": read}))
