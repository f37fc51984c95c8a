"""GSPO with Repertoire's rewards and novelty bonus in TRL 0.24 to 1.x: two reward functions and a subclass of GRPOTrainer.

    rewards = RepertoireRewards("http://127.0.0.1:8123")
    trainer = NoveltyTrainer(model=..., reward_funcs=rewards.functions, args=paper_config(...), train_dataset=...)

The bonus is reward: it is added before the group is normalized, as in the paper. The reference's log-probabilities are
those that TRL computes for its KL term, that is, at the sampling temperature.

For a trainer after TRL's model (Unsloth's, Axolotl's), make it with `novelty_trainer(GRPOTrainer)`.
"""

import dataclasses

import torch
from accelerate.utils import gather
from repertoire_rewards import NoveltyOptions, RewardClient, bonuses, reward_of, rollouts_of
from trl import GRPOConfig, GRPOTrainer


class RepertoireRewards:
    """`functions` goes to `reward_funcs`: the reward that trains, and whether the answer is right (weight 0)."""

    def __init__(self, url=None, token=None, deadline_s=180.0):
        self._client = RewardClient(url, token, deadline_s)
        self._last = (None, None)

    @property
    def functions(self):
        return [self.task_reward, self.exact]

    weights = [1.0, 0.0]

    def task_reward(self, completions, **columns):
        return [reward_of(score) for score in self._scores(completions, columns)]

    def exact(self, completions, **columns):
        # A completion without a reward has no verdict either: TRL leaves it out where every function says None.
        scores = self._scores(completions, columns)
        return [None if reward_of(score) is None else float(score["exact"]) for score in scores]

    def _scores(self, completions, columns):
        truths = columns.get("ground_truth") or [model["ground_truth"] for model in columns["reward_model"]]
        rollouts = rollouts_of(completions, truths, columns.get("data_source"), columns.get("prompts"))
        # TRL asks each function about the same completions in turn; the server is asked once.
        if self._last[0] != rollouts:
            self._last = (rollouts, self._client.scores(rollouts))
        return self._last[1]


def novelty_trainer(base):
    """A subclass of a GRPOTrainer (TRL's, or one that Unsloth or Axolotl made of it) whose rewards carry the bonus."""

    class NoveltyTrainer(base):
        """`novelty=NoveltyOptions(weight=0)` is plain GSPO; without it, the paper's, or REPERTOIRE_NOVELTY_WEIGHT."""

        def __init__(self, *args, novelty=None, **kwargs):
            super().__init__(*args, **kwargs)
            if self.beta == 0.0:
                raise ValueError("the novelty bonus needs the reference model: set beta above 0 (the paper's is 0.001)")
            # Versions before 0.27 know one way only, which is this one.
            if getattr(self, "multi_objective_aggregation", "sum_then_normalize") != "sum_then_normalize":
                raise ValueError("the novelty bonus is added to the summed reward: use sum_then_normalize")
            if "exact" not in self.reward_func_names:
                raise ValueError("no reward function is named `exact`; pass RepertoireRewards(...).functions")
            self.novelty = novelty or NoveltyOptions.from_environment()
            self.last_bonus = None

        def _calculate_rewards(self, *args, **kwargs):
            self._rewards_per_func = super()._calculate_rewards(*args, **kwargs)
            return self._rewards_per_func

        def _generate_and_score_completions(self, inputs):
            output = super()._generate_and_score_completions(inputs)
            mode = "train" if self.model.training else "eval"
            # Versions before 0.26 have one size for both.
            size = self.num_generations if mode == "train" else getattr(self, "num_generations_eval", self.num_generations)
            mask = output["completion_mask"]
            logps = of_completions(output["ref_per_token_logps"], mask, output["prompt_mask"])
            scores = gather(reference_scores(logps, mask, self.novelty.tokens))
            correct = self._rewards_per_func[:, self.reward_func_names.index("exact")] >= 1
            bonus = group_bonuses(scores, correct, size, self.novelty)
            task = (self._rewards_per_func * self.reward_weights.to(bonus.device).unsqueeze(0)).nansum(dim=1)
            task[torch.isnan(self._rewards_per_func[:, 0])] = torch.nan
            advantages = group_advantages(task + bonus.to(task.dtype), size, self.scale_rewards)
            first = self.accelerator.process_index * len(inputs)
            output["advantages"] = advantages[first : first + len(inputs)].to(output["advantages"].device)
            self._log_bonus(mode, task, bonus, scores, correct)
            self._log_advantages(advantages.tolist())
            self.last_bonus = {
                "scores": scores.tolist(), "correct": correct.tolist(), "bonus": bonus.tolist(), "group": size,
            }  # fmt: skip
            return output

        def _log_advantages(self, advantages):
            """TRL logs its advantages while it computes them; what trains is ours, and so is what is written down."""
            column = getattr(self, "_logs", {}).get("advantages")
            if column is None:
                return
            for _ in range(min(len(advantages), len(column))):
                column.pop()
            column.extend(advantages)

        def _log_bonus(self, mode, task, bonus, scores, correct):
            """What trains is task + bonus; both are logged, so that a reward that rises says why."""
            metrics = self._metrics[mode]
            metrics["novelty/task_reward"].append(task.nanmean().item())
            metrics["novelty/bonus_magnitude"].append(bonus.abs().mean().item())
            metrics["novelty/groups_with_bonus"].append((bonus != 0).any().float().item())
            if correct.any():
                metrics["novelty/score_of_correct"].append(scores[correct].mean().item())

    return NoveltyTrainer


