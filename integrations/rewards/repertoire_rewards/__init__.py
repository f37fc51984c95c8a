"""What the plugins for other trainers share: a client of Repertoire's reward server, and the novelty bonus."""

from .client import RewardClient, RewardServerError
from .novelty import NoveltyOptions, bonuses, score

__all__ = ["NoveltyOptions", "RewardClient", "RewardServerError", "bonuses", "score"]
