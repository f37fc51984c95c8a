"""Writes statistics-goldens.json: what SciPy says, each case with the call it came from.

Run: python statistics-goldens.py > statistics-goldens.json   (SciPy 1.17.1)
"""
import json
import numpy as np
from scipy import special, stats

rng = np.random.default_rng(20261115)
cases = []


def case(name, call, inputs, expected):
    cases.append({"test": name, "call": call, "inputs": inputs, "expected": [float(x) for x in expected]})


def integers(low, high, size):
    return [int(x) for x in rng.integers(low, high, size)]


# Mann-Whitney: heavy ties, few ties, no ties small (exact), paper-sized samples.
pairs = [
    ([1, 2, 2, 3, 3, 3], [2, 3, 4, 4, 5]),
    ([5, 5, 5, 5], [5, 5, 5]),
    ([1.5, 2.5, 9.0, 4.0], [3.0, 7.0, 8.0]),
    ([1, 2, 3], [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
    (integers(0, 12, 86), integers(0, 11, 314)),
    (integers(0, 4, 30), integers(1, 5, 25)),
    ([round(float(x), 6) for x in rng.normal(0, 1, 20)], [round(float(x), 6) for x in rng.normal(0.5, 1, 15)]),
]
for x, y in pairs:
    r = stats.mannwhitneyu(x, y)
    case("mannWhitney", "scipy.stats.mannwhitneyu(x, y)", {"x": x, "y": y}, [r.statistic, r.pvalue])

for x, y in [
    ([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]),
    ([1, 1, 2, 2, 3, 3], [2, 1, 4, 3, 3, 9]),
    (integers(0, 5, 40), integers(0, 6, 40)),
    ([0.16, 0.23, 0.29, 0.36], [1.39, 3.17, 6.63, 4.14]),
    ([round(float(v), 9) for v in rng.normal(size=12)], [round(float(v), 9) for v in rng.normal(size=12)]),
]:
    if len(x) <= 7:
        continue  # p is of all orders there, and SciPy's of Student's t
    r = stats.pearsonr(x, y)
    case("pearson", "scipy.stats.pearsonr(x, y)", {"x": x, "y": y}, [r.statistic, r.pvalue])
    r = stats.spearmanr(x, y)
    case("spearman", "scipy.stats.spearmanr(x, y)", {"x": x, "y": y}, [r.statistic, r.pvalue])

for table in [[[3, 21], [8, 480]], [[8, 2], [1, 5]], [[0, 512], [11, 501]], [[10, 10], [10, 10]], [[3, 0], [2, 7]],
              [[120, 340], [95, 410]]]:
    r = stats.fisher_exact(table)
    case("fisherExact", "scipy.stats.fisher_exact(table)", {"table": table}, [r.statistic, r.pvalue])

for values in [[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5], [7], integers(0, 15, 60)]:
    for percent in (0, 2.5, 10, 50, 90, 97.5, 100):
        case("percentile", f"numpy.percentile(values, {percent})", {"values": values, "percent": percent},
             [np.percentile(values, percent)])
    case("rankAverage", "scipy.stats.rankdata(values)", {"values": values}, stats.rankdata(values))

p = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04]
case("benjaminiHochberg", "scipy.stats.false_discovery_control(p, method='bh')", {"p": p},
     stats.false_discovery_control(p, method="bh"))

for successes, trials in [(0, 32), (3, 24), (8, 488), (16, 16), (50, 100)]:
    for level in (0.95, 0.9):
        test = stats.binomtest(successes, trials)
        ci = test.proportion_ci(level, method="exact")
        case("clopperPearsonInterval", f"scipy.stats.binomtest({successes}, {trials}).proportion_ci({level}, 'exact')",
             {"successes": successes, "trials": trials, "level": level}, [ci.low, ci.high])

for x in (-6, -1.3, 0, 0.4, 1.9, 2.1, 5, 12):
    case("erfc", f"scipy.special.erfc({x})", {"x": x}, [special.erfc(x)])
    case("normalTail", f"scipy.stats.norm.sf({x})", {"x": x}, [stats.norm.sf(x)])
for x in (0.1, 0.5, 1.7, 10, 320.5):
    case("logGamma", f"scipy.special.gammaln({x})", {"x": x}, [special.gammaln(x)])
for q in (1e-12, 0.001, 0.025, 0.3, 0.5, 0.8, 0.999999):
    case("normalQuantile", f"scipy.stats.norm.ppf({q})", {"q": q}, [stats.norm.ppf(q)])
for x, a, b in [(0.3, 2, 5), (0.9, 0.5, 0.5), (0.01, 30, 2), (0.5, 200, 220)]:
    case("regularizedBeta", f"scipy.special.betainc({a}, {b}, {x})", {"x": x, "a": a, "b": b}, [special.betainc(a, b, x)])
for t, df in [(0.0, 3), (2.1, 4), (-7.5, 30), (40, 2)]:
    case("studentTwoSided", f"2 * scipy.stats.t.sf({abs(t)}, {df})", {"t": t, "df": df}, [2 * stats.t.sf(abs(t), df)])


def plain(o):
    return None if isinstance(o, float) and o != o else "Infinity" if o == float("inf") else o


for c in cases:
    c["expected"] = [plain(x) for x in c["expected"]]
print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