NoveltyTrainer = novelty_trainer(GRPOTrainer)


def of_completions(logps, mask, prompt_mask):
    """The columns of the completions. They are all that TRL has; Unsloth moves a prompt's padding behind its completion and keeps as
    many more columns as the most padded prompt has padding, so that a row begins the earlier, the more its prompt was padded."""
    more = logps.shape[1] - mask.shape[1]
    if more == 0:
        return logps
    padding = (prompt_mask == 0).sum(dim=1, keepdim=True)
    columns = (more - padding).clamp(min=0) + torch.arange(mask.shape[1], device=logps.device)
    return logps.gather(1, columns)


def reference_scores(logps, mask, tokens):
    """The mean of the `tokens` largest surprisals of each row; padding counts as no surprise."""
    surprisals = (-logps.double()) * mask.double()
    largest = surprisals.topk(min(tokens, surprisals.shape[1]), dim=1).values
    return largest.sum(dim=1) / tokens


def group_bonuses(scores, correct, group, options):
    rows = [
        bonuses(values, rights, options)
        for values, rights in zip(scores.view(-1, group).tolist(), correct.view(-1, group).tolist())
    ]
    return torch.tensor(rows, dtype=torch.float64, device=scores.device).view(-1)


def group_advantages(rewards, group, scale):
    """TRL's own normalization, once more, because the bonus needs log-probabilities that come after its rewards."""
    grouped = rewards.view(-1, group)
    centered = grouped - grouped.nanmean(dim=1, keepdim=True)
    if scale == "batch":
        centered = centered / (_std(rewards.view(1, -1)) + 1e-4)
    elif scale not in ("none", False):
        centered = centered / (_std(grouped) + 1e-4)
    return torch.nan_to_num(centered.reshape(-1), nan=0.0)


def _std(rows):
    """Sample standard deviation of each row, leaving NaN out."""
    count = (~torch.isnan(rows)).sum(dim=1, keepdim=True)
    squares = (rows - rows.nanmean(dim=1, keepdim=True)) ** 2
    return (squares.nansum(dim=1, keepdim=True) / (count - 1).clamp(min=1)).sqrt()


# Settings that some versions do not know; without them the run is the same.
_OPTIONAL = (
    "vllm_enable_sleep_mode", "vllm_max_model_length", "vllm_importance_sampling_correction", "use_bias_correction_kl",
)  # fmt: skip


def paper_config(settings, **overrides):
    """GRPOConfig from the exported settings; keyword arguments win."""
    known = {field.name for field in dataclasses.fields(GRPOConfig)}
    kept = {key: value for key, value in settings.items() if key in known or key not in _OPTIONAL}
    return GRPOConfig(**{**kept, "reward_weights": RepertoireRewards.weights, **overrides})
