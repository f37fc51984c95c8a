"""Sampling with slots: sequences of different lengths decode side by side, and an ended one makes room for the next.

Every request draws from its own generator, so what it says does not depend on who is in the batch with it (up to the
rounding of batched arithmetic).
"""
import collections

import numpy as np
import torch

from .attention import PrefillContext, SlotCache, slot_bytes
from .decoding import Decoder

PREFILL_TOKENS = 16_384
# How long a batch that arrives in pieces is waited for before the first step.
GATHER_SECONDS = 0.003
UNIFORMS = 64
# What reading prompts, captured steps and logits take beside the cache.
BESIDE_CACHE = 10 << 30


class SampleJob:
    def __init__(self, prompt, count, parameters, deliver):
        self.prompt = prompt
        self.count = count
        self.max_tokens = int(parameters.get("max_tokens") or 16)
        self.temperature = float(parameters.get("temperature", 1.0))
        self.top_k = int(parameters.get("top_k", -1))
        self.top_p = float(parameters.get("top_p", 1.0))
        self.seed = parameters.get("seed")
        stop = parameters.get("stop") or []
        self.stop_tokens = {s for s in stop if isinstance(s, int)} if isinstance(stop, list) else set()
        self.deliver = deliver
        self.done = []

    @property
    def longest(self):
        return len(self.prompt) + self.max_tokens


class SampleWork:
    """A request to sample, or to score its prompt. Those of one kind are done together."""

    def __init__(self, weights, prompt, count, parameters, scores_prompt):
        self.weights, self.prompt, self.count = weights, prompt, count
        self.parameters, self.scores_prompt = parameters, scores_prompt
        self.temperature = float(parameters.get("prompt_logprobs_temperature", 1.0))
        self.kind = (weights, self.temperature if scores_prompt else None)


class _Row:
    """One sequence on its way."""

    def __init__(self, job, index):
        seed = job.seed if job.seed is not None else int(np.random.SeedSequence().entropy & 0x7FFFFFFF)
        self.job, self.index = job, index
        self.generator = np.random.Generator(np.random.Philox(key=[seed & 0xFFFFFFFFFFFFFFFF, index]))
        self.uniforms = []
        self.tokens, self.logprobs, self.tempered = [], [], []
        self.length = len(job.prompt)

    def uniform(self):
        # Many at a time: one by one they would cost as much as the step itself.
        if not self.uniforms:
            self.uniforms = self.generator.random(UNIFORMS)[::-1].tolist()
        return self.uniforms.pop()

    def add(self, token, logprob, tempered):
        self.tokens.append(token)
        self.logprobs.append(logprob)
        self.tempered.append(tempered)
        self.length += 1

    @property
    def context(self):
        """What the model has to read before the next token is drawn."""
        return self.job.prompt + self.tokens

    def finish(self, stopped):
        self.job.done.append((self.index, {
            "stop_reason": "stop" if stopped else "length", "tokens": self.tokens,
            "logprobs": self.logprobs, "tempered_logprobs": self.tempered,
        }))
        if len(self.job.done) == self.job.count:
            self.job.deliver([sequence for _, sequence in sorted(self.job.done, key=lambda item: item[0])])


def size_class(count):
    """Slots come in a few numbers, so that few decoding steps need to be captured: 1, 2, 3, 4, 6, 8, 12, 16, …"""
    size = 1
    while size < count:
        size = size * 3 // 2 if size & (size - 1) == 0 and size > 1 else (size * 4 + 2) // 3
    return size


