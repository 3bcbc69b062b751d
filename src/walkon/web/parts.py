"""The parts of the page as HTML: board, legend, bars, heat maps and the history of the task belief.

Every bar and line has a name and a number, so that length and colour never carry meaning alone.
"""

from collections.abc import Sequence

import numpy as np

from walkon.arrays import Floats, Names
from walkon.html import Markup, element, joined, paragraph
from walkon.pictures import palette, svg
from walkon.pictures.drawing import draw_board, draw_token
from walkon.pictures.scene import Drawing, Heat, Scene
from walkon.saying import count, percent, probability
from walkon.simulation.picture import Picture

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#8c93a3")  # after Okabe, Ito
DASHES = ("", "6 3", "2 2", "8 3 2 3", "10 4", "4 4", "1 3", "12 2 2 2")
THEMED = {
    palette.LIT: "--lit",
    palette.DARK: "--unseen",
    palette.LINE: "--grid",
    palette.FAINT: "--faint",
}  # floors follow light and dark
MOST_STATES = 8
STRONG = 0.2  # a probability that is dark in a heat map; smaller ones are dark nowhere
LEAST = 0.005  # smaller probabilities are left blank in a heat map
WIDTH, HEIGHT = 420.0, 150.0  # of the history
LEFT, RIGHT, TOP, BOTTOM = 40.0, 30.0, 8.0, 22.0
APART = 11.0  # the least distance between two numbers at the ends of lines


def board(scene: Scene, *, numbered: bool = False) -> str:
    """Draw the board as SVG; a task without a drawing shows the names of its state and observation."""
    if not scene.columns:
        facts = (note.partition(": ") for note in scene.notes)
        rows = (joined(element("dt", name), element("dd", value)) for name, _, value in facts)
        return element("dl", *rows, class_="facts")
    drawn: str = _inline(draw_board(scene, numbered=numbered), class_="board", role="img", aria_label=describe(scene))
    for fixed, variable in THEMED.items():
        drawn = drawn.replace(f'"{fixed}"', f'"var({variable})"')
    return drawn


def describe(scene: Scene) -> str:
    """Describe the board in words."""
    pieces = (
        f"{palette.word(piece.kind)} in column {piece.cell[0]}, row {piece.cell[1]}"
        + (f", holding {piece.holds}" if piece.holds else "")
        for piece in scene.pieces
    )
    tiles = (f"{tile.ground}: {tile.holds}" for tile in scene.tiles if tile.holds)
    return f"{scene.title}: {'; '.join([*pieces, *tiles])}"


def legend(scene: Scene, person: bool) -> Markup:
    """Explain the pieces on the board."""
    words = {"teammate": "you, the teammate" if person else "teammate", "agent": "the agent"}
    entries = [
        (_inline(draw_token(kind), aria_hidden="true", class_="token"), words.get(kind, kind)) for kind in scene.kinds
    ]
    if scene.observations:
        found = [each.what for each in scene.observations if each.what in scene.kinds]
        card = palette.letter(found[0]) if found else "-"
        entries.append((element("span", card, class_="card-read", aria_hidden="true"), "what the agent observed there"))
    if scene.visible and len(scene.visible) < scene.columns * scene.rows:
        entries.append((element("span", class_="floor-unseen", aria_hidden="true"), "out of its sight"))
    return element("ul", *(element("li", *entry) for entry in entries), class_="legend", aria_label="Legend")


def _inline(sheet: Drawing, **attributes: str) -> Markup:
    shapes = Markup("".join(map(svg.element, sheet.shapes)))
    return element("svg", shapes, viewBox=f"0 0 {sheet.width} {sheet.height}", **attributes)


def colour(k: int) -> str:
    """The colour of a task."""
    return COLOURS[k % len(COLOURS)]


def bars(label: str, names: Sequence[str], shares: Floats, notes: Sequence[str], fills: Sequence[str] = ()) -> Markup:
    """Draw a list of probabilities as bars."""
    fills = fills or ["var(--accent)"] * len(names)
    rows = []
    for name, share, note, fill in zip(names, shares.tolist(), notes, fills, strict=True):
        bar = element("span", class_="bar-fill", style=f"width:{100 * share:.1f}%;--fill:{fill}")
        track = element("span", bar, class_="bar-track", aria_hidden="true")
        short = probability(share).replace("more than", ">").replace("less than", "<")  # names have the room
        value = element("span", short, class_="bar-value")
        note = element("span", note, class_="bar-note")
        rows.append(element("li", element("span", name, class_="bar-name"), track, value, note))
    return element("ol", *rows, class_="bars", aria_label=label)


def task_bars(picture: Picture, refuted: Sequence[bool]) -> Markup:
    """Draw the task belief; for an agent without one, say what it knows."""
    if picture.belief is None:
        return paragraph(f"{picture.knows.capitalize()}.", "quiet")
    notes = [
        " ".join(filter(None, ("★ is played" if k == picture.truth else "", "ruled out" if out else "")))
        for k, out in enumerate(refuted)
    ]
    names = [f"{k} · {name}" for k, name in enumerate(picture.tasks)]
    return bars("Belief over the tasks", names, picture.belief, notes, [colour(k) for k in range(len(names))])


