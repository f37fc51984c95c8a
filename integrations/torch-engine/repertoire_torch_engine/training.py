"""Forward and backward passes over sequences of any lengths, with a head that never holds the logits of all of them."""
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from . import kernels
from .attention import PackedContext, can_pack
from .fused import head_room
from .policy import Policy


# A pass over fewer tokens leaves a GPU idle.
SMALLEST_GROUP = 4_096
# Input of a datum that says from which place on it is scored. Ours, not Tinker's.
FROM = "scored_from"


class TrainingError(RuntimeError):
    """The numbers broke, or the request cannot be trained on."""


def micro_batches(lengths, token_budget):
    """Indices grouped by similar length, so that padding is small; at most `token_budget` padded tokens a group."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    group = []
    for index in order:
        if group and lengths[index] * (len(group) + 1) > token_budget:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def same_inputs(datums):
    """Indices of datums that share their input tokens, in the order of their first."""
    groups = {}
    for index, (tokens, _) in enumerate(datums):
        groups.setdefault((len(tokens), np.asarray(tokens, np.int32).tobytes()), []).append(index)
    return groups.values()


def scored_places(length, inputs):
    return np.arange(int(inputs[FROM][0]) if FROM in inputs else 0, length)


def token_losses(loss_fn, config, logprobs, inputs):
    """Summed over tokens, as the protocol says; inputs are tensors beside `logprobs`."""
    if loss_fn == "cross_entropy":
        return -(logprobs * inputs["weights"]).sum()
    ratio = torch.exp(logprobs - inputs["logprobs"])
    advantages = inputs["advantages"]
    if loss_fn == "importance_sampling":
        return -(ratio * advantages).sum()
    if loss_fn == "ppo":
        low, high = config.get("clip_low_threshold", 0.8), config.get("clip_high_threshold", 1.2)
        return -torch.minimum(ratio * advantages, ratio.clamp(low, high) * advantages).sum()
    if loss_fn == "cispo":
        low, high = config.get("clip_low_threshold", 0.0), config.get("clip_high_threshold", 4.0)
        return -(ratio.clamp(low, high).detach() * advantages * logprobs).sum()
    raise TrainingError(f"unknown loss_fn {loss_fn!r}; expected cross_entropy, importance_sampling, ppo or cispo")


class Trainer:
    """Passes under named weights on all replicas of a model, and the steps of those that train."""

    def __init__(self, replicas, token_budget=32_768, head_rows=2_048):
        """Replicas, here or in processes of their own; a policy stands for a replica here."""
        self.replicas = [Replica(given, head_rows) if isinstance(given, Policy) else given for given in replicas]
        self.token_budget = token_budget
        self.pool = ThreadPoolExecutor(len(replicas)) if len(replicas) > 1 else None

    def all(self, verb, *given):
        """Every replica does the same."""
        if self.pool is None:
            return [self.replicas[0].call(verb, *given)]
        return list(self.pool.map(lambda replica: replica.call(verb, *given), self.replicas))

    def run(self, datums, loss_fn, config, backward, weights):
        """Log-probs of every target token. `config` may ask for a temperature and for entropies (ours, not Tinker's)."""
        vocabulary = self.replicas[0].facts["vocab_size"]
        for tokens, inputs in datums:
            for name, tensor in inputs.items():
                if name != FROM and len(tensor) != len(tokens):
                    raise TrainingError(f"{name} has {len(tensor)} entries for {len(tokens)} tokens")
            if len(tokens) == 0:
                raise TrainingError("a sequence is empty")
            for ids in (tokens, inputs["target_tokens"]):
                if ids.min() < 0 or ids.max() >= vocabulary:
                    raise TrainingError(f"tokens must lie below the vocabulary of {vocabulary}")
        outputs = [None] * len(datums)
        # The same input with other targets, as when labels are compared, is run once; a backward pass takes each by itself.
        alike = [[i] for i in range(len(datums))] if backward else list(same_inputs(datums))
        lengths = [len(datums[indices[0]][0]) for indices in alike]
        # Smaller groups where several replicas share the work, so that none of them waits for long.
        budget = self.token_budget // len(self.replicas)
        if backward:
            # And no larger than what can be trained on without running layers twice, where that is known.
            budget = min([budget, *(max(tokens, SMALLEST_GROUP) for tokens in self.all("ample", weights))])
        budget = max(budget, max(lengths, default=1))
        groups = list(micro_batches(lengths, budget))
        # The longest first, each to the replica with the least to do.
        shares, loads = [[] for _ in self.replicas], [0] * len(self.replicas)
        for group in reversed(groups):
            least = loads.index(min(loads))
            indices = [i for place in group for i in alike[place]]
            shares[least].append((indices, [datums[i] for i in indices]))
            loads[least] += sum(lengths[i] for i in group)

        def work(replica, share):
            return replica.call("run_share", share, loss_fn, config, backward, weights)

        done = [work(self.replicas[0], shares[0])] if self.pool is None else self.pool.map(work, self.replicas, shares)
        loss = 0.0
        for share_loss, results in done:
            loss += share_loss
            for place, output in results.items():
                outputs[place] = output
        return outputs, {"loss:sum": float(loss)}

    def step(self, name, adam):
        """The first replica takes the step with everybody's gradients; the others follow."""
        first, *others = self.replicas
        for other in others:
            first.call("add_gradients", name, other.call("take_gradients", name))
        metrics = first.call("step", name, adam)
        if others:
            values = first.call("values", name)
            for other in others:
                other.call("assign", name, values)
        return metrics


class Replica:
    """One copy of the model on one device, and the optimizers of the weights that train."""

    def __init__(self, policy, head_rows, sampler=None):
        self.policy, self.sampler = policy, sampler
        self.head_rows = head_rows
        self.optimizers = {}
        config = policy.config
        self.facts = {"vocab_size": config.vocab_size, "max_position_embeddings": config.max_position_embeddings}

    def call(self, verb, *given):
        """A verb of the replica's own, or of its weights."""
        return getattr(self if hasattr(Replica, verb) else self.policy, verb)(*given)

    def close(self):
        """Nothing to end: it lives in this process."""

    def sample(self, weights, jobs, more):
        with self.policy.running(weights):
            self.sampler.run(jobs, more)

    # ---- Steps --------------------------------------------------------------------------------------------------------

    def optimizer(self, name):
        if name not in self.optimizers:
            fused = self.policy.device.type == "cuda"
            parameters = self.policy.parameters(name)
            # Scales of norms and biases are not pulled to zero: decay is for matrices.
            decayed = [{"params": [p for p in parameters if p.ndim > 1]}, {"params": [p for p in parameters if p.ndim < 2]}]
            self.optimizers[name] = torch.optim.AdamW(decayed, lr=0.0, fused=fused)
        return self.optimizers[name]

    def forget(self, name):
        self.optimizers.pop(name, None)

    def save_all(self, name, folder):
        """With the optimizer, to go on from."""
        self.policy.save(name, folder, self.optimizer(name))

    def load_optimizer(self, name, file):
        state = torch.load(file, map_location=self.policy.device, weights_only=True)
        self.optimizer(name).load_state_dict(state)

    def take_gradients(self, name):
        parameters = self.policy.parameters(name)
        taken = [None if p.grad is None else p.grad.detach().cpu() for p in parameters]
        for parameter in parameters:
            parameter.grad = None
        return taken

    def add_gradients(self, name, gradients):
        for parameter, gradient in zip(self.policy.parameters(name), gradients):
            if gradient is not None:
                gradient = gradient.to(parameter.device)
                parameter.grad = gradient if parameter.grad is None else parameter.grad.add_(gradient)

    def step(self, name, adam):
        parameters = self.policy.parameters(name)
        optimizer = self.optimizer(name)
        for group in optimizer.param_groups:
            group["lr"] = adam.get("learning_rate", 1e-4)
            group["betas"] = (adam.get("beta1", 0.9), adam.get("beta2", 0.95))
            group["eps"] = adam.get("eps", 1e-12)
        matrices, others = optimizer.param_groups
        matrices["weight_decay"], others["weight_decay"] = adam.get("weight_decay", 0.0), 0.0
        limit = adam.get("grad_clip_norm", 0.0)
        norm = torch.nn.utils.clip_grad_norm_(parameters, limit if limit > 0 else float("inf"))
        if not torch.isfinite(norm):
            optimizer.zero_grad(set_to_none=True)
            raise TrainingError("the gradient is not finite; the weights were left as they were")
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        self.policy.publish(name)
        return {"gradient_norm:mean": norm.item()}

    def values(self, name):
        return [p.detach().cpu() for p in self.policy.parameters(name)]

    def assign(self, name, values):
        with torch.no_grad():
            for parameter, value in zip(self.policy.parameters(name), values):
                parameter.copy_(value)
        self.policy.publish(name)

    # ---- Passes -------------------------------------------------------------------------------------------------------

    def run_share(self, share, loss_fn, config, backward, weights):
        """Groups of sequences with their places in the batch: the loss, and what was found by place."""
        outputs = {}
        with self.policy.running(weights, learning=backward):
            loss = sum(self.run_group(data, group, loss_fn, config, backward, outputs, weights) for group, data in share)
        return loss, outputs

    def ample(self, weights):
        """Tokens of which every layer can be kept for the backward pass."""
        recompute = self.policy.recompute
        if not recompute.adaptive:
            return sys.maxsize

        def forward(tokens):
            packed = PackedContext([tokens], self.policy.device) if can_pack(self.policy.device, self.policy.dtype) else None
            with self.policy.place.within(packed), torch.enable_grad():
                return self._hidden([np.zeros(tokens)], [0], [np.arange(tokens)], packed is not None)

        with self.policy.running(weights, learning=True):
            recompute.measure(weights, forward)
        return recompute.ample(weights, self.policy.waiting_bytes(weights))

    def run_group(self, datums, indices, loss_fn, config, backward, outputs, weights):
        device = self.policy.device
        lengths = [len(tokens) for tokens, _ in datums]
        # Only scored positions reach the head: the prompt's log-probs are nobody's business in training.
        scored = [scored_places(len(tokens), inputs) for tokens, inputs in datums]

        def gathered(name, dtype=torch.float32):
            parts = [np.asarray(inputs[name])[at] for (_, inputs), at in zip(datums, scored)]
            return torch.from_numpy(np.concatenate(parts).copy()).to(device=device, dtype=dtype)

        targets = gathered("target_tokens", torch.long)
        inputs = {k: gathered(k) for k in datums[0][1] if k not in ("target_tokens", FROM)}
        # Which of the inputs each datum has; they lie beside each other.
        distinct, places = [], []
        for tokens, _ in datums:
            if backward or not distinct or not np.array_equal(distinct[-1], tokens):
                distinct.append(tokens)
            places.append(len(distinct) - 1)
        packed = PackedContext([len(tokens) for tokens in distinct], device) if can_pack(device, self.policy.dtype) else None
        if backward:
            tokens = sum(lengths) if packed else len(lengths) * max(lengths)
            self.policy.recompute.arrange(weights, tokens, self.policy.waiting_bytes(weights))
        # The context stays until the backward pass is done, which recomputes layers under gradient checkpointing.
        with self.policy.place.within(packed):
            with torch.set_grad_enabled(backward):
                hidden = self._hidden(distinct, places, scored, packed is not None)
            logprobs, entropies, loss, gradient = self._head(hidden, targets, inputs, loss_fn, config, backward)
            if not torch.isfinite(logprobs).all():
                row = (~torch.isfinite(logprobs)).nonzero()[0, 0].item()
                ends = np.cumsum([len(at) for at in scored])
                bad = indices[int(np.searchsorted(ends, row, "right"))]
                raise TrainingError(f"log-prob of sequence {bad} is not finite")
            if backward:
                hidden.backward(gradient)
                self.policy.collect_gradients(weights)
        logprobs = logprobs.cpu().numpy()
        entropies = None if entropies is None else entropies.cpu().numpy()
        start = 0
        for place, length, at in zip(indices, lengths, scored):
            end = start + len(at)
            # Unscored positions are returned as 0, so that shapes are what the protocol promises.
            output = {"logprobs": np.zeros(length, np.float32)}
            output["logprobs"][at] = logprobs[start:end]
            if entropies is not None:
                output["entropies"] = np.zeros(length, np.float32)
                output["entropies"][at] = entropies[start:end]
            outputs[place] = output
            start = end
        return loss

    def _hidden(self, sequences, places, scored, packed):
        """Hidden states of the scored positions, datum after datum; `places` says which sequence each datum is."""
        device = self.policy.device
        lengths = [len(tokens) for tokens in sequences]
        if packed:
            ids = torch.from_numpy(np.concatenate(sequences).astype(np.int64)).to(device)
            positions = torch.cat([torch.arange(length) for length in lengths]).to(device)
            hidden = self.policy.hidden(ids[None], positions[None])[0]
            starts = np.cumsum([0, *lengths[:-1]])
            rows = np.concatenate([starts[p] + at for p, at in zip(places, scored)])
            return hidden[torch.from_numpy(rows).to(device)]
        longest = max(lengths)
        ids = torch.zeros(len(sequences), longest, dtype=torch.long)
        for row, tokens in enumerate(sequences):
            ids[row, : len(tokens)] = torch.from_numpy(np.asarray(tokens, np.int64))
        positions = torch.arange(longest, device=device).expand(len(sequences), longest)
        hidden = self.policy.hidden(ids.to(device), positions)
        rows = np.concatenate([np.full(len(at), p) for p, at in zip(places, scored)])
        columns = np.concatenate(scored)
        return hidden[torch.from_numpy(rows).to(device), torch.from_numpy(columns).to(device)]

    def _head(self, hidden, targets, inputs, loss_fn, config, backward):
        """The vocabulary projection in blocks of rows; each block's logits are gone before the next one's come."""
        temperature = float(config.get("temperature", 1.0))
        wants_entropy = bool(config.get("entropies", 0)) or "entropy_weights" in inputs
        detached = hidden.detach().requires_grad_(backward)
        logprobs, entropies, losses = [], [], []
        for start in range(0, len(targets), self.head_rows):
            block = slice(start, start + self.head_rows)
            with torch.set_grad_enabled(backward):
                chosen, entropy = self._scored(detached[block], targets[block], temperature, wants_entropy)
                if backward:
                    loss = token_losses(loss_fn, config, chosen, {k: v[block] for k, v in inputs.items()})
                    if "entropy_weights" in inputs:
                        loss = loss - (entropy * inputs["entropy_weights"][block]).sum()
                    loss.backward()
                    losses.append(loss.detach())
            logprobs.append(chosen.detach())
            if wants_entropy:
                entropies.append(entropy.detach())
        gradient = detached.grad if backward else None
        loss_total = sum(torch.stack(losses).tolist()) if losses else 0.0
        return torch.cat(logprobs), torch.cat(entropies) if entropies else None, loss_total, gradient

    def _scored(self, hidden, targets, temperature, wants_entropy):
        """Log-probs of the targets, and entropies."""
        head = self.policy.model.get_output_embeddings()
        if kernels.usable(hidden) and self.policy.plain_logits and head.bias is None:
            return _ScoredRows.apply(hidden, head.weight, targets, temperature)
        logits = self.policy.logits(hidden) / temperature
        normalizer = torch.logsumexp(logits, dim=-1)
        chosen = logits.gather(1, targets[:, None]).squeeze(1) - normalizer
        if not wants_entropy:
            return chosen, None
        return chosen, normalizer - (torch.exp(logits - normalizer[:, None]) * logits).sum(-1)


class _ScoredRows(torch.autograd.Function):
    """Logits are read once; their gradient takes their place."""

    @staticmethod
    def forward(ctx, hidden, weight, targets, temperature):
        whole = head_room(weight)
        logits = torch.nn.functional.linear(hidden, weight if whole is None else whole)
        normalizers, chosen, entropies = kernels.head_rows(logits, weight.shape[0], targets, temperature)
        ctx.save_for_backward(hidden, weight, targets, normalizers, entropies)
        ctx.logits, ctx.temperature = logits, temperature
        return chosen, entropies

    @staticmethod
    def backward(ctx, of_chosen, of_entropy):
        hidden, weight, targets, normalizers, entropies = ctx.saved_tensors
        logits, ctx.logits = ctx.logits, None
        whole = head_room(weight)
        rows = (normalizers.new_zeros(len(targets)) if x is None else x.contiguous() for x in (of_chosen, of_entropy))
        gradient = kernels.head_rows_back(logits, weight.shape[0], targets, normalizers, entropies, *rows, ctx.temperature)
        of_weight = torch.mm(gradient[:, : weight.shape[0]].t(), hidden) if ctx.needs_input_grad[1] else None
        return torch.mm(gradient, weight if whole is None else whole), of_weight, None, None
