"""Libraries of one's own, from the files that were named."""

import numpy as np
import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon import InputError
from walkon.domains.classics import tiger
from walkon.web.host import read_brought


def test_a_python_file_defines_a_library(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import walkon\nlibrary = walkon.make('night-pursuit', size=3, tasks=2)\n")
    assert len(read_brought([path]).library) == 2
    path.write_text("import walkon\ndef library():\n    return walkon.make('night-pursuit', size=3, tasks=3)\n")
    brought = read_brought([path])
    assert (brought.name, len(brought.library), brought.agent) == ("mine", 3, None)


def test_pomdp_files_are_tasks(tmp_path):
    for name, accuracy in (("near", 0.9), ("far", 0.6)):
        walkon.write_pomdp(tiger(accuracy), tmp_path / f"{name}.pomdp")
    brought = read_brought([tmp_path / "near.pomdp", tmp_path / "far.pomdp"])
    assert brought.library.names == ("near", "far")
    assert brought.library.observations == ("growl left", "growl right")


def test_bundles_hold_libraries_tasks_problems_and_agents(tmp_path):
    library = random_library(1)
    agent = quick_agent("atpo", library)
    for thing, count in ((library, 3), (library[0], 1), (tiger(), 1), (agent, 3)):
        walkon.save(thing, tmp_path / "some.safetensors")
        brought = read_brought([tmp_path / "some.safetensors"])
        assert len(brought.library) == count
        assert (brought.agent is not None) == (thing is agent)


def test_what_is_no_library_is_refused(tmp_path):
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1\n")
    with pytest.raises(InputError, match="defines nothing as `library`"):
        read_brought([empty])
    empty.write_text("library = [1]\n")
    with pytest.raises(InputError, match="defines a list as `library`"):
        read_brought([empty])
    with pytest.raises(InputError, match="there is no file"):
        read_brought([tmp_path / "none.py"])
    walkon.save(walkon.TabularPolicy(np.zeros((2, 2))), tmp_path / "policy.safetensors")
    with pytest.raises(InputError, match="holds a TabularPolicy"):
        read_brought([tmp_path / "policy.safetensors"])
    walkon.write_pomdp(tiger(), tmp_path / "a.pomdp")
    with pytest.raises(InputError, match="several files make a library only if"):
        read_brought([tmp_path / "a.pomdp", empty])
