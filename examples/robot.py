"""A robot that asks an agent over HTTP what to do, without ROS: observations go out as text, commands come back."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import walkon
from walkon.pictures.svg import Frame, film

library = walkon.read_library(Path(__file__).with_name("museum.py"))


class Robot:
    """Stands in for the machine: it moves through the museum, and its sensor reads."""

    def __init__(self, seed):
        self.world = walkon.AdHocEnv(library, stop_when_solved=True, privileged=True)
        self.world.reset(seed=seed, options={"task": "east door"})
        self.done = False

    def do(self, command):
        _, _, self.done, _, facts = self.world.step(command)
        self.scene = library[1].drawing.scene(facts["state"], observation=facts["observation"])  # for the film
        return library.observations[facts["observation"]]


def serve(bundle):
    """Start `walkon agent`, as one would on the robot, and return the process and its address."""
    words = [sys.executable, "-m", "walkon", "agent", str(bundle), "--port", "0", "--json"]
    service = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    return service, json.loads("".join(iter(service.stdout.readline, "}\n")) + "}")["address"]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        bundle = Path(folder) / "agent.safetensors"
        walkon.save(walkon.agent("bayes", library, effort="quick"), bundle)
        service, address = serve(bundle)
        robot, frames = Robot(seed=3), []
        with service, walkon.Client(address) as client:
            step_in = walkon.StepIn(client.open(id="robot-7", seed=3))
            while not robot.done:
                command = step_in.command
                reading = robot.do(command)
                step_in.read(reading)
                belief = dict(zip(library.names, step_in.session.tasks, strict=True))
                print(f"{command:5} -> {reading:11}", *(f"{name} {p:.2f}" for name, p in belief.items()), sep="   ")
                bars = tuple((name, p, "#1f6fb4") for name, p in belief.items())
                frames.append(Frame(robot.scene, bars, f"It was told to go {command}, and read: {reading}."))
            service.terminate()
        Path("robot.svg").write_text(film(frames))
