"""The figures of a run that is going on."""

import asyncio

import pytest

from small_runs import SETTINGS
from walkon.paper.run import Run as Asked
from walkon.runs.store import Store
from walkon.runs.sweep import Settings
from walkon.runs.work import play_trials
from walkon.web.results import Drawing, Run, draw_figures


@pytest.fixture(scope="module")
def kitchen():
    """Some trials of figure 6a, as a quick run would have them, and what came of them."""
    places = [entry for entry in Asked(SETTINGS).entries("6a") if entry.trial.recipe is None]
    trials = [entry.trial for entry in places if entry.trial.agent == "random"]
    return [(trial, play_trials([trial], None)[0]) for trial in trials]


def test_results_so_far_are_drawn_and_drawn_again_when_there_are_more(tmp_path, kitchen):
    with Store(tmp_path, write=True) as store:
        store.begin({}, Settings(trials=SETTINGS.trials, recipe=SETTINGS.recipe, quick=True).record())
        store.add(kitchen[:4])
        drawing = Drawing(Run(tmp_path))

        async def looked():
            await drawing.look()
            first = drawing.figures
            await drawing.look()  # nothing is new: nothing is drawn
            same = drawing.figures
            store.add(kitchen[4:])
            await drawing.look()  # too soon
            return first, same, drawing.figures

        first, same, soon = asyncio.run(looked())
        assert list(first) == ["6a.svg"]
        assert first["6a.svg"].startswith(b"<?xml")
        assert first is same is soon
    asyncio.run(drawing.look())  # the run has ended: its last figures come at once
    assert drawing.figures == draw_figures(tmp_path)
    assert drawing.figures["6a.svg"] != first["6a.svg"]


def test_a_finished_run_shows_the_figures_that_it_drew(tmp_path, kitchen):
    with Store(tmp_path, write=True) as store:
        store.begin({}, Settings(quick=True).record())
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "2a.svg").write_bytes(b"<svg/>")
    drawing = Drawing(Run(tmp_path))
    asyncio.run(drawing.look())
    assert drawing.figures == {"2a.svg": b"<svg/>"}
