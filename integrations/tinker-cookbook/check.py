"""Runs tinker-cookbook's own rollouts over our dataset builder: its renderer, its group rollout, its trajectories; and the bonus.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/tinker-cookbook:<tinker-cookbook>:<tinker>:<chz> python check.py <folder> <reward url> <sources>

`folder` is an export with rows in verl's columns as JSON lines. Stand-ins: the sampler, which answers right and wrong in turn, and the
reference, whose log-probabilities are invented; packages of other models' renderers.
"""

import asyncio
import json
import os
import pickle
import random
import tempfile

from peer_check import byte_tokenizer, main, report, solutions, stand_ins, version_of


def check(folder, url, sources):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    stand_ins("pyqwest", "tml_renderers", "blobfile")
    import repertoire_cookbook
    import tinker
    from tinker_cookbook.completers import TokenCompleter, TokensWithLogprobs
    from tinker_cookbook.rl.rollouts import do_group_rollout

    report("tinker-cookbook", version=version_of(sources), tinker=tinker.__version__)
    with open(os.path.join(folder, "train.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    answers = solutions([row["reward_model"]["ground_truth"] for row in rows])
    work = tempfile.mkdtemp()
    # A renderer is pickled by the name of its tokenizer.
    tokenizer = type(byte_tokenizer(work)).from_pretrained(work)
    repertoire_cookbook.get_tokenizer = lambda name: tokenizer
    chance = random.Random(3)
    surprisals = {}

    class Reference:
        """Another number for each token, the same whenever it is asked."""

        async def compute_logprobs_async(self, prompt):
            tokens = tuple(prompt.to_ints())
            surprisals.setdefault(tokens, [chance.expovariate(1.0) for _ in tokens])
            return [None, *(-value for value in surprisals[tokens][1:])]

    repertoire_cookbook.reference_client = lambda url, path: Reference()

    class Sampler(TokenCompleter):
        """Right three times of four."""

        def __init__(self, answer):
            self.answer, self.asked = answer, 0

        async def __call__(self, model_input, stop):
            self.asked += 1
            thought = "".join(chance.choice("abcdefgh ") for _ in range(chance.randint(5, 60)))
            text = f"<reasoning>{thought}</reasoning><answer>{'?' if self.asked % 4 == 0 else self.answer}</answer>"
            tokens = [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]
            return TokensWithLogprobs(tokens=tokens, maybe_logprobs=[-1.0] * len(tokens))

    builder = repertoire_cookbook.RepertoireDatasetBuilder(
        rows=os.path.join(folder, "train.jsonl"), test_rows=os.path.join(folder, "test.jsonl"), groups_per_batch=2, group_size=8,
        model_name_for_tokenizer=work, renderer_name="role_colon", reference="tinker://sft",
    )  # fmt: skip
    train, test = asyncio.run(builder())
    assert len(train) == 2 and len(test) == 1, (len(train), len(test))
    groups = pickle.loads(pickle.dumps(train.get_batch(0)))
    uids, correct, task, rewards, scored = [], [], [], [], []
    for place, (group, row) in enumerate(zip(groups, rows)):
        done = asyncio.run(do_group_rollout(group, Sampler(answers[row["reward_model"]["ground_truth"]])))
        for trajectory, total in zip(done.trajectories_G, done.get_total_rewards()):
            turn = trajectory.transitions[-1]
            prompt, response = turn.ob.to_ints(), list(turn.ac.tokens)
            found = surprisals.get(tuple(prompt + response))
            uids.append(place)
            correct.append(turn.metrics["correct"] >= 1)
            task.append(turn.reward)
            rewards.append(total)
            scored.append(found[len(prompt) :] if found else [0.0])
    groups_of = [[i for i, uid in enumerate(uids) if uid == place] for place in set(uids)]
    from repertoire_rewards import group_advantages

    advantages = [0.0] * len(uids)
    for members in groups_of:
        for i, advantage in zip(members, group_advantages([rewards[i] for i in members])):
            advantages[i] = advantage
    report(
        "its group rollouts, with the bonus", uids=uids, surprisals=scored, correct=correct, task=task, rewards=rewards, advantages=advantages
    )


if __name__ == "__main__":
    main(check)
