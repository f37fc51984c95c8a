"""Runs AReaL's, EasyR1's and rLLM's own code around the reward functions of `repertoire_rewards.functions`.

    PYTHONPATH=integrations/checks:integrations/rewards:<the peer> python check.py <folder> <reward url> <sources> <areal | easyr1 | rllm>

`folder` is an export with rows of `prompt` and `ground_truth` (TRL's). Stand-ins: the model, which answers right and wrong in
turn, and modules for cards, which they import.
"""

import asyncio
import json
import os
import tempfile

from peer_check import byte_tokenizer, main, report, solutions, stand_ins, version_of


def texts(rows, answers):
    """One right and one wrong answer to each row."""
    for row in rows:
        for answer in (answers[row["ground_truth"]], "?"):
            yield row, f"<reasoning>so</reasoning><answer>{answer}</answer>"


def areal(rows, answers, work):
    """Its workflow for single turns: the function by its dotted name, in its pool of processes."""
    stand_ins("sglang", "vllm", "megatron", "numba", "colorlog")
    from areal.api import ModelResponse
    from areal.api.cli_args import GenerationHyperparameters
    from areal.workflow.rlvr import RLVRWorkflow

    tokenizer = byte_tokenizer(work)

    class Engine:
        def __init__(self, text):
            self.text = text

        async def agenerate(self, request):
            ids = tokenizer(self.text)["input_ids"]
            return ModelResponse(
                input_tokens=list(request.input_ids), output_tokens=ids, output_logprobs=[-1.0] * len(ids),
                output_versions=[0] * len(ids), stop_reason="stop", tokenizer=tokenizer,
            )  # fmt: skip

    workflow = RLVRWorkflow("repertoire_rewards.functions.areal", GenerationHyperparameters(max_new_tokens=100), tokenizer)

    async def rewarded():
        return [(await workflow.arun_episode(Engine(text), row))["rewards"].item() for row, text in texts(rows, answers)]

    return asyncio.run(rewarded())


def easyr1(rows, answers, work):
    """Its reward manager, which loads the file by its path, on its own batch."""
    import numpy as np
    import repertoire_rewards.functions as functions
    import torch
    from verl.protocol import DataProto
    from verl.workers.reward.config import RewardConfig
    from verl.workers.reward.function import AutoRewardManager

    tokenizer = byte_tokenizer(work)
    config = RewardConfig(reward_function=f"{functions.__file__}:easyr1")
    config.post_init()
    said = list(texts(rows, answers))
    ids = [tokenizer(text)["input_ids"] for _, text in said]
    longest = max(map(len, ids)) + 3
    batch = DataProto.from_dict(
        tensors={
            "responses": torch.tensor([one + [0] * (longest - len(one)) for one in ids]),
            "response_mask": torch.tensor([[1] * len(one) + [0] * (longest - len(one)) for one in ids]),
        },
        non_tensors={"ground_truth": np.array([row["ground_truth"] for row, _ in said], dtype=object)},
    )
    tensor, metrics = AutoRewardManager(config, tokenizer).compute_reward(batch)
    assert [row.nonzero().flatten().tolist() for row in tensor[::2]] == [[len(one) - 1] for one in ids[::2]]
    report("its metrics", exact=metrics["exact"], format=metrics["format"])
    return tensor.sum(dim=1).tolist()


def rllm(rows, answers, work):
    """Its workflow of one turn with our reward function."""
    from repertoire_rewards.functions import rllm as reward
    from rllm.engine.rollout.rollout_engine import ModelOutput
    from rllm.rewards.reward_fn import RewardFunction
    from rllm.workflows.simple_workflow import SimpleWorkflow

    assert isinstance(reward, RewardFunction)

    class Engine:
        def __init__(self, text):
            self.text = text

        async def get_model_response(self, messages, **_):
            return ModelOutput(text=self.text, content=self.text, reasoning="", tool_calls=[])

    async def rewarded():
        found = []
        for row, text in texts(rows, answers):
            workflow = SimpleWorkflow(rollout_engine=Engine(text), executor=None, reward_function=reward)
            task = {"question": row["messages"][0]["content"], "ground_truth": row["ground_truth"], "data_source": row["data_source"]}
            episode = await workflow.run_with_termination_handling(task, "task:0")
            found.append(episode.trajectories[0].steps[-1].reward)
        return found

    return asyncio.run(rewarded())


def check(folder, url, sources, peer):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    report(peer, version=version_of(sources))
    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [{**row, "messages": row["prompt"]} for row in map(json.loads, file)]
    with tempfile.TemporaryDirectory() as work:
        rewards = {"areal": areal, "easyr1": easyr1, "rllm": rllm}[peer](rows, solutions([row["ground_truth"] for row in rows]), work)
    assert all(reward > 2 for reward in rewards[::2]) and all(reward < 1.2 for reward in rewards[1::2]), rewards
    report("rewards", rewards=rewards)


if __name__ == "__main__":
    main(check)
