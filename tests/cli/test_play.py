"""`walkon play` as a person meets it: in a process of its own, and on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from codecs import getincrementaldecoder
from pathlib import Path

import numpy as np
import psutil
import pytest

import walkon
from command_line import command, run, run_here
from recorded import recorded, recorded_picture
from waiting import PATIENCE, ended, until
from walkon.formats.episode_file import read_episode, write_episode

PLAIN = Path(__file__).parents[2] / "pyproject.toml"  # a file that is neither an episode nor a library
SMALL = ["night-pursuit", "--size", "3", "--tasks", "2"]


@pytest.fixture(scope="module")
def episode(tmp_path_factory):
    """An episode's file, and what is in it."""
    path = tmp_path_factory.mktemp("play") / "episode.json"
    recording, _ = recorded("night-pursuit", "atpo", {"size": 3, "tasks": 2}, task=1, seed=3)
    write_episode(recording, path)
    return path, recording


def test_an_episode_is_told_line_by_line_and_replayed_word_for_word(tmp_path):
    played = run("play", *SMALL, "--task", 1, "--seed", 3, "--backups", 100, "--save", tmp_path / "episode.json")
    assert played.returncode == 0, played.stderr
    heading, tasks, start, *steps, ending, belief, clock, written = played.stdout.splitlines()
    assert heading == "night-pursuit · atpo · seed 3"
    assert tasks == "task 1* of 2: prey (0,1) and (0,2); *prey (1,1) and (1,2)"
    assert start == "  0 | sensed nothing yet | task belief 0.500 *0.500"
    assert ending.startswith(f"solved after {len(steps)} steps")
    assert "believes in" in belief
    assert "a decision took" in clock
    assert written == f"written to {tmp_path / 'episode.json'}"
    assert "\x1b" not in played.stdout
    replayed = run_here("play", tmp_path / "episode.json")
    assert replayed.stdout == played.stdout.removesuffix(f"{written}\n")
    assert replayed.stderr == ""


def test_the_lines_say_what_the_library_plays(episode):
    path, recording = episode
    told = run_here("play", path).stdout.splitlines()
    for t in range(len(recording.episode.actions) + 1):
        seen = recorded_picture(recording, t)
        assert seen.did in told[2 + t]
        assert f"sensed {seen.sensed}" in told[2 + t]
        assert f"{recording.episode.task_beliefs[t, 0]:.3f} *{recording.episode.task_beliefs[t, 1]:.3f}" in told[2 + t]


