"""What the page shows of a run is worked out once for all visitors, and again when there is more."""

import asyncio
import time

import psutil
import pytest

from small_runs import SETTINGS
from waiting import PATIENCE, ended, until
from walkon.figures.files import darkened
from walkon.figures.style import DARK
from walkon.paper.run import Run as Asked
from walkon.runs.store import Store
from walkon.runs.sweep import Settings
from walkon.runs.work import play_trials
from walkon.web import workbench
from walkon.web.results import Run
from walkon.web.seen import draw
from walkon.web.workbench import Workbench

QUICK = Settings(trials=SETTINGS.trials, recipe=SETTINGS.recipe, quick=True)


@pytest.fixture(scope="module")
def kitchen():
    """Some trials of figure 6a, as a quick run would have them, and what came of them."""
    places = [entry for entry in Asked(SETTINGS).entries("6a", reading="literal") if entry.trial.recipe is None]
    trials = [entry.trial for entry in places if entry.trial.agent == "random"]
    return [(trial, play_trials([trial], None)[0]) for trial in trials]


@pytest.fixture
def counted(monkeypatch):
    """Counts the processes that work something out."""
    started = []

    class Counted(workbench.Workers):
        def __init__(self, *given, **named):
            started.append(1)
            super().__init__(*given, **named)

    monkeypatch.setattr(workbench, "Workers", Counted)
    monkeypatch.setattr(workbench, "BETWEEN_LOOKS", 0.0)
    return started


async def visit(bench, part=""):
    """Look until everything is there, as a page does."""
    await bench.look(part)
    await bench.finish(part)
    return bench.find(part)


def test_results_so_far_are_shown_and_shown_again_when_there_are_more(tmp_path, kitchen, counted):
    with Store(tmp_path, write=True) as store:
        store.begin({}, QUICK.record())
        store.add(kitchen[:4])
        bench = Workbench(Run(tmp_path))

        async def looked():
            first = await visit(bench)
            same = await visit(bench)  # nothing is new: nothing is worked out
            store.add(kitchen[4:])
            soon = await visit(bench)  # too soon
            return first, same, soon

        first, same, soon = asyncio.run(looked())
        assert list(first.pictures) == ["6a"]
        assert first.pictures["6a"].startswith(b"<?xml")
        assert len(first.seen.played) == 4
        assert first is same is soon
        assert len(counted) == 1
    last = asyncio.run(visit(bench))  # the run has ended: its last results come at once
    assert last.pictures == draw(tmp_path, "paper", bench.mark)
    assert last.pictures["6a"] != first.pictures["6a"]
    assert len(last.seen.played) == len(kitchen)
    assert len(counted) == 2


def test_visitors_who_come_at_once_or_later_wait_for_one_and_the_same_work(tmp_path, kitchen, counted):
    with Store(tmp_path, write=True) as store:
        store.begin({}, QUICK.record())
        store.add(kitchen[:2])
    bench = Workbench(Run(tmp_path))

    async def all_at_once():
        impatient = asyncio.ensure_future(visit(bench))
        while not bench._work:
            await asyncio.sleep(0)
        impatient.cancel()  # whoever leaves does not stop it for the others
        found = await asyncio.gather(*(visit(bench) for _ in range(20)), visit(bench, "paper"))
        return [*found, await visit(bench), await visit(bench, "paper")]

    found = asyncio.run(all_at_once())
    assert {id(each) for each in found} == {id(bench.find("paper"))}
    assert len(counted) == 1


def test_a_part_without_trials_is_asked_for_in_vain_and_once(tmp_path, kitchen, counted):
    with Store(tmp_path, write=True) as store:
        store.begin({}, QUICK.record())
        store.add(kitchen[:1])
    bench = Workbench(Run(tmp_path))

    async def in_vain():
        for _ in range(3):
            assert await visit(bench, "beyond") is None
            assert await visit(bench, "../paper") is None

    asyncio.run(in_vain())
    assert "this run has no trials of 'beyond': it has paper" in bench.problem("beyond")
    assert "a run has no part '../paper': expected paper, fitted" in bench.problem("../paper")
    assert len(counted) == 1


def test_a_finished_run_shows_the_figures_that_it_drew(tmp_path, kitchen):
    with Store(tmp_path, write=True) as store:
        store.begin({}, QUICK.record())
        store.add(kitchen[:1])
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "6a.svg").write_bytes(b"<svg/>")
    (tmp_path / "figures" / "2a.svg").write_bytes(b"<svg/>")  # of other results
    assert draw(tmp_path, "paper", (1, False))["6a"] == b"<svg/>"
    assert "2a" not in draw(tmp_path, "paper", (1, False))
    assert draw(tmp_path, "paper", (1, True))["6a"] != b"<svg/>"


def test_on_a_dark_page_each_colour_of_a_figure_has_its_dark_partner():
    svg = " ".join(DARK).encode()
    assert darkened(svg).decode().split() == list(DARK.values())


def work_for_ever(*_):
    time.sleep(10 * PATIENCE)


def test_no_process_outlives_the_server_whatever_it_works_out(tmp_path, kitchen, monkeypatch):
    workers = []

    class Noted(workbench.Workers):
        def submit(self, *given, **named):
            try:
                return super().submit(*given, **named)
            finally:
                workers.extend(map(psutil.Process, self._processes))

    monkeypatch.setattr(workbench, "Workers", Noted)
    monkeypatch.setattr(workbench, "look_at", work_for_ever)
    with Store(tmp_path, write=True) as store:
        store.begin({}, QUICK.record())
        store.add(kitchen[:1])
        bench = Workbench(Run(tmp_path))

        async def leave():
            await bench.look()
            while not workers:
                await asyncio.sleep(0.05)

        asyncio.run(asyncio.wait_for(leave(), PATIENCE))  # which ends what still runs, as a server does
    until(lambda: ended(workers[0]), "the process goes on")
