"""A file that cannot be served is refused before the server listens."""

import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon.network import Address
from walkon.service.server import Settings, serve


@pytest.fixture
def bundle(tmp_path):
    walkon.save(quick_agent("atpo", random_library(3)), tmp_path / "agent")
    return tmp_path / "agent"


def served(bundle, journal):
    """A service that must not come so far as to listen."""
    serve(bundle, Address(port=0), journal, "1.0", None, Settings())


def test_a_file_that_holds_no_agent_is_refused(bundle, tmp_path):
    (tmp_path / "noise").write_bytes(b"noise")
    walkon.save(random_library(3), tmp_path / "library")
    for name, said in (
        ("nowhere", "there is no file"),
        ("noise", "not a walkon bundle"),
        ("library", "holds a TaskLibrary, expected an agent"),
    ):
        with pytest.raises(walkon.InputError, match=said):
            served(tmp_path / name, tmp_path / "journal")
    assert not (tmp_path / "journal").exists()


def test_a_folder_that_is_none_is_refused(bundle):
    with pytest.raises(walkon.InputError, match=r"cannot be made .*: give a folder with --journal"):
        served(bundle, bundle)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"deadline": 0.0}, "deadline is 0, expected seconds"),
        ({"deadline": float("nan")}, "deadline is nan"),
        ({"sessions": 0}, "sessions is 0, expected a number from 1 to 100,000"),
        ({"keep_days": -1.0}, "keep_days is -1, expected a number from 0 to 100,000"),
        ({"keep_days": float("nan")}, "keep_days is nan"),
        ({"idle_hours": 0.0}, "idle_hours is 0, expected hours: more than 0"),
        ({"idle_hours": float("nan")}, "idle_hours is nan"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, said):
    with pytest.raises(walkon.InputError, match=said):
        Settings(**settings)
