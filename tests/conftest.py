"""The settings of the tests: short and the same each time by default, long and random with WALKON_LONG=1."""

import os

from hypothesis import HealthCheck, settings

from chromium import LEFT_OUT, chromium

LONG = bool(os.environ.get("WALKON_LONG"))

settings.register_profile(
    "short", max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("long" if LONG else "short")


def fewer(examples):
    """Fewer examples in the short form of a test, of which each takes long."""
    return settings() if LONG else settings(max_examples=examples)


def pytest_collection_modifyitems(config, items):
    """Without a browser, leave out the tests that need one; `pytest_terminal_summary` says so."""
    if chromium() is None:
        left_out = [item for item in items if "browser" in item.fixturenames]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if "browser" not in item.fixturenames]


def pytest_terminal_summary(terminalreporter):
    """Say what was left out."""
    if chromium() is None:
        terminalreporter.write_line(LEFT_OUT, yellow=True)
