"""A model that is written and read again is the same."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from walkon.domains.classics import tiger
from walkon.formats.cassandra.reader import read_mdp, read_model, read_pomdp
from walkon.formats.cassandra.writer import RESERVED, identifiers, write_pomdp
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP

NASTY = [
    "",
    " ",
    "T",
    "O",
    "uniform",
    "start",
    "0",
    "1.5",
    "*",
    "#",
    "a:b",
    "a b",
    "a\nb",
    "é",
    "\u2028",
    '"',
    "\\",
    "-x",
]
NASTY += [
    "agent (0,3), teammate (2,2)",
    "agent_0_3_teammate_2_2",
    "#@ state a",
    "a_b",
    "state_1",
    "a_b_2",
    "\ud83d",
    "😀",
]
NAME = st.one_of(
    st.sampled_from(NASTY), st.text(max_size=8), st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,5}", fullmatch=True)
)


@st.composite
def distributions(draw, rows, columns):
    """A sparse matrix with rows of all kinds: one entry, few, all, all alike; numbers with all their digits."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    kind = draw(st.sampled_from(["rows", "identity", "uniform"]))
    if kind == "uniform" or (kind == "identity" and rows != columns):
        return np.full((rows, columns), 1 / columns)
    if kind == "identity":
        return np.eye(rows)
    matrix = np.zeros((rows, columns))
    for row in matrix:
        support = rng.choice(columns, rng.integers(1, columns + 1), replace=False)
        row[support] = rng.dirichlet(np.full(len(support), 0.3)) if rng.random() < 0.8 else 1 / len(support)
        row[:] /= row.sum()
    return csr_array(matrix)


@st.composite
def models(draw, kind):
    X, A, Z = draw(st.integers(1, 12)), draw(st.integers(1, 3)), draw(st.integers(1, 10))

    def per_action(columns):
        if draw(st.booleans()):
            return [draw(distributions(X, columns))] * A
        return [draw(distributions(X, columns)) for _ in range(A)]

    def names(size):
        return draw(st.one_of(st.none(), st.lists(NAME, min_size=size, max_size=size, unique=True)))

    reward = st.one_of(st.sampled_from([0.0, -1.0, 100.0, 1e-7, 1e22, -0.1]), st.floats(-1e300, 1e300))
    R = np.array(draw(st.lists(reward, min_size=X * A, max_size=X * A))).reshape(X, A)
    start = draw(st.one_of(st.none(), st.integers(0, X - 1).map(lambda i: np.eye(X)[i]), distributions(1, X)))
    start = start if start is None else (start.toarray() if hasattr(start, "toarray") else start).ravel()
    discount = draw(st.floats(0, 1, exclude_max=True))
    labels = {"states": names(X), "actions": names(A)}
    if kind is MDP:
        return MDP(per_action(X), R, start, discount, **labels)
    return POMDP(per_action(X), per_action(Z), R, start, discount, observations=names(Z), **labels)


def assert_equal(one, other):
    """Every number to 1e-12, every name, and the same non-zeros."""
    assert type(one) is type(other)
    for name in ("P", "O") if isinstance(one, POMDP) else ("P",):
        for a, b in zip(getattr(one, name), getattr(other, name), strict=True):
            np.testing.assert_array_equal(a.indices, b.indices)
            np.testing.assert_allclose(a.toarray(), b.toarray(), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(one.R, other.R)
    np.testing.assert_allclose(one.start, other.start, rtol=0, atol=1e-12)
    assert one.discount == other.discount
    assert (one.states, one.actions) == (other.states, other.actions)
    assert getattr(one, "observations", None) == getattr(other, "observations", None)


ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@ONE_FOLDER
@given(models(POMDP))
def test_a_pomdp_that_was_written_is_read_back(tmp_path, model):
    write_pomdp(model, tmp_path / "model.pomdp")
    assert_equal(model, read_pomdp(tmp_path / "model.pomdp"))


@ONE_FOLDER
@given(models(MDP))
def test_an_mdp_that_was_written_is_read_back(tmp_path, model):
    write_pomdp(model, tmp_path / "model.mdp")
    assert_equal(model, read_mdp(tmp_path / "model.mdp"))


def test_a_written_file_is_short_and_plain(tmp_path):
    write_pomdp(tiger(accuracy=0.75), tmp_path / "tiger.pomdp")
    assert (tmp_path / "tiger.pomdp").read_text() == (
        "# Written by walkon.\n"
        "discount: 0.95\n"
        "values: reward\n"
        '#@ state tiger_left "tiger left"\n'
        '#@ state tiger_right "tiger right"\n'
        "states:\n"
        "  tiger_left tiger_right\n"
        '#@ action open_left "open left"\n'
        '#@ action open_right "open right"\n'
        "actions:\n"
        "  listen open_left open_right\n"
        '#@ observation growl_left "growl left"\n'
        '#@ observation growl_right "growl right"\n'
        "observations:\n"
        "  growl_left growl_right\n"
        "start: uniform\n"
        "T: 0 identity\n"
        "T: 1 uniform\n"
        "T: 2 uniform\n"
        "O: 0 : 0\n0.75 0.25\n"
        "O: 0 : 1\n0.25 0.75\n"
        "O: 1 uniform\n"
        "O: 2 uniform\n"
        "R: 0 : * : * : * -1\n"
        "R: 1 : * : * : * -100\n"
        "R: 1 : 1 : * : * 10\n"
        "R: 2 : * : * : * -100\n"
        "R: 2 : 0 : * : * 10\n"
    )


def test_a_comment_that_only_looks_like_a_name_is_a_comment(tmp_path):
    write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    text = (tmp_path / "tiger.pomdp").read_text()
    text = text.replace('"tiger left"', '"tiger left').replace('"open left"', "nothing") + '#@ state nobody "x"\n'
    (tmp_path / "tiger.pomdp").write_text(text)
    model = read_pomdp(tmp_path / "tiger.pomdp")
    assert model.states == ("tiger_left", "tiger right")
    assert model.actions == ("listen", "open_left", "open right")


def test_two_names_that_are_the_same_are_refused(tmp_path):
    write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    text = (tmp_path / "tiger.pomdp").read_text().replace('"tiger left"', '"tiger right"')
    (tmp_path / "tiger.pomdp").write_text(text)
    with pytest.raises(ValueError, match="line 6, column 1: the #@ comments give two states the same name"):
        read_model(tmp_path / "tiger.pomdp")


@given(st.lists(NAME, unique=True, max_size=20))
def test_identifiers_are_of_the_grammar_and_all_different(names):
    made = identifiers("state", names)
    assert len(set(made)) == len(names)
    for name, identifier in zip(names, made, strict=True):
        assert identifier[0].isascii()
        assert identifier[0].isalpha()
        assert all(c.isascii() and (c.isalnum() or c in "_-") for c in identifier)
        assert identifier not in RESERVED
        valid = name.isascii() and name[:1].isalpha() and name.replace("_", "").replace("-", "").isalnum()
        assert (identifier == name) == (valid and name not in RESERVED)
