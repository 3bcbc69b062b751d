"""Teammates whose hands tremble."""

import pytest

import walkon
from random_libraries import random_library
from walkon.domains.classics import tiger
from walkon.tasks.library import trembling


def test_trembling_teammates_make_every_move_sometimes_and_the_rest_stays():
    library = random_library(2)
    steady = trembling(library, 0.2, named="{}")
    for task, other in zip(library, steady, strict=True):
        B = task.teammates.shape[1]
        expected = 0.8 * task.teammates.toarray() + 0.2 / B
        assert other.teammates.toarray() == pytest.approx(expected)
        assert (other.pomdp.O[0] != task.pomdp.O[0]).nnz == 0
        assert other.name == task.name
    assert trembling(walkon.TaskLibrary([walkon.Task.from_pomdp(tiger())]), 0.2, folded=True)[0].teammates is None
    night = walkon.make("night-pursuit", size=3, tasks=1)
    by_world = walkon.make("night-pursuit", size=3, tasks=1, tremble=0.2)
    ours = trembling(night, 0.2)[0]
    assert abs(ours.pomdp.P[2] - by_world[0].pomdp.P[2]).max() < 1e-12
    assert ours.view is night[0].view
