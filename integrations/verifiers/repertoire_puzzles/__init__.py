"""Repertoire's puzzles for verifiers: a taskset for version 1 (prime-rl, the Environments Hub), and `load_environment` for
what speaks the older interface (tinker-cookbook's and SkyRL's verifiers recipes)."""

from .rows import load_rows

__all__ = ["PuzzleTaskset", "load_environment", "load_rows"]


def __getattr__(name):
    # Each interface is imported when it is asked for: an installation may have one of them only.
    if name == "PuzzleTaskset":
        from .taskset import PuzzleTaskset

        return PuzzleTaskset
    if name == "load_environment":
        from .environment import load_environment

        return load_environment
    raise AttributeError(name)


def _register_bonus():
    """Inside prime-rl's orchestrator, where a reference is named, `grpo` gets the novelty bonus."""
    import os
    import sys

    if "prime_rl" in sys.modules and os.environ.get("REPERTOIRE_REFERENCE_URL"):
        from .prime_rl_bonus import register

        register()


_register_bonus()
