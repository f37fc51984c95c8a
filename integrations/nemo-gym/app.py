"""Repertoire as a resources server of NeMo-Gym: /verify asks the reward server, everything else is NeMo-Gym's own.

The reward server's address and token come from REPERTOIRE_REWARD_URL and REPERTOIRE_TOKEN, so that they are in no file.
"""

import asyncio
from typing import Any, ClassVar

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    ReverifyMode,
    SimpleResourcesServer,
)
from pydantic import ConfigDict
from repertoire_rewards import RewardClient, reward_or_error


class RepertoireConfig(BaseResourcesServerConfig):
    REVERIFY_MODE: ClassVar[ReverifyMode] = ReverifyMode.STATELESS


class RepertoireVerifyRequest(BaseVerifyRequest):
    model_config = ConfigDict(extra="allow")

    ground_truth: str
    data_source: str | None = None


class RepertoireVerifyResponse(BaseVerifyResponse):
    model_config = ConfigDict(extra="allow")

    exact: float
    completion: float
    format: float
    verdict: dict[str, Any]


def last_message(output):
    """The text of the last message; what came before it are reasoning items and tool calls."""
    for item in reversed(output):
        if item.type == "message":
            return "".join(getattr(part, "text", "") for part in item.content)
    return ""


class RepertoireServer(SimpleResourcesServer):
    config: RepertoireConfig

    async def verify(self, body: RepertoireVerifyRequest) -> RepertoireVerifyResponse:
        text = last_message(body.response.output)
        # The prompt is for the reward server's record.
        asked = body.responses_create_params.model_dump()["input"]
        score = await asyncio.to_thread(RewardClient().score, text, body.ground_truth, body.data_source, asked)
        parts = {name: float(score[name]) for name in ("exact", "completion", "format")}
        return RepertoireVerifyResponse(**body.model_dump(), reward=reward_or_error(score), verdict=score, **parts)


if __name__ == "__main__":
    RepertoireServer.run_webserver()
