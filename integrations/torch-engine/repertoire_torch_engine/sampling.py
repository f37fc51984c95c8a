"""Sampling with slots: sequences of different lengths decode side by side, and an ended one makes room for the next.

Every request draws from its own generator, so what it says does not depend on who is in the batch with it (up to the
rounding of batched arithmetic).
"""
import numpy as np
import torch

from .attention import DecodeContext, SlotCache, decoding


class SampleJob:
    def __init__(self, prompt, count, parameters, wants_prompt_logprobs, deliver):
        self.prompt = prompt
        self.count = count
        self.max_tokens = int(parameters.get("max_tokens") or 16)
        self.temperature = float(parameters.get("temperature", 1.0))
        self.top_k = int(parameters.get("top_k", -1))
        self.top_p = float(parameters.get("top_p", 1.0))
        self.seed = parameters.get("seed")
        stop = parameters.get("stop") or []
        self.stop_tokens = {s for s in stop if isinstance(s, int)} if isinstance(stop, list) else set()
        self.wants_prompt_logprobs = wants_prompt_logprobs
        self.prompt_temperature = float(parameters.get("prompt_logprobs_temperature", 1.0))
        self.deliver = deliver


class _Slot:
    def __init__(self, job, index, generator):
        self.job, self.index, self.generator = job, index, generator
        self.tokens, self.logprobs, self.tempered = [], [], []


class Sampler:
    def __init__(self, policy, slots=256, cache_tokens=None):
        self.policy = policy
        self.slots = slots
        self.cache_tokens = cache_tokens

    @torch.no_grad()
    def run(self, jobs, more):
        """Finishes all jobs; `more()` may hand over others that came in meanwhile and want the same weights."""
        waiting = [(job, index) for job in jobs for index in range(job.count)]
        finished = {id(job): [] for job in jobs}
        if not waiting:
            return
        length = max(len(job.prompt) + job.max_tokens for job in jobs)
        slots = min(self.slots, max(1, len(waiting)))
        if self.cache_tokens:
            slots = max(1, min(slots, self.cache_tokens // length))
        cache = SlotCache(self.policy.config, slots, length, self.policy.device, self.policy.dtype)
        active = {}
        free = list(range(slots))
        while waiting or active:
            admitted = []
            for job in more(length):
                finished[id(job)] = []
                waiting.extend((job, index) for index in range(job.count))
            while waiting and free:
                job, index = waiting.pop(0)
                slot = free.pop()
                seed = job.seed if job.seed is not None else int(torch.seed() & 0x7FFFFFFF)
                generator = np.random.Generator(np.random.Philox(key=[seed & 0xFFFFFFFFFFFFFFFF, index]))
                active[slot] = _Slot(job, index, generator)
                admitted.append(slot)
            if admitted:
                self._prefill(cache, {slot: active[slot] for slot in admitted}, active, free, finished)
            if active:
                self._decode(cache, active, free, finished)

    def _prefill(self, cache, admitted, active, free, finished):
        by_length = sorted(admitted.items(), key=lambda item: len(item[1].job.prompt))
        budget = 16_384
        while by_length:
            group = [by_length.pop()]
            longest = len(group[0][1].job.prompt)
            while by_length and longest * (len(group) + 1) <= budget:
                group.append(by_length.pop())
            ids = torch.zeros(len(group), longest, dtype=torch.long)
            for row, (_, slot) in enumerate(group):
                ids[row, : len(slot.job.prompt)] = torch.as_tensor(slot.job.prompt)
            device = self.policy.device
            positions = torch.arange(longest, device=device).expand(len(group), longest)
            context = DecodeContext(cache, torch.tensor([s for s, _ in group], device=device), positions, longest)
            with decoding(context):
                hidden = self.policy.decode_hidden(ids.to(device), positions)
            last = torch.tensor([len(slot.job.prompt) - 1 for _, slot in group], device=device)
            logits = self.policy.model.lm_head(hidden[torch.arange(len(group), device=device), last]).float()
            self._draw(group, logits, active, free, finished)

    def _decode(self, cache, active, free, finished):
        group = list(active.items())
        device = self.policy.device
        ids = torch.tensor([[slot.tokens[-1]] for _, slot in group], device=device)
        positions = torch.tensor([[len(s.job.prompt) + len(s.tokens) - 1] for _, s in group], device=device)
        length = max(len(s.job.prompt) + len(s.tokens) for _, s in group)
        length = min(cache.length, (length + 63) // 64 * 64)
        context = DecodeContext(cache, torch.tensor([s for s, _ in group], device=device), positions, length)
        with decoding(context):
            hidden = self.policy.decode_hidden(ids, positions)
        self._draw(group, self.policy.model.lm_head(hidden[:, 0]).float(), active, free, finished)

    def _draw(self, group, logits, active, free, finished):
        raw = torch.log_softmax(logits, -1)
        temperatures = torch.tensor([max(s.job.temperature, 1e-6) for _, s in group], device=logits.device)
        tempered = torch.log_softmax(logits / temperatures[:, None], -1)
        cut = self._cut(tempered, group)
        # The inverse of the cumulative distribution at one uniform number per row: a draw that depends on the row alone.
        uniform = torch.tensor([s.generator.random() for _, s in group], device=logits.device, dtype=torch.float64)
        cumulative = torch.cumsum(torch.exp(cut.double()), -1)
        drawn = torch.searchsorted(cumulative, (uniform * cumulative[:, -1])[:, None], right=True).squeeze(1)
        drawn = drawn.clamp(max=logits.shape[-1] - 1)
        greedy = torch.tensor([s.job.temperature <= 0 for _, s in group], device=logits.device)
        drawn = torch.where(greedy, logits.argmax(-1), drawn)
        rows = torch.arange(len(group), device=logits.device)
        chosen = torch.stack([drawn.double(), raw[rows, drawn].double(), tempered[rows, drawn].double()]).cpu().numpy()
        for row, (place, slot) in enumerate(group):
            token = int(chosen[0, row])
            slot.tokens.append(token)
            slot.logprobs.append(float(chosen[1, row]))
            slot.tempered.append(float(chosen[2, row]))
            stopped = token in slot.job.stop_tokens
            if stopped or len(slot.tokens) >= slot.job.max_tokens:
                del active[place]
                free.append(place)
                done = finished[id(slot.job)]
                done.append((slot.index, {
                    "stop_reason": "stop" if stopped else "length", "tokens": slot.tokens,
                    "logprobs": slot.logprobs, "tempered_logprobs": slot.tempered,
                }))
                if len(done) == slot.job.count:
                    slot.job.deliver([sequence for _, sequence in sorted(done, key=lambda item: item[0])])

    @staticmethod
    def _cut(tempered, group):
        if all(s.job.top_k <= 0 and s.job.top_p >= 1 for _, s in group):
            return tempered
        result = tempered.clone()
        ordered, order = torch.sort(tempered, descending=True, dim=-1)
        before = torch.cumsum(torch.exp(ordered), -1) - torch.exp(ordered)
        ranks = torch.arange(tempered.shape[-1], device=tempered.device)
        for row, (_, slot) in enumerate(group):
            out = before[row] >= slot.job.top_p
            if slot.job.top_k > 0:
                out = out | (ranks >= slot.job.top_k)
            result[row, order[row][out]] = float("-inf")
        return result
