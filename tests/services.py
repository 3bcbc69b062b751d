"""`walkon agent` or `walkon serve` in a separate process that can be killed and restarted on the same port."""

import json
import signal
import subprocess
from urllib.parse import urlsplit

from command_line import command
from waiting import PATIENCE


class Service:
    """A command that serves. Use it in a `with` block."""

    def __init__(self, *words, cwd=None, port=0):
        unhurried = ["--deadline", PATIENCE] if words[0] == "agent" and "--deadline" not in words else []
        self.words, self.cwd = [*words, *unhurried], cwd
        self.process, self.port, self.ready = None, port, None

    def start(self):
        words = command(*self.words, "--port", self.port, "--json")
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.cwd)
        text = ""
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline()
            assert line, self.process.communicate()[1]
            text += line
        self.ready = json.loads(text)
        address = self.ready["address"].partition("?")[0]
        self.port = urlsplit(address).port
        return self

    def kill(self):
        """As if the power went: nothing is finished, nothing is said."""
        self.process.kill()
        self.process.communicate()

    def end(self):
        """As Ctrl-C does. Gives the exit code, and what was said on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said

    def __enter__(self):
        return self.start()

    def __exit__(self, *problem):
        self.kill()
