"""Colours that people with any kind of colour vision can tell apart (after Okabe and Ito), and a letter for each kind.

Nothing is shown by colour alone: pieces also differ in shape and letter, and probabilities are also written as numbers.
"""

INK = "#1f2430"
FAINT = "#6b7280"
PAPER = "#ffffff"
LINE = "#c3c8d1"
LIT = "#fffdf4"  # floor that the ad hoc agent can see
DARK = "#d5d9e2"  # floor that it cannot see
HEAT = "#0072b2"
WALL = "#7b8494"
OTHER = "#009e73"  # pieces other than the agent and the teammates


def letter(kind: str) -> str:
    """The first letter of a kind of piece."""
    return kind[:1].upper()


def colours(letter: str) -> tuple[str, str]:
    """The colour of the pieces with this letter, and the colour of the letter itself."""
    return {"A": ("#0072b2", PAPER), "T": ("#e69f00", INK)}.get(letter, (OTHER, INK))


def word(kind: str) -> str:
    """The name of a kind of piece."""
    return "ad hoc agent" if kind == "agent" else kind


def blend(colour: str, share: float) -> str:
    """Mix a share of a colour with white.

    >>> blend("#000000", 0.0), blend("#000000", 1.0)
    ('#ffffff', '#000000')
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)
