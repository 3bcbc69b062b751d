"""Colours that people with any kind of colour vision can tell apart (after Okabe and Ito), and a letter for each kind.

Colour is never alone: who is who is also told by shape and letter, probabilities by numbers, things by words.
"""

from walkon.pictures.scene import Ground, Kind

INK = "#1f2430"
FAINT = "#6b7280"
PAPER = "#ffffff"
LINE = "#c3c8d1"
LIT = "#fffdf4"  # floor that the ad hoc agent can see
DARK = "#d5d9e2"  # floor that it cannot see
HEAT = "#0072b2"

COLOURS: dict[Kind, str] = {"agent": "#0072b2", "teammate": "#e69f00", "prey": "#009e73"}
INKS: dict[Kind, str] = {"agent": PAPER, "teammate": INK, "prey": INK}  # for letters on these colours
LETTERS: dict[Kind, str] = {"agent": "A", "teammate": "T", "prey": "P"}
WORDS: dict[Kind, str] = {"agent": "ad hoc agent", "teammate": "teammate", "prey": "prey"}

GROUNDS: dict[Ground, str] = {
    "wall": "#7b8494",
    "counter": "#d9b98c",
    "onions": "#e9dfd0",
    "plates": "#e9dfd0",
    "pan": "#e9dfd0",
    "window": "#cfe6f5",
}


def blend(colour: str, share: float) -> str:
    """A colour on white paper, as thick as a share.

    >>> blend("#000000", 0.0), blend("#000000", 1.0)
    ('#ffffff', '#000000')
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)
