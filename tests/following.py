"""A page of the documentation as a person follows it: files are written, commands typed, Python typed, in order."""

import re
import signal
import subprocess
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from waiting import PATIENCE

FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = ELLIPSIS | NORMALIZE_WHITESPACE
END = "<<end of command>>"


class Block(NamedTuple):
    """A block of code: its language, its title if it has one, and what is in it."""

    language: str
    title: str
    text: str


class Command(NamedTuple):
    """A command and what is shown below it."""

    line: str
    shown: str


def blocks(page):
    return [Block(*found.groups(default="")) for found in FENCE.finditer(page)]


def commands(text):
    """The commands of a console block: lines that begin with a dollar sign, each with the lines below it."""
    first, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not first, f"a console block begins with a command: {first!r}"
    return [Command(*part.partition("\n")[::2]) for part in parts]


def follow(page, folder, environment, leave_out=()):
    """Do what a page says, in a folder. Commands that begin with one of `leave_out` are left out."""
    with Shell(folder, environment) as shell:
        for language, title, text in blocks(page):
            if title:
                (folder / title).write_text(text)
            elif language == "console":
                for line, shown in commands(text):
                    if line.startswith("walkon serve"):
                        shell.serve(line, shown)
                    elif not line.startswith(tuple(leave_out)):
                        agree(line, shown, shell.type(line))
            elif language == "pycon":
                (folder / "session.txt").write_text(text)
                options = "-o ELLIPSIS -o NORMALIZE_WHITESPACE"
                agree(text, "", shell.type(f"python -m doctest {options} session.txt"))
            else:
                raise AssertionError(f"no test runs this {language} block:\n{text}")


def agree(line, shown, got):
    """Compare the output with the page, in which `...` stands for anything."""
    assert OutputChecker().check_output(shown, got, FLAGS), f"{line}\nis shown to say\n{shown}\nand says\n{got}"


class Shell:
    """One bash for the whole page, so that what it remembers stays."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment

    def __enter__(self):
        self.errors = Path(self.folder, "errors.txt").open("w")
        self.process = subprocess.Popen(
            ["bash"],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=PATIENCE)
        self.errors.close()

    def type(self, line):
        """What a command writes. It must end well."""
        self.process.stdin.write(f"{line}\necho '{END}' $?\n")
        self.process.stdin.flush()
        said = []
        for each in self.process.stdout:
            if each.startswith(END):
                assert each.split()[-1] == "0", f"{line}\n{''.join(said)}\n{(self.folder / 'errors.txt').read_text()}"
                return "".join(said)
            said.append(each)
        raise AssertionError(f"the shell ended at {line}: {(self.folder / 'errors.txt').read_text()}")

    def serve(self, line, shown):
        """A command that does not end by itself: visit the page that it names, and then press Ctrl-C."""
        walkon = self.type("which walkon").strip()
        with subprocess.Popen(
            [walkon, *line.split()[1:]],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as server:
            said = server.stdout.readline()
            agree(line, shown, said)
            with urlopen(said.split()[-1], timeout=PATIENCE) as answer:
                assert answer.status == 200
                assert b"walkon" in answer.read()
            server.send_signal(signal.SIGINT)
            assert server.wait(timeout=PATIENCE) in (0, 130)
