"""The frozen-reference novelty bonus, as in Repertoire's src/training/novelty.ts; both are tested on the same vectors.

s_i = (1/k) * sum of the k largest -ref_t;  z_i = clip((s_i - mean) / std, -c, c) over the correct rollouts of a group;
the bonus is weight * z_i for correct rollouts, 0 for the others. Plain Python floats: groups are small.
"""

import math
from dataclasses import dataclass

SMALLEST_SPREAD = 1e-6


@dataclass(frozen=True)
class NoveltyOptions:
    weight: float = 0.1
    tokens: int = 100
    clip: float = 2.0
    divisor: str = "sample"


def score(surprises, tokens):
    """The mean of the `tokens` largest surprises (-logprob); a shorter response is still divided by `tokens`."""
    return math.fsum(sorted(surprises, reverse=True)[:tokens]) / tokens


def bonuses(scores, correct, options=NoveltyOptions()):
    """One bonus a rollout of one group. Fewer than two correct, or scores that do not differ: no bonus."""
    competing = [value for value, right in zip(scores, correct, strict=True) if right]
    nothing = [0.0] * len(scores)
    if len(competing) < 2:
        return nothing
    center = math.fsum(competing) / len(competing)
    squares = math.fsum((value - center) ** 2 for value in competing)
    spread = math.sqrt(squares / (len(competing) - (1 if options.divisor == "sample" else 0)))
    if spread < SMALLEST_SPREAD:
        return nothing
    return [
        options.weight * min(max((value - center) / spread, -options.clip), options.clip) if right else 0.0
        for value, right in zip(scores, correct)
    ]