def test_json_is_the_episode_that_play_gives_and_can_be_replayed(tmp_path):
    options = ["--agent", "value-iteration", "--task", 2, "--seed", 5, "--size", 3, "--capture", "adjacent"]
    done = run_here("play", "pursuit", *options, "--horizon", 9, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    library = walkon.make("pursuit", size=3, capture="adjacent")
    episode = walkon.play(library[2], walkon.agent("value-iteration", library, target=2), horizon=9, seed=5, stop=True)
    for column in ("states", "actions", "teammate_actions", "observations", "rewards"):
        np.testing.assert_array_equal(document[column], getattr(episode, column))
    assert document["options"] == {"size": 3, "capture": "adjacent"}
    assert document["summary"]["steps"] == episode.steps
    assert document["summary"]["task_name"] == library.names[2]
    (tmp_path / "printed.json").write_text(done.stdout)
    assert json.loads(run_here("play", tmp_path / "printed.json", "--json").stdout) == document


def test_the_kitchen_counts_soups():
    done = run_here("play", "overcooked", "--role", "cook", "--horizon", 20, "--fast")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^[1-2] soups? in 20 steps", done.stdout, re.MULTILINE)
    assert len(done.stdout.splitlines()) == 6  # two of heading, the last step, three of summary


@pytest.mark.parametrize(
    ("keys", "steps"), [("", 1), ("\n\n", 3), ("\nq\n", 2), ("\n" * 99, None)], ids=["none", "two", "quit", "all"]
)
def test_step_waits_for_a_line_and_stops_when_told(keys, steps, episode):
    path, recording = episode
    done = run_here("play", path, "--step", input=keys)
    assert done.returncode == 0
    told = [line for line in done.stdout.splitlines() if "sensed" in line]
    assert len(told) == (steps or len(recording.episode.actions) + 1)
    assert "solved after" in done.stdout


def test_no_colour_is_forced_into_a_pipe(episode):
    forced = run("play", episode[0], env=os.environ | {"FORCE_COLOR": "1"})
    assert "\x1b" not in forced.stdout
    assert forced.stdout == run("play", episode[0], env=os.environ | {"NO_COLOR": "1"}).stdout


def test_a_task_may_be_called_by_its_name(tmp_path):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    for task in (1, library[1].name):
        done = run_here("play", *SMALL, "--agent", "random", "--task", task, "--json")
        assert json.loads(done.stdout)["task"] == 1
    found = run_here("solve", *SMALL, "--task", library[1].name, "--backups", 5, "--json")
    assert found.returncode == 0
    assert "lower" in json.loads(found.stdout)


BAD = {
    "no such world": (["lion"], 'no world and no file "lion"'),
    "an example of the docs": (["nowhere/table.py"], "(`walkon examples table --out nowhere` copies it)"),
    "a misspelt world": (["nightpursuit"], "did you mean 'night-pursuit'?"),
    "a file without its ending": ([PLAIN.with_suffix("")], f"did you mean '{PLAIN}'?"),
    "an agent in capital letters": ([*SMALL, "--agent", "ATPO"], "did you mean 'atpo'?"),
    "a misspelt task": ([*SMALL, "--task", "prey (0,1), (0,2)"], "did you mean 'prey (0,1) and (0,2)'?"),
    "no such agent": ([*SMALL, "--agent", "magic"], "no agent 'magic'"),
    "no such task": ([*SMALL, "--task", "2"], "--task 2 does not exist: they are numbered 0 to 1"),
    "an option of another world": (["pursuit", "--noise", "0.1"], "pursuit has no option 'noise'"),
    "a bad option": (["night-pursuit", "--size", "99"], "size is 99"),
    "a bad choice": (["overcooked", "--role", "waiter"], "role is 'waiter'"),
    "a bad seed": ([*SMALL, "--agent", "random", "--seed", "-1"], "seed is -1"),
    "no steps": ([*SMALL, "--horizon", "0"], "--horizon is 0"),
    "endless": ([*SMALL, "--horizon", "1000000000000"], "--horizon is 1000000000000"),
    "bad backups": ([*SMALL, "--backups", "-1"], "--backups is -1"),
    "bad delay": ([*SMALL, "--delay", "nan"], "--delay is nan"),
    "two ways": ([*SMALL, "--step", "--fast"], "give one of them"),
    "no folder": ([*SMALL, "--save", "/nowhere/at/all.json"], "not a folder"),
    "onto a folder": ([*SMALL, "--save", os.path.dirname(PLAIN)], "is a folder"),
    "onto a file of another kind": ([*SMALL, "--save", "never.py"], "cannot be written as .py: name it .json"),
    "no episode": ([PLAIN], "is not an episode that can be replayed"),
    "a folder": ([os.path.dirname(PLAIN)], "is a folder, expected an episode"),
    "a replay with options": ([PLAIN, "--size", "3"], "is replayed as it was: leave --size out"),
    "a replay with a seed": ([PLAIN, "--solver-seed", "3"], "leave --solver-seed out"),
}


@pytest.mark.parametrize(("case", "how"), [(case, run_here) for case in BAD] + [(case, run) for case in list(BAD)[:1]])
def test_bad_input_exits_2_with_one_message_and_no_traceback(case, how):
    arguments, message = BAD[case]
    done = how("play", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_ctrl_c_while_solving_exits_130_at_once_and_leaves_no_process():
    arguments = command("play", "pursuit", "--backups", 0, "--save", "never.json")
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until(lambda: process.poll() is not None or psutil.Process(process.pid).children(), "nothing is solved")
    workers = psutil.Process(process.pid).children()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert said.split()[-1] == "interrupted"
    assert "Traceback" not in said
    assert workers
    until(lambda: all(ended(worker) for worker in workers), "processes are left")
    assert not os.path.exists("never.json")


class Terminal:
    """A terminal with a process on it."""

    def __init__(self, *arguments, **environment):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(theirs)
        environment = os.environ | {"TERM": "xterm-256color"} | environment
        self.process = subprocess.Popen(
            command(*arguments), env=environment, pass_fds=[theirs], preexec_fn=lambda: os.login_tty(theirs)
        )
        self.theirs = theirs
        self.decode = getincrementaldecoder("utf-8")().decode
        self.seen = ""

    def until(self, words):
        """Read until the words are on the screen."""
        end = time.monotonic() + PATIENCE
        while words not in self.seen:
            ready, _, _ = select.select([self.ours], [], [], max(end - time.monotonic(), 0))
            assert ready, self.seen
            self.seen += self.decode(os.read(self.ours, 65536))

    def press(self, keys):
        self.seen = ""
        os.write(self.ours, keys)

    def end(self):
        """The exit code, the terminal's settings being as they were."""
        code = self.process.wait(timeout=PATIENCE)
        while select.select([self.ours], [], [], 0)[0]:
            self.seen += self.decode(os.read(self.ours, 65536))
        assert termios.tcgetattr(self.theirs) == self.before
        os.close(self.ours)
        os.close(self.theirs)
        return code


def test_on_a_terminal_a_key_steps_forward_and_back_and_everything_is_put_back(episode):
    terminal = Terminal("play", episode[0], "--step")
    terminal.until("step 0/50")
    assert "\x1b[?1049h" in terminal.seen  # the other screen
    terminal.press(b"\n")
    terminal.until("step 1/50")
    terminal.press(b"\x1b[D")
    terminal.until("step 0/50")
    terminal.press(b"q")
    terminal.until("a decision took")
    assert terminal.seen.index("\x1b[?1049l") < terminal.seen.index("solved after")
    assert terminal.end() == 0
    assert "\x1b[?25h" in terminal.seen  # the cursor


def test_on_a_terminal_ctrl_c_exits_130_and_everything_is_put_back(episode):
    terminal = Terminal("play", episode[0], "--step")
    terminal.until("step 0/50")
    terminal.press(b"\x03")
    terminal.until("interrupted")
    assert "\x1b[?1049l" in terminal.seen
    assert terminal.end() == 130


def test_an_animation_runs_to_its_end_by_itself_and_without_colours(episode):
    terminal = Terminal("play", episode[0], "--delay", "0.01", NO_COLOR="1")
    terminal.until("a decision took")
    assert terminal.end() == 0
    assert f"step {len(episode[1].episode.actions)}/50 · solved" in terminal.seen
    assert not re.search(r"\x1b\[[0-9;]*(3[0-8]|4[0-8])[0-9;]*m", terminal.seen)


def test_what_was_played_on_a_terminal_is_saved_before_it_is_shown(tmp_path):
    terminal = Terminal("play", *SMALL, "--agent", "random", "--step", "--save", str(tmp_path / "episode.json"))
    terminal.until("step 0/50")
    terminal.press(b"\x03")
    terminal.until("interrupted")
    assert terminal.end() == 130
    assert read_episode(tmp_path / "episode.json").episode.agent == "random"