class Sampler:
    def __init__(self, policy, slots=256, cache_bytes=None):
        self.policy = policy
        self.slots = slots
        self.cache_bytes = cache_bytes

    @torch.no_grad()
    def run(self, jobs, more):
        """Finishes all jobs; `more(room, wait)` hands over others that came in meanwhile."""
        batch = _Batch(self.policy, self.slots, self.cache_bytes or self._free_bytes())
        waiting = collections.deque(_Row(job, index) for job in jobs for index in range(job.count))
        while True:
            room = self.slots - batch.busy - len(waiting)
            if room > 0:
                fresh = more(room, 0.0 if batch.busy else GATHER_SECONDS)
                waiting.extend(_Row(job, index) for job in fresh for index in range(job.count))
            if not waiting and not batch.busy:
                return
            batch.make_room(waiting)
            admitted = batch.admit(waiting)
            if admitted:
                self._prefill(batch, admitted)
            if batch.busy:
                self._decode(batch)

    def _free_bytes(self):
        if self.policy.device.type != "cuda":
            return 2 << 30
        torch.cuda.empty_cache()
        free = torch.cuda.mem_get_info(self.policy.device)[0]
        return max(int(0.7 * free), free - BESIDE_CACHE)

    def _prefill(self, batch, admitted):
        device = self.policy.device
        by_length = sorted(admitted, key=lambda item: item[1].length)
        while by_length:
            group = [by_length.pop()]
            longest = group[0][1].length
            while by_length and longest * (len(group) + 1) <= PREFILL_TOKENS:
                group.append(by_length.pop())
            ids = torch.zeros(len(group), longest, dtype=torch.long)
            for line, (_, row) in enumerate(group):
                ids[line, : row.length] = torch.as_tensor(row.context)
            positions = torch.arange(longest, device=device).expand(len(group), longest)
            slots = torch.tensor([slot for slot, _ in group], device=device)
            lengths = torch.tensor([row.length for _, row in group], device=device)
            with self.policy.place.within(PrefillContext(batch.cache, slots, lengths)):
                hidden = self.policy.hidden(ids.to(device), positions)
            logits = self.policy.logits(hidden[torch.arange(len(group), device=device), lengths - 1])
            self._draw(group, logits, batch.rows)

    def _decode(self, batch):
        device, rows = self.policy.device, batch.rows
        # Idle slots take part with their first position: their result is not looked at.
        ids = torch.tensor([[row.tokens[-1] if row else 0] for row in rows]).to(device, non_blocking=True)
        places = [[row.length - 1 if row else 0] for row in rows]
        positions = torch.tensor(places).to(device, non_blocking=True)
        logits = batch.decoder.logits(ids, positions, max(place[0] for place in places))
        busy = [(slot, row) for slot, row in enumerate(rows) if row is not None]
        if len(busy) < len(rows):
            logits = logits[torch.tensor([slot for slot, _ in busy], device=device)]
        self._draw(busy, logits, rows)

    def _draw(self, group, logits, rows):
        device = logits.device
        jobs = [row.job for _, row in group]
        raw = torch.log_softmax(logits, -1)
        temperatures = torch.tensor([job.temperature if job.temperature > 0 else 1.0 for job in jobs], device=device)
        tempered = torch.log_softmax(logits / temperatures[:, None], -1)
        # The inverse of the cumulative distribution at one uniform number per row: a draw that depends on the row alone.
        uniform = torch.tensor([row.uniform() for _, row in group], device=device)
        cumulative = torch.cumsum(torch.exp(self._cut(tempered, jobs)), -1)
        drawn = torch.searchsorted(cumulative, (uniform * cumulative[:, -1])[:, None], right=True).squeeze(1)
        drawn = drawn.clamp(max=logits.shape[-1] - 1)
        if any(job.temperature <= 0 for job in jobs):
            greedy = torch.tensor([job.temperature <= 0 for job in jobs], device=device)
            drawn = torch.where(greedy, logits.argmax(-1), drawn)
        lines = torch.arange(len(group), device=device)
        # One transfer for all three; tokens fit a double exactly.
        chosen = torch.stack([drawn.double(), raw[lines, drawn].double(), tempered[lines, drawn].double()]).tolist()
        for (slot, row), token, logprob, tempered_logprob in zip(group, *chosen):
            row.add(int(token), logprob, tempered_logprob)
            stopped = row.tokens[-1] in row.job.stop_tokens
            if stopped or len(row.tokens) >= row.job.max_tokens:
                rows[slot] = None
                row.finish(stopped)

    @staticmethod
    def _cut(tempered, jobs):
        if all(job.top_k <= 0 and job.top_p >= 1 for job in jobs):
            return tempered
        result = tempered.clone()
        ordered, order = torch.sort(tempered, descending=True, dim=-1)
        before = torch.cumsum(torch.exp(ordered), -1) - torch.exp(ordered)
        ranks = torch.arange(tempered.shape[-1], device=tempered.device)
        for line, job in enumerate(jobs):
            out = before[line] >= job.top_p
            if job.top_k > 0:
                out = out | (ranks >= job.top_k)
            result[line, order[line][out]] = float("-inf")
        return result


