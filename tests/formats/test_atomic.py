import os

import pytest

from walkon.formats.atomic import write_atomically


def test_the_pieces_are_the_content(tmp_path):
    write_atomically(tmp_path / "file", [b"one ", b"two"])
    assert (tmp_path / "file").read_bytes() == b"one two"


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    (tmp_path / "file").write_bytes(b"old")

    def pieces():
        yield b"new"
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk"):
        write_atomically(tmp_path / "file", pieces())
    assert (tmp_path / "file").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_written_file_may_be_read_by_those_who_may_read_other_new_files(tmp_path):
    write_atomically(tmp_path / "file", [b""])
    (tmp_path / "other").touch()
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_folder_that_does_not_exist_is_an_error_of_the_file_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "file", [b""])
