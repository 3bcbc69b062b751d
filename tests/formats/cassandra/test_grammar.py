"""Each rule of the grammar."""

import numpy as np
import pytest

from walkon.errors import InputError
from walkon.formats.cassandra.reader import read_mdp, read_model, read_pomdp

PREAMBLE = "discount: 0.9\nvalues: reward\nstates: a b c\nactions: go stay\nobservations: dark light\n"
REST = "T: * identity\nO: * uniform\nR: * : * : * : * 1\n"


@pytest.fixture
def read(tmp_path):
    def read(text, reader=read_pomdp):
        path = tmp_path / "model.pomdp"
        path.write_text(text)
        return reader(path)

    return read


def moves(model, action=0):
    return model.P[action].toarray().tolist()


def test_the_preamble_may_be_in_any_order(read):
    one = read(PREAMBLE + "start: b\n" + REST)
    other = read("start: b\n" + "\n".join(reversed(PREAMBLE.split("\n"))) + "\n" + REST)
    assert one.hash == other.hash
    assert one.states == other.states == ("a", "b", "c")


def test_axes_may_be_counted(read):
    model = read("discount: 0\nvalues: reward\nstates: 3\nactions: 2\nobservations: 2\n" + REST)
    assert model.R.shape == (3, 2)
    assert model.states is None
    assert model.actions is None
    assert model.observations is None


def test_layout_is_free_and_comments_are_skipped(read):
    text = PREAMBLE + REST + "T:go:a:b 0.25 T : go : a\n:\na 0.75 # T: go uniform\nO\n:\n*\n:b .5\n5e-1#x\n"
    assert moves(read(text.replace("\n", "\r\n")))[0] == [0.75, 0.25, 0]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("1", 1),
        (".5", 0.5),
        ("1.", 1),
        ("1e-3", 0.001),
        ("+2", 2),
        ("-0.5", -0.5),
        ("- 7", -7),
        ("+\n3", 3),
        ("2E2", 200),
    ],
)
def test_numbers(read, number, value):
    assert read(PREAMBLE + REST + f"R: go : a : * : * {number}\n").R[0, 0] == value


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("", [1 / 3, 1 / 3, 1 / 3]),
        ("start: uniform", [1 / 3, 1 / 3, 1 / 3]),
        ("start: 0.5 0.25\n0.25", [0.5, 0.25, 0.25]),
        ("start: b", [0, 1, 0]),
        ("start: 2", [0, 0, 1]),
        ("start include: a 2", [0.5, 0, 0.5]),
        ("start include : a a", [1, 0, 0]),
        ("start exclude: b", [0.5, 0, 0.5]),
        ("start\nexclude\n: 0 c", [0, 1, 0]),
    ],
)
def test_the_start(read, start, expected):
    assert read(PREAMBLE + start + "\n" + REST).start.tolist() == expected


def test_the_only_state_may_be_given_by_its_number_or_by_its_probability(read):
    for start in ("0", "1", "1.0", "uniform"):
        text = f"discount: 0.9\nvalues: reward\nstates: 1\nactions: 1\nobservations: 1\nstart: {start}\n"
        assert read(text + "T: 0 : 0\n1\nO: 0\n1\n").start.tolist() == [1]


def test_names_and_numbers_mean_the_same(read):
    one = read(PREAMBLE + REST + "T: stay : c : a 1\nT: stay : c : c 0\n")
    other = read(PREAMBLE + REST + "T: 1 : 2 : 0 1\nT: 01 : c : 2 0\n")
    assert moves(one, 1) == moves(other, 1) == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]


def test_a_wildcard_means_every_member_of_its_axis(read):
    model = read(PREAMBLE + "O: * uniform\nT: * : * : b 1\nT: stay : b : b 0.5\nT: * : b : c 0.5\nT: go : b : b 0.5\n")
    assert moves(model, 0) == moves(model, 1) == [[0, 1, 0], [0, 0.5, 0.5], [0, 1, 0]]


