"""A POMDP that is written as POMDPX and read again is the same."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import walkon
from random_models import pomdps
from walkon.domains.classics import hallway, tiger
from walkon.errors import InputError

ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
NASTY = [
    "",
    " ",
    "*",
    "-",
    "null",
    "a b",
    "<a>",
    "&",
    '"',
    "]]>",
    "é",
    "😀",
    "a\nb",
    "s0",
    "uniform",
    "-->",
    "#@ state s0",
]
NAMES = st.one_of(
    st.sampled_from(NASTY), st.text(max_size=6), st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,5}", fullmatch=True)
)


@ONE_FOLDER
@given(model=pomdps(), data=st.data())
def test_arrays_and_names_are_read_back(tmp_path, model, data):
    def names(size):
        return data.draw(st.one_of(st.none(), st.lists(NAMES, min_size=size, max_size=size, unique=True)))

    X, A = model.R.shape
    given_names = {"states": names(X), "actions": names(A), "observations": names(model.O[0].shape[1])}
    model = walkon.POMDP(model.P, model.O, model.R, model.start, model.discount, **given_names)
    walkon.write_pomdpx(model, tmp_path / "model.pomdpx")
    again = walkon.read_pomdpx(tmp_path / "model.pomdpx")
    assert again.hash == model.hash
    assert (again.states, again.actions, again.observations) == (model.states, model.actions, model.observations)


@pytest.mark.parametrize("make", [tiger, hallway])
def test_both_formats_say_the_same(tmp_path, make):
    walkon.write_pomdpx(make(), tmp_path / "model.pomdpx")
    walkon.write_pomdp(make(), tmp_path / "model.pomdp")
    one, two = walkon.read_pomdpx(tmp_path / "model.pomdpx"), walkon.read_pomdp(tmp_path / "model.pomdp")
    assert one.hash == two.hash
    assert one.states == two.states


def test_the_file_has_the_order_of_the_schema(tmp_path):
    walkon.write_pomdpx(tiger(), tmp_path / "tiger.pomdpx")
    root = ET.parse(tmp_path / "tiger.pomdpx").getroot()
    functions = ["InitialStateBelief", "StateTransitionFunction", "ObsFunction", "RewardFunction"]
    assert [each.tag for each in root] == ["Description", "Discount", "Variable", *functions]
    assert [each.tag for each in root.find("Variable")] == ["StateVar", "ActionVar", "ObsVar", "RewardVar"]
    assert root.find("Variable/StateVar/ValueEnum").text == "tiger_left tiger_right"
    assert '#@ state tiger_left "tiger left"' in root.find("Description").text


def test_numbers_that_are_hard_to_print_are_read_back(tmp_path):
    third = np.full(3, 1 / 3)
    model = walkon.POMDP(
        [[third, [1e-9, 1 - 1e-9, 0], [0, 0, 1]]], [[[1], [1], [1]]], [[1e300], [-1e-300], [0.1]], third, 1.0
    )
    walkon.write_pomdpx(model, tmp_path / "model.pomdpx")
    assert walkon.read_pomdpx(tmp_path / "model.pomdpx").hash == model.hash


def test_only_pomdps_are_written(tmp_path):
    with pytest.raises(InputError, match=r"expected a walkon\.POMDP"):
        walkon.write_pomdpx(tiger().mdp, tmp_path / "model.pomdpx")
    with pytest.raises(InputError, match="there is no folder"):
        walkon.write_pomdpx(tiger(), tmp_path / "none" / "model.pomdpx")
    assert not list(tmp_path.iterdir())
