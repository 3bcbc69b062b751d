"""Logs as CSV files: read as written, and every mistake told with its line."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import walkon
from walkon.errors import InputError
from walkon.formats import log_file
from walkon.formats.log_file import read_log, write_log

GOOD = b"""episode,step,action,observation,state,teammates,reward
1,0,left,nothing,"agent 1, mate 2",stay,-1
1,1,stay,near,"agent 0, mate 2",left,-0.5
1,2,,,"agent 0, mate 1",,
two,0,stay,nothing,,,
"""


@pytest.fixture
def said(tmp_path):
    def said(data):
        (tmp_path / "log.csv").write_bytes(data if isinstance(data, bytes) else data.encode())
        return read_log(tmp_path / "log.csv")

    return said


def test_a_log_is_read_as_it_is_written(said, tmp_path):
    log = said(GOOD)
    assert log.episodes == ("1", "1", "1", "two")
    assert log.steps.tolist() == [0, 1, 2, 0]
    assert log.actions == ("left", "stay", "", "stay")
    assert log.states[:3] == ("agent 1, mate 2", "agent 0, mate 2", "agent 0, mate 1")
    assert log.lines.tolist() == [2, 3, 4, 5]
    np.testing.assert_array_equal(log.rewards, [-1, -0.5, np.nan, np.nan])
    assert [list(run) for run in log.runs()] == [[0, 1, 2], [3]]
    write_log(log, tmp_path / "again.csv")
    again = read_log(tmp_path / "again.csv")
    for column in ("episodes", "actions", "observations", "states", "teammates"):
        assert getattr(again, column) == getattr(log, column)


def test_columns_and_rows_may_come_in_any_order_and_blank_lines_do_not_count(said):
    log = said("\ufeffStep, observation ,action,episode\r\n1,b,y,1\r\n\r\n0,a,x,1\r\n")
    assert log.actions == ("x", "y")
    assert log.lines.tolist() == [4, 2]
    assert log.states == ("", "")


ROBOT = """timestamp,episode,step,action,observation,# states,,next_state,state,Battery
12:00,1,0,go,near,x,0,b,a,0.7
12:01,1,1,,,,1,,b,0.6
"""


def test_columns_of_a_robot_that_are_not_known_are_skipped_and_named(said):
    log = said(ROBOT)
    assert log.skipped == ("timestamp", "# states", "", "next_state", "Battery")
    assert log.states == ("a", "b")
    with pytest.warns(walkon.LogWarning, match=r"log.csv: columns 'timestamp', '# states', '', .* skipped"):
        learned = walkon.learn(log)
    assert learned.warnings == (str(learned.warnings[0]),)


class Frame:
    """A data frame as pandas has it, as far as CSV goes."""

    def to_csv(self, path_or_buf=None, *, index=True):
        assert path_or_buf is None
        assert not index
        return ROBOT.replace(",a,", ",,")


def test_a_frame_is_read_like_its_csv_file(said):
    log = read_log(Frame())
    assert (log.source, log.states) == ("the frame", ("", "b"))
    with pytest.raises(InputError, match=r"log is a Frame: make a log of it first, walkon.learn\(walkon.read_log"):
        walkon.learn(Frame())


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    missing, folder = tmp_path / "nix.csv", tmp_path
    for path, why in [(missing, f'there is no file "{missing}"'), (folder, f"{folder} is a folder")]:
        with pytest.raises(InputError, match=f"{why}.*expected a log, a CSV file"):
            read_log(path)


def test_a_gap_parts_an_episode(said):
    log = said("episode,step,action,observation\n1,0,a,z\n1,1,a,z\n1,3,a,z\n")
    assert [list(run) for run in log.runs()] == [[0, 1], [2]]


HEAD = "episode,step,action,observation,state,reward\n"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "line 1: it is empty: expected a heading episode,step,action,observation"),
        (HEAD, "log.csv: it has no rows below its heading"),
        ("episode,step,action\n", "line 1: it has no column observation"),
        ("episode;step;action;observation\n", "line 1: its heading is .*: separate the columns by commas"),
        ("episode,step,acton,observation\n", r"line 1: there is no column 'acton' \(did you mean 'action'\?\)"),
        (
            "episode,step,action,observation,States\n",
            r"no column 'States' \(did you mean 'state'\?\): rename it, or begin",
        ),
        ("episode,step,action,observation,step\n", "line 1: it has the column step twice"),
        (HEAD + "1,0,a,z,x,0\n1,1,a,z\n", "line 3: 4 cells, but the heading has 6: put quotes around a cell"),
        (HEAD + "1,first,a,z,x,0\n", "line 2: step is 'first', expected a whole number, 0 or more"),
        (HEAD + "1,-1,a,z,x,0\n", "line 2: step is '-1'"),
        (HEAD + f"1,{'9' * 5000},a,z,x,0\n", "line 2: step is '999"),
        (HEAD + ",0,a,z,x,0\n", "line 2: the episode is empty"),
        (HEAD + "1,0,a,z,x,0\n1,0,a,z,x,0\n", "line 3: episode '1' already has step 0 in line 2"),
        (HEAD + "1,0,,z,x,0\n", "line 2: observation 'z' follows no action"),
        (HEAD + "1,0,a,z,x,much\n", "line 2: reward is 'much', expected a finite number"),
        (HEAD + "1,0,a,z,x,inf\n", "line 2: reward is 'inf'"),
        (HEAD + '1,0,"a,z,x,0\n', "line 2: it cannot be split into cells: unexpected end of data"),
        (HEAD + '1,0,"a"b,z,x,0\n', "line 2: it cannot be split into cells"),
        (HEAD + f"1,0,{'a' * 200_000},z,x,0\n", "line 2: it cannot be split into cells: field larger than field limit"),
        (HEAD.encode() + b"1,0,\xff,z,x,0\n", "line 2: it is not UTF-8"),
        (HEAD.encode() + b"1,0,\x00,z,x,0\n", "line 2: it has a zero byte"),
    ],
)
def test_every_error_names_its_line_and_a_remedy(said, data, told):
    with pytest.raises(InputError, match=told):
        said(data)


def test_a_file_that_is_too_large_is_not_read(said, monkeypatch):
    monkeypatch.setattr(log_file, "LARGEST_FILE", 50)
    with pytest.raises(InputError, match="has more than 50 bytes, the largest size allowed: split it"):
        said(GOOD)


SCRAPS = [b",", b'"', b"\n", b"\r", b"1", b"-1", b"nan", b"\xff", b"\x00", b";", b"step", b"episode", b"  ", b"9" * 50]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(st.tuples(st.integers(0, len(GOOD)), st.integers(0, 9), st.sampled_from(SCRAPS)), max_size=6))
def test_any_bytes_are_a_log_that_can_be_learned_from_or_an_input_error(said, edits):
    data = GOOD
    for at, length, scrap in edits:
        data = data[:at] + scrap + data[at + length :]
    with suppress(InputError, walkon.LogWarning):
        log = said(data)
        rows = list(zip(log.episodes, log.steps.tolist(), strict=True))
        assert len(set(rows)) == len(rows) > 0
        assert walkon.learn(log).rows == len(rows)
