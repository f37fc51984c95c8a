"""GSPO in TRL from an exported folder: settings, data and rewards are Repertoire's; launch.sh starts this."""

import argparse
import json

from datasets import load_dataset
from peft import LoraConfig
from repertoire_rewards import NoveltyOptions
from repertoire_trl import NoveltyTrainer, RepertoireRewards, paper_config


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--settings", required=True)
    parser.add_argument("--train", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--override", action="append", default=[], metavar="KEY=JSON", help="a key of GRPOConfig")
    given = parser.parse_args()
    with open(given.settings) as file:
        settings = json.load(file)
    adapter, novelty = settings.pop("adapter"), settings.pop("novelty")
    overrides = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in given.override)}
    trainer = NoveltyTrainer(
        model=given.model,
        args=paper_config(settings, **{"output_dir": given.out, **overrides}),
        train_dataset=load_dataset("json", data_files=given.train, split="train"),
        reward_funcs=RepertoireRewards().functions,
        peft_config=LoraConfig(
            r=adapter["rank"], lora_alpha=adapter["alpha"], target_modules=adapter["modules"], task_type="CAUSAL_LM"
        ),
        novelty=NoveltyOptions(**novelty),
    )
    trainer.train()
    trainer.save_model(given.out)


if __name__ == "__main__":
    main()
