"""Sampling with slots: sequences of different lengths decode side by side, and an ended one makes room for the next.

Every request draws from its own generator, so what it says does not depend on who is in the batch with it (up to the
rounding of batched arithmetic).
"""
import collections
import itertools

import numpy as np
import torch

from . import decode_kernel, kernels
from .attention import PrefillContext, SlotCache, head_size, slot_bytes
from .decoding import Decoder, Flight

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
        self.parameters = parameters
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
    """One sequence on its way. Its tokens may be drawn on the device before they are known here."""

    def __init__(self, job, index):
        seed = job.seed if job.seed is not None else int(np.random.SeedSequence().entropy & 0x7FFFFFFF)
        self.job, self.index = job, index
        self.generator = np.random.Generator(np.random.Philox(key=[seed & 0xFFFFFFFFFFFFFFFF, index]))
        self.uniforms = []
        self.tokens, self.logprobs, self.tempered = [], [], []
        # With the tokens that are drawn and not yet known.
        self.length = len(job.prompt)
        self.ended = False
        # Who had its context read with this one's, and how long it was.
        self.read_with, self.read = None, 0

    def draw(self):
        """The uniform number of the next token. Many at a time: one by one they would cost as much as the step itself."""
        if not self.uniforms:
            self.uniforms = self.generator.random(UNIFORMS)[::-1].tolist()
        self.length += 1
        return self.uniforms.pop()

    @property
    def drawn_out(self):
        return self.length - len(self.job.prompt) >= self.job.max_tokens

    @property
    def context(self):
        """What the model has to read before the next token is drawn."""
        return self.job.prompt + self.tokens

    def add(self, token, logprob, tempered):
        self.tokens.append(token)
        self.logprobs.append(logprob)
        self.tempered.append(tempered)
        stopped = token in self.job.stop_tokens
        if stopped or len(self.tokens) >= self.job.max_tokens:
            self.ended = True
            self._finish(stopped)

    def _finish(self, stopped):
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


def exact_bits(policy):
    """The fewest bits in which keys and values are what the model made them. Where several queries share a key there is less to read, and
    unpacking for the matrix unit gained nothing in 8 bits."""
    config = policy.config
    alone = (getattr(config, "num_key_value_heads", None) or config.num_attention_heads) == config.num_attention_heads
    return 12 if alone and policy.dtype == torch.bfloat16 and decode_kernel.usable(policy.device, head_size(config)) else 16


class Sampler:
    """`bits` of keys and values: 16 are the model's own numbers, 12 hold the same in less (see packed.py), 8 change log-probs.
    `shares`: rows that began with the same prompt read one of its copies; nothing changes but the time."""

    def __init__(self, policy, slots=256, cache_bytes=None, bits=None, shares=True):
        self.policy = policy
        self.slots = slots
        self.cache_bytes = cache_bytes
        self.bits, self.shares = bits or exact_bits(policy), shares
        if self.bits == 12 and head_size(policy.config) % 8 > 0:
            raise ValueError(f"12 bits need heads of a multiple of 8 numbers, this model's have {head_size(policy.config)}: choose 16 or 8")

    @torch.no_grad()
    def run(self, jobs, more):
        """Finishes all jobs; `more(room, wait)` hands over others that came in meanwhile."""
        batch = _Batch(self.policy, self.slots, self.cache_bytes or self._free_bytes(), self.bits, self.shares)
        waiting = collections.deque(_Row(job, index) for job in jobs for index in range(job.count))
        while True:
            room = self.slots - batch.busy - len(waiting)
            if room > 0:
                fresh = more(room, 0.0 if batch.busy or batch.flights else GATHER_SECONDS)
                waiting.extend(_Row(job, index) for job in fresh for index in range(job.count))
            if not waiting and not batch.busy:
                if not batch.flights:
                    return
                batch.land(0)
                continue
            batch.make_room(waiting)
            admitted = batch.admit(waiting)
            if admitted:
                self._prefill(batch, admitted)
            if batch.busy:
                self._decode(batch)
            # On a GPU one step is under way while the one before it is looked at here.
            batch.land(1 if batch.device.type == "cuda" else 0)

    def _free_bytes(self):
        if self.policy.device.type != "cuda":
            return 2 << 30
        torch.cuda.empty_cache()
        free = torch.cuda.mem_get_info(self.policy.device)[0]
        return max(int(0.7 * free), free - BESIDE_CACHE)

    def _prefill(self, batch, admitted):
        """Rows that begin with the same prompt have it read once."""
        device = self.policy.device
        same = {}
        for slot, row in admitted:
            same.setdefault(tuple(row.context), []).append((slot, row))
        by_length = sorted(same.items(), key=lambda item: len(item[0]))
        while by_length:
            contexts = [by_length.pop()]
            longest = len(contexts[0][0])
            while by_length and longest * (len(contexts) + 1) <= PREFILL_TOKENS:
                contexts.append(by_length.pop())
            ids = torch.zeros(len(contexts), longest, dtype=torch.long)
            for line, (context, _) in enumerate(contexts):
                ids[line, : len(context)] = torch.as_tensor(context)
            positions = torch.arange(longest, device=device).expand(len(contexts), longest)
            lengths = torch.tensor([len(context) for context, _ in contexts], device=device)
            group = [entry for _, entries in contexts for entry in entries]
            for context, entries in contexts:
                together = object()
                for _, row in entries:
                    row.read_with, row.read = together, len(context)
            slots = torch.tensor([slot for slot, _ in group], device=device)
            lines = torch.tensor([line for line, (_, entries) in enumerate(contexts) for _ in entries], device=device)
            with self.policy.place.within(PrefillContext(batch.cache, slots, lines, lengths)):
                hidden = self.policy.hidden(ids.to(device), positions)
            logits = self.policy.logits(hidden[torch.arange(len(contexts), device=device), lengths - 1])[lines]
            jobs = [row.job for _, row in group]
            heats = torch.tensor([job.temperature for job in jobs], device=device)
            tokens = batch.draw(group, logits, heats, [row.draw() for _, row in group], jobs)
            batch.begin(group, slots, tokens)

    def _decode(self, batch):
        batch.rest()
        rows = batch.rows
        busy = [(slot, row) for slot, row in enumerate(rows) if row is not None]
        logits = batch.decoder.logits(batch.ids, batch.positions, max(row.length - 1 for _, row in busy))
        # Idle slots take part with their first position: their result is not looked at.
        uniforms = [0.5 if row is None else row.draw() for row in rows]
        tokens = batch.draw(busy, logits, batch.heats, uniforms, [row and row.job for row in rows])
        batch.advance(tokens)


