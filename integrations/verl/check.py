"""Runs verl's own code on an exported folder: configuration, data, reward manager, and its V1 trainer on a toy model.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/verl:<verl>:<TransferQueue> python check.py <folder> <reward url> <sources>

Composition, validation, datasets, reward manager, TransferQueue, replay buffer, advantages, GSPO loss and dumps are verl's.
Stand-ins: the workers that hold the weights (a two-layer model in this process), the sampler (right and wrong answers in
turn), and weight synchronization.
"""

import asyncio
import contextlib
import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import types

os.environ["VERL_USE_EXTERNAL_MODULES"] = "repertoire_verl"
os.environ.setdefault("RAY_DEDUP_LOGS", "0")
# A busy machine may take minutes to start Ray.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")

from peer_check import byte_tokenizer, launched, main, report, solutions, toy_model, version_of


def composed(folder, changes=()):
    from hydra import compose, initialize_config_module

    overrides = [word for word in launched(folder, "python") if "=" in word and not word.startswith("-")]
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", [*overrides, *changes])


def validated(config):
    """verl's own validation, as main_ppo calls it. Only the question to vLLM about the adapter's rank is answered here."""
    from verl.trainer.ppo.utils import need_critic, need_reference_policy
    from verl.utils.config import validate_config

    try:
        import vllm  # noqa: F401
    except ImportError:
        for name in ("vllm_rollout", "vllm_rollout.utils"):
            sys.modules[f"verl.workers.rollout.{name}"] = types.ModuleType(name)
        sys.modules["verl.workers.rollout.vllm_rollout.utils"].get_vllm_max_lora_rank = lambda rank: rank
    validate_config(config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config))


def fits(config):
    """A sequence of full length goes through verl's micro batches with the exported sizes."""
    import torch
    from tensordict import TensorDict
    from verl.utils import tensordict_utils as tu
    from verl.workers.engine.utils import prepare_micro_batches

    actor = config.actor_rollout_ref.actor
    length = config.data.max_prompt_length + config.data.max_response_length
    ids = torch.nested.as_nested_tensor([torch.zeros(length, dtype=torch.int64)] * 2, layout=torch.jagged)
    batch = TensorDict({"input_ids": ids}, batch_size=2)
    parallel = actor.fsdp_config.ulysses_sequence_parallel_size
    tu.assign_non_tensor(batch, use_dynamic_bsz=actor.use_dynamic_bsz, sp_size=parallel)
    tu.assign_non_tensor(batch, max_token_len_per_gpu=actor.ppo_max_token_len_per_gpu)
    micro, _ = prepare_micro_batches(batch)
    return {"sequences": len(micro), "tokens": length, "cards": parallel}


class ToyWorkers:
    """In place of the workers with the weights: a small policy, its frozen reference, verl's own GSPO loss."""

    def __init__(self, config, folder, tokenizer):
        import torch

        self.config = config
        self.policy = toy_model(folder, tokenizer)
        self.reference = toy_model(folder, tokenizer)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), lr=1e-3)
        self._dispatch_info = {"actor": [0]}

    def _logprobs(self, model, batch):
        """Rows as verl's engines return them: entry t predicts token t + 1."""
        import torch
        import transfer_queue as tq

        data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=["input_ids"])
        rows = []
        for ids in data["input_ids"].unbind():
            logits = model(ids.unsqueeze(0)).logits[0] / batch.extra_info["temperature"]
            logp = torch.log_softmax(logits.float(), -1)
            rows.append(torch.cat([logp[:-1].gather(1, ids[1:, None]).squeeze(1), torch.zeros(1)]))
        return rows

    def compute_log_prob(self, batch):
        import torch
        import transfer_queue as tq
        from tensordict import TensorDict

        model = self.reference if batch.extra_info.pop("no_lora_adapter", False) else self.policy
        with torch.no_grad():
            rows = self._logprobs(model, batch)
        nested = torch.nested.as_nested_tensor(rows, layout=torch.jagged)
        fields = {"log_probs": nested, "entropy": torch.zeros_like(nested)}
        tq.kv_batch_put(
            keys=batch.keys, partition_id=batch.partition_id, fields=TensorDict(fields, batch_size=len(batch))
        )
        return batch

    def update_actor(self, batch):
        import torch
        import transfer_queue as tq
        from verl.trainer.ppo.core_algos import get_policy_loss_fn
        from verl.utils.config import omega_conf_to_dataclass

        actor = self.config.actor_rollout_ref.actor
        loss_of = get_policy_loss_fn(actor.policy_loss.loss_mode)
        fields = ["response_mask", "old_log_probs", "advantages"]
        data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=fields)
        padded = {name: data[name].to_padded_tensor(padding=0) for name in fields}
        config = omega_conf_to_dataclass(actor)
        losses = []
        for _ in range(batch.extra_info["epochs"]):
            rows = self._logprobs(self.policy, batch)
            lengths = data["response_mask"].offsets().diff().tolist()
            cut = [row[-length - 1 : -1] for row, length in zip(rows, lengths)]
            logp = torch.nn.utils.rnn.pad_sequence(cut, batch_first=True)
            loss, _ = loss_of(
                padded["old_log_probs"], logp, padded["advantages"], padded["response_mask"],
                loss_agg_mode=actor.loss_agg_mode, config=config,
            )  # fmt: skip
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return {"metrics": {"mfu": [0.0], "pg_loss": losses}}


