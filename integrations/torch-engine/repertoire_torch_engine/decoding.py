"""One decoding step for all slots. On a GPU it is captured once per size and replayed, so that the many small kernels of
a step are not launched one by one."""
import torch

from .attention import DecodeContext


def length_bucket(length, longest):
    """Keys are looked at up to the next of a few sizes: at most a quarter is read for nothing."""
    bucket = 256
    while bucket < length:
        bucket = bucket * 5 // 4 // 64 * 64 + 64
    return min(bucket, longest)


class Decoder:
    def __init__(self, policy, cache):
        self.policy, self.cache = policy, cache
        self.captured = {}
        self.capture = policy.device.type == "cuda"

    def logits(self, ids, positions, longest_position):
        """ids and positions: [rows, 1] for the first rows of the cache."""
        length = length_bucket(longest_position + 1, self.cache.length)
        if not self.capture:
            return self._run(ids, positions, length)
        key = (ids.shape[0], length)
        if key not in self.captured:
            self.captured[key] = self._record(ids, positions, length)
        graph, held_ids, held_positions, output = self.captured[key]
        held_ids.copy_(ids)
        held_positions.copy_(positions)
        graph.replay()
        return output

    def _run(self, ids, positions, length):
        with self.policy.place.within(DecodeContext(self.cache, positions, length)):
            hidden = self.policy.hidden(ids, positions)
        return self.policy.logits(hidden[:, 0])

    def _record(self, ids, positions, length):
        held_ids, held_positions = ids.clone(), positions.clone()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self._run(held_ids, held_positions, length)  # allocations and lazy set-up happen outside the recording
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            output = self._run(held_ids, held_positions, length)
        return graph, held_ids, held_positions, output
