"""SFT in TRL from an exported folder: settings and data are Repertoire's; launch.sh starts this."""

import argparse
import json

from datasets import load_dataset
from peft import LoraConfig
from trl import SFTConfig, SFTTrainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--settings", required=True)
    parser.add_argument("--train", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--override", action="append", default=[], metavar="KEY=JSON", help="a key of SFTConfig")
    given = parser.parse_args()
    with open(given.settings) as file:
        settings = json.load(file)
    adapter = settings.pop("adapter")
    overrides = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in given.override)}
    trainer = SFTTrainer(
        model=given.model,
        args=SFTConfig(**{**settings, "output_dir": given.out, **overrides}),
        train_dataset=load_dataset("json", data_files=given.train, split="train"),
        peft_config=LoraConfig(
            r=adapter["rank"], lora_alpha=adapter["alpha"], target_modules=adapter["modules"], task_type="CAUSAL_LM"
        ),
    )
    trainer.train()
    trainer.save_model(given.out)


if __name__ == "__main__":
    main()