class _Batch:
    """The slots: who is in them, and a cache that grows with the sequences and stays within its bytes. When it cannot grow,
    the shortest sequences go back to the queue and are read again later; what they have said so far is kept."""

    def __init__(self, policy, most_slots, cache_bytes):
        self.policy, self.most_slots, self.cache_bytes = policy, most_slots, cache_bytes
        self.rows = []
        self.cache = SlotCache(0, 0)
        self.decoder = Decoder(policy, self.cache)

    @property
    def busy(self):
        return sum(row is not None for row in self.rows)

    def make_room(self, waiting):
        """Before a step: every row has a place for one more token, and there are slots for those that wait."""
        while True:
            present = [row for row in self.rows if row is not None]
            longest = max((row.length + 1 for row in present), default=0)
            length = self.cache.length if longest <= self.cache.length else self._grown(longest)
            if len(present) <= 1 or self._bytes(self._size(len(present)), length) <= self.cache_bytes:
                break
            shortest = min(present, key=lambda row: row.length)
            self.rows[self.rows.index(shortest)] = None
            waiting.appendleft(shortest)
        entering = 0
        for row in list(waiting)[: self.most_slots - len(present)]:
            wanted = max(length, self._grown(row.length + 1))
            if present or entering:
                if self._bytes(self._size(len(present) + entering + 1), wanted) > self.cache_bytes:
                    break
            entering, length = entering + 1, wanted
        self._resize(self._size(len(present) + entering), length)

    def admit(self, waiting):
        admitted = []
        for slot, row in enumerate(self.rows):
            if row is None and waiting and waiting[0].length < self.cache.length:
                self.rows[slot] = waiting.popleft()
                admitted.append((slot, self.rows[slot]))
        return admitted

    def _size(self, count):
        # Slots beside the busy ones cost nothing but their memory; without captured steps there is no need of them.
        return min(size_class(count), self.most_slots) if self.decoder.capture else count

    def _bytes(self, slots, length):
        return slots * slot_bytes(self.policy.config, length, self.policy.dtype)

    @staticmethod
    def _grown(length):
        """A quarter more than needed, so that growing is rare."""
        return (length * 5 // 4 + 255) // 256 * 256

    def _resize(self, slots, length):
        # Fewer slots only when it is worth the move: half of them idle.
        slots = max(slots, 1)
        if slots < len(self.rows) and 2 * slots > len(self.rows):
            slots = len(self.rows)
        if slots < len(self.rows):
            holes = [slot for slot in range(slots) if self.rows[slot] is None]
            for source in range(slots, len(self.rows)):
                if self.rows[source] is not None:
                    target = holes.pop(0)
                    self.cache.move(source, target)
                    self.rows[target], self.rows[source] = self.rows[source], None
        self.rows = self.rows[:slots] + [None] * (slots - len(self.rows))
        if slots > self.cache.slots or length > self.cache.length or 2 * slots <= self.cache.slots:
            self.cache.resize(slots, max(length, self.cache.length))
            self.decoder = Decoder(self.policy, self.cache)
