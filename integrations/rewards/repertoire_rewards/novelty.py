"""The frozen-reference novelty bonus, as in Repertoire's src/training/novelty.ts; both are tested on the same vectors.

s_i = (1/k) * sum of the k largest -ref_t;  z_i = clip((s_i - mean) / std, -c, c) over the correct rollouts of a group;
the bonus is weight * z_i for correct rollouts, 0 for the others. Plain Python floats: groups are small.
"""

import heapq
import math
import os
from dataclasses import dataclass

SMALLEST_SPREAD = 1e-6


@dataclass(frozen=True)
class NoveltyOptions:
    weight: float = 0.1
    tokens: int = 100
    clip: float = 2.0
    divisor: str = "sample"

    @classmethod
    def from_environment(cls):
        """REPERTOIRE_NOVELTY_WEIGHT (0 is plain GSPO), _TOKENS, _CLIP and _DIVISOR: trainers' configurations have no place for them."""
        said = lambda name: os.environ.get(f"REPERTOIRE_NOVELTY_{name.upper()}", getattr(cls, name))
        return cls(weight=float(said("weight")), tokens=int(said("tokens")), clip=float(said("clip")), divisor=said("divisor"))


def largest(surprisals, tokens):
    """The `tokens` largest; what ranks that hold parts of a response need to tell each other."""
    return heapq.nlargest(tokens, surprisals)


def score(surprisals, tokens):
    """The mean of the `tokens` largest surprisals (-logprob); a shorter response is still divided by `tokens`."""
    return math.fsum(largest(surprisals, tokens)) / tokens


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


def bonuses_by_group(groups, scores, correct, options=NoveltyOptions()):
    """One bonus a rollout of a batch, where `groups` names each rollout's group in any order."""
    members = {}
    for i, group in enumerate(groups):
        members.setdefault(group, []).append(i)
    given = [0.0] * len(scores)
    for indices in members.values():
        for i, bonus in zip(indices, bonuses([scores[i] for i in indices], [correct[i] for i in indices], options)):
            given[i] = bonus
    return given


def group_advantages(rewards, smallest=1e-6):
    """(r - mean) / (sample deviation + 1e-6) over one group: the paper's, for trainers that leave it to us."""
    center = math.fsum(rewards) / len(rewards)
    squares = math.fsum((reward - center) ** 2 for reward in rewards)
    spread = math.sqrt(squares / max(1, len(rewards) - 1))
    return [(reward - center) / (spread + smallest) for reward in rewards]
