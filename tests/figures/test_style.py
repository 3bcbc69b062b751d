"""Colours, markers and dashes."""

from itertools import combinations

import numpy as np
import pytest

from walkon.agents.registry import OURS
from walkon.figures.files import palette
from walkon.figures.style import DARK, FAINT, INK, PAPER, STYLES, in_order, style_of

# How light of three colours reaches the cones of people without red, green or blue ones (Vienot, Brettel, Mollon).
BLIND = {
    "red": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "green": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
}
DRAWN_TOGETHER = [
    ("value-iteration", "perseus", "atpo", "bopa", "random"),
    ("value-iteration", "atpo", "assistant", "random"),
]


def light(colour):
    """Linear light of a colour."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, two):
    """As the accessibility guidelines of the web define it."""
    bright = sorted(light(colour) @ [0.2126, 0.7152, 0.0722] + 0.05 for colour in (one, two))
    return bright[1] / bright[0]


@pytest.mark.parametrize("colour", [INK, FAINT, *(style.colour for style in STYLES.values())])
def test_text_in_every_colour_can_be_read_on_light_and_dark(colour):
    assert contrast(colour, PAPER) >= 4.5
    assert contrast(DARK[colour], DARK[PAPER]) >= 4.5


def test_every_agent_has_a_name_a_colour_a_marker_and_a_dash_of_its_own():
    assert {kind.name for kind in OURS} == set(STYLES)
    for field in ("name", "colour", "marker", "dash"):
        assert len({getattr(style, field) for style in STYLES.values()}) == len(STYLES), field


@pytest.mark.parametrize("agents", DRAWN_TOGETHER)
@pytest.mark.parametrize("kind", BLIND)
def test_agents_of_one_figure_differ_in_colour_for_colour_blind_people_too(agents, kind):
    """Seen without red or green cones, and compared as CIELAB does; what differs by 10 is told apart at a glance."""
    seen = {agent: lab(np.clip(np.array(BLIND[kind]) @ light(STYLES[agent].colour), 0, 1)) for agent in agents}
    for one, two in combinations(agents, 2):
        assert np.linalg.norm(seen[one] - seen[two]) >= 10, (one, two)


def lab(linear):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    f = xyz / [0.9505, 1.0, 1.089]
    f = np.where(f > 0.008856, np.cbrt(f), 7.787 * f + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_agents_of_your_own_have_a_plain_style_and_come_last():
    assert style_of("mine").name == "mine"
    assert in_order(["mine", "random", "atpo", "mine"]) == ["atpo", "random", "mine"]


def test_the_page_knows_every_colour_on_light_and_dark():
    for colour, other in DARK.items():
        assert f"--{colour[1:]}:{colour};" in palette()
        assert f"--{colour[1:]}:{other};" in palette()
