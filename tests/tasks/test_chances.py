"""The answers that a rule may give."""

import math

import pytest

from walkon.errors import InputError
from walkon.tasks.chances import chances


@pytest.mark.parametrize("certain", ["stay", 3, ("left", 2), (), frozenset({1})])
def test_anything_that_is_no_distribution_is_certain(certain):
    assert chances(certain) == [(certain, 1.0)]


def test_a_dict_a_list_and_a_generator_say_the_same():
    pairs = [("left", 0.25), ("right", 0.75)]
    assert chances(dict(pairs)) == chances(pairs) == chances(pair for pair in pairs) == pairs


def test_a_list_adds_up_what_it_names_twice():
    assert chances([("left", 0.5), ("stay", 0.25), ("left", 0.25)]) == [("left", 0.75), ("stay", 0.25)]


def test_what_has_no_probability_is_left_out():
    assert chances({"left": 1, "right": 0}) == [("left", 1.0)]


def test_rounding_is_forgiven_and_put_right():
    said = chances([(i, 1 / 7 + 1e-9) for i in range(7)])
    assert math.fsum(p for _, p in said) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"left": 0.9}, r"sums to 0.9, not 1 \(off by -0.1\): 'left' 0.9. A dict keeps only the last of two equal"),
        ([("left", 0.9), ("right", 0.3)], r"sums to 1.2, not 1 \(off by \+0.2\): 'left' 0.9, 'right' 0.3$"),
        ([], "gives no outcome"),
        ({}, "gives no outcome"),
        (None, "gives None: did a branch forget to return"),
        ({"left", "right"}, "which has no probabilities: expected a dict"),
        (["left", "right"], r"lists 'left', expected a pair \(outcome, probability\)"),
        ([("left", "often")], "'left' the probability 'often', which is not a number"),
        ({"left": -0.1, "right": 1.1}, "'left' the probability -0.1: expected a number from 0 to 1"),
        ({"left": math.nan}, "'left' the probability nan"),
        ([([1, 2], 1.0)], "which has mutable parts"),
        (bytearray(b"x"), "which has mutable parts"),
    ],
)
def test_errors_are_explained(said, told):
    with pytest.raises(InputError, match=told):
        chances(said)