def action_bars(picture: Picture) -> Markup:
    """Draw the probabilities of the agent's next action."""
    if np.isnan(picture.choices).any():
        return paragraph("Its probabilities were not recorded.", "quiet")
    notes = ["taken" if a == picture.taken else "" for a in range(len(picture.actions))]
    return bars("Probabilities of its next action", picture.actions, picture.choices, notes)


def state_bars(names: Names | None, belief: Floats, truth: int | None) -> Markup:
    """Draw the most probable states, for a task without a board."""
    order = np.argsort(-belief, kind="stable")[:MOST_STATES]
    shown = [names[x] if names else f"state {x}" for x in order.tolist()]
    notes = ["true state" if x == truth else "" for x in order.tolist()]
    rest = f"{probability(float(1 - belief[order].sum()))} on the other states."
    more = paragraph(rest, "quiet") if len(belief) > MOST_STATES else ""
    return joined(bars("Most probable states", shown, belief[order], notes), more)


def heat_map(heat: Heat) -> Markup:
    """Draw where the agent believes things to be, as a table of per cents that a screen reader can read."""
    strongest = max(float(heat.grid.max()), STRONG)
    rows = (element("tr", *(_cell(share, strongest) for share in row)) for row in heat.grid.tolist())
    return element("table", element("caption", f"{heat.title}, in %"), *rows, class_=f"heat heat-{heat.kind}")


def _cell(share: float, strongest: float) -> Markup:
    if share < LEAST:
        return element("td")
    strength = round(share / strongest, 2)
    return element("td", f"{100 * share:.0f}", class_="dark" if strength > 0.6 else "", style=f"--p:{strength}")


def history(beliefs: Floats, names: Names, at: int, horizon: int, others: Sequence[Floats] = ()) -> Markup:
    """Draw the task belief over time: a numbered line for each task, and a mark at the shown step.

    `others` are the beliefs in other lines of play, which are thin and grey.
    """
    T, K = len(beliefs) - 1, int(beliefs.shape[1])
    span = max(T, min(10, horizon), 1, *(len(each) - 1 for each in others))

    def x(t: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * t / span:.1f}"

    def y(p: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - p)

    grid = "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(p):.1f}" y2="{y(p):.1f}"/>'
        f'<text class="tick" x="{LEFT - 5}" y="{y(p) + 3.5:.1f}" text-anchor="end">{percent(p)}</text>'
        for p in (0, 0.5, 1)
    )
    ticks = "".join(
        f'<text class="tick" x="{x(t)}" y="{HEIGHT - 6}" text-anchor="middle">{t}</text>'
        for t in range(0, span + 1, max(1, round(span / 5)))
    )
    mark = f'<line class="mark" x1="{x(at)}" x2="{x(at)}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'

    def line(shares: Floats, k: int, kind: str) -> str:
        points = " ".join(f"{x(t)},{y(p):.1f}" for t, p in enumerate(shares[:, k].tolist()))
        return f'<polyline class="{kind}" stroke-dasharray="{DASHES[k % len(DASHES)]}" points="{points}"/>'

    left = "".join(line(each, k, "left-line") for each in others for k in range(K))
    lines = "".join(
        f'<g stroke="{colour(k)}">{line(beliefs, k, "task-line")}</g>'
        f'<circle cx="{x(at)}" cy="{y(beliefs[at, k]):.1f}" r="3" fill="{colour(k)}"/>'
        for k in range(K)
    )
    ends = "".join(
        f'<text class="line-end" x="{float(x(T)) + 7:.1f}" y="{height + 3.5:.1f}">{k}</text>'
        for k, height in enumerate(_spread([y(p) for p in beliefs[-1].tolist()]))
    )
    now = ", ".join(f"{name} {probability(p)}" for name, p in zip(names, beliefs[at].tolist(), strict=True))
    label = f"Belief over the tasks from step 0 to {T}; at step {at}: {now}"
    if others:
        label += f"; in grey {count(len(others), 'other line')} of play"
    drawn, view = Markup(grid + ticks + mark + left + lines + ends), f"0 0 {WIDTH:.0f} {HEIGHT:.0f}"
    return element("svg", drawn, class_="history", viewBox=view, role="img", aria_label=label)


def _spread(heights: list[float]) -> list[float]:
    """Push heights apart, so that no two numbers overlap; their order stays."""
    order = np.argsort(heights, kind="stable")
    placed = np.array(heights)[order]
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + APART)
    lowest = HEIGHT - 8
    for i in reversed(range(len(placed))):
        placed[i] = lowest = min(placed[i], lowest)
        lowest -= APART
    result = np.empty(len(heights))
    result[order] = placed
    return result.tolist()
