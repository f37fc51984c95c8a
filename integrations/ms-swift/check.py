"""ms-swift's own registry of rewards and its own arguments, on an exported folder.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/ms-swift:<ms-swift> python check.py <folder> <reward url> <sources>
"""

import json
import os
import re

from peer_check import launched, main, report, solutions, version_of


def check(folder, url, sources):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("ms-swift", version=version_of(sources))
    # Every flag must be a field of its arguments; they are many dataclasses, and importing them needs its whole world.
    names = {word[2:] for word in launched(folder, "swift") if word.startswith("--")}
    found = set()
    for place, _, files in os.walk(os.path.join(sources, "swift")):
        for name in files:
            if name.endswith(".py"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    found |= set(re.findall(r"^    (\w+): ", file.read(), re.M))
    try:
        import dataclasses

        from transformers import TrainingArguments
        from trl import GRPOConfig

        found |= {field.name for kind in (TrainingArguments, GRPOConfig) for field in dataclasses.fields(kind)}
    except ImportError:
        pass
    unknown = sorted(names - found)
    assert unknown == [], f"flags that no argument has: {unknown}"
    report("its arguments", flags=len(names))

    import repertoire_swift  # noqa: F401
    from swift.rewards import orms

    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    truths = [row["ground_truth"] for row in rows]
    answers = solutions(truths)
    completions = [f"<answer>{answers[truth]}</answer>" for truth in truths]
    rewards = orms["repertoire"]()(completions, ground_truth=truths)
    exact = orms["repertoire_exact"]()(completions, ground_truth=truths)
    assert exact == [1.0] * len(rows), exact
    report("its registry of rewards", rewards=rewards)


if __name__ == "__main__":
    main(check)
