"""Files are replaced as a whole, or not at all."""

import errno
import os

import pytest

import walkon
from walkon import InputError
from walkon.domains.classics import tiger
from walkon.formats.files import lock_folder, replacing
from walkon.tasks.learning.log import Log


def test_the_new_file_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    with replacing(path) as draft:
        draft.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["file"]


def test_a_failure_leaves_the_old_file_and_no_draft(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")

    def write_half():
        with replacing(path) as draft:
            draft.write_text("half")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_half()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_new_file_may_be_read_by_whom_the_umask_allows(tmp_path):
    with replacing(tmp_path / "file") as draft:
        draft.write_text("new")
    (tmp_path / "plain").write_text("new")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_folder_that_is_not_there_is_an_error_of_the_file_system(tmp_path):
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "nowhere" / "file") as draft:
        draft.write_text("new")


WRITERS = {
    "save": lambda path: walkon.save(tiger(), path),
    "a policy": lambda path: walkon.save(walkon.AlphaVectors([[1.0, 2.0]], [0], 3), path.with_suffix(".policy")),
    "write_policy": lambda path: walkon.write_policy(walkon.AlphaVectors([[1.0, 2.0]], [0], 3), path),
    "write_pomdp": lambda path: walkon.write_pomdp(tiger(), path),
    "write_log": lambda path: walkon.write_log(LOG, path),
}
READERS = [
    "load",
    "read_pomdp",
    "read_pomdpx",
    "read_dpomdp",
    "read_mdp",
    "read_policy",
    "read_log",
    "read_episode",
    "read_library",
]
LOG = Log.of("a log", [(2, "1", 0, "a", "z", "", "", float("nan"))])


@pytest.mark.parametrize("write", WRITERS)
def test_what_cannot_be_written_names_the_path_that_was_given(write, tmp_path, monkeypatch):
    with pytest.raises(
        InputError, match=r"nowhere/x\S* cannot be written: there is no folder .*nowhere, make it first"
    ):
        WRITERS[write](tmp_path / "nowhere" / "x.safetensors")
    for unusable in ("", "x\0.safetensors"):
        with pytest.raises(InputError, match=r"path is '.*', expected the name of a file"):
            walkon.save(tiger(), unusable)
    for name in ("folder.safetensors", "folder.policy"):
        (tmp_path / name).mkdir()
    with pytest.raises(InputError, match=r"folder\.\w+ is a folder: give the name of a file in it"):
        WRITERS[write](tmp_path / "folder.safetensors")

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"/x\.\w+ cannot be written: No space left on device$"):
        WRITERS[write](tmp_path / "x.safetensors")
    assert sorted(os.listdir(tmp_path)) == ["folder.policy", "folder.safetensors"]


@pytest.mark.parametrize("read", READERS)
def test_what_cannot_be_read_names_the_path_that_was_given(read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=rf'there is no file "nix" in {tmp_path}: expected a') as missing:
        getattr(walkon, read)("nix")
    assert isinstance(missing.value, FileNotFoundError)
    with pytest.raises(InputError, match=r"^\. is a folder, expected a"):
        getattr(walkon, read)(".")
    with pytest.raises(InputError, match="path is None, expected the path of a"):
        getattr(walkon, read)(None)


def test_a_lock_in_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"unable to open database file: can the folder be written\?"):
        lock_folder(tmp_path / "nowhere" / "lock", "taken")
