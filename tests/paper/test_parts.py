"""Every part of a run can be browsed."""

import pytest

from walkon.paper import BEYOND, FITTED, PAPER
from walkon.paper.parts import BESIDE, Part
from walkon.paper.readings import readings
from walkon.paper.run import FIGURES, Run
from walkon.runs.sweep import Settings


@pytest.mark.parametrize("name", Run(Settings()).parts)
def test_every_part_of_a_run_has_a_title_figures_and_claims(name):
    part = Part.of(name)
    assert part.title
    assert part.figures, f"add the part {name!r} to BESIDE"
    assert part.claims


@pytest.mark.parametrize("name", [PAPER, FITTED, BEYOND])
def test_every_sweep_of_the_paper_and_beyond_it_has_a_title(name):
    sweeps = {sweep.name for sweep in Run(Settings()).parts[name]}
    assert sweeps <= set(Part.of(name).experiments)


def test_a_part_that_nobody_listed_is_shown_without_figures():
    assert Part.of("later") == Part("later", "Later", "")


def test_the_fitted_reading_is_not_confirmed_by_what_it_was_chosen_by():
    fitted = readings()[0]
    part = Part.of(fitted.name)
    assert [figure.part for figure in part.figures] == list(FIGURES)
    assert part.reading == fitted
    assert fitted.name not in BESIDE
