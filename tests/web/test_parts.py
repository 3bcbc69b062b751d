"""The parts of the page: what they show is what there is, names are escaped, and nothing is told by colour alone."""

import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from night_matches import night_game
from recorded import recorded
from walkon.pictures.scene import Heat, Scene
from walkon.web.parts import (
    APART,
    HEIGHT,
    _spread,
    action_bars,
    board,
    describe,
    heat_map,
    history,
    legend,
    state_bars,
    task_bars,
)

CHART = ("task-line", "left-line")
EVIL = '<script>alert("x")</script>'


def parsed(text):
    """HTML of ours as a tree: it is well formed XML."""
    return ElementTree.fromstring(f"<div>{text}</div>")


def words(text):
    return " ".join(parsed(text).itertext()).replace("\N{NO-BREAK SPACE}", " ")


def test_every_task_has_its_name_its_number_and_its_mark():
    picture = night_game([0, 1, 2]).picture(2)
    text = task_bars(picture, [False, True])
    rows = [" ".join(row.itertext()).replace("\N{NO-BREAK SPACE}", " ") for row in parsed(text).iter("li")]
    for k, (row, name, share) in enumerate(zip(rows, picture.tasks, picture.belief, strict=True)):
        assert name in row
        assert f"{100 * share:.0f} %" in row
        assert ("is played" in row) == (k == picture.truth)
        assert ("ruled out" in row) == (k == 1)
    widths = [float(width) for width in re.findall(r"width:([\d.]+)%", text)]
    assert widths == pytest.approx(100 * picture.belief, abs=0.05)


def test_names_are_text_and_never_tags():
    picture = replace(night_game([0]).picture(1), tasks=(EVIL, EVIL), actions=(EVIL,) * 5)
    scene = Scene(title=EVIL, columns=0, rows=0, pieces=(), notes=(f"state: {EVIL}",))
    empty = Heat(EVIL, "agent", np.full((2, 2), 0.25))
    beliefs = np.array([[0.5, 0.5], [0.25, 0.75]])
    shown = [
        task_bars(picture, [False, False]),
        action_bars(picture),
        state_bars((EVIL, EVIL), np.array([0.4, 0.6]), 0),
        board(scene),
        board(replace(picture.scene, title=EVIL)),
        heat_map(empty),
        history(beliefs, (EVIL, EVIL), 1, 50),
    ]
    for text in shown:
        assert "<script" not in text
        assert EVIL in unescape(unescape(text))


def test_a_heat_map_is_a_table_of_per_cents():
    grid = np.array([[0.5, 0.002], [0.0, 0.498]])
    root = parsed(heat_map(Heat("where it may be", "prey", grid)))
    assert [cell.text for cell in root.iter("td")] == ["50", None, None, "50"]
    assert root.find(".//caption").text == "where it may be, in %"


def test_a_board_says_in_words_who_is_where():
    for world, options in (("night-pursuit", {"size": 3}), ("pursuit", {"size": 3}), ("overcooked", {})):
        recording, _ = recorded(world, "random", options, horizon=3)
        scene = recording.library[0].view.scene(int(recording.episode.states[1]))
        label = parsed(board(scene)).find(".//*[@role='img']").get("aria-label")
        assert label == describe(scene)
        for piece in scene.pieces:
            assert f"in column {piece.cell[0]}, row {piece.cell[1]}" in label
        assert "the agent" in words(legend(scene, person=True))
        assert ("you, the teammate" in words(legend(scene, person=True))) == ("teammate" in label)


def labels(scene, **options):
    """The words of a board, and how large they are where the board is 100 wide."""
    picture = parsed(board(scene, **options)).find(".//*[@role='img']")
    wide = float(picture.get("viewBox").split()[2])
    return {text.text: 100 * float(text.get("font-size")) / wide for text in picture.iter("text")}


def test_cells_can_be_found_on_the_board_by_the_numbers_in_the_names_of_tasks():
    library = walkon.make("night-pursuit", size=4, tasks=2)
    scene = library[0].view.scene(5)
    assert {"0", "1", "2", "3"} <= set(labels(scene, numbered=True))
    assert not {"0", "1", "2", "3"} & set(labels(scene))


def test_words_on_a_board_can_be_read():
    """A card is 456 pixels wide on a desk: 2.4 per cent of that are 11 pixels."""
    kitchen = labels(walkon.make("one-soup")[0].view.scene(0))
    assert min(kitchen[word] for word in ("onions", "plates", "window")) > 2.4
    places = {"hotspot": ("door", "middle", "bench 4"), "power-plant": ("room 0", "room 4")}
    for world, words in places.items():
        assert set(words) <= set(labels(walkon.make(world)[0].view.scene(0))), world


def test_the_lines_that_were_left_are_there_without_a_colour_of_their_own():
    beliefs, left = np.array([[0.5, 0.5], [0.2, 0.8]]), np.array([[0.5, 0.5], [0.6, 0.4], [0.9, 0.1]])
    root = parsed(history(beliefs, ("a", "b"), 1, 50, [left]))
    drawn = {kind: [line for line in root.iter("polyline") if line.get("class") == kind] for kind in CHART}
    assert [len(each.get("points").split()) for each in drawn["left-line"]] == [3, 3]
    assert [len(each.get("points").split()) for each in drawn["task-line"]] == [2, 2]
    ends = [each.get("points").split()[1].split(",")[0] for lines in drawn.values() for each in lines]
    assert len(set(ends)) == 1  # step 1 is at the same place in all of them
    assert "in grey 1 other line of play" in root.find(".//svg").get("aria-label")


def test_a_line_for_each_task_runs_through_its_probabilities():
    beliefs = np.array([[0.5, 0.5], [0.2, 0.8], [0.0, 1.0]])
    root = parsed(history(beliefs, ("a", "b"), 1, 50))
    lines = [
        np.array([point.split(",") for point in line.get("points").split()], float) for line in root.iter("polyline")
    ]
    for line, column in zip(lines, beliefs.T, strict=True):
        heights = line[:, 1]
        assert np.corrcoef(heights, column)[0, 1] == pytest.approx(-1)
        assert (np.diff(line[:, 0]) > 0).all()
    dashes = {line.get("stroke-dasharray") for line in root.iter("polyline")}
    assert len(dashes) == 2
    assert "at step 1: a 20\N{NO-BREAK SPACE}%, b 80\N{NO-BREAK SPACE}%" in root.find(".//svg").get("aria-label")


@given(st.lists(st.floats(8, HEIGHT - 22), min_size=1, max_size=8))
def test_numbers_at_the_ends_of_lines_never_lie_on_each_other(heights):
    placed = _spread(heights)
    assert (np.diff(sorted(placed)) >= APART - 1e-9).all()
    assert max(placed) <= HEIGHT - 8
    order = np.argsort(heights, kind="stable")
    assert (np.diff(np.array(placed)[order]) > 0).all()
