"""Pictures of a small scene, in every way to draw it."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.text import Text

from walkon.pictures.palette import COLOURS, INKS, LETTERS
from walkon.pictures.pixels import pixels
from walkon.pictures.scene import Heat, Observation, Piece, Scene, Tile
from walkon.pictures.svg import svg
from walkon.pictures.text import markup, text

SCENE = Scene(
    title="A <small> room",
    columns=2,
    rows=2,
    pieces=(Piece("prey", (0, 0)), Piece("teammate", (0, 0)), Piece("agent", (1, 0))),
    visible=frozenset({(0, 0), (1, 1)}),
    observations=(Observation("teammate", (0, 0)), Observation("nothing", (1, 1))),
    beliefs=(Heat("where the teammate may be", "teammate", np.array([[0.25, 0.0], [0.75, 0.0]])),),
    notes=("read: teammate left",),
)


def test_text_tells_who_is_where_what_was_read_and_what_is_believed():
    assert text(SCENE).splitlines() == [
        "A <small> room",
        "+------+------+",
        "| P T  |░ A ░░|",
        "| (T)  |░░░░░░|",
        "+------+------+",
        "|░░░░░░|      |",
        "|░░░░░░| (-)  |",
        "+------+------+",
        "read: teammate left",
        "A ad hoc agent  T teammate  P prey  ( ) read there",
        "",
        "where the teammate may be",
        "  25   .",
        "  75   .",
    ]


def test_markup_is_the_same_text_in_colour():
    painted = Text.from_markup(markup(SCENE))
    assert painted.plain == text(SCENE)
    assert {str(span.style) for span in painted.spans} == {
        f"bold {INKS[kind]} on {colour}" for kind, colour in COLOURS.items()
    }


def test_a_crowd_fits_into_its_cell():
    crowd = Scene("crowd", 1, 1, tuple(Piece(kind, (0, 0)) for kind in ("prey", "teammate", "teammate", "agent")))
    assert text(crowd).splitlines()[2] == "|░PTTA░|"
    assert Text.from_markup(markup(crowd)).plain == text(crowd)


def test_words_of_a_kitchen_stand_in_their_cells():
    tiles = (Tile("wall", (0, 0)), Tile("wall", (1, 0)), Tile("pan", (0, 1), "2 onions"))
    scene = Scene("kitchen", 2, 2, (Piece("agent", (1, 1), "plate"),), tiles=tiles, visible=frozenset({(1, 1)}))
    assert text(scene).splitlines()[1:6] == [
        "+----------+----------+",
        "|▓▓▓▓▓▓▓▓▓▓|▓▓▓▓▓▓▓▓▓▓|",
        "+----------+----------+",
        "|░░ pan ░░░|    A     |",
        "| 2 onions |  plate   |",
    ]


def test_svg_is_well_formed_and_tells_everything_in_words_too():
    root = ElementTree.fromstring(svg(SCENE))
    words = [element.text for element in root.iter() if element.text]
    assert words[1] == SCENE.title
    assert {"A", "T", "P", "-", "25", "75", "read: teammate left", "where the teammate may be"} <= set(words)
    width, height = (float(root.get(side)) for side in ("width", "height"))
    for text_element in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text_element.get("x")) <= width
        assert 0 <= float(text_element.get("y")) <= height


def test_pixels_are_a_colour_image_that_shows_each_piece():
    image = pixels(SCENE)
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[2] == 3
    for colour in COLOURS.values():
        rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (image == rgb).all(axis=2).sum() > 100
    np.testing.assert_array_equal(image, pixels(SCENE))


def test_pieces_have_different_letters_and_colours_that_differ_in_lightness():
    assert len(set(LETTERS.values())) == len(LETTERS)
    grey = sorted(
        0.2126 * int(c[1:3], 16) + 0.7152 * int(c[3:5], 16) + 0.0722 * int(c[5:7], 16) for c in COLOURS.values()
    )
    assert min(np.diff(grey)) > 20


@pytest.mark.parametrize("word", ["onions", "plates", "window", "pan: cooked", "holds soup", "plate"])
def test_nothing_in_the_kitchen_is_told_by_its_picture_alone(word):
    tiles = (
        Tile("onions", (0, 0)),
        Tile("plates", (1, 0)),
        Tile("window", (2, 0)),
        Tile("pan", (0, 1), "cooked"),
        Tile("counter", (1, 1), "plate"),
    )
    scene = Scene("kitchen", 3, 2, (Piece("agent", (2, 1), "soup"),), tiles=tiles)
    assert re.search(f">{word}<", svg(scene))
