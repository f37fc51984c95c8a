"""Puzzles played in turns in NeMo-Gym: its gymnasium servers' /reset and /step, with every broken rule said between turns.

For `entrypoint: turns.py` in place of `app.py`, with its gymnasium_agent; a row needs the same columns.
"""

import asyncio

from app import RepertoireConfig
from fastapi import HTTPException
from repertoire_rewards import PuzzleSession
from resources_servers.gymnasium import GymnasiumServer, extract_text


class RepertoireTurns(GymnasiumServer):
    config: RepertoireConfig

    async def reset(self, metadata, session_id=None):
        session = self.session_state[session_id] = PuzzleSession()
        session.resume(metadata["ground_truth"])
        # The puzzle is in the row's own input.
        return None, {}

    async def step(self, action, metadata, session_id=None):
        session = self.session_state.get(session_id)
        if session is None:
            raise HTTPException(status_code=400, detail="no puzzle yet: call /reset first")
        said = await asyncio.to_thread(session.check, response=extract_text(action))
        reward, because, left = said.pop("reward"), said.pop("because"), said["turns_left"]
        observation = f"{because}\n\nYou have {left} more turns; answer with a whole board again." if left and because else because
        return observation or "solved", reward, session.solved, session.done and not session.solved, said


if __name__ == "__main__":
    RepertoireTurns.run_webserver()
