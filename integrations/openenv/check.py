"""OpenEnv's own server around our environment: over HTTP, over its websocket with sessions side by side, and its schemas; and the MCP tools.

    PYTHONPATH=integrations/checks:integrations/rewards:integrations/openenv:<OpenEnv>/src python check.py <folder> <reward url> <sources>

`folder` is not read. Stand-ins: none.
"""

import asyncio
import json
import os
import socket
import threading
import time
import urllib.request

from peer_check import main, report, solutions, version_of

KIND = "undead=4x4de"


def check(folder, url, sources):
    os.environ["REPERTOIRE_REWARD_URL"] = url
    import repertoire_openenv
    import uvicorn
    from websockets.asyncio.client import connect

    report("OpenEnv", version=version_of(os.path.dirname(sources)))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(repertoire_openenv.app(), host="127.0.0.1", port=port, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)

    def ask(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"content-type": "application/json"})
        return json.load(urllib.request.urlopen(asked))

    assert ask("/health")["status"] == "healthy"
    schema = ask("/schema")
    assert "board" in schema["action"]["properties"] and "violations" in schema["observation"]["properties"]
    first = ask("/reset", {"seed": 5, "kind": KIND})
    assert "Undead" in first["observation"]["text"] and first["done"] is False

    async def played(seed, wrong_turns):
        """An episode on a connection of its own: wrong boards, then the solution."""
        async with connect(f"ws://127.0.0.1:{port}/ws") as socket:

            async def say(kind, data=None):
                await socket.send(json.dumps({"type": kind, **({} if data is None else {"data": data})}))
                return json.loads(await socket.recv())

            await say("reset", {"seed": seed, "kind": KIND})
            state = (await say("state"))["data"]
            truth = json.dumps({"puzzle": "undead", "id": state["puzzle_id"]})
            solution = solutions([truth])[truth]
            broken = solution.replace("G", "V", 1) if "G" in solution else solution.replace("V", "G", 1)
            rewards = []
            for board in [*[broken] * wrong_turns, solution]:
                said = (await say("step", {"board": board}))["data"]
                rewards.append(said["reward"])
                if board == broken:
                    assert said["observation"]["violations"] and not said["done"], said
            await socket.send(json.dumps({"type": "close"}))
            assert said["done"] and said["observation"]["verdict"] == "correct", said
            return {"seed": seed, "puzzle": state["puzzle_id"], "rewards": rewards}

    async def side_by_side():
        return await asyncio.gather(played(5, 2), played(6, 0), played(5, 1))

    episodes = asyncio.run(side_by_side())
    assert episodes[0]["puzzle"] == episodes[2]["puzzle"] != episodes[1]["puzzle"]
    # What was paid on the way adds up to the worth of the last board: exact, complete and in form.
    assert all(abs(sum(one["rewards"]) - 2.1) < 1e-9 for one in episodes), episodes
    report("episodes over its websocket", episodes=episodes)
    server.should_exit = True

    async def called():
        from fastmcp import Client

        async with Client(repertoire_openenv.tools()) as client:
            names = sorted(tool.name for tool in await client.list_tools())
            text = (await client.call_tool("new_puzzle", {"kind": KIND, "seed": 5})).data
            said = (await client.call_tool("check_board", {"board": "nothing"})).data
            other = (await client.call_tool("new_puzzle", {"kind": "pattern=4x4", "seed": 5})).data
            placed = (await client.call_tool("place", {"row": 2, "column": 3, "symbol": "#"})).data
            outside = await client.call_tool("place", {"row": 9, "column": 1, "symbol": "#"}, raise_on_error=False)
            return {
                "names": names,
                "asks": "Undead" in text and "Pattern" in other,
                "verdicts": [said["verdict"], placed["verdict"]],
                "board": placed["board"].splitlines()[1],
                "outside": "not on the board" in outside.content[0].text,
            }

    found = asyncio.run(called())
    assert found == {
        "names": ["check_board", "new_puzzle", "place"],
        "asks": True,
        "verdicts": ["unreadable", "unfinished"],
        "board": "? ? # ?",
        "outside": True,
    }, found
    report("MCP tools", **found)


if __name__ == "__main__":
    main(check)
