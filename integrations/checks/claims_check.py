"""The numbers behind a miniature's claims, computed again from its raw files by the standard library alone.

    python integrations/checks/claims_check.py runs/mini

Reads {problems,rollouts,grades}.jsonl of its evaluations and the rollouts of its training, parses the terse traces itself, and compares
with analysis/analysis.json: of each compared pair every pass@k and every mean of a label, of recovery and of chain depth, and the effect
of every claim. Ends with status 1 where one differs.
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


def runs_of(labels):
    lengths = [0]
    for label in labels:
        lengths = lengths[:-1] + [lengths[-1] + 1] if label in ("compute", "check", "setup") else lengths + [0]
    return [length for length in lengths if length]


def windows(labels, length=3):
    return [tuple(labels[i:i + length]) for i in range(len(labels) - length + 1)]


def recovers(labels):
    return sum("hypothesize" in window and "backtrack" in window for window in windows(labels))


def is_middle(label):
    return label in ("plan", "setup", "enumerate", "compute", "summarize", "other")


def apart(labels, motif):
    count = at = 0
    while at + len(motif) <= len(labels):
        hit = labels[at:at + len(motif)] == motif
        count, at = count + hit, at + (len(motif) if hit else 1)
    return count


def measure_of(name):
    if name in WORDS.values():
        return lambda trace: trace.count(name)
    if "→" in name:
        return lambda trace: apart(trace, name.split("→"))
    return {
        "chain depth": depth_of,
        "mean exploit run": lambda trace: mean(runs_of(trace)) if runs_of(trace) else None,
        "recovery primitives": lambda trace: trace.count("hypothesize") + trace.count("backtrack"),
        "recovery trigrams": recovers,
        "exploitation trigrams": lambda trace: sum(window == ("compute", "check", "compute") for window in windows(trace)),
        "verification trigrams": lambda trace: sum(a == c == "check" and is_middle(b) for a, b, c in windows(trace)),
        "traces with recovery": lambda trace: int(recovers(trace) > 0),
    }.get(name)


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


def within(strata):
    """Mantel and Haenszel's weights: of (stratum, inside, value), the mean inside minus that outside of the same stratum."""
    own = {}
    for stratum, inside, value in strata:
        own.setdefault(stratum, ([], []))[inside].append(value)
    weighed = [(len(a) * len(b) / (len(a) + len(b)), mean(b) - mean(a)) for a, b in own.values() if a and b]
    return sum(w * d for w, d in weighed) / sum(w for w, _ in weighed) if weighed else float("nan")


def slope(points):
    """Of (kind, step, value), over all steps and with the kind held, from the first step to the last."""
    span = max(step for _, step, _ in points) - min(step for _, step, _ in points)
    above = below = 0
    for kind in {kind for kind, _, _ in points}:
        own = [(step / span, value) for other, step, value in points if other == kind]
        x, y = mean(x for x, _ in own), mean(y for _, y in own)
        above += sum((a - x) * (b - y) for a, b in own)
        below += sum((a - x) ** 2 for a, _ in own)
    return above / below


def effect_of(test, pair, sides, sets, run):
    """What a claim's finding is about, from raw records; `sets`: of its scope, None for all."""
    if "trend" in test:
        rollouts = [one for one in lines(run / pair[1] / "rollouts.jsonl") if one["state"] != "failed"]
        kind = lambda one: one["problem"].split("/")[0].split(" ")[0]
        if test["trend"] == "solved":
            right = lambda one: one["grade"]["verdict"] == "correct"
            return slope([(kind(one), one["step"], right(one)) for one in rollouts if one.get("grade")])
        value = measure_of(test["trend"])
        return slope([(kind(one), one["step"], value(labels_of(one["response"]))) for one in rollouts])
    asked = [{p for p, _ in traces if sets is None or own[p] in sets} for traces, _, own in sides]
    shared = asked[0] & asked[1]
    if "measure" in test:
        value = measure_of(test["measure"])
        means = [mean(v for (p, _), trace in side[0].items() if p in shared and (v := value(trace)) is not None) for side in sides]
        return means[1] - means[0]
    if "within" in test:
        traces, graded, _ = sides[1]
        value = measure_of("chain depth" if test["within"] == "depthOfSolved" else "traces with recovery")
        return within([(p, graded[p, n], value(trace)) for (p, n), trace in traces.items() if p in asked[1] and (p, n) in graded])
    attempts = {}
    for which, (_, graded, _) in enumerate(sides):
        for (p, n), right in graded.items():
            if p in shared:
                attempts.setdefault(p, ({}, {}))[which][n] = right
    if "pass" in test:
        k = min(len(own) for both in attempts.values() for own in both)
        at = lambda k, own: pass_at(k, len(own), sum(own.values()))
        gain = lambda k: mean(at(k, b) - at(k, a) for a, b in attempts.values())
        return gain(k) - gain(1) if test["pass"] == "growth" else gain(1 if test["pass"] == "first" else k)
    solved = {p: tuple(any(own.values()) for own in both) for p, both in attempts.items()}
    both = test["recoveryWhere"] == "both"
    where = {p for p, (a, b) in solved.items() if (a and b if both else a != b)}
    value = measure_of("traces with recovery")
    shares = [mean(value(trace) for (p, n), trace in traces.items() if p in where and (not both or graded[p, n])) for traces, graded, _ in sides]
    return shares[1] - shares[0]


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
        chosen = scope["scope"].get("sets")
        for comparison in scope["comparisons"]:
            pair = [comparison["first"], comparison["second"]]
            if not all(name in policies for name in pair):
                continue
            sides = [policies[name] for name in pair]
            asked = [{p for p, _ in traces if chosen is None or sets[p] in chosen} for traces, _, sets in sides]
            shared = asked[0] & asked[1]
            where = f"{scope['scope']['name']}, {' -> '.join(pair)}"
            for change in comparison["changes"]:
                name = change["measure"]
                value = measure_of(name)
                for side, key in zip(sides, ("first", "second")) if value else ():
                    known = [value(trace) for (p, _), trace in side[0].items() if p in shared]
                    check(f"{where}, {name}, {key}", mean(one for one in known if one is not None), change[key])
            for found in comparison["passes"]:
                for side, key in zip(sides, ("first", "second")):
                    rates = []
                    for problem in sorted(shared):
                        attempts = [right for (p, _), right in side[1].items() if p == problem]
                        rates.append(pass_at(found["k"], len(attempts), sum(attempts)))
                    check(f"{where}, pass@{found['k']}, {key}", mean(rates), found[key])
    scopes = {scope["scope"]["name"]: scope["scope"].get("sets") for scope in analysis["scopes"]}
    for claim in analysis["claims"]:
        if all(name in policies for name in claim["pair"]):
            sides = [policies[name] for name in claim["pair"]]
            for finding in claim["findings"]:
                ours = effect_of(finding["test"], claim["pair"], sides, scopes.get(claim["scope"]), run)
                check(f"{claim['claim']} ({claim['scope']})", ours, finding["estimate"]["value"])
    print(f"{compared} numbers of {len(analysis['claims'])} claims and their pairs compared, {wrong} differ")
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
