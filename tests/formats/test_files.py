"""Files are replaced as a whole, or not at all."""

import os

import pytest

from walkon.formats.files import replacing


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
