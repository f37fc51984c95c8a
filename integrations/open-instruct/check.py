"""open-instruct finds our verifier as it finds its own, and knows every flag of the exported launch.sh.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/open-instruct:<open-instruct> python check.py <folder> <reward url> <sources>
"""

import asyncio
import json
import os
import re

from peer_check import launched, main, report, solutions, stand_ins, version_of


def check(folder, url, sources):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("open-instruct", version=version_of(sources))
    words = launched(folder, "python", {"OPEN_INSTRUCT": sources})
    names = {word[2:] for word in words if word.startswith("--")}
    found = set()
    for name in ("grpo_utils.py", "grpo_fast.py", "data_loader.py", "olmo_core_utils.py", "model_utils.py", "utils.py", "dataset_transformation.py"):
        path = os.path.join(sources, "open_instruct", name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found |= set(re.findall(r"^    (\w+): ", file.read(), re.M))
    unknown = sorted(names - found)
    assert unknown == [], f"flags that no argument has: {unknown}"
    report("its arguments", flags=len(names))

    # Its other verifiers import these; ours needs none of them.
    stand_ins("langdetect", "litellm", "defusedxml", "emoji", "syllapy", "vllm", "deepspeed", "beaker", "olmo_core")
    from open_instruct.ground_truth_utils import VerifierFunction
    from repertoire_open_instruct import RepertoireVerifier

    assert RepertoireVerifier in VerifierFunction.__subclasses__()
    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    truth = rows[0]["ground_truth"]
    right = f"<answer>{solutions([truth])[truth]}</answer>"
    verifier = RepertoireVerifier(None)
    scores = [asyncio.run(verifier.async_call([], said, truth)).score for said in (right, "?")]
    assert verifier.name == rows[0]["dataset"] and scores[0] > 2 and scores[1] == 0, scores
    report("its verifiers", scores=scores)


if __name__ == "__main__":
    main(check)
