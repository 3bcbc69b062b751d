"""The budget of a solver, counted."""

import pytest

from command_line import python
from walkon import InputError, Progress
from walkon.solvers.solution import Budget


def test_backups_are_counted_until_none_is_left():
    budget = Budget(10, None, None)
    budget.spend(4)
    assert (budget.spent, budget.left, budget.stopped) == (4, 6, "")
    budget.spend()
    assert budget.left == 5
    budget.spend(5)
    assert budget.stopped == "backups"
    assert Budget(None, None, None).left is None


def test_the_clock_stops_a_solver_so_early_that_there_is_time_for_what_is_reserved(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("walkon.solvers.solution.perf_counter", lambda: clock[0])
    budget = Budget(None, 10.0, None)
    clock[0] = 2.0  # until then it was prepared
    budget.spend()
    budget.reserved = 24.0
    for _ in range(39):
        assert not budget.stopped
        clock[0] += 0.125  # each backup, so 3 seconds are reserved
        budget.spend()
    assert not budget.stopped
    clock[0] += 0.125
    budget.spend()
    assert (clock[0], budget.stopped) == (7.0, "seconds")


def test_preparation_gets_a_fifth_of_the_seconds_and_all_it_needs_without_a_limit():
    progress = Progress(1, 0.0, None, 5.0, 3, 0.5)
    assert Budget(None, 1e-9, None).preparing(progress)
    assert not Budget(None, 1e9, None).preparing(progress)
    assert not Budget(None, None, None).preparing(progress)


def test_a_watcher_may_ask_to_stop_during_preparation():
    told = []
    budget = Budget(None, None, lambda now: told.append(now) or True)
    while not budget.preparing(Progress(1, 0.0, None, 5.0, 3, 0.5)):
        pass  # it is asked only now and then
    assert budget.stopped == "asked"
    assert told[0].upper == 5.0
    assert told[0].lower is None


@pytest.mark.parametrize(("backups", "seconds"), [(0, None), (None, 0.0), (None, float("nan"))])
def test_a_budget_of_nothing_is_refused(backups, seconds):
    with pytest.raises(InputError, match="expected"):
        Budget(backups, seconds, None)


FIRST = """
import sys
import walkon
from walkon.domains.classics import tiger
from walkon.solvers.solution import Budget

def loaded():
    modules = (module for name, module in sys.modules.items() if name.endswith("_kernels"))
    kernels = (each for module in modules for each in vars(module).values())
    return {str(each): each.signatures for each in kernels if getattr(each, "signatures", None)}

class Noted(Budget):
    def __init__(self, backups, seconds, watch=None):
        super().__init__(backups, seconds, watch)
        if seconds is not None:
            begun.append(loaded())

begun = []
solver = getattr(walkon, sys.argv[1])
sys.modules[solver.__module__].Budget = Noted
limited = solver(seconds=60)
begun.clear()
walkon.solve(tiger(), limited)
print(len(begun), begun[0] == loaded(), len(begun[0]) > 3)
"""


@pytest.mark.parametrize("solver", ["Perseus", "Ascent", "Sarsop"])
def test_seconds_count_from_when_all_kernels_are_compiled(solver):
    assert python("-c", FIRST, solver).stdout == "1 True True\n"
