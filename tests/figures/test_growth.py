import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from walkon.figures.files import as_bytes
from walkon.figures.growth import draw

POWERS = {
    "states": {"build": 1.1, "decision": 0.6, "backup": 0.9, "agent": 1.0, "solving": 1.2},
    "observations": {"decision": 0.1, "backup": 0.7, "agent": 0.8, "solving": 0.9},
    "tasks": {"build": 1.0, "decision": 0.9, "agent": 1.0},
    "vectors": {"decision": 0.5, "agent": 1.0},
}
FIRST = {"build": 0.05, "decision": 1e-5, "backup": 2e-4, "agent": 5e6, "solving": 2e7}


def measured(axes=POWERS):
    x = np.array([1, 4, 16, 64])
    return [
        {"axis": axis, "x": int(81 * n), "measure": measure, "value": FIRST[measure] * float(n) ** power}
        for axis in axes
        for measure, power in POWERS[axis].items()
        for n in x
    ]


def test_every_axis_has_a_panel_for_time_and_one_for_memory_with_the_exponents():
    figure = draw(measured())
    assert len(figure.axes) == 8
    assert [axes.get_xlabel() for axes in figure.axes[4:]] == ["|X|", "|Z|", "K", "vectors"]
    written = " ".join(text.get_text() for text in figure.axes[0].texts)
    for said in ("build the library: p = 1.10 ± 0.00", "one decision: p = 0.60", "one backup: p = 0.90"):
        assert said in written


@pytest.mark.parametrize("axes", [list(POWERS), ["states"], ["tasks", "vectors"]])
def test_nothing_that_is_written_overlaps_or_is_cut_off(axes):
    figure = draw(measured(axes))
    FigureCanvasAgg(figure).draw()
    width, height = figure.canvas.get_width_height()
    seen = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), Text.get_window_extent(text)) for text in seen]
    boxes = [(text, box) for text, box in boxes if box.width > 0]
    for i, (text, box) in enumerate(boxes):
        assert box.x0 >= 0, text
        assert box.x1 <= width, text
        assert box.y0 >= 0, text
        assert box.y1 <= height, text
        for other, against in boxes[:i]:
            assert text == other or not box.overlaps(against), (text, other)


def test_the_same_rows_give_the_same_file():
    assert as_bytes(draw(measured()), "svg", "growth") == as_bytes(draw(measured()), "svg", "growth")
