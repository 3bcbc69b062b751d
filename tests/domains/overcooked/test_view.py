"""The kitchen is told in words, too."""

import pytest

from walkon.domains.overcooked.view import SKETCHES, tile
from walkon.pictures.scene import Piece, Scene
from walkon.pictures.svg import svg


@pytest.mark.parametrize("word", ["onions", "plates", "window", "pan: cooked", "holds soup", "plate"])
def test_nothing_in_the_kitchen_is_shown_by_its_picture_alone(word):
    tiles = (
        tile("onions", (0, 0), ""),
        tile("plates", (1, 0), ""),
        tile("window", (2, 0), ""),
        tile("pan", (0, 1), "cooked"),
        tile("counter", (1, 1), "plate"),
    )
    scene = Scene("kitchen", 3, 2, (Piece("agent", (2, 1), "soup"),), tiles=tiles, sketches=SKETCHES)
    assert f">{word}<" in svg(scene)
