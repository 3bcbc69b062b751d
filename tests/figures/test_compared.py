import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from walkon.figures.by_agent import draw_comparison
from walkon.measuring.compare import Comparison

RNG = np.random.default_rng(0)
STEPS = {"atpo": RNG.integers(2, 30, (2, 40)).astype(float), "mine": RNG.integers(2, 50, (2, 40)).astype(float)}
EARNED = {name: -1500 + 30 * numbers + RNG.random((2, 40)) for name, numbers in STEPS.items()}


def compared(measure, numbers):
    """A comparison in which each agent had these numbers, [K, n]."""
    solved = np.nan if measure == "return" else 1.0
    rows = {
        name: [[{"horizon": 50, measure: value, "solved": solved} for value in task] for task in own]
        for name, own in numbers.items()
    }
    return Comparison(measure, ("a", "b"), rows, measure)


@pytest.mark.parametrize(("measure", "numbers"), [("steps", STEPS), ("return", EARNED)])
def test_every_trial_is_a_dot_near_its_own_number(measure, numbers):
    axes = draw_comparison(compared(measure, numbers)).axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata()) == 80]
    assert len(dots) == 2
    place = np.ptp(np.concatenate(list(numbers.values()))) / 60
    for line, own in zip(dots, numbers.values(), strict=True):
        assert np.sort(line.get_xdata()) == pytest.approx(np.sort(own.ravel()), abs=max(1.0, 1.01 * place))
        assert line.get_markersize() > 0.5  # points: it can be seen
        low, high = axes.get_xlim()
        assert low < line.get_xdata().min()
        assert line.get_xdata().max() < high


@pytest.mark.parametrize("mean", [-9.9, -99.0, -1500.0, 9900.0])
@pytest.mark.parametrize("names", [("value-iteration", "atpo-look"), ("atpo", "bayes")])
def test_texts_stay_on_the_figure(names, mean):
    numbers = {name: mean * (1 + 0.9 * RNG.normal(size=(2, 30))) for name in names}
    figure = draw_comparison(compared("return", numbers))
    renderer, page = FigureCanvasAgg(figure).get_renderer(), figure.bbox
    for text in (*figure.axes[0].texts, *figure.texts):
        box = text.get_window_extent(renderer)
        assert page.x0 <= box.x0, text.get_text()
        assert box.x1 <= page.x1, text.get_text()
