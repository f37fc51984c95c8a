"""Trains two steps with Axolotl's own builder from an exported config.yaml: its schema, its loader of data, its loader of reward
functions, its trainer with our bonus.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/axolotl:integrations/trl:<axolotl>/src python check.py <folder> <reward url> <sources>

Stand-ins: the model (two layers, which knows ten words), and kernels for cards that Axolotl imports.
"""

import json
import os
import tempfile
import typing

from peer_check import main, report, stand_ins, version_of
from tiny import record_of, save_tiny, tiny_rows, tiny_tokenizer


def type_of(field):
    return next(one for one in typing.get_args(field.annotation) if one is not type(None))


def schema(folder):
    import yaml
    from axolotl.utils.schemas.config import AxolotlInputConfig

    with open(os.path.join(folder, "config.yaml")) as file:
        given = yaml.safe_load(file)
    unknown = sorted(set(given) - set(AxolotlInputConfig.model_fields))
    unknown += sorted(set(given["trl"]) - set(type_of(AxolotlInputConfig.model_fields["trl"]).model_fields))
    assert unknown == [], f"unknown keys: {unknown}"
    config = AxolotlInputConfig.model_validate(given)
    report("AxolotlInputConfig", rl=str(config.rl), level=config.trl.importance_sampling_level, rewards=config.trl.reward_funcs)
    return given


def small(given, work):
    """The same configuration for a model of two layers on a CPU: eight short answers to each of two prompts."""
    changed = {
        "base_model": work, "output_dir": os.path.join(work, "out"), "max_steps": 2, "gradient_accumulation_steps": 1, "micro_batch_size": 16,
        "bf16": False, "gradient_checkpointing": False, "sequence_len": 4096, "num_epochs": 1, "learning_rate": 1e-3, "lora_r": 4, "use_wandb": False,
        "trl": {**given["trl"], "use_vllm": False, "max_completion_length": 8, "num_iterations": 1},
    }  # fmt: skip
    return {**given, **changed}


def trained(given, work, tokenizer):
    from axolotl.core.builders import HFRLTrainerBuilder
    from axolotl.utils.data.rl import prepare_preference_datasets
    from axolotl.utils.dict import DictDefault
    from axolotl.utils.schemas.config import AxolotlInputConfig
    from datasets import Dataset
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    cfg = DictDefault(AxolotlInputConfig.model_validate(given).model_dump(exclude_none=True))
    cfg.world_size, cfg.batch_size, cfg.context_parallel_size, cfg.dataset_num_proc, cfg.device = 1, 16, 1, 1, "cpu"
    cfg.tokenizer_config = cfg.base_model_config = work
    cfg.datasets[0]["path"] = os.path.abspath(cfg.datasets[0]["path"])
    cfg.dataset_prepared_path = os.path.join(work, "prepared")
    train, _ = prepare_preference_datasets(cfg, tokenizer)
    with open(cfg.datasets[0]["path"]) as file:
        rows = [json.loads(line) for line in file]
    assert [row["ground_truth"] for row in train] and set(train.column_names) >= set(rows[0]), train.column_names
    report("its loader of data", columns=train.column_names, rows=len(train))
    # Puzzles are too hard for a model of two layers; these it solves about half the time.
    train = Dataset.from_list(tiny_rows())
    model = get_peft_model(AutoModelForCausalLM.from_pretrained(work), LoraConfig(r=4, target_modules="all-linear"))
    builder = HFRLTrainerBuilder(cfg, model, tokenizer)
    builder.train_dataset, builder.eval_dataset = train, None
    trainer = builder.build(2)
    made = trainer._generate_and_score_completions

    def recorded(inputs):
        output = made(inputs)
        report("a batch of its trainer", **record_of(trainer, output))
        return output

    trainer._generate_and_score_completions = recorded
    trainer.train()
    report(
        "its trainer", kind=[kind.__name__ for kind in type(trainer).__mro__[:2]], steps=trainer.state.global_step,
        level=trainer.importance_sampling_level, beta=trainer.beta, rewards=trainer.reward_func_names, weights=trainer.reward_weights.tolist(),
    )  # fmt: skip


def check(folder, url, sources):
    os.environ.update(REPERTOIRE_REWARD_URL=url, AXOLOTL_DO_NOT_TRACK="1", WANDB_DISABLED="true")
    stand_ins("bitsandbytes", "xformers", "flash_attn", "deepspeed", "art", "fire", "torchao", "liger_kernel", "ring_flash_attn", "posthog", "evaluate", "numba")
    report("Axolotl", version=version_of(os.path.dirname(sources)))
    os.chdir(folder)
    given = schema(folder)
    with tempfile.TemporaryDirectory() as work:
        trained(small(given, save_tiny(work)), work, tiny_tokenizer())


if __name__ == "__main__":
    main(check)
