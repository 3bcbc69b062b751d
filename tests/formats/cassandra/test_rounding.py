"""Rows that miss one by no more than their printed digits explain are divided by their sums; others are refused."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.errors import InputError
from walkon.formats.cassandra import statements
from walkon.formats.cassandra.reader import read_model, read_pomdp, read_with_notes
from walkon.formats.cassandra.rounding import least
from walkon.formats.files import FormatWarning

ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.pomdp"


def rows(*lines, preamble="", rest="O: * uniform\n"):
    """A file with one action, whose transitions have these rows."""
    states = len(lines[0].split())
    head = f"discount: 0.9\nvalues: reward\nstates: {states}\nactions: 1\nobservations: 2\n{preamble}"
    padded = [*lines, *(" ".join("1" if y == x else "0" for y in range(states)) for x in range(len(lines), states))]
    return head + "T: 0\n" + "\n".join(padded) + "\n" + rest


EXPLAINED = {
    "three thirds": "0.333333 0.333333 0.333333",
    "three thirds of five digits": "0.33333 0.33333 0.33333",
    "three thirds of two digits": "0.33 0.33 0.33",
    "a sum above one": "0.166667 0.166667 0.666667",
    "two sixths and two thirds": "0.167 0.167 0.667",
    "exponents": "3.33e-1 333e-3 0.333",
    "an exact half": "0.5 0.1667 0.3334",
    "zeros": "0.000 0.3333 0.3333 0.3333 0.0",
}
UNEXPLAINED = {
    "a lost case": "0.9 0 0",
    "a lost case of zeros": "0.9 0.0 0.00 0.000",
    "a lost case of tenths": "0.7 0.1 0.1",
    "a lost tenth": "0.8 0.1",
    "thirds of one digit": "0.3 0.3 0.3",
    "a lost case of hundredths": "0.90 0.05",
    "a lost hundredth": "0.99 0",
    "many digits": "0.333333 0.333333 0.333300",
    "one digit too many": "0.3333330 0.3333330 0.3333330 0.0000000",
    "a lost case among many": " ".join(["0.009"] * 100),
    "a case too many": "0.95 0.10",
    "nothing": "0 0",
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_a_row_that_its_digits_explain_is_divided_by_its_sum_with_a_warning(path, case):
    path.write_text(rows(EXPLAINED[case]))
    with pytest.warns(FormatWarning, match=r"model\.pomdp: 1 row of T misses 1 by .* its digits explain.* its sum$"):
        model = read_pomdp(path)
    printed = np.array([float(each) for each in EXPLAINED[case].split()])
    np.testing.assert_allclose(model.P[0].toarray()[0], printed / printed.sum(), rtol=1e-15)


@pytest.mark.parametrize("case", UNEXPLAINED)
def test_a_row_that_lost_a_case_is_refused(path, case):
    path.write_text(rows(UNEXPLAINED[case]))
    with pytest.raises(InputError, match=r"model\.pomdp: P\[0\] row 0 sums to"):
        read_pomdp(path)


@pytest.mark.parametrize("case", [*EXPLAINED, *UNEXPLAINED])
def test_the_start_is_judged_like_a_row(path, case):
    given = (EXPLAINED | UNEXPLAINED)[case]
    path.write_text(rows(" ".join(["1"] + ["0"] * (len(given.split()) - 1)), preamble=f"start: {given}\n"))
    if case in EXPLAINED:
        with pytest.warns(FormatWarning, match="the start misses 1 by"):
            assert read_pomdp(path).start.sum() == pytest.approx(1, abs=1e-15)
    else:
        with pytest.raises(InputError, match="line 6, column 8: start sums to"):
            read_pomdp(path)


def test_the_hint_names_a_missing_case_only_where_one_can_be_missing(path):
    hints = {
        "0.9 0": "blocked move",
        "0.9999999 0.0001": "divide it",
        "0.9 0.9": "given twice",
        "0 0": "nothing is given for it",
    }
    for row, hint in hints.items():
        path.write_text(rows(row))
        with pytest.raises(InputError, match=hint) as caught:
            read_pomdp(path)
        assert ("blocked move" in str(caught.value)) == (hint == "blocked move")


def test_rows_of_all_kinds_are_named_in_one_sentence(path):
    sensor = "O: 0\n0.667 0.334\n0.667 0.334\n0.5 0.5\n"
    path.write_text(rows("0.333 0.333 0.333", preamble="start: 0.3333 0.3333 0.3333\n", rest=sensor))
    _, notes = read_with_notes(path)
    said = "the start and 1 row of T and 2 rows of O miss 1 by up to 0.001, as their digits explain"
    assert notes == (f"{path}: {said}, and were divided by their sums",)


def test_wildcards_and_single_entries_count_with_the_digits_of_the_statement_that_wins(path):
    head = rows("1 0 0").partition("T: 0")[0]
    path.write_text(head + "T: * : * : * 0.333\nT: 0 : 1 uniform\nT: 0 : 2 : 2 0.3\nO: * uniform\n")
    with pytest.raises(InputError, match=r"row 2 sums to 0\.966"):
        read_pomdp(path)
    path.write_text(head + "T: * : * : * 0.333\nT: 0 : 1 uniform\nT: 0 : 2 reset\nO: * uniform\n")
    assert "1 row of T misses 1 by 0.001" in read_with_notes(path).notes[0]


def test_a_long_statement_that_is_read_in_pieces_is_judged_alike(path, monkeypatch):
    path.write_text(rows(*["0.333 0.333 0.333"] * 3))
    whole = read_with_notes(path)
    monkeypatch.setattr(statements, "PIECE", 8)
    pieces = read_with_notes(path)
    assert pieces.notes == whole.notes
    assert pieces.model.hash == whole.model.hash


def test_a_row_within_the_tolerance_of_every_model_is_read_without_a_word(path):
    path.write_text(rows("0.3333333 0.3333333 0.3333333"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_model(path).P[0].sum() == pytest.approx(3)


@ONE_FOLDER
@given(st.lists(st.integers(10, 1000), min_size=2, max_size=12), st.integers(4, 9))
def test_every_distribution_printed_with_digits_for_its_least_case_is_read(path, weights, digits):
    true = np.array(weights) / sum(weights)
    path.write_text(rows(" ".join(f"{p:.{digits}f}" for p in true)))
    model, _ = read_with_notes(path)
    np.testing.assert_allclose(model.P[0].toarray()[0], true, atol=len(true) * 10.0**-digits)


@ONE_FOLDER
@given(st.lists(st.integers(1, 1000), min_size=2, max_size=12), st.data())
def test_a_distribution_that_lost_a_case_of_a_twentieth_or_more_is_refused(path, weights, data):
    true = np.array(weights) / sum(weights)
    lost = data.draw(st.integers(0, len(true) - 1))
    digits = data.draw(st.integers(3, 9))
    printed = [f"{0.94 * p if true[lost] < 0.06 else p * (i != lost):.{digits}f}" for i, p in enumerate(true)]
    path.write_text(rows(" ".join(printed)))
    with pytest.raises(InputError, match="row 0 sums to"):
        read_model(path)


@given(st.floats(0, 1), st.integers(0, 12), st.sampled_from("ef"))
def test_the_least_number_that_is_printed_so_is_printed_so_and_nothing_much_less_is(value, digits, kind):
    token = f"{value:.{digits}{kind}}".encode()
    low = least(token)
    assert 0 <= low <= float(token)
    assert float(token) - low <= 0.005 * (1 + 1e-9)
    assert (low == 0) == (float(token) == 0)


def test_an_exponent_of_thousands_of_digits_is_read():
    assert least(b"1e-" + b"0" * 5000 + b"1") == 0.1
    assert least(b"1e-" + b"9" * 5000) == 0
