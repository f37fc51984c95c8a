"""What the plugins for other trainers share: a client of Repertoire's reward server, the novelty bonus, puzzles as data."""

from .client import RewardClient, RewardServerError
from .local import LocalServer, puzzle_dataset
from .novelty import NoveltyOptions, bonuses, bonuses_by_group, group_advantages, largest, score
from .session import PuzzleSession
from .shapes import completion_text, reward_of, reward_or_error, rollouts_of

__all__ = [
    "LocalServer",
    "NoveltyOptions",
    "PuzzleSession",
    "RewardClient",
    "RewardServerError",
    "bonuses",
    "bonuses_by_group",
    "completion_text",
    "group_advantages",
    "largest",
    "puzzle_dataset",
    "reward_of",
    "reward_or_error",
    "rollouts_of",
    "score",
]
