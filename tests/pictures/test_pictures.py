"""Pictures of a small scene, in every way to draw it."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
from rich.text import Text

from walkon.pictures.palette import colours, letter
from walkon.pictures.pixels import pixels
from walkon.pictures.scene import Circle, Heat, Observation, Piece, Scene, Tile
from walkon.pictures.svg import svg
from walkon.pictures.text import painted, text

SCENE = Scene(
    title="A <small> room",
    columns=2,
    rows=2,
    pieces=(Piece("prey", (0, 0)), Piece("teammate", (0, 0)), Piece("agent", (1, 0))),
    visible=frozenset({(0, 0), (1, 1)}),
    observations=(Observation("teammate", (0, 0)), Observation("nothing", (1, 1))),
    beliefs=(Heat("where the teammate may be", "teammate", np.array([[0.25, 0.0], [0.75, 0.0]])),),
    notes=("observed: teammate left",),
)


def test_text_shows_the_positions_the_observation_and_the_belief():
    assert text(SCENE).splitlines() == [
        "A <small> room",
        "+------+------+",
        "| P T  |░ A ░░|",
        "| (T)  |░░░░░░|",
        "+------+------+",
        "|░░░░░░|      |",
        "|░░░░░░| (-)  |",
        "+------+------+",
        "observed: teammate left",
        "A ad hoc agent  T teammate  P prey  ( ) observed",
        "",
        "where the teammate may be",
        "  25   .",
        "  75   .",
    ]


def test_a_painted_board_is_the_same_text_in_colour():
    lines = [line for line in text(SCENE).splitlines() if line.startswith(("|", "A "))]
    coloured = [Text.from_markup(painted(line)) for line in lines]
    assert [line.plain for line in coloured] == lines
    styles = {str(span.style) for line in coloured for span in line.spans}
    assert styles == {"bold {1} on {0}".format(*colours(each)) for each in "ATP"}


def test_a_crowd_fits_into_its_cell():
    crowd = Scene("crowd", 1, 1, tuple(Piece(kind, (0, 0)) for kind in ("prey", "teammate", "teammate", "agent")))
    assert text(crowd).splitlines()[2] == "|░PTTA░|"


def test_words_of_a_kitchen_are_in_their_cells():
    tiles = (Tile("wall", (0, 0)), Tile("wall", (1, 0)), Tile("pan", (0, 1), "2 onions"))
    scene = Scene("kitchen", 2, 2, (Piece("agent", (1, 1), "plate"),), tiles=tiles, visible=frozenset({(1, 1)}))
    assert text(scene).splitlines()[1:6] == [
        "+----------+----------+",
        "|▓▓▓▓▓▓▓▓▓▓|▓▓▓▓▓▓▓▓▓▓|",
        "+----------+----------+",
        "|░░ pan ░░░|    A     |",
        "| 2 onions |  plate   |",
    ]


def test_svg_is_well_formed_and_describes_everything_in_words_too():
    root = ElementTree.fromstring(svg(SCENE))
    words = [element.text for element in root.iter() if element.text]
    assert words[1] == SCENE.title
    assert {"A", "T", "P", "-", "25", "75", "observed: teammate left", "where the teammate may be"} <= set(words)
    width, height = (float(root.get(side)) for side in ("width", "height"))
    for text_element in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text_element.get("x")) <= width
        assert 0 <= float(text_element.get("y")) <= height


def test_pixels_are_a_colour_image_that_shows_each_piece():
    image = pixels(SCENE)
    assert image.dtype == np.uint8
    assert image.ndim == 3
    assert image.shape[2] == 3
    for colour in (colours(each)[0] for each in "ATP"):
        rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (image == rgb).all(axis=2).sum() > 100
    np.testing.assert_array_equal(image, pixels(SCENE))


def test_pieces_have_different_letters_and_colours_that_differ_in_lightness():
    letters = [letter(kind) for kind in ("agent", "teammate", "prey")]
    assert letters == ["A", "T", "P"]
    shown = [colours(each)[0] for each in letters]
    grey = sorted(0.2126 * int(c[1:3], 16) + 0.7152 * int(c[3:5], 16) + 0.0722 * int(c[5:7], 16) for c in shown)
    assert min(np.diff(grey)) > 20


def test_things_that_no_picture_knows_are_drawn_as_their_world_says_or_as_words():
    def lamp(holds, x, y, size):
        return [Circle(x=x, y=y, radius=size / 4, fill="#123456")]

    tiles = (Tile("desk", (0, 0), "lamp", "desk: lamp"), Tile("shelf", (1, 0), label="shelf"))
    scene = Scene("office", 2, 2, (Piece("robot", (0, 1), "lamp"),), tiles=tiles)
    bare, drawn = svg(scene), svg(replace(scene, sketches={"desk": lamp, "lamp": lamp}))
    assert (bare.count("#123456"), drawn.count("#123456")) == (0, 2)
    for shown in (bare, drawn):
        for word in ("desk: lamp", "shelf", "holds lamp", "R", "robot"):
            assert f">{word}<" in shown
    assert "R robot" in text(scene)
