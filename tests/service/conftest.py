"""Sessions of small agents."""

import pytest

from random_libraries import quick_agent, random_library
from walkon.service.journal import Journals
from walkon.service.sessions import Sessions


@pytest.fixture
def begun(tmp_path):
    """Sessions of an agent in a folder, opened again each time as after a restart."""
    held = []

    def begin(agent=None, folder="sessions", digest="a digest", most=256, keep_days=30.0, idle=None):
        for journals in held:
            journals.close()
        held.append(Journals(tmp_path / folder, digest, keep_days))
        return Sessions(agent or quick_agent("atpo", random_library(3, sparsity=0.0)), held[-1], most, idle)

    yield begin
    for journals in held:
        journals.close()
