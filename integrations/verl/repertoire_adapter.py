"""The adapter of a verl checkpoint, as PEFT and vLLM read it: verl's own merger, which joins the shards and names the
weights, stopped before it would write the whole model (15 GB of one of 7 billion weights, and none where only the adapter was saved).

    python -m repertoire_adapter merge --backend fsdp --local_dir checkpoints/global_step_5/actor --target_dir adapters/step-5
"""

from verl.model_merger.base_model_merger import generate_config_from_args, parse_args
from verl.model_merger.fsdp_model_merger import FSDPModelMerger


class AdapterMerger(FSDPModelMerger):
    def save_hf_model_and_tokenizer(self, state_dict):
        place = self.save_lora_adapter(state_dict)
        if place is None:
            raise SystemExit(f"{self.config.local_dir} has no adapter: was the model trained whole?")
        print(place)


if __name__ == "__main__":
    AdapterMerger(generate_config_from_args(parse_args())).merge_and_save()