def uploaded(values, device):
    """To the device without waiting for what it is doing: from pageable memory a copy would."""
    if device.type != "cuda":
        return torch.tensor(values, dtype=torch.float32, device=device)
    return torch.tensor(values, dtype=torch.float32, pin_memory=True).to(device, non_blocking=True)


def draw_plainly(logits, heats, uniforms, jobs):
    """One token a row, and [rows, 3] doubles: token, log-prob, log-prob at the row's temperature. The inverse of the cumulative
    distribution at one uniform number per row: a draw that depends on the row alone."""
    raw = torch.log_softmax(logits, -1)
    tempered = torch.log_softmax(logits / torch.where(heats > 0, heats, 1.0)[:, None], -1)
    cumulative = torch.cumsum(torch.exp(_cut(tempered, jobs)), -1)
    drawn = torch.searchsorted(cumulative, (uniforms * cumulative[:, -1])[:, None], right=True).squeeze(1)
    drawn = torch.where(heats > 0, drawn.clamp(max=logits.shape[-1] - 1), logits.argmax(-1))
    lines = torch.arange(len(drawn), device=logits.device)
    # One transfer for all three; tokens fit a double exactly.
    return drawn, torch.stack([drawn.double(), raw[lines, drawn].double(), tempered[lines, drawn].double()], 1)


def cuts(job):
    return job is not None and (job.top_k > 0 or job.top_p < 1)


def _cut(tempered, jobs):
    if not any(cuts(job) for job in jobs):
        return tempered
    result = tempered.clone()
    ordered, order = torch.sort(tempered, descending=True, dim=-1)
    before = torch.cumsum(torch.exp(ordered), -1) - torch.exp(ordered)
    ranks = torch.arange(tempered.shape[-1], device=tempered.device)
    for line, job in enumerate(jobs):
        if cuts(job):
            out = before[line] >= job.top_p
            if job.top_k > 0:
                out = out | (ranks >= job.top_k)
            result[line, order[line][out]] = float("-inf")
    return result


def prompt_leaders(rows):
    """Rows whose contexts were read together look at the first of them for what they have in common: for every slot, which slot that is
    and how many tokens. Each has its own copy, should that one leave."""
    first = {}
    leaders = [slot if row is None else first.setdefault(row.read_with, slot) for slot, row in enumerate(rows)]
    return leaders, [rows[slot].read if leader != slot else 0 for slot, leader in enumerate(leaders)]


