"""The numbers behind a miniature's claims, computed again from its raw files by the standard library alone.

    python integrations/checks/claims_check.py runs/mini

Reads evaluations/*/{problems,rollouts,grades}.jsonl, parses the terse traces itself, and compares every pass@k and every mean of a
label, of recovery and of chain depth with what analysis/analysis.json says of each compared pair. Ends with status 1 where one differs.
"""

import json
import re
import sys
from math import comb
from pathlib import Path

WORDS = {"plan": "plan", "setup": "setup", "enum": "enumerate", "hyp": "hypothesize", "comp": "compute", "check": "check",
         "back": "backtrack", "sum": "summarize", "so": "other"}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def labels_of(response):
    block = re.search(r"<reasoning>(.*?)(?:</reasoning>|$)", response, re.S)
    return [WORDS[word] for word in (block.group(1) if block else response).split() if word in WORDS]


def depth_of(labels):
    longest = run = 0
    for label in labels:
        run = run + 1 if label in ("compute", "check", "setup") else 0
        longest = max(longest, run)
    return longest


def policy_of(folder):
    traces, graded, sets = {}, {}, {}
    for problem in lines(folder / "problems.jsonl"):
        sets[problem["id"]] = problem.get("set")
    for rollout in lines(folder / "rollouts.jsonl"):
        if rollout["state"] != "failed" and rollout["problem"] in sets:
            traces[rollout["problem"], rollout["attempt"]] = labels_of(rollout["response"])
    for grade in lines(folder / "grades.jsonl"):
        graded.setdefault((grade["problem"], grade["attempt"]), grade["verdict"] == "correct")
    return traces, graded, sets


def pass_at(k, attempts, correct):
    return 1 - comb(attempts - correct, k) / comb(attempts, k)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def main(run):
    policies = {folder.name: policy_of(folder) for folder in sorted((run / "evaluations").iterdir()) if folder.is_dir()}
    analysis = json.loads((run / "analysis" / "analysis.json").read_text(encoding="utf-8"))
    if any(labeler["kind"] != "grammar" for labeler in analysis["labelers"]):
        sys.exit("its traces were not labeled by the grammar: this script reads the terse language alone")
    compared = wrong = 0

    def check(what, ours, theirs):
        nonlocal compared, wrong
        compared += 1
        if theirs is None or abs(ours - theirs) > 1e-9 * max(1, abs(ours)):
            wrong += 1
            print(f"differs: {what}: here {ours}, in the analysis {theirs}")

    for scope in analysis["scopes"]:
        within = scope["scope"].get("sets")
        for comparison in scope["comparisons"]:
            pair = [comparison["first"], comparison["second"]]
            if not all(name in policies for name in pair):
                continue
            sides = [policies[name] for name in pair]
            asked = [{p for p, _ in traces if within is None or sets[p] in within} for traces, _, sets in sides]
            shared = asked[0] & asked[1]
            where = f"{scope['scope']['name']}, {' -> '.join(pair)}"
            for change in comparison["changes"]:
                name = change["measure"]
                if name in WORDS.values():
                    value = lambda trace: trace.count(name)
                elif name == "chain depth":
                    value = depth_of
                elif name == "recovery primitives":
                    value = lambda trace: trace.count("hypothesize") + trace.count("backtrack")
                else:
                    continue
                for side, key in zip(sides, ("first", "second")):
                    own = mean(value(trace) for (p, _), trace in side[0].items() if p in shared)
                    check(f"{where}, {name}, {key}", own, change[key])
            for found in comparison["passes"]:
                for side, key in zip(sides, ("first", "second")):
                    rates = []
                    for problem in sorted(shared):
                        attempts = [right for (p, _), right in side[1].items() if p == problem]
                        rates.append(pass_at(found["k"], len(attempts), sum(attempts)))
                    check(f"{where}, pass@{found['k']}, {key}", mean(rates), found[key])
    print(f"{compared} numbers compared, {wrong} differ")
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
