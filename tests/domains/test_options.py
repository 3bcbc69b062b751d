"""The errors of a world for options that it cannot use."""

import pytest

from walkon.domains import make
from walkon.errors import InputError

NIGHT = "night-pursuit"
BAD = [
    ("chess", {}, "no world 'chess': expected one of night-pursuit, pursuit, overcooked"),
    ("night-persuit", {}, r"no world 'night-persuit' \(did you mean 'night-pursuit'\?\)"),
    (NIGHT, {"sise": 5}, r"night-pursuit has no option 'sise' \(did you mean 'size'\?\): it has size, noise"),
    ("pursuit", {"noise": 0.2}, "pursuit has no option 'noise'"),
    (NIGHT, {"size": 1}, "size is 1, expected a whole number from 3 to 1000"),
    (NIGHT, {"size": 32}, "size is 32"),
    (NIGHT, {"size": 4.5}, "size is 4.5"),
    (NIGHT, {"size": "5"}, "size is '5'"),
    (NIGHT, {"size": True}, "size is True"),
    (NIGHT, {"noise": 2}, "noise is 2, expected a number from 0 to 1"),
    (NIGHT, {"noise": float("nan")}, "noise is nan"),
    (NIGHT, {"noise": None}, "noise is None"),
    (NIGHT, {"tremble": 1.5}, "tremble is 1.5"),
    (NIGHT, {"teammates": 0}, "teammates is 0"),
    (NIGHT, {"size": 10, "teammates": 3}, "100,000,000 states"),
    (NIGHT, {"teammate_noise": 0.3}, "teammate_noise is 0.3, expected True or False"),
    (NIGHT, {"tasks": 33}, "tasks is 33, expected at most 32"),
    (NIGHT, {"tasks": 0}, "tasks is 0"),
    (NIGHT, {"tasks": []}, "tasks is empty"),
    (NIGHT, {"tasks": None}, "tasks is None"),
    (NIGHT, {"tasks": [32]}, r"tasks\[0\] is 32, expected a whole number from 0 to 31"),
    (NIGHT, {"tasks": [((0, 0), (5, 0))]}, r"tasks\[0\] has a prey at \(5, 0\), outside the room"),
    (NIGHT, {"tasks": [((0, 0), (-1, 0))]}, r"prey at \(-1, 0\), outside"),
    (NIGHT, {"tasks": [((1, 1), (1, 1))]}, r"tasks\[0\] .* expected each prey on a cell of its own"),
    (NIGHT, {"tasks": [((1, 1), (0.5, 1))]}, r"tasks\[0\] is .*, expected a \(column, row\)"),
    (NIGHT, {"tasks": [((1, 1),)]}, r"tasks\[0\] has 1 preys, expected 2"),
    (NIGHT, {"tasks": ["ab"]}, r"tasks\[0\] is 'ab'"),
    (NIGHT, {"tasks": [1, 2], "seed": 3}, "seed draws a number of tasks"),
    (NIGHT, {"seed": -1}, "seed is -1"),
    ("pursuit", {"size": 2}, "size is 2"),
    ("pursuit", {"capture": "corner"}, "capture is 'corner', expected one of 'opposite', 'adjacent'"),
    ("pursuit", {"literal_noise": "yes"}, "literal_noise is 'yes'"),
    ("pursuit", {"tremble": -0.1}, "tremble is -0.1"),
    ("overcooked", {"role": "waiter"}, "role is 'waiter', expected one of 'helper', 'cook'"),
    ("overcooked", {"tremble": 1.5}, "tremble is 1.5"),
]


@pytest.mark.parametrize(("world", "options", "message"), BAD)
def test_bad_options_are_named_with_the_remedy(world, options, message):
    with pytest.raises(InputError, match=message):
        make(world, **options)
