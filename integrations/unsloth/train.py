"""GSPO with Repertoire's rewards and bonus in Unsloth, from an exported folder; launch.sh starts this."""

# Unsloth changes TRL when it is imported, so it comes first.
import unsloth  # isort: skip  # noqa: F401

import argparse
import json


def main():
    from datasets import load_dataset
    from repertoire_rewards import NoveltyOptions
    from repertoire_trl import RepertoireRewards, novelty_trainer, paper_config
    from trl import GRPOTrainer
    from unsloth import FastLanguageModel

    parser = argparse.ArgumentParser()
    for name in ("--model", "--settings", "--train", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--override", action="append", default=[], metavar="KEY=JSON", help="a key of GRPOConfig")
    given = parser.parse_args()
    with open(given.settings) as file:
        settings = json.load(file)
    adapter, novelty = settings.pop("adapter"), settings.pop("novelty")
    length, memory = settings.pop("max_seq_length"), settings.pop("gpu_memory_utilization")
    overrides = {key: json.loads(value) for key, value in (pair.split("=", 1) for pair in given.override)}
    model, tokenizer = FastLanguageModel.from_pretrained(
        given.model, max_seq_length=length, load_in_4bit=False, fast_inference=True, max_lora_rank=adapter["rank"],
        gpu_memory_utilization=memory,
    )  # fmt: skip
    model = FastLanguageModel.get_peft_model(
        model, r=adapter["rank"], lora_alpha=adapter["alpha"], use_gradient_checkpointing="unsloth"
    )
    trainer = novelty_trainer(GRPOTrainer)(
        model=model,
        processing_class=tokenizer,
        args=paper_config(settings, **{"output_dir": given.out, **overrides}),
        train_dataset=load_dataset("json", data_files=given.train, split="train"),
        reward_funcs=RepertoireRewards().functions,
        novelty=NoveltyOptions(**novelty),
    )
    trainer.train()
    trainer.save_model(given.out)


if __name__ == "__main__":
    main()