class _Batch:
    """The slots: who is in them, and a cache that grows with the sequences and stays within its bytes. When it cannot grow,
    the shortest sequences go back to the queue and are read again later; what they have said so far is kept.

    A step's input is on the device already: the token that the last one drew, and its position. What was drawn comes back in flights
    that land a step later, so that the device does not wait for this side."""

    def __init__(self, policy, most_slots, cache_bytes, bits, shares):
        self.policy, self.most_slots, self.cache_bytes, self.bits = policy, most_slots, cache_bytes, bits
        self.device = policy.device
        self.rows = []
        self.cache = SlotCache(0, 0, bits)
        self.decoder = Decoder(policy, self.cache)
        self.flights = collections.deque()
        self.changed = set()
        self.shares, self.shares_changed = shares, False

    @property
    def busy(self):
        return sum(row is not None for row in self.rows)

    # ---- What is on the device ----------------------------------------------------------------------------------------

    def _upload(self):
        """Everything a step starts from, when the slots are new."""
        rows = self.rows
        self.ids = torch.tensor([[row.tokens[-1] if row and row.tokens else 0] for row in rows], device=self.device)
        self.positions = torch.tensor([[row.length - 1 if row and row.tokens else 0] for row in rows], device=self.device)
        self.steps = torch.tensor([[1 if row and row.tokens else 0] for row in rows], device=self.device)
        self.heats = torch.tensor([row.job.temperature if row else 1.0 for row in rows], device=self.device)
        self.changed, self.shares_changed = set(), True

    def begin(self, group, slots, tokens):
        """Rows whose first token has been drawn take part in the next step, unless that was all."""
        going = [(place, slot, row) for place, (slot, row) in enumerate(group) if self.rows[slot] is row]
        if len(going) < len(group):
            places = torch.tensor([place for place, _, _ in going], dtype=torch.long, device=self.device)
            slots, tokens = slots[places], tokens[places]
        self.ids[slots] = tokens[:, None]
        lengths = [[row.length - 1] for _, _, row in going]
        self.positions[slots] = torch.tensor(lengths, dtype=torch.long, device=self.device).view(-1, 1)
        self.heats[slots] = torch.tensor([row.job.temperature for _, _, row in going], device=self.device)
        self.steps[slots] = 1
        self.changed -= {slot for _, slot, _ in going}
        self.shares_changed = True

    def advance(self, tokens):
        self.ids.copy_(tokens[:, None])
        self.positions += self.steps

    def rest(self):
        """Slots that were left go back to their first position, where they cost nothing."""
        idle = [slot for slot in self.changed if slot < len(self.rows) and self.rows[slot] is None]
        self.changed = set()
        if idle:
            slots = torch.tensor(idle, device=self.device)
            self.positions[slots] = 0
            self.steps[slots] = 0
        if self.shares and (idle or self.shares_changed) and self.decoder.capture:
            self._share()

    def _share(self):
        self.cache.share(*prompt_leaders(self.rows))
        self.shares_changed = False

    def draw(self, entries, logits, heats, uniforms, jobs):
        """Draws a token for every line of `logits`; those of `entries` are sent home."""
        uniforms = uploaded(uniforms, self.device)
        if kernels.usable(logits) and not any(cuts(job) for job in jobs):
            tokens, results = kernels.draw(logits, heats, uniforms)
        else:
            tokens, results = draw_plainly(logits, heats, uniforms, jobs)
        self.flights.append(Flight(entries, results))
        for slot, row in entries:
            if row.drawn_out:
                self._leave(slot, row)
        return tokens

    def _leave(self, slot, row):
        if slot < len(self.rows) and self.rows[slot] is row:
            self.rows[slot] = None
            self.changed.add(slot)

    def land(self, still_flying):
        while len(self.flights) > still_flying:
            flight = self.flights.popleft()
            for (slot, row), (token, logprob, tempered) in flight.land():
                # A row that ended was drawn for once more before that was known.
                if not row.ended:
                    row.add(int(token), logprob, tempered)
                    if row.ended:
                        self._leave(slot, row)

    # ---- Who is in the slots ------------------------------------------------------------------------------------------

    def make_room(self, waiting):
        """Before a step: every row has a place for one more token, and there are slots for those that wait."""
        leaving, slots, length = self._plan(waiting)
        if not leaving and not self._differs(slots, length):
            return
        # Rows are moved or read again: what they have said must be known.
        self.land(0)
        leaving, slots, length = self._plan(waiting)
        for row in leaving:
            self.rows[self.rows.index(row)] = None
            waiting.appendleft(row)
        self._resize(slots, length)
        self._upload()

    def _plan(self, waiting):
        """Who has to leave, how many slots there should be, and of what length."""
        present = [row for row in self.rows if row is not None]
        leaving = []
        while True:
            longest = max((row.length + 1 for row in present), default=0)
            length = self.cache.length if longest <= self.cache.length else self._grown(longest)
            if len(present) <= 1 or self._bytes(self._size(len(present)), length) <= self.cache_bytes:
                break
            shortest = min(present, key=lambda row: row.length)
            present.remove(shortest)
            leaving.append(shortest)
        entering = 0
        for row in [*reversed(leaving), *itertools.islice(waiting, self.most_slots)][: self.most_slots - len(present)]:
            wanted = max(length, self._grown(row.length + 1))
            if present or entering:
                if self._bytes(self._size(len(present) + entering + 1), wanted) > self.cache_bytes:
                    break
            entering, length = entering + 1, wanted
        slots = max(self._size(len(present) + entering), 1)
        # Fewer slots only when it is worth the move, half of them idle, or when all of them would be too many.
        if slots < len(self.rows) < 2 * slots and self._bytes(len(self.rows), length) <= self.cache_bytes:
            slots = len(self.rows)
        return leaving, slots, length

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
        return slots * slot_bytes(self.policy.config, length, self.policy.dtype, self.bits)

    @staticmethod
    def _grown(length):
        """A quarter more than needed, so that growing is rare."""
        return (length * 5 // 4 + 255) // 256 * 256

    def _differs(self, slots, length):
        return slots != len(self.rows) or slots > self.cache.slots or length > self.cache.length

    def _resize(self, slots, length):
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
