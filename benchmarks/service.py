"""Measure the speed of the service: concurrent sessions over HTTP and WebSocket, with the clients in another process.

python benchmarks/service.py [SESSIONS] [EPISODES]

The agent is ATPO in Night-time Pursuit on nine by nine cells: 6,561 states, four tasks, solved by Perseus. Each session
plays whole episodes of 50 steps. It sends ten steps a second, as a robot does, or each step as soon as it has the
answer to the last (full speed). The benchmark measures the time from sending a step to receiving its answer, which
includes writing the journal to the disk, and the CPU time, which does not depend on other work on the machine.
"""

import asyncio
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import psutil
from websockets.asyncio.client import connect

import walkon
from walkon.agents.agent import Agent
from walkon.service.journal import Journals
from walkon.service.messages import Opening, Told
from walkon.service.sessions import Sessions

SIZE, K, STEPS = 9, 4, 50
ROBOT = 0.1  # seconds between two steps


def made(folder: Path, sessions: int) -> tuple[Path, list[list[int]]]:
    """Write a bundle; return it and the observations of an episode for each session."""
    library = walkon.make("night-pursuit", size=SIZE, tasks=K)
    agent = walkon.agent("atpo", library, solver=walkon.Perseus(beliefs=300, tolerance=1e-2), jobs=1)
    counts = [len(policy.vectors) for policy in agent.mixture.policies]
    print(f"{len(library[0].pomdp.start):,} states, {K} tasks, {counts} vectors")
    walkon.save(agent, folder / "agent.safetensors")
    walkon.play(library[0], agent, horizon=2)  # compile and load the kernels
    played = [walkon.play(library[i % K], agent, horizon=STEPS, seed=i) for i in range(sessions)]
    observations = [episode.observations.tolist() for episode in played]
    said("without network, processor time", alone(agent, folder / "alone", observations))
    return folder / "agent.safetensors", observations


def alone(agent: Agent, folder: Path, episodes: list[list[int]]) -> list[float]:
    """Return the CPU seconds of each step with its journal."""
    journals, spent = Journals(folder, "benchmark"), []
    sessions = Sessions(agent, journals)
    for i, observations in enumerate([episodes[0], *episodes]):  # the first one only warms up
        name = sessions.open(Opening(seed=i))["session"]
        for t, observation in enumerate(observations):
            began = time.thread_time()
            sessions.tell(name, Told(step=t, observation=observation))
            spent.append(time.thread_time() - began)
    journals.close()
    return spent[len(episodes[0]) :]


def said(what: str, seconds: Sequence[float], cpu: float | None = None) -> None:
    """Print one line of the table."""
    ms = 1e3 * np.array(seconds)
    numbers = f"median {np.median(ms):6.2f} ms   99 % {np.quantile(ms, 0.99):6.2f} ms   max {ms.max():6.1f} ms"
    worked = "" if cpu is None else f"   CPU of the service {1e3 * cpu / len(ms):5.2f} ms per step"
    print(f"{what:<46} {numbers}{worked}", flush=True)


def over_http(port: int, seed: int, episodes: list[list[int]], pause: float, spent: list[float]) -> None:
    """Run one client, with one session after another over its own connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"content-type": "application/json"}

    def ask(method: str, path: str, body: dict[str, object] | None = None) -> dict[str, object]:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        document = json.loads(answer.read())
        assert answer.status < 300, document
        return document

    time.sleep(seed * pause / 10)  # robots are not in step with each other
    for observations in episodes:
        name = ask("POST", "/sessions", {"seed": seed})["session"]
        for t, observation in enumerate(observations):
            began = time.perf_counter()
            ask("POST", f"/sessions/{name}/steps", {"step": t, "observation": observation})
            spent.append(time.perf_counter() - began)
            time.sleep(max(0.0, pause - spent[-1]))
        ask("DELETE", f"/sessions/{name}")


async def over_sockets(port: int, clients: list[list[list[int]]], pause: float) -> list[float]:
    """Run all clients, each over its own socket."""

    async def one(seed: int, episodes: list[list[int]]) -> list[float]:
        spent: list[float] = []
        await asyncio.sleep(seed * pause / 10)
        async with connect(f"ws://127.0.0.1:{port}/socket") as socket:

            async def ask(message: dict[str, object]) -> dict[str, object]:
                await socket.send(json.dumps(message))
                answer: dict[str, object] = json.loads(await socket.recv())
                assert "error" not in answer, answer
                return answer

            for observations in episodes:
                name = (await ask({"do": "open", "seed": seed}))["session"]
                for t, observation in enumerate(observations):
                    began = time.perf_counter()
                    await ask({"do": "tell", "session": name, "step": t, "observation": observation})
                    spent.append(time.perf_counter() - began)
                    await asyncio.sleep(max(0.0, pause - spent[-1]))
                await ask({"do": "close", "session": name})
        return spent

    spent = await asyncio.gather(*(one(i, each) for i, each in enumerate(clients)))
    return [seconds for each in spent for seconds in each]


def measure(port: int, service: psutil.Process, clients: list[list[list[int]]]) -> None:
    """Measure all cases against a running service."""

    def worked() -> float:
        times = service.cpu_times()
        return float(times.user + times.system)

    for pause, pace in ((ROBOT, "10 steps a second each"), (0.0, "full speed")):
        spent: list[float] = []
        before = worked()
        threads = [
            threading.Thread(target=over_http, args=(port, i, episodes, pause, spent))
            for i, episodes in enumerate(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        said(f"HTTP, {len(clients)} sessions, {pace}", spent, worked() - before)
        before = worked()
        spent = asyncio.run(over_sockets(port, clients, pause))
        said(f"WebSocket, {len(clients)} sessions, {pace}", spent, worked() - before)


def main(sessions: int = 10, episodes: int = 4) -> None:
    """Make the agent, serve it in another process, and measure."""
    with tempfile.TemporaryDirectory() as name:
        bundle, observations = made(Path(name), sessions)
        words = [sys.executable, "-m", "walkon", "agent", str(bundle), "--port", "0", "--json"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as service:
            assert service.stdout is not None
            text = ""
            while not text.rstrip().endswith("}"):
                text += service.stdout.readline()
            port = int(json.loads(text)["address"].rstrip("/").rpartition(":")[2])
            try:
                measure(port, psutil.Process(service.pid), [[each] * episodes for each in observations])
            finally:
                service.terminate()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