class ToySampler:
    """In place of vLLM and the agent loop: right and wrong answers, scored by verl's own reward manager."""

    failures = []

    def __init__(self, config, tokenizer, answers, gradable=True):
        from verl.trainer.ppo.reward import load_reward_manager

        self.config, self.tokenizer, self.answers, self.gradable = config, tokenizer, answers, gradable
        self.manager = load_reward_manager(config, tokenizer)
        self.random = random.Random(3)

    def response(self, truth, attempt):
        """The last of four attempts is wrong: three right ones compete."""
        thought = "".join(self.random.choice("abcdefgh ") for _ in range(self.random.randint(5, 60)))
        answer = "?" if attempt % 4 == 3 else self.answers.get(truth, "?")
        return f"<reasoning>{thought}</reasoning><answer>{answer}</answer>"

    def generate_sequences(self, prompts):
        return asyncio.run(self._generate(prompts))

    async def _generate(self, prompts):
        import numpy as np
        import torch
        import transfer_queue as tq
        from tensordict import TensorDict
        from verl import DataProto
        from verl.utils.tensordict_utils import list_of_dict_to_tensordict

        for i in range(len(prompts)):
            row = {name: prompts[name][i] for name in ("raw_prompt", "reward_model", "data_source", "uid")}
            row = {name: getattr(value, "data", value) for name, value in row.items()}
            if not self.gradable:
                row["reward_model"] = {**row["reward_model"], "ground_truth": '{"puzzle":"no such puzzle","id":"?"}'}
            text = self.tokenizer.apply_chat_template(row["raw_prompt"], add_generation_prompt=True, tokenize=False)
            asked = torch.tensor(self.tokenizer(text)["input_ids"])
            keys, fields, tags = [], [], []
            for attempt in range(self.config.actor_rollout_ref.rollout.n):
                said = torch.tensor(self.tokenizer(self.response(row["reward_model"]["ground_truth"], attempt))["input_ids"])
                tensors = {"responses": said[None], "attention_mask": torch.ones(1, len(asked) + len(said), dtype=torch.int64)}
                others = {
                    name: np.array([row[name]], dtype=object) for name in ("reward_model", "data_source")
                }
                self.manager.loop = asyncio.get_running_loop()
                try:
                    score = await self.manager.run_single(DataProto(TensorDict(tensors, batch_size=1), others))
                except Exception as error:
                    # What verl's own agent loop does with a rollout that raised.
                    self.failures.append(str(error))
                    keys = []
                    tq.kv_put(key=row["uid"], partition_id="train", tag={"status": "failure"})
                    break
                rewards = torch.zeros(len(said))
                rewards[-1] = score["reward_score"]
                keys.append(f"{row['uid']}_{attempt}_0")
                fields.append(
                    {
                        "uid": row["uid"], "prompts": asked, "responses": said, "response_mask": torch.ones_like(said),
                        "input_ids": torch.cat([asked, said]), "rm_scores": rewards, "num_turns": 2,
                        "reward_model": row["reward_model"],
                        "extra_fields": {"reward_extra_info": score["reward_extra_info"]},
                    }
                )  # fmt: skip
                length = {"prompt_len": len(asked), "response_len": len(said), "seq_len": len(asked) + len(said)}
                steps = {"global_steps": 1, "min_global_steps": 1, "max_global_steps": 1}
                tags.append({"status": "success", **length, **steps})
            if keys:
                data = list_of_dict_to_tensordict(fields)
                await tq.async_kv_batch_put(keys=keys, fields=data, tags=tags, partition_id="train")
                tq.kv_put(key=row["uid"], partition_id="train", tag={"status": "finished"})


class Nothing:
    """Weight synchronization and reward workers, which this process does not need."""

    reward_loop_worker_handles = ()

    def __getattr__(self, name):
        return lambda *_: None


def stopped(config, folder, seconds=120):
    """Every rollout fails, so that verl must stop with its reason and not ask for ever; how long it took."""

    def too_long(*_):
        # Not an Exception, so that nothing on the way takes it for a failed rollout.
        raise SystemExit(f"verl still asks after {seconds} s, although no rollout can be graded")

    signal.signal(signal.SIGALRM, too_long)
    try:
        trained(config, folder, {}, gradable=False, starting=lambda: signal.alarm(seconds))
    except RuntimeError as error:
        return {"error": str(error), "rollouts": ToySampler.failures, "seconds": seconds - signal.alarm(0)}
    finally:
        signal.alarm(0)
    raise AssertionError("verl went on although no rollout could be graded")


