"""Sampling with slots: sequences of different lengths decode side by side, and an ended one makes room for the next.

Every request draws from its own generator, so what it says does not depend on who is in the batch with it (up to the
rounding of batched arithmetic).
"""
import numpy as np
import torch

from .attention import PrefillContext, SlotCache, within
from .decoding import Decoder

PREFILL_TOKENS = 16_384


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


class _Row:
    """One sequence on its way."""

    def __init__(self, job, index):
        seed = job.seed if job.seed is not None else int(np.random.SeedSequence().entropy & 0x7FFFFFFF)
        self.job, self.index = job, index
        self.generator = np.random.Generator(np.random.Philox(key=[seed & 0xFFFFFFFFFFFFFFFF, index]))
        self.tokens, self.logprobs, self.tempered = [], [], []

    @property
    def position(self):
        return len(self.job.prompt) + len(self.tokens) - 1

    def finish(self, stopped):
        self.job.done.append((self.index, {
            "stop_reason": "stop" if stopped else "length", "tokens": self.tokens,
            "logprobs": self.logprobs, "tempered_logprobs": self.tempered,
        }))
        if len(self.job.done) == self.job.count:
            self.job.deliver([sequence for _, sequence in sorted(self.job.done, key=lambda item: item[0])])


class Sampler:
    def __init__(self, policy, slots=256, cache_tokens=None):
        self.policy = policy
        self.slots = slots
        self.cache_tokens = cache_tokens

    @torch.no_grad()
    def run(self, jobs, more):
        """Finishes all jobs; `more(length)` may hand over others that came in meanwhile and fit into `length`."""
        waiting = [_Row(job, index) for job in jobs for index in range(job.count)]
        if not waiting:
            return
        length = max(job.longest for job in jobs)
        slots = min(self.slots, len(waiting))
        if self.cache_tokens:
            slots = max(1, min(slots, self.cache_tokens // length))
        cache = SlotCache(self.policy.config, slots, length, self.policy.device, self.policy.dtype)
        decoder = Decoder(self.policy, cache)
        rows = [None] * slots
        while waiting or any(rows):
            waiting.extend(_Row(job, index) for job in more(length) for index in range(job.count))
            free = [slot for slot, row in enumerate(rows) if row is None]
            admitted = {}
            while waiting and free:
                slot = free.pop(0)
                admitted[slot] = rows[slot] = waiting.pop(0)
            if admitted:
                self._prefill(cache, admitted, rows)
            rows = self._compact(cache, rows, waiting)
            if any(rows):
                self._decode(decoder, rows)

    @staticmethod
    def _compact(cache, rows, waiting):
        """When half of the slots are idle and nobody waits, the busy ones move together and the rest is given up."""
        busy = [slot for slot, row in enumerate(rows) if row is not None]
        if waiting or not busy or 2 * len(busy) > len(rows):
            return rows
        size = 1
        while size < len(busy):
            size *= 2
        holes = [slot for slot in range(len(busy)) if rows[slot] is None]
        for source in [slot for slot in busy if slot >= len(busy)]:
            target = holes.pop()
            cache.move(source, target)
            rows[target], rows[source] = rows[source], None
        return rows[:size]

    def _prefill(self, cache, admitted, rows):
        device = self.policy.device
        by_length = sorted(admitted.items(), key=lambda item: len(item[1].job.prompt))
        while by_length:
            group = [by_length.pop()]
            longest = len(group[0][1].job.prompt)
            while by_length and longest * (len(group) + 1) <= PREFILL_TOKENS:
                group.append(by_length.pop())
            ids = torch.zeros(len(group), longest, dtype=torch.long)
            for line, (_, row) in enumerate(group):
                ids[line, : len(row.job.prompt)] = torch.as_tensor(row.job.prompt)
            positions = torch.arange(longest, device=device).expand(len(group), longest)
            slots = torch.tensor([slot for slot, _ in group], device=device)
            with within(PrefillContext(cache, slots)):
                hidden = self.policy.decode_hidden(ids.to(device), positions)
            last = torch.tensor([len(row.job.prompt) - 1 for _, row in group], device=device)
            logits = self.policy.model.lm_head(hidden[torch.arange(len(group), device=device), last]).float()
            self._draw(group, logits, rows)

    def _decode(self, decoder, rows):
        device = self.policy.device
        # Idle slots take part with their first position: their result is not looked at.
        ids = torch.tensor([[row.tokens[-1] if row else 0] for row in rows]).to(device, non_blocking=True)
        places = [[row.position if row else 0] for row in rows]
        positions = torch.tensor(places).to(device, non_blocking=True)
        logits = decoder.logits(ids, positions, max(place[0] for place in places))
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
        uniform = torch.tensor([row.generator.random() for _, row in group], device=device)
        cumulative = torch.cumsum(torch.exp(self._cut(tempered, jobs)), -1)
        drawn = torch.searchsorted(cumulative, (uniform * cumulative[:, -1])[:, None], right=True).squeeze(1)
        drawn = drawn.clamp(max=logits.shape[-1] - 1)
        if any(job.temperature <= 0 for job in jobs):
            greedy = torch.tensor([job.temperature <= 0 for job in jobs], device=device)
            drawn = torch.where(greedy, logits.argmax(-1), drawn)
        lines = torch.arange(len(group), device=device)
        chosen = torch.stack([drawn.double(), raw[lines, drawn].double(), tempered[lines, drawn].double()]).cpu().numpy()
        for line, (slot, row) in enumerate(group):
            token = int(chosen[0, line])
            row.tokens.append(token)
            row.logprobs.append(float(chosen[1, line]))
            row.tempered.append(float(chosen[2, line]))
            stopped = token in row.job.stop_tokens
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
