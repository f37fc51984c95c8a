"""Bodies on the wire: JSON and protobuf forms of datums and results. Only the messages that the protocol uses."""
import struct

import numpy as np

FLOAT32, INT64, INT32, BFLOAT16 = 1, 2, 3, 4
_NUMPY = {FLOAT32: np.float32, INT64: np.int64, INT32: np.int32}
_JSON = {"float32": np.float32, "int64": np.int64, "int32": np.int32}


class WireError(ValueError):
    """The body does not have the form that the protocol says."""


def _varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise WireError("truncated number")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def fields(data):
    """The fields of a message as (number, wire type, value)."""
    at = 0
    view = memoryview(data)
    while at < len(view):
        key, at = _varint(view, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(view, at)
        elif kind == 1:
            value, at = struct.unpack_from("<d", view, at)[0], at + 8
        elif kind == 2:
            size, at = _varint(view, at)
            if at + size > len(view):
                raise WireError("truncated field")
            value, at = view[at : at + size], at + size
        elif kind == 5:
            value, at = struct.unpack_from("<f", view, at)[0], at + 4
        else:
            raise WireError(f"unknown wire type {kind}")
        yield number, kind, value


def _text(view):
    return bytes(view).decode("utf-8")


def _map_entry(view):
    key = value = None
    for number, _, content in fields(view):
        if number == 1:
            key = _text(content)
        elif number == 2:
            value = content
    return key, value


def _tensor(view):
    data, dtype = b"", FLOAT32
    for number, _, content in fields(view):
        if number == 1:
            data = content
        elif number == 2:
            raise WireError("sparse tensors are not supported")
        elif number == 3:
            dtype = content
    if dtype == BFLOAT16:
        wide = np.frombuffer(data, np.uint16).astype(np.uint32) << 16
        return wide.view(np.float32)
    if dtype not in _NUMPY:
        raise WireError(f"unknown tensor type {dtype}")
    return np.frombuffer(data, _NUMPY[dtype])


def _tokens(chunk):
    for number, _, content in fields(chunk):
        if number != 1:
            raise WireError("only text chunks are supported")
        for inner, _, tokens in fields(content):
            if inner == 1:
                return np.frombuffer(tokens, np.int32)
    return np.zeros(0, np.int32)


def decode_forward_backward(body):
    """A ForwardBackwardRequest as the dictionary that the JSON form gives."""
    request = {"model_id": "", "seq_id": 0, "data": [], "loss_fn": "", "loss_fn_config": {}, "forward_only": False}
    for number, _, value in fields(body):
        if number == 1:
            request["model_id"] = _text(value)
        elif number == 2:
            request["seq_id"] = value
        elif number == 3:
            chunks, inputs = [], {}
            for inner, _, content in fields(value):
                if inner == 1:
                    chunks.append(_tokens(content))
                elif inner == 2:
                    key, tensor = _map_entry(content)
                    inputs[key] = _tensor(tensor)
            request["data"].append((np.concatenate(chunks) if chunks else np.zeros(0, np.int32), inputs))
        elif number == 4:
            request["loss_fn"] = _text(value)
        elif number == 5:
            key, content = _map_entry(value)
            request["loss_fn_config"][key] = content
        elif number == 6:
            request["forward_only"] = bool(value)
    return request


def decode_json_datums(data):
    datums = []
    for datum in data:
        tokens = [t for chunk in datum["model_input"]["chunks"] for t in chunk["tokens"]]
        inputs = {}
        for key, tensor in datum["loss_fn_inputs"].items():
            dtype = _JSON.get(tensor.get("dtype", "float32"))
            if dtype is None:
                raise WireError(f"unknown tensor type {tensor.get('dtype')}")
            inputs[key] = np.asarray(tensor["data"], dtype)
        datums.append((np.asarray(tokens, np.int32), inputs))
    return datums


def _put_varint(value):
    out = bytearray()
    while value > 127:
        out.append((value & 127) | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _put_bytes(number, content):
    return _put_varint(number << 3 | 2) + _put_varint(len(content)) + bytes(content)


def _put_double_entry(number, key, value):
    entry = _put_bytes(1, key.encode()) + _put_varint(2 << 3 | 1) + struct.pack("<d", value)
    return _put_bytes(number, entry)


def encode_forward_backward_output(outputs, metrics):
    """outputs: one dictionary of float arrays per datum."""
    result = bytearray(_put_bytes(1, b"TrainingOutput"))
    record = bytearray()
    for name in outputs[0] if outputs else ():
        arrays = [np.ascontiguousarray(output[name], np.float32) for output in outputs]
        ends = np.cumsum([0] + [array.nbytes for array in arrays]).astype(np.int64)
        tensor = _put_bytes(1, b"".join(array.tobytes() for array in arrays)) + _put_bytes(2, ends.tobytes())
        tensor += _put_varint(3 << 3) + _put_varint(FLOAT32)
        record += _put_bytes(2, _put_bytes(1, name.encode()) + _put_bytes(2, tensor))
    record += _put_varint(3 << 3) + _put_varint(len(outputs))
    result += _put_bytes(2, record)
    for name, value in metrics.items():
        result += _put_double_entry(3, name, float(value))
    return bytes(result)