def trained(config, folder, answers, gradable=True, starting=lambda: None):
    import transfer_queue as tq
    from verl.trainer.ppo.v1 import get_trainer_cls
    from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer

    trainer_class = get_trainer_cls(config.trainer.v1.trainer_mode)

    class Observed(trainer_class):
        def _setup(self):
            self._init_tokenizer()
            self._init_dataloader()
            self._init_dump_executor()
            self.actor_rollout_wg = self.ref_policy_wg = ToyWorkers(self.config, folder, self.tokenizer)
            self.ref_in_actor, self.distillation_config = True, None
            self.reward_loop_manager = self.checkpoint_manager = Nothing()
            self.resource_pool_manager = types.SimpleNamespace(get_n_gpus=lambda: 1)
            self.global_steps = 0

        def _compute_metrics(self, batch, metrics, *args, **kwargs):
            """Everything the bonus is made of, as verl holds it, so that it can be computed again elsewhere."""
            names = ["uid", "response_mask", "rm_scores", "ref_log_prob", "advantages", "extra_fields"]
            data = tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=names)
            report(
                "a step of the V1 trainer",
                uids=list(data["uid"]),
                surprisals=[(-row.double()).tolist() for row in data["ref_log_prob"].unbind()],
                correct=[bool(extra["reward_extra_info"]["acc"]) for extra in list(data["extra_fields"])],
                task=[extra["reward_extra_info"]["score"] for extra in list(data["extra_fields"])],
                rewards=[row.sum().item() for row in data["rm_scores"].unbind()],
                advantages=[row[0].item() for row in data["advantages"].unbind()],
                logged={name: value for name, value in metrics.items() if name.startswith("novelty/")},
            )

    tq.init(config.transfer_queue)
    try:
        trainer = Observed(config=config)
        assert type(trainer.replay_buffer) is ReplayBuffer, type(trainer.replay_buffer)
        trainer.init()
        before = [parameter.detach().clone() for parameter in trainer.actor_rollout_wg.policy.parameters()]
        sampler = ToySampler(config, trainer.tokenizer, answers, gradable)
        starting()
        trainer.fit(sampler)
        policy = trainer.actor_rollout_wg.policy
        return max((a - b).abs().max().item() for a, b in zip(before, policy.parameters()))
    finally:
        tq.close()


@contextlib.contextmanager
def toy_run(folder):
    """The exported configuration with a toy model, on a Ray of its own; and the folder of that model."""
    import ray

    work = tempfile.mkdtemp()
    toy_model(work, byte_tokenizer(work))
    small = [
        f"actor_rollout_ref.model.path={work}", "data.train_batch_size=2", "actor_rollout_ref.rollout.n=4",
        "actor_rollout_ref.actor.ppo_mini_batch_size=2", "data.max_prompt_length=4000", "data.max_response_length=400",
        "trainer.total_training_steps=2", "trainer.val_before_train=False", "trainer.save_freq=-1", "trainer.n_gpus_per_node=1",
        f"trainer.rollout_data_dir={work}/rollouts", "trainer.resume_mode=disable", "actor_rollout_ref.rollout.calculate_log_probs=False", "data.dataloader_num_workers=0",
        "transfer_queue.backend.SimpleStorage.num_data_storage_units=1", "data.val_files=" + os.path.join(folder, "train.parquet"),
    ]  # fmt: skip
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": dict(PYTHONPATH=os.environ["PYTHONPATH"])})
    try:
        yield composed(folder, small), work
    finally:
        ray.shutdown()


def failing(folder, url, seconds):
    """A run all of whose rollouts fail, in a process of its own: TransferQueue starts once in a process."""
    command = [sys.executable, __file__, folder, url, "every rollout fails"]
    said = subprocess.run(command, env={**os.environ, "REPERTOIRE_REWARD_DEADLINE_S": str(seconds)}, capture_output=True, text=True)
    if said.returncode != 0:
        raise SystemExit(f"{url}: {said.stdout[-500:]} {said.stderr[-2000:]}")
    return json.loads(said.stdout.splitlines()[-1])["stopped"]


def check(folder, url, sources):
    import pandas

    os.environ["REPERTOIRE_REWARD_URL"] = url
    if sources == "every rollout fails":
        with toy_run(folder) as (config, work):
            return report(sources, stopped=stopped(config, work))

    report("verl", version=version_of(sources))
    config = composed(folder)
    validated(config)
    report("validate_config", mode=config.trainer.v1.trainer_mode, logger=list(config.trainer.logger))
    report("a sequence of full length", **fits(config))
    report("a run in which no rollout can be graded", **failing(folder, url, seconds=180))
    # Port 9 (discard) answers nobody: the reward server is gone.
    report("a run whose reward server is gone", **failing(folder, "http://127.0.0.1:9", seconds=10))

    rows = pandas.read_parquet(os.path.join(folder, "train.parquet"))
    answers = solutions(sorted({row["ground_truth"] for row in rows["reward_model"]}))
    with toy_run(folder) as (config, work):
        report("two steps of the V1 trainer", moved=trained(config, work, answers))
        for path in sorted(glob.glob(f"{work}/rollouts/*.jsonl")):
            with open(path) as file:
                report("a dump", path=path, rows=[json.loads(line) for line in file])


if __name__ == "__main__":
    main(check)