def test_a_wildcard_for_the_next_state_fills_the_row(read):
    text = "discount: 0.9\nvalues: reward\nstates: 4\nactions: 1\n"
    model = read(text + "T: 0 identity\nT: 0 : 2 : * 0.25\n", read_mdp)
    assert moves(model)[2] == [0.25] * 4


def test_later_lines_override_earlier_ones_at_every_level(read):
    text = PREAMBLE + "O: * uniform\nT: * : a : b 0.9\nT: * uniform\nT: go : a\n0 0 1\nT: go : b : a 0\n"
    text += "T: go : b : b 1\nT: go : b : c 0\nT: stay identity\nT: * : c\n0.5 0.5 0\n"
    model = read(text)
    assert moves(model, 0) == [[0, 0, 1], [0, 1, 0], [0.5, 0.5, 0]]
    assert moves(model, 1) == [[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]]


def test_zeros_of_a_row_override_too(read):
    assert moves(read(PREAMBLE + REST + "T: go uniform\nT: go : a\n1 0 0\n"))[0] == [1, 0, 0]


def test_a_reset_row_is_the_start(read):
    model = read(PREAMBLE + "start: 0.5 0 0.5\n" + REST + "T: go : b reset\nT: stay : * reset\nT: stay : a\n0 1 0\n")
    assert moves(model, 0) == [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1]]
    assert moves(model, 1) == [[0, 1, 0], [0.5, 0, 0.5], [0.5, 0, 0.5]]


def test_a_column_overrides_uniform_reset_and_identity_rows_before_it(read):
    text = PREAMBLE + "start: 0 0.5 0.5\nO: * uniform\nT: go identity\nT: * : b uniform\nT: * : c reset\n"
    model = read(text + "T: go : * : a 0.0\nT: go : a : b 1\nT: go : b\n0 0 1\nT: stay identity\n")
    assert moves(model, 0) == [[0, 1, 0], [0, 0, 1], [0, 0.5, 0.5]]


def test_uniform_observations_for_a_row(read):
    model = read(PREAMBLE + REST + "O: go\n1 0\n0 1\n1 0\nO: go : c uniform\n")
    assert model.O[0].toarray().tolist() == [[1, 0], [0, 1], [0.5, 0.5]]


def test_costs_are_negative_rewards(read):
    model = read(PREAMBLE.replace("reward", "cost") + REST + "R: go : a : * : * -3\nR: go : b : * : * 0\n")
    assert model.R[:, 0].tolist() == [3, 0, -1]
    assert not np.signbit(model.R[1, 0])


def test_what_is_not_given_is_zero(read):
    assert read(PREAMBLE + "T: * identity\nO: * uniform\n").R.tolist() == [[0, 0]] * 3


def test_statements_may_come_in_any_order(read):
    statements = ["T: go : a : b 1\nT: go : a : a 0", "T: * identity", "O: * uniform", "R: go : a : b : light 4"]
    text = PREAMBLE + "\n".join([statements[3], statements[2], statements[1], statements[0]])
    assert read(text).R[0, 0] == 2


def test_words_of_the_grammar_other_than_the_letters_may_be_names(read):
    text = "discount: 0.9\nvalues: reward\nstates: reset uniform\nactions: start\nobservations: cost\n"
    model = read(text + "T: start : reset : uniform 1\nT: start : uniform reset\nO: * uniform\n")
    assert moves(model) == [[0, 1], [0.5, 0.5]]


def test_an_editors_mark_at_the_beginning_is_skipped(tmp_path):
    path = tmp_path / "model.pomdp"
    path.write_bytes(b"\xef\xbb\xbf" + (PREAMBLE + REST).encode())
    assert read_pomdp(path).states == ("a", "b", "c")


def test_a_file_without_observations_is_an_mdp(read):
    text = "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nT: 0 identity\n"
    assert type(read(text, read_model)).__name__ == type(read(text, read_mdp)).__name__ == "MDP"
    with pytest.raises(InputError, match=r"model\.pomdp.*read_mdp"):
        read(text)
    with pytest.raises(InputError, match=r"model\.pomdp.*read_pomdp"):
        read(PREAMBLE + REST, read_mdp)
