"""Runs NeMo-Gym's own models and web server around our resources server, on an exported folder.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/nemo-gym:<Gym> python check.py <folder> <reward url> <sources>
"""

import json
import os

from peer_check import main, report, solutions, stand_ins, version_of


def check(folder, url, sources):
    stand_ins("hydra", "yappi", "gprof2dot", "pydot")
    import yaml
    from app import RepertoireConfig, RepertoireServer
    from fastapi.testclient import TestClient
    from nemo_gym.config_types import AggregateMetrics
    from nemo_gym.openai_utils import NeMoGymResponse, NeMoGymResponseCreateParamsNonStreaming
    from nemo_gym.server_utils import ServerClient
    from unittest.mock import MagicMock

    os.environ["REPERTOIRE_REWARD_URL"] = url
    report("NeMo-Gym", version=version_of(sources))
    with open(os.path.join(folder, "repertoire.yaml")) as file:
        config = yaml.safe_load(file)
    given = config["repertoire"]["resources_servers"]["repertoire"]
    with open(os.path.join(folder, "train.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    answers = solutions([row["ground_truth"] for row in rows])
    server = RepertoireServer(
        config=RepertoireConfig(**given, name="repertoire", host="127.0.0.1", port=1),
        server_client=MagicMock(spec=ServerClient),
    )

    def params_of(row):
        return NeMoGymResponseCreateParamsNonStreaming.model_validate(row["responses_create_params"]).model_dump()

    def response_of(answer):
        text = f"<reasoning>so</reasoning><answer>{answer}</answer>"
        said = {
            "id": "r", "created_at": 0, "model": "m", "object": "response", "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
            "output": [
                {"id": "t", "type": "reasoning", "summary": [], "content": None},
                {"id": "a", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]},
            ],
        }  # fmt: skip
        return NeMoGymResponse.model_validate(said).model_dump()

    client = TestClient(server.setup_webserver())
    said = []
    for row in rows:
        for answer in (answers[row["ground_truth"]], "?"):
            asked = {**row, "responses_create_params": params_of(row), "response": response_of(answer)}
            reply = client.post("/verify", json=asked)
            assert reply.status_code == 200, reply.text
            said.append(reply.json())
    rewards = [one["reward"] for one in said]
    report("/verify through its own server", rewards=rewards)
    metrics = client.post(
        "/aggregate_metrics",
        json={"verify_responses": [{**one, "_ng_task_index": i // 2, "_ng_rollout_index": i % 2} for i, one in enumerate(said)]},
    )
    assert metrics.status_code == 200, metrics.text
    found = AggregateMetrics.model_validate(metrics.json())
    report("/aggregate_metrics", mean_reward=found.agent_metrics["mean/reward"], mean_exact=found.agent_metrics["mean/exact"])
    from turns import RepertoireTurns

    played = RepertoireTurns(config=server.config, server_client=server.server_client)
    gym = TestClient(played.setup_webserver())
    row = rows[0]
    asked = {**row, "responses_create_params": params_of(row)}
    assert gym.post("/step", json={**asked, "response": response_of("?")}).status_code == 400
    assert gym.post("/reset", json=asked).json()["observation"] is None
    turns = [gym.post("/step", json={**asked, "response": response_of(text)}).json() for text in ("?", answers[row["ground_truth"]])]
    assert [turn["terminated"] for turn in turns] == [False, True] and "more turns" in turns[0]["observation"], turns
    assert abs(sum(turn["reward"] for turn in turns) - 2.1) < 1e-9, turns
    report("/reset and /step", rewards=[turn["reward"] for turn in turns], said=turns[0]["observation"])
    report("/reverify_mode", mode=client.get("/reverify_mode").json())


if __name__ == "__main__":
    main(check)
