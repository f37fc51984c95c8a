"""Repertoire's puzzles as an OpenEnv environment, with the verifier's feedback between turns; and as tools for agents over MCP.

    python repertoire_openenv.py --port 8000        # /reset, /step, /state, /schema, /health, /ws: OpenEnv's own server
    python repertoire_openenv.py --mcp              # new_puzzle, check_board and place on standard input and output

Puzzles and verdicts come from `repertoire serve rewards` (REPERTOIRE_REWARD_URL).
"""

import argparse
import uuid

from repertoire_rewards import PuzzleSession


def environment():
    """OpenEnv's classes of ours; imported only where OpenEnv is."""
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State

    class BoardAction(Action):
        board: str

    class PuzzleObservation(Observation):
        text: str
        verdict: str = ""
        violations: list[dict] = []
        turns_left: int

    class PuzzleState(State):
        puzzle: str | None = None
        puzzle_id: str | None = None
        solved: bool = False

    class PuzzleEnvironment(Environment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self):
            super().__init__()
            self._session = PuzzleSession()
            self._episode = None

        def reset(self, seed=None, episode_id=None, kind="bridges=7x7d0", split="train", **_):
            self._episode = episode_id or str(uuid.uuid4())
            text = self._session.start(kind, 1 if seed is None else seed, split)
            return PuzzleObservation(text=text, turns_left=self._session.max_turns)

        def step(self, action, timeout_s=None, **_):
            said = self._session.check(action.board)
            because = said.pop("because")
            return PuzzleObservation(text=because or "solved", **said)

        @property
        def state(self):
            played = self._session
            return PuzzleState(
                episode_id=self._episode, step_count=played.turns, puzzle=played.puzzle, puzzle_id=played.id, solved=played.solved
            )

    return PuzzleEnvironment, BoardAction, PuzzleObservation


def app(sessions=64):
    from openenv.core.env_server.http_server import create_fastapi_app

    return create_fastapi_app(*environment(), max_concurrent_envs=sessions)


def tools():
    """The same session as tools; FastMCP is what the MCP SDK calls a server of functions."""
    from fastmcp import FastMCP

    server, session = FastMCP("repertoire"), PuzzleSession(max_turns=1000)

    @server.tool
    def new_puzzle(kind: str = "bridges=7x7d0", seed: int = 1) -> str:
        """A puzzle with exactly one solution, with its rules. Kinds: name=params, as in undead=4x4 or pattern=5x5,easy."""
        return session.start(kind, seed)

    @server.tool
    def check_board(board: str) -> dict:
        """Every rule that a whole board breaks, with its cells; "correct" if it is the solution."""
        return session.check(board)

    @server.tool
    def place(row: int, column: int, symbol: str) -> dict:
        """Puts one symbol of the answer into one cell, rows and columns counted from 1, or clears it with ""; the board as it is then."""
        return session.place(row, column, symbol)

    return server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--mcp", action="store_true")
    given = parser.parse_args()
    if given.mcp:
        tools().run()
    else:
        import uvicorn

        uvicorn.run(app(), host=given.host, port=given.port)
