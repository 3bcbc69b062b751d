"""The style of figures: the colour, marker and dash of each agent, and the sizes of everything else.

Colours are those of Okabe and Ito, darkened until they can be read as text on white (a contrast of 4.5 or more). They
never stand alone: each agent also has a marker, a dash and its name. On a dark page the report uses lighter ones.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from walkon.agents.registry import AGENTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.0, 3.2  # inches: two side by side on a screen, one on a phone, with readable letters
POINT = 72  # points per inch
INK, FAINT, LINE, PAPER = "#1f2430", "#5f6775", "#c9ced8", "#ffffff"
LETTERS = 9.0  # points
SMALL = 7.5
OUTSIDE: dict[str, Any] = {"va": "center_baseline", "annotation_clip": False, "parse_math": False}  # text beside axes

Dash = str | tuple[int, tuple[float, ...]]


class Style(NamedTuple):
    """How one agent is drawn, in every figure."""

    name: str
    colour: str
    marker: str
    dash: Dash = "-"
    width: float = 1.5
    size: float = 5.5  # of the marker

    @property
    def weight(self) -> str:
        """The weight of its name: bold where the line is wide."""
        return "bold" if self.width > 2 else "normal"


LOOKS: dict[str, tuple[str, str, Dash, float, float]] = {  # colour, marker, dash, width, size
    "value-iteration": (INK, "D", (0, (1.2, 1.4)), 1.5, 5.5),
    "perseus": ("#007a59", "s", (0, (5, 1.8)), 1.5, 5.5),
    "atpo": ("#0069a8", "o", "-", 2.2, 6.5),
    "atpo-greedy": ("#a83f7c", "h", (0, (8, 1.5)), 1.5, 5.5),
    "atpo-q": ("#1f6f78", "p", (0, (4, 1.2, 1.2, 1.2)), 1.5, 5.5),
    "atpo-look": ("#9c1f3d", "*", (0, (10, 2)), 1.5, 8),
    "atpo-search": ("#3d6b1f", "d", (0, (7, 1.2, 2, 1.2)), 1.5, 5.5),
    "search": ("#00666b", "8", (0, (6, 1.2, 1.2, 1.2, 1.2, 1.2)), 1.5, 5.5),
    "bayes": ("#7a2fa0", "H", (0, (9, 1.2, 3, 1.2)), 2.2, 6.5),
    "bopa": ("#b84a00", "^", (0, (6, 1.5, 1.2, 1.5)), 1.5, 5.5),
    "bopa-state": ("#8a3324", "<", (0, (2, 1)), 1.5, 5.5),
    "tebopa": ("#4a5a00", ">", (0, (1.2, 2.4, 5, 2.4)), 1.5, 5.5),
    "assistant": ("#806600", "P", (0, (3, 1.4)), 1.5, 7.5),
    "random": ("#6b7280", "v", (0, (3, 1.4, 1, 1.4, 1, 1.4)), 1.5, 5.5),
    "random-picker": ("#5b4b9a", "X", (0, (2, 2.4)), 1.5, 7),
}
STYLES = {name: Style(AGENTS.title(name), *look) for name, look in LOOKS.items()}
MARKERS, DASHES = ("8", "+", "x"), ((0, (1, 3)), (0, (6, 3)))  # of agents that have no style here
DARK = {  # the colours on a dark page
    INK: "#e6e9f0",
    FAINT: "#a3acbb",
    LINE: "#464e5c",
    PAPER: "#171b22",
    "#007a59": "#35c99a",
    "#0069a8": "#58b4f5",
    "#806600": "#d9b84a",
    "#b84a00": "#ff914d",
    "#8a3324": "#f0a08c",
    "#4a5a00": "#c3d16a",
    "#a83f7c": "#f291c4",
    "#1f6f78": "#5ccbd6",
    "#9c1f3d": "#ff8fa6",
    "#3d6b1f": "#9fd67a",
    "#00666b": "#4fd0c4",
    "#7a2fa0": "#d39bf5",
    "#6b7280": "#98a1b0",
    "#5b4b9a": "#ab9cf0",
}
RC = {
    "font.family": "DejaVu Sans",
    "font.size": LETTERS,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": LINE,
    "grid.linewidth": 0.5,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": FAINT,
    "ytick.labelcolor": FAINT,
    "xtick.labelsize": LETTERS - 0.5,
    "ytick.labelsize": LETTERS - 0.5,
    "xtick.major.size": 3,
    "ytick.major.size": 0,
    "lines.markeredgecolor": PAPER,
    "lines.markeredgewidth": 0.8,
    "lines.solid_capstyle": "round",
    "mathtext.fontset": "dejavusans",
    "svg.fonttype": "path",  # the same letters on every machine
    "pdf.fonttype": 3,  # the names of subsets of other fonts change from run to run
}


def style_of(agent: str) -> Style:
    """Return an agent's style; of an agent without one here, a style that follows from its name."""
    if agent in STYLES:
        return STYLES[agent]
    turn, colour = divmod(crc32(agent.encode()), len(LOOKS))
    mark, dash = MARKERS[turn % len(MARKERS)], DASHES[turn % len(DASHES)]
    return Style(AGENTS.title(agent), list(LOOKS.values())[colour][0], mark, dash)


def in_order(agents: Iterable[str]) -> list[str]:
    """Sort agents by the order of the styles; others come last, in the order given."""
    present = list(dict.fromkeys(agents))
    return [name for name in STYLES if name in present] + [name for name in present if name not in STYLES]


@contextmanager
def looks() -> Iterator[None]:
    """Use this style inside a `with` block, independent of the user's settings of matplotlib."""
    from matplotlib import style  # slow to load, as everything of matplotlib: only what draws loads it

    with style.context(["default", RC]):
        yield


def sheet(
    heading: str, note: str, *, left: float = 0.55, right: float = 1.2, bottom: float = 0.5
) -> "tuple[Figure, Axes]":
    """Make a figure with one set of axes, margins in inches; the measure is written above them, not sideways."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=200)
    width, height = (WIDTH - left - right) / WIDTH, (HEIGHT - bottom - 0.55) / HEIGHT
    axes = figure.add_axes((left / WIDTH, bottom / HEIGHT, width, height))
    margin = 0.12 / WIDTH
    figure.text(margin, 1 - 0.12 / HEIGHT, heading, va="top", weight="bold", size=LETTERS + 0.5)
    figure.text(margin, 1 - 0.31 / HEIGHT, note, va="top", color=FAINT, size=SMALL)
    return figure, axes


def imprint(figure: "Figure", letter: str, sizes: str) -> None:
    """Write the letter of a panel, if it has one, before the heading of a sheet, and some sizes to the right of it."""
    if letter:
        figure.texts[0].set_text(f"({letter}) {figure.texts[0].get_text()}")
    figure.text(1 - 0.12 / WIDTH, 1 - 0.14 / HEIGHT, sizes, va="top", ha="right", color=FAINT, size=SMALL)
