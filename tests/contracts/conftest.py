"""One other process for the checks of all agents and worlds, because it takes a second to start one.

That each check starts a process of its own where nobody does this for it, `tests/testing/` and `tests/test_recipes.py`
show.
"""

from contextlib import nullcontext

import pytest

from walkon.processes import Workers


@pytest.fixture(scope="session")
def other_process():
    with Workers(1) as started:
        yield started


@pytest.fixture
def shared_process(other_process, monkeypatch):
    """The checks of `walkon.testing` play their episodes in the same other process."""
    for checks in ("agents", "worlds"):
        monkeypatch.setattr(f"walkon.testing.{checks}.Workers", lambda jobs: nullcontext(other_process))
