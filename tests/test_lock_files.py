"""The lock files: whoever installs them gets the versions in them, whatever has been released since."""

import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = sorted((Path(__file__).parents[1] / "requirements").glob("*.txt"))


def pinned(lock):
    """The requirements of a lock file, by name."""
    lines = re.findall(r"^([a-z0-9][^ \\\n]*==[^\\\n]*)", lock.read_text(), re.M)
    return {canonicalize_name(found.name): found for found in map(Requirement, lines)}


def wanted(found):
    """What an installed package asks for; nothing of one that is not installed here."""
    try:
        asked = map(Requirement, requires(found.name) or ())
    except PackageNotFoundError:
        return []
    extras = {"", *found.extras}
    return [one for one in asked if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in extras)]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_what_is_asked_for_with_extras_is_locked_with_them(lock):
    """Older versions of pip do not apply the pin of a package to the same package with extras."""
    locked = pinned(lock)
    assert len(locked) > 10
    for found in locked.values():
        for asked in wanted(found):
            if asked.extras and canonicalize_name(asked.name) in locked:
                assert asked.extras <= locked[canonicalize_name(asked.name)].extras, f"{found.name} asks for {asked}"
