"""Two real GSPO steps on the CPU with a tiny random model, Repertoire's reward server and the novelty bonus.

    python two_steps.py http://127.0.0.1:8123 output-folder

Checks the bonus on the shared vectors first. Then prints one JSON record a generated batch: the surprisals of every completion under the reference, verdicts, bonuses and
advantages, so that the bonus can be computed again elsewhere.
"""

import json
import os
import sys

os.environ.setdefault("HF_HUB_OFFLINE", "1")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "rewards"))

import check_vectors
import torch
from datasets import Dataset
from repertoire_trl import NoveltyTrainer, RepertoireRewards, group_advantages, of_completions, paper_config
from tiny import save_tiny, tiny_rows, version_of_trl
from trl import GRPOTrainer

class Observed(NoveltyTrainer):
    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        mask = output["completion_mask"].bool()
        surprisals = [(-row[keep]).tolist() for row, keep in zip(output["ref_per_token_logps"].double(), mask)]
        task = (self._rewards_per_func * self.reward_weights).nansum(dim=1)
        # What could not be graded has no reward, which is not a reward of 0.
        task[torch.isnan(self._rewards_per_func).all(dim=1)] = torch.nan
        rewards = [None if reward != reward else reward for reward in task.tolist()]
        record = {**self.last_bonus, "surprisals": surprisals, "tokens": self.novelty.tokens, "task": rewards}
        record["advantages"] = output["advantages"].tolist()
        record["logged_advantages"] = list(self._logs["advantages"])[-len(inputs) :]
        record["advantages_of_trl"] = plain_advantages.pop()
        record["advantages_of_task"] = group_advantages(task, self.num_generations, self.scale_rewards).tolist()
        print(json.dumps(record), flush=True)
        return output


plain_advantages = []
plain = GRPOTrainer._generate_and_score_completions


def recorded(self, inputs):
    output = plain(self, inputs)
    plain_advantages.append(output["advantages"].tolist())
    return output


GRPOTrainer._generate_and_score_completions = recorded


def main(url, folder):
    print(json.dumps({"trl": version_of_trl()}), flush=True)
    torch.manual_seed(5)
    torch.set_num_threads(1)
    check_vectors.main("trl")
    # Unsloth's layout by hand: the second prompt has one word of padding, which stands behind its completion.
    wide = torch.tensor([[9, 1, 2, 3], [4, 5, 6, 9]])
    found = of_completions(wide, torch.ones(2, 3), torch.tensor([[1, 1], [0, 1]]))
    assert found.tolist() == [[1, 2, 3], [4, 5, 6]], found
    rewards = RepertoireRewards(url)
    # TRL reads the reference from where the policy came from.
    start = save_tiny(os.path.join(folder, "start"))
    settings = {
        "importance_sampling_level": "sequence", "epsilon": 2.5e-3, "epsilon_high": 5e-3, "beta": 1e-3,
        "loss_type": "grpo", "num_generations": 8, "temperature": 0.8, "learning_rate": 5e-5,
    }  # fmt: skip
    config = paper_config(
        settings, output_dir=folder, max_steps=2, per_device_train_batch_size=16, max_completion_length=8,
        use_cpu=True, report_to=[], logging_steps=1, log_completions=True, save_strategy="no", seed=5, bf16=False, disable_tqdm=True,
    )  # fmt: skip
    trainer = Observed(
        model=start, reward_funcs=rewards.functions, args=config, train_dataset=Dataset.from_list(tiny_rows()),
    )  # fmt: skip
    before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
    trainer.train()
    moved = max((a - b).abs().max().item() for a, b in zip(before, trainer.model.parameters()))
    logged = [entry for entry in trainer.state.log_history if "novelty/bonus_magnitude" in entry]
    print(json.dumps({"steps": trainer.state.global_step, "moved": moved, "logged": logged}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
