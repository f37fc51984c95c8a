"""Golden values for the objectives, from other people's code.

    python objectives.py > objectives.json        (torch 2.13, trl 1.13)

Weights are minus the gradient of `GRPOTrainer._compute_loss` of TRL in the log-probs, which a stand-in hands it as a
leaf tensor; advantages are TRL's formula on `torch.Tensor.std`; novelty is `torch.topk` over padded, masked rows.
"""

import json
from collections import defaultdict
from types import SimpleNamespace

import torch
from trl.trainer.grpo_trainer import GRPOTrainer

torch.set_default_dtype(torch.float64)
generator = torch.Generator().manual_seed(20)
lengths = [3, 7, 1, 12, 5, 9]
width = max(lengths)
mask = torch.tensor([[1.0 if t < n else 0.0 for t in range(width)] for n in lengths])
draw = lambda: torch.rand(len(lengths), width, generator=generator)
sampled = (-3 * draw() - 0.01) * mask
current = (sampled + 0.6 * (draw() - 0.5)) * mask
reference = (sampled + 2.0 * (draw() - 0.5)) * mask
entropies = 2 * draw() * mask
advantages = torch.tensor([1.2, -0.7, 0.3, -1.1, 0.0, 0.9])


class Accelerator:
    num_processes = 1
    sync_gradients = True

    def gather(self, tensor):
        return tensor

    def reduce(self, tensor, reduction):
        return tensor


def trl_weights(**settings):
    leaf = current.clone().requires_grad_(True)
    leaf_entropies = entropies.clone().requires_grad_(True)
    options = dict(
        loss_type="grpo", level="token", low=0.2, high=0.2, delta=None, beta=0.0, entropy=0.0, limit=20
    ) | settings
    stand_in = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *a, **k: (leaf, leaf_entropies, None),
        aux_loss_enabled=False, top_entropy_quantile=1.0, off_policy_mask_threshold=None,
        importance_sampling_level=options["level"], beta=options["beta"], loss_type=options["loss_type"],
        epsilon_low=options["low"], epsilon_high=options["high"], use_vllm=False,
        model=SimpleNamespace(training=True), current_gradient_accumulation_steps=1,
        max_completion_length=options["limit"], accelerator=Accelerator(),
        _entropy_bonus_enabled=options["entropy"] > 0, use_adaptive_entropy=False, entropy_coef=options["entropy"],
        _metrics={"train": defaultdict(list)}, _log_metric=lambda *a: None,
        args=SimpleNamespace(use_bias_correction_kl=False, delta=options["delta"], steps_per_generation=1),
    )
    inputs = dict(
        prompt_ids=torch.zeros(len(lengths), 1, dtype=torch.long), prompt_mask=torch.ones(len(lengths), 1),
        completion_ids=torch.zeros(len(lengths), width, dtype=torch.long), completion_mask=mask,
        advantages=advantages, old_per_token_logps=sampled, ref_per_token_logps=reference,
        num_items_in_batch=mask.sum(),
    )
    loss = GRPOTrainer._compute_loss(stand_in, None, inputs)
    loss.backward()
    result = {"settings": options, "loss": loss.item(), "weights": ragged(-leaf.grad)}
    if options["entropy"] > 0:
        result["entropyWeights"] = ragged(-leaf_entropies.grad)
    return result


def ragged(rows):
    return [row[:n].tolist() for row, n in zip(rows, lengths)]


def novelty(k, unbiased):
    rewards = torch.tensor([1.0, 1.1, 0.3, 1.0, 1.05, 0.0])
    correct = torch.tensor([True, True, False, True, True, False])
    nll = -reference * mask
    padded = torch.nn.functional.pad(nll, (0, max(0, k - width)))
    scores = torch.topk(padded, k, dim=-1).values.sum(-1) / k
    chosen = scores[correct]
    z = ((scores - chosen.mean()) / chosen.std(unbiased=unbiased)).clamp(-2, 2) * correct
    shaped = rewards + 0.1 * z
    advantage = (shaped - shaped.mean()) / (shaped.std() + 1e-6)
    return {
        "k": k, "divisor": "sample" if unbiased else "population", "rewards": rewards.tolist(), "correct": correct.tolist(),
        "scores": scores.tolist(), "z": z.tolist(), "advantages": advantage.tolist(),
    }


print(json.dumps({
    "batch": {
        "sampled": ragged(sampled), "current": ragged(current), "reference": ragged(reference),
        "entropies": ragged(entropies), "advantages": advantages.tolist(),
    },
    "losses": {
        "gspo": trl_weights(level="sequence", low=2.5e-3, high=5e-3),
        "gspo, wide": trl_weights(level="sequence", low=0.05, high=0.05),
        "gspo with KL": trl_weights(level="sequence", low=2.5e-3, high=5e-3, beta=0.1),
        "grpo": trl_weights(),
        "grpo with KL": trl_weights(beta=0.05),
        "grpo, dual clip": trl_weights(high=0.05, delta=1.1),
        "dr. grpo": trl_weights(loss_type="dr_grpo"),
        "dapo": trl_weights(loss_type="dapo", low=0.2, high=0.28),
        "dapo with entropy bonus": trl_weights(loss_type="dapo", low=0.2, high=0.28, entropy=0.01),
        "gspo with entropy bonus": trl_weights(level="sequence", low=2.5e-3, high=5e-3, entropy=0.01),
        "cispo": trl_weights(loss_type="cispo", high=1.1),
    },
    "novelty": [novelty(k, unbiased) for k in (3, 20) for unbiased in (True, False)],
}, separators=(",", ":")))
