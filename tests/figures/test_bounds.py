import numpy as np
import pytest

from walkon import Progress
from walkon.figures.bounds import draw
from walkon.figures.files import as_bytes


def history(sides):
    return [Progress(i, i / 2, lower, upper, 5, 0.5) for i, (lower, upper) in enumerate(sides)]


def test_the_bounds_are_drawn_as_they_were_reported():
    axes = draw(history([(None, 9.0), (1.0, 8.0), (2.0, 7.5)]), "tiger").axes[0]
    upper, lower = (line.get_xydata().tolist() for line in axes.get_lines())
    assert upper == [[0.0, 9.0], [0.5, 8.0], [1.0, 7.5]]
    assert lower == [[0.5, 1.0], [1.0, 2.0]]
    assert sorted(text.get_text() for text in axes.texts) == ["lower 2", "upper 7.5"]
    assert len(axes.collections) == 1  # what lies between them


@pytest.mark.parametrize("sides", [[(0.0, None), (1.0, None)], [(None, 3.0)], [(1.0, 1.0)]])
def test_one_bound_or_one_moment_can_be_drawn(sides):
    figure = draw(history(sides), "tiger")
    assert as_bytes(figure, "png", "tiger")[:4] == b"\x89PNG"
    assert as_bytes(figure, "svg", "tiger") == as_bytes(draw(history(sides), "tiger"), "svg", "tiger")
    assert np.isfinite(figure.axes[0].get_ylim()).all()
