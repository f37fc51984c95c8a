"""One decoding step for all slots. On a GPU it is captured once for a number of rows and replayed, so that the many small
kernels of a step are not launched one by one."""
import torch

from . import decode_kernel
from .attention import DecodeContext, head_size


class Flight:
    """What was drawn, on its way from the device: line for line, or in as many lines as there are slots."""

    def __init__(self, entries, results):
        self.entries = entries
        self.by_slot = results.shape[0] != len(entries)
        self.landed = None
        if results.device.type == "cuda":
            self.results = torch.empty(results.shape, dtype=results.dtype, pin_memory=True)
            self.results.copy_(results, non_blocking=True)
            self.landed = torch.cuda.Event()
            self.landed.record()
        else:
            self.results = results

    def land(self):
        if self.landed is not None:
            self.landed.synchronize()
        values = self.results.tolist()
        if self.by_slot:
            values = [values[slot] for slot, _ in self.entries]
        return zip(self.entries, values)


class Decoder:
    def __init__(self, policy, cache):
        self.policy, self.cache = policy, cache
        self.captured = {}
        # The plain form of attention looks at as many keys as the longest row has: that is another step every time.
        self.capture = decode_kernel.usable(policy.device, head_size(policy.config))
        self.pool = torch.cuda.graph_pool_handle() if self.capture else None

    def logits(self, ids, positions, longest):
        """ids and positions: [rows, 1] for the first rows of the cache; valid until the next step."""
        if not self.capture:
            return self._run(ids, positions, longest)
        rows = ids.shape[0]
        if rows not in self.captured:
            self.captured[rows] = self._record(ids, positions, longest)
        graph, held_ids, held_positions, output = self.captured[rows]
        held_ids.copy_(ids)
        held_positions.copy_(positions)
        graph.replay()
        return output

    def _run(self, ids, positions, longest):
        with self.policy.place.within(DecodeContext(self.cache, positions, longest)):
            hidden = self.policy.hidden(ids, positions)
        return self.policy.logits(hidden[:, 0])

    def _record(self, ids, positions, longest):
        held_ids, held_positions = ids.clone(), positions.clone()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self._run(held_ids, held_positions, longest)  # allocations and lazy set-up happen outside the recording
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self.pool):
            output = self._run(held_ids, held_positions, longest)
        return graph, held_ids, held_positions, output

