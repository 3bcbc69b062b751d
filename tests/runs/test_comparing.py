"""A comparison as a run: the same numbers as `walkon.compare`, kept when it is interrupted, and resumed."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

import walkon
from walkon.errors import InputError
from walkon.runs.comparing import Plan
from walkon.runs.files import FileSpec
from walkon.runs.run import Alone, run
from walkon.runs.store import Store
from walkon.trials.trial import MeasuredTrial, WorldSpec

CORRIDOR = Path(__file__).parents[2] / "examples" / "corridor.py"
ROUGH = walkon.Perseus(beliefs=50, backups=100)
OWN = """
def sure(library):
    return walkon.player(lambda history: {action!r}, library, name="sure")

agents = {{"sure": sure}}
"""


def file_with_an_agent(folder, action="left", cells=(0, 4)):
    """The corridor's file, with an agent that always does the same."""
    path = folder / "mine.py"
    text = CORRIDOR.read_text().replace("Meeting(0), Meeting(4)", ", ".join(f"Meeting({cell})" for cell in cells))
    path.write_text(text + textwrap.dedent(OWN).format(action=action))
    return path


def planned(path, agents=("sure", "atpo", "perseus:target=0", "random"), trials=4, **more):
    return Plan(world=FileSpec.read(str(path), {}), agents=agents, trials=trials, solver=ROUGH, **more)


class Counting(Alone):
    """A pool that counts the trials it plays, and is interrupted after some of them."""

    def __init__(self, folder, most=np.inf):
        super().__init__(str(folder))
        self.played, self.most = 0, most

    def next(self):
        if self.played >= self.most:
            raise KeyboardInterrupt
        request, answer = super().next()
        self.played += len(request) if isinstance(request, tuple) else 0
        return request, answer


def played(plan, folder, most=np.inf):
    """Run what is missing; return how many trials were played, and the comparison if they are complete."""
    pool = Counting(folder / "policies", most)
    with Store(folder / "store", write=True) as store:
        store.begin({}, {})
        try:
            run(plan.trials_of_all(), store, pool, together=3)
        except KeyboardInterrupt:
            return pool.played, None
        return pool.played, plan.collect(store)


def same(one, two):
    assert list(one.rows) == list(two.rows)
    assert (one.measure, one.tasks, one.bounds) == (two.measure, two.tasks, two.bounds)
    for name, column in one.frame().items():
        assert column == pytest.approx(two.frame()[name], nan_ok=True) if name not in ("agent", "task") else True, name


def test_a_stored_comparison_has_the_numbers_of_one_in_memory(tmp_path):
    path = file_with_an_agent(tmp_path)
    _, stored = played(planned(path), tmp_path)
    library = walkon.read_library(path)
    own = walkon.player(lambda history: "left", library, name="sure")
    names = {name: name for name in ("atpo", "perseus:target=0", "random")}
    same(stored, walkon.compare(library, {"sure": own, **names}, trials=4, solver=ROUGH))


@pytest.mark.parametrize("names", [("atpo", "perseus"), ("bayes",)])
def test_so_has_one_with_teammates_that_agents_do_not_know(names, tmp_path):
    _, stored = played(planned(CORRIDOR, names, teammates_of=1, score="return"), tmp_path)
    library = walkon.read_library(CORRIDOR)
    same(stored, walkon.compare(library, list(names), trials=4, solver=ROUGH, teammates_of=1, score="return"))


def test_what_is_finished_before_an_interrupt_is_not_played_again(tmp_path):
    plan = planned(CORRIDOR, ("random", "atpo"), trials=6)
    first, nothing = played(plan, tmp_path, most=9)
    assert nothing is None
    assert 9 <= first < 24
    second, found = played(plan, tmp_path)
    assert first + second == 24
    assert played(plan, tmp_path)[0] == 0
    (tmp_path / "other").mkdir()
    same(found, played(plan, tmp_path / "other")[1])


def test_more_trials_keep_the_first_ones_and_an_agent_that_changes_plays_alone_again(tmp_path):
    path = file_with_an_agent(tmp_path)
    names = ("sure", "random")
    assert played(planned(path, names), tmp_path)[0] == 16
    assert played(planned(path, names, trials=6), tmp_path)[0] == 8
    (tmp_path / "later").mkdir()
    count, found = played(planned(file_with_an_agent(tmp_path / "later", "right"), names, trials=6), tmp_path)
    assert found.solved["sure"].mean(axis=1).tolist() == [0.0, 1.0]
    assert count == 12


def test_a_library_that_changes_is_another(tmp_path):
    one = FileSpec.read(str(file_with_an_agent(tmp_path)), {})
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    assert FileSpec.read(str(file_with_an_agent(other_folder)), {}).domain == one.domain
    last = tmp_path / "last"
    last.mkdir()
    assert FileSpec.read(str(file_with_an_agent(last, cells=(0, 3))), {}).domain != one.domain


def test_records_of_comparisons_are_read_as_they_were_written_and_others_are_as_before():
    trial = MeasuredTrial(
        world=WorldSpec.of("pursuit"), agent="bopa", options=(("hazard", 0.1),), outside=True, own="a"
    )
    assert MeasuredTrial.from_json(trial.json()) == trial
    plain = MeasuredTrial(world=WorldSpec.of("pursuit"), agent="bopa")
    assert plain.key == "646a47c2e0e5ebcea1964f93"  # as before there were options


def test_too_many_trials_are_refused_before_any_is_made():
    with pytest.raises(InputError, match="2,000,000 trials in all, expected at most 1,000,000"):
        planned(CORRIDOR, ("random",), trials=1_000_000)
