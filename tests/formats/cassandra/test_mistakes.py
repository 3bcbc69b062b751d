"""Every mistake is reported with its file, line and column, with what was expected and what was found."""

import re

import pytest

from walkon.formats.cassandra import rewards, statements
from walkon.formats.cassandra.reader import read_model
from walkon.formats.files import FormatError

PREAMBLE = "discount: 0.9\nvalues: reward\nstates: a b c\nactions: go stay\nobservations: dark light\n"
REST = "T: * identity\nO: * uniform\nR: * : * : * : * 1\n"
BARE = "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\n"

CASES = {
    "an empty file": ("", 1, 1, '"discount:" and "values:" and "states:" and "actions:".*found the end of the file'),
    "missing items": ("states: 2\nvalues: cost\nT: 0 uniform\n", 3, 1, '"discount:" and "actions:".*found "T"'),
    "no keyword": ("  hello world: 3", 1, 3, 'one of "discount:".*found "hello"'),
    "an unknown keyword": ("discount: 0.9\nhorizon: 3\n", 2, 1, 'one of "discount:".*found "horizon"'),
    "a stray colon": ("discount: : 0.9\n", 1, 11, 'found ":"'),
    "a keyword given twice": ("discount: 0.9\nvalues: cost\ndiscount: 0.8\n", 3, 1, '"discount:".*second time'),
    "a discount that is no number": (PREAMBLE.replace("0.9", "much"), 1, 11, r'a number in \[0, 1\), found "much"'),
    "a discount out of range": (PREAMBLE.replace("0.9", "1.5"), 1, 11, "discount is 1.5"),
    "a missing discount": (PREAMBLE.replace("0.9", ""), 2, 1, 'a number.*found "values"'),
    "two discounts": (PREAMBLE.replace("0.9", "0.9 0.8"), 1, 15, 'found "0.8"'),
    "values that are neither": (PREAMBLE.replace("reward", "rewards"), 2, 9, '"reward" or "cost", found "rewards"'),
    "no states": (BARE.replace("2", "0"), 3, 9, 'from 1 to 10,000,000 states, found "0"'),
    "too many states": (BARE.replace("2", "999999999999"), 3, 9, '10,000,000 states, found "999999999999"'),
    "far too many states": (BARE.replace("2", "9" * 5000), 3, 9, "10,000,000 states"),
    "too many actions": (BARE.replace("actions: 1", "actions: 10001"), 4, 1, "10,001 actions.*at most 10,000"),
    "too many pairs": (BARE.replace("2", "9999999").replace("1", "2"), 3, 1, "9,999,999 states times 2 actions"),
    "too many for a small file": (
        BARE.replace("2", "5000000"),
        3,
        1,
        r"5,000,000 states times 1 actions are too many: at most 1,000,000 are allowed in a file of \d+ bytes",
    ),
    "too many observations": (
        BARE.replace("1\n", "2\nobservations: 9999999\n"),
        5,
        1,
        "9,999,999 observations times 2",
    ),
    "a number among names": (PREAMBLE.replace("a b c", "a 2 c"), 3, 11, 'name of a state.*found "2"'),
    "a name among numbers": (PREAMBLE.replace("a b c", "3 b"), 3, 11, 'after one number, found "b"'),
    "a bad name": (PREAMBLE.replace("a b c", "a b! c"), 3, 11, 'found "b!"'),
    "a reserved name": (PREAMBLE.replace("a b c", "a T c"), 3, 11, '"T" begins a statement, so .* states: rename it'),
    "a name twice": (PREAMBLE.replace("a b c", "a b a"), 3, 13, 'two states are called "a"'),
    "no names": (PREAMBLE.replace("a b c", ""), 4, 1, 'number of states.*found "actions"'),
    "an unknown start": (PREAMBLE + "start: d\n" + REST, 6, 8, '3 probabilities.*found "d"'),
    "a short start": (PREAMBLE + "start: 0.5 0.5\n" + REST, 7, 1, '3 probabilities.*found "T"'),
    "a long start": (PREAMBLE + "start: 0.5 0.5 0 0\n" + REST, 6, 18, '3 probabilities.*found "0"'),
    "a start that is off": (PREAMBLE + "start: 0.5 0.4 0\n" + REST, 6, 8, "start sums to 0.9"),
    "nowhere to start": (PREAMBLE + "start exclude: a b c\n" + REST, 7, 1, "at least one state left to start in"),
    "an unknown state to start in": (PREAMBLE + "start include: a x\n" + REST, 6, 18, 'found "x"'),
    "an unknown action": (PREAMBLE + REST + "T: run : a : b 1\n", 9, 4, '2 actions, or \\*, found "run"'),
    "an unknown state": (PREAMBLE + REST + "T: go : z : b 1\n", 9, 9, 'one of the 3 states.*found "z"'),
    "a number that is too large": (PREAMBLE + REST + "T: go : a : 3 1\n", 9, 13, 'one of the 3 states.*found "3"'),
    "a negative number": (PREAMBLE + REST + "T: go : a : -1 1\n", 9, 13, 'found "-1"'),
    "an unknown observation": (PREAMBLE + REST + "O: go : a : dim 1\n", 9, 13, '2 observations.*found "dim"'),
    "no colon": (PREAMBLE + "T go : a : b 1\n" + REST, 6, 3, 'a colon, found "go"'),
    "no colon later on": (PREAMBLE + REST + "T go : a : b 1\n", 9, 3, 'a colon, found "go"'),
    "a colon too many": (PREAMBLE + REST + "T: go : a : b : c 1\n", 9, 15, 'a number.*found ":"'),
    "a field missing": (PREAMBLE + REST + "T: go : : b 1\n", 9, 9, 'found ":"'),
    "a field missing at the end": (PREAMBLE + REST + "T: go :\nT: go uniform\n", 10, 1, 'found "T"'),
    "no value": (PREAMBLE + REST + "T: go : a : b\nO: * uniform\n", 10, 1, 'a number for T: with 3.*found "O"'),
    "no value at the end": (PREAMBLE + REST + "T: go : a : b\n\n", 9, 14, "a number.*found the end of the file"),
    "a letter at the end": (PREAMBLE + REST + "T\n", 9, 2, "a colon, found the end of the file"),
    "a value that is no number": (PREAMBLE + REST + "T: go : a : b 0.5x\n", 9, 15, 'a number.*found "0.5x"'),
    "a malformed number": (PREAMBLE + REST + "T: go : a : b 1e\n", 9, 15, 'a number.*found "1e"'),
    "a double sign": (PREAMBLE + REST + "R: go:a:b:dark --1\n", 9, 16, 'a number.*found "--1"'),
    "python's own numbers": (PREAMBLE + REST + "R: go:a:b:dark 1_0\n", 9, 16, 'found "1_0"'),
    "not a number": (PREAMBLE + REST + "R: go:a:b:dark nan\n", 9, 16, 'found "nan"'),
    "infinity": (PREAMBLE + REST + "R: go:a:b:dark 1e999\n", 9, 16, '"1e999" is too large'),
    "two values": (PREAMBLE + REST + "T: go : a : b 0.5 0.5\n", 9, 19, 'T, O or R after T: with 3.*found "0.5"'),
    "a short row": (PREAMBLE + REST + "T: go : a\n0.5 0.5\nT: stay uniform\n", 11, 1, 'number 3 of 3.*found "T"'),
    "a long row": (PREAMBLE + REST + "T: go : a\n0.5 0.5 0 0\n", 10, 11, 'T, O or R.*found "0"'),
    "a short matrix": (PREAMBLE + REST + "O: go\n1 0\n1 0\n1", 12, 2, "number 6 of 6.*found the end of the file"),
    "a word among numbers": (PREAMBLE + REST + "T: go : a\n0.5 uniform 0.5\n", 10, 5, 'number 2 of 3.*"uniform"'),
    "identity for a row": (PREAMBLE + REST + "T: go : a identity\n", 9, 11, 'uniform or reset.*found "identity"'),
    "identity for a sensor": (PREAMBLE + REST + "O: go identity\n", 9, 7, 'or uniform.*found "identity"'),
    "a word for rewards": (PREAMBLE + REST + "R: go : a : b uniform\n", 9, 15, 'number 1 of 2.*found "uniform"'),
    "a word and more": (PREAMBLE + REST + "T: go uniform identity\n", 9, 15, 'T, O or R.*found "identity"'),
    "rewards for an action": (PREAMBLE + REST + "R: go\n1 1 1\n", 10, 1, ': and .*3 states.*found "1"'),
    "a negative probability": (PREAMBLE + REST + "T: go : a : b -0.5\n", 9, 15, '"-0.5" is not a probability'),
    "a probability above one": (PREAMBLE + REST + "O: go : a\n0.5 1.5\n", 10, 5, '"1.5" is not a probability'),
    "the preamble too late": (PREAMBLE + REST + "discount: 0.8\n", 9, 1, '"discount" must come before'),
    "a lone token at the end": (PREAMBLE + REST + "hello\n", 9, 1, 'T, O or R.*found "hello"'),
    "a sensor without observations": (BARE + "O: 0 uniform\n", 5, 1, 'an "O:" statement needs "observations:"'),
    "an observation without observations": (BARE + "R: 0 : 0 : 0 : 0 1\n", 5, 16, 'no observations.*found "0"'),
    "control characters": (PREAMBLE + REST + "\x00\x1b\n", 9, 1, r'found "\\x00\\x1b"'),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_reported_with_its_place(tmp_path, case):
    text, line, column, message = CASES[case]
    path = tmp_path / "model.pomdp"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_model(path)
    error = caught.value
    assert (error.line, error.column) == (line, column), str(error)
    assert re.match(re.escape(f"{path}, line {line}, column {column}: "), str(error))
    assert re.search(message, str(error)), str(error)


def test_columns_count_characters(tmp_path):
    path = tmp_path / "model.pomdp"
    path.write_text(PREAMBLE.replace("0.9", "é 0.9"), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_model(path)
    assert (caught.value.line, caught.value.column) == (1, 13)


def test_the_first_mistake_of_a_large_file_is_found_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(statements, "PIECE", 64)
    lines = [f"R: go : {x} : * : * {i}" for i in range(50) for x in "abc"]
    lines[77] = "R: go : a : * 7"
    lines[99] = "R: nowhere"
    path = tmp_path / "model.pomdp"
    path.write_text(PREAMBLE + REST + "\n".join(lines))
    with pytest.raises(FormatError, match="line 87, column 1: expected number 2 of 2") as caught:
        read_model(path)
    assert caught.value.line == 9 + 78


def test_a_row_that_is_missing_is_named_with_its_file(tmp_path):
    path = tmp_path / "model.pomdp"
    path.write_text(PREAMBLE + "T: go identity\nT: stay : a : a 1\nO: * uniform\n")
    with pytest.raises(FormatError, match=r'model\.pomdp: P\[1\] row 1 \("b"\) sums to 0, not 1') as caught:
        read_model(path)
    assert caught.value.line is None


def test_rewards_that_overflow_are_refused(tmp_path):
    path = tmp_path / "model.pomdp"
    row = "0.3333336 " * 3  # a sum just above one, as rounding gives it
    path.write_text(PREAMBLE + f"T: * : *\n{row}\nO: * uniform\nR: *:*:*:* 1.7976931e308\nR: *:*:b:* 1.797693e308\n")
    with pytest.raises(FormatError, match=r"model\.pomdp: R\[0, 0\] is inf"):
        read_model(path)


def test_wildcards_that_stand_for_too_much_are_refused_before_they_are_written_out(tmp_path):
    path = tmp_path / "model.mdp"
    large = "discount: 0.9\nvalues: reward\nstates: 100000\nactions: 10\n"
    path.write_text(large + "T: * uniform\n")
    with pytest.raises(FormatError, match=r"model\.mdp: .* more than 20,000,000 entries"):
        read_model(path)
    path.write_text(large + "T: * uniform\nT: * identity\n")
    assert sum(p.nnz for p in read_model(path).P) == 10**6


def test_entries_for_all_actions_count_for_each_of_them(tmp_path):
    path = tmp_path / "model.mdp"
    entries = "".join(f"T: * : {x} : {y} 0.025\n" for x in range(60) for y in range(40))
    path.write_text(f"discount: 0.9\nvalues: reward\nstates: 60\nactions: 10000\n{entries}")
    with pytest.raises(FormatError, match="more than 20,000,000 entries"):
        read_model(path)


def test_rewards_that_take_too_many_sums_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "model.pomdp"
    path.write_text(PREAMBLE + "T: * uniform\nO: * uniform\nR: * : a : * : dark 1\n")
    assert read_model(path).R[0].tolist() == [0.5, 0.5]
    # From a, three next states with two observations each.
    monkeypatch.setattr(rewards, "MOST_TRIPLES", 5)
    with pytest.raises(FormatError, match=r"model\.pomdp: .* depend on 6 triples .* at most 5"):
        read_model(path)


def test_a_missing_file_is_an_error_of_the_file_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "none.pomdp")
