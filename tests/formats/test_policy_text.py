"""Policies in zmdp's text format."""

import re

import numpy as np
import pytest

from walkon.domains.classics import tiger
from walkon.formats.files import FormatError
from walkon.formats.policy_xml import read_policy, write_policy
from walkon.simulation.play import simulate

# As zmdp writes it for tiger.
TIGER = """# This file is a POMDP policy, represented as a set of "lower bound
# planes", each of which consists of an alpha vector and a corresponding action.

{
  policyType => "MaxPlanesLowerBound",
  numPlanes => 5,
  planes => [
    {
      action => 0,
      numEntries => 2,
      entries => [
        0, 24.6954,
        1, 3.01448
      ]
    },
    {
      action => 2,
      numEntries => 2,
      entries => [
        0, 28.4025,
        1, -81.5975
      ]
    },
    {
      action => 1,
      numEntries => 2,
      entries => [
        0, -81.5975,
        1, 28.4025
      ]
    },
    {
      action => 0,
      numEntries => 2,
      entries => [
        0, 3.0145,
        1, 24.6954
      ]
    },
    {
      action => 0,
      numEntries => 2,
      entries => [
        0, 19.3711,
        1, 19.3711
      ]
    }
  ]
}
"""
OBSERVED = TIGER.replace("      numEntries", "      observed state val => 0,\n      numEntries").replace(
    "LowerBound", "LowerBoundWithObservedState"
)
MASKED = TIGER.replace(
    "numEntries => 2,\n      entries => [\n        0, 24.6954,", "numEntries => 1,\n      entries => ["
)


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        path = tmp_path / "tiger.policy"
        path.write_text(text)
        return read_policy(path, **options)

    return read


@pytest.mark.parametrize("text", [TIGER, OBSERVED])
def test_the_planes_are_read_as_vectors(read, text):
    policy = read(text)
    assert policy.vectors.tolist()[:2] == [[24.6954, 3.01448], [28.4025, -81.5975]]
    assert policy.actions.tolist() == [0, 2, 1, 0, 0]
    assert policy.action_count == 3


def test_such_a_policy_earns_what_it_says(read):
    policy = read(TIGER, action_count=3)
    assert policy.value(tiger().start) == pytest.approx(19.3711)
    earned = simulate(tiger(), policy, episodes=2000, seed=1)
    assert abs(earned.mean() - 19.3711) < 4 * earned.std() / np.sqrt(len(earned))


def test_a_plane_counts_only_where_it_has_all_states_of_the_belief(read):
    policy = read(MASKED)  # the first plane has no value for state 0
    full = read(TIGER)
    for belief in ([1.0, 0.0], [0.9, 0.1], [0.5, 0.5], [1e-6, 1 - 1e-6]):
        b = np.array(belief)
        without = (full.vectors[1:] @ b).max()
        assert policy.value(b) == pytest.approx(without)
    assert policy.vectors[0, 1] == 3.01448
    assert policy.value(np.array([0.0, 1.0])) == pytest.approx(28.4025)


def test_it_can_be_written_in_the_other_format(read, tmp_path):
    policy = read(TIGER)
    write_policy(policy, tmp_path / "again.policy")
    assert (read_policy(tmp_path / "again.policy").vectors == policy.vectors).all()


MISTAKES = {
    "another kind": (TIGER.replace("MaxPlanesLowerBound", "Sawtooth"), 5, 17, 'expected "Max.*found \'"Sawtooth"\''),
    "no planes": (TIGER.replace("=> 5", "=> 0"), 6, 16, "numPlanes, from 1 to .*, found '0'"),
    "fewer planes than said": (TIGER.replace("=> 5", "=> 6"), 48, 3, "expected \",\", found '\\]'"),
    "more planes than said": (TIGER.replace("=> 5", "=> 4"), 39, 6, "expected \"]\", found ','"),
    "fewer entries than said": (TIGER.replace("1, 3.01448", ""), 14, 7, "the number of a state, .* found ']'"),
    "an action that is no number": (TIGER.replace("action => 1", "action => go"), 25, 17, "found 'go'"),
    "a value that is no number": (TIGER.replace("24.6954", "nan", 1), 12, 12, "a finite number, found 'nan'"),
    "a state twice": (TIGER.replace("1, 3.01448", "0, 3.01448"), 13, 10, "state 0 is given a second time"),
    "a state too far": (TIGER.replace("1, 3.01448", "499999, 3.01448"), 50, 1, "too many"),
    "a partly observed state": (OBSERVED.replace("val => 0", "val => 1", 1), 11, 7, "only those of plain POMDPs"),
    "a file that breaks off": (TIGER[:300], None, None, "found the end of the file"),
    "more after the end": (TIGER + "}", 50, 1, "expected the end of the file"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_reported_with_its_place(read, case):
    text, line, column, message = MISTAKES[case]
    with pytest.raises(FormatError) as caught:
        read(text)
    error = caught.value
    assert re.search(message, str(error)), str(error)
    assert line is None or (error.line, error.column) == (line, column), str(error)
