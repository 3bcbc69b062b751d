"""Waiting for something that can be seen, and never for a time: the deadline matters only where a test fails."""

import time
from types import SimpleNamespace

import psutil

PATIENCE = 300  # seconds


def until(happened, otherwise):
    """Wait until something has happened; `otherwise` is what it means if it does not."""
    ends = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < ends, otherwise
        time.sleep(0.02)


def ended(process):
    """Whether a process has ended, even if it has not been waited for yet."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def read_until(stream, words):
    """Read lines until one of them has these words."""
    said = []
    while not said or words not in said[-1]:
        said.append(stream.readline())
        assert said[-1], f"{words!r} was never said: {''.join(said)}"


def pause_without_waiting(monkeypatch):
    """Let the pauses of clients pass at once, and nothing else: on their clocks only pauses take time."""
    slept = [0.0]
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append)
    monkeypatch.setattr("walkon.service.client.time", clock)
