"""A moment of an episode on the screen: the world, the task belief, the next action, and the observation.

The screen consists of blocks of lines. On a wide terminal the bars are beside the board, on a narrow one below it. If
that does not fit, the board is drawn small, and finally the state beliefs are left out. Colour is never the only sign.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from textwrap import wrap
from typing import NamedTuple

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.text import Text

from walkon.pictures import palette
from walkon.pictures.scene import Heat
from walkon.pictures.text import UNSEEN, board, key, painted, per_cent
from walkon.simulation.picture import Picture

GAP = 2
LEAST_BARS, MOST_BARS = 34, 60  # columns of the bars beside a board
UNLIMITED = 10**6
WIDEST = 120
EIGHTHS = " ▏▎▍▌▋▊▉█"
COLD, HOT = (0x14, 0x24, 0x33), (0x56, 0xB4, 0xE9)

Block = list[Text]


@dataclass(frozen=True)
class Screen:
    """A moment that rich can print."""

    moment: Picture
    hint: str = ""  # what the keys do; empty where there are none
    full: bool = False  # whether it must fit into the terminal's height
    why: str = ""  # why the last step was taken, and why the task belief changed

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines, cut to the terminal."""
        width = min(options.max_width, WIDEST)
        height = options.max_height if self.full else None
        for line in layout(self.moment, width, height, self.hint, self.why):
            line.truncate(options.max_width)
            yield from line.render(console)
            yield Segment.line()


class Plan(NamedTuple):
    """The size of a layout: with a small board, with the state beliefs, with blank lines between the blocks."""

    small: bool
    beliefs: bool
    air: bool


def layout(moment: Picture, width: int, height: int | None, hint: str = "", why: str = "") -> Block:
    """Lay out the lines of the screen, in the largest layout that fits."""
    head, foot = _head(moment, width), _foot(moment, width, hint, why)
    room = UNLIMITED if height is None else height - len(head) - len(foot)
    body: Block = []
    for beliefs, small, air in product((True, False), (False, True), (True, False)):
        for arrange in (_beside, partial(_beside, below=True), _stacked):
            body = arrange(moment, width, room, Plan(small, beliefs, air))
            if len(body) <= room and _width(body) <= width:
                return [*head, *body, *foot]
    return [*head, *body[: max(room, 0)], *foot][:height]


def _beside(moment: Picture, width: int, room: int, plan: Plan, *, below: bool = False) -> Block:
    """Put the board on the left and the bars on the right; the state beliefs are below the board, or below the bars."""
    left = _world(moment, plan)
    if below:
        left = _piled(plan, left, _maps(moment, max(_width(left), width - LEAST_BARS - GAP), plan))
    wide = min(width - _width(left) - GAP, MOST_BARS)
    if wide < LEAST_BARS:
        return _stacked(moment, width, room, plan)
    rest = _piled(plan, _actions(moment, wide), [] if below else _maps(moment, wide, plan))
    return _joined(left, _piled(plan, _tasks(moment, wide, room - len(rest) - plan.air), rest))


def _stacked(moment: Picture, width: int, room: int, plan: Plan) -> Block:
    """Put the board above, then the two kinds of bars beside each other, then the state beliefs."""
    world, maps = _world(moment, plan), _maps(moment, width, plan)
    wide = min((width - GAP) // 2, MOST_BARS)
    bars = max(room - len(_piled(plan, world, maps)) - plan.air, len(moment.actions) + 1)
    return _piled(plan, world, _joined(_tasks(moment, wide, bars), _actions(moment, wide), wide), maps)


def _piled(plan: Plan, *blocks: Block) -> Block:
    """Put blocks below each other."""
    lines: Block = []
    for block in filter(None, blocks):
        lines += [Text(), *block] if lines and plan.air else block
    return lines


def _head(moment: Picture, width: int) -> Block:
    right = f"step {moment.step}/{moment.horizon} · {moment.status}"
    left = Text(f"{moment.scene.title} · {moment.heading}", style="bold")
    left.truncate(max(width - len(right) - GAP, 0), overflow="ellipsis")
    left.pad_right(max(width - left.cell_len - len(right), 0))
    done = moment.status == "solved"
    return [left.append(right, style="bold green" if done else "bold"), Text("─" * width, style="dim")]


def _foot(moment: Picture, width: int, hint: str, why: str = "") -> Block:
    """Show the last action and observation, and what explains them."""
    lines = [Text("─" * width, style="dim")]
    reasons = [("why" if i == 0 else "", said) for i, said in enumerate(why.splitlines())]
    for word, said in (("did", moment.did or "nothing yet"), ("sensed", moment.sensed), *reasons):
        for i, row in enumerate(wrap(said, max(width - 8, 20))):
            lines.append(Text(f"{word if i == 0 else '':8}", style="bold").append(row, style="not bold"))
    if moment.unexplained:
        lines.append(Text("! nothing in the library explains this: the agent starts again", style="bold red"))
    return [*lines, Text(hint, style="dim")] if hint else lines


def _world(moment: Picture, plan: Plan) -> Block:
    """Draw the board and its key; the notes where there is no board."""
    lines = board(moment.scene, compact=plan.small)
    if not lines:
        return [Text(note) for note in moment.scene.notes]
    width = len(lines[0])
    drawn = [Text.from_markup(painted(line)) for line in lines]
    for line in drawn:
        line.highlight_regex(r"[░▓+|]+|-{2,}", "dim")
    words = key(moment.scene).split("  ")
    if any(UNSEEN in line for line in lines):
        words.append(f"{UNSEEN} out of sight")
    legend: list[str] = []
    for word in words:
        if legend and len(legend[-1]) + 2 + len(word) <= width:
            legend[-1] += f"  {word}"
        else:
            legend.append(word)
    return [*drawn, *(Text.from_markup(painted(line)) for line in legend)]


def _tasks(moment: Picture, width: int, room: int) -> Block:
    """Draw bars of the task belief, with the true task marked; of many, only the most probable."""
    title = _title("which task?  (* is being played)", width)
    if moment.belief is None:
        return [title, Text(moment.knows), Text(f"* {moment.tasks[moment.truth]}")]
    K = len(moment.tasks)
    shown = list(range(K))
    if max(room - 1, 2) < K:
        order = np.argsort(-moment.belief, kind="stable")[: max(room - 2, 2)].tolist()
        shown = sorted(order if moment.truth in order else [*order[:-1], moment.truth])
    bars = [
        _bar(moment.tasks[k], float(moment.belief[k]), width, mark=" *"[k == moment.truth], longest=moment.tasks)
        for k in shown
    ]
    if len(shown) < K:
        rest = 1 - sum(float(moment.belief[k]) for k in shown)
        bars.append(Text(f"  and {K - len(shown)} more, together {max(rest, 0):.2f}", style="dim"))
    return [title, *bars]


def _actions(moment: Picture, width: int) -> Block:
    """Draw bars of the next action's probabilities, with the chosen one marked."""
    bars = [_title("next action" if moment.taken is None else "next action  (> is taken)", width)]
    for a, (name, p) in enumerate(zip(moment.actions, moment.choices, strict=True)):
        bars.append(_bar(name, float(p), width, mark=" >"[a == moment.taken], longest=moment.actions))
    return bars


def _maps(moment: Picture, width: int, plan: Plan) -> Block:
    """Draw the state beliefs in per cent, as many beside each other as fit."""
    if not moment.heats or not plan.beliefs:
        return []
    lines: Block = [_title(f"belief in %, if {moment.supposing}", width)]
    row: Block = []
    for heat in moment.heats:
        grid = _map(heat)
        if row and _width(row) + GAP + _width(grid) > width:
            lines, row = [*lines, *row], []
        row = _joined(row, grid) if row else grid
    return [*lines, *row]


def _map(heat: Heat) -> Block:
    """Draw one small board of per cents under its title; likelier cells are brighter."""
    strongest = max(float(heat.grid.max()), 1e-12)
    lines = [Text(heat.title.removeprefix("where the ").removesuffix(" may be"))]
    for row, said in zip(heat.grid, per_cent(heat), strict=True):
        styles = (_glow(float(share) / strongest) for share in row)
        lines.append(Text.assemble(*((said[4 * c : 4 * c + 4], style) for c, style in enumerate(styles))))
    return lines


def _glow(share: float) -> str:
    """Return the style of a cell: the larger the share, the brighter its background."""
    ground = "".join(f"{round(cold + share * (hot - cold)):02x}" for cold, hot in zip(COLD, HOT, strict=True))
    return f"{palette.INK if share > 0.5 else palette.PAPER} on #{ground}"


def _bar(name: str, share: float, width: int, *, mark: str, longest: Sequence[str]) -> Text:
    """Draw a mark, a name, a bar, and the number."""
    label = max(min(max(map(len, longest)), width - 15), 4)
    said = name if len(name) <= label else f"{name[: label - 1]}…"
    length, marked = max(width - label - 9, 1), mark != " "
    full, part = divmod(round(8 * length * min(share, 1.0)), 8)
    filled = (EIGHTHS[8] * full + EIGHTHS[part]).ljust(length)[:length]
    line = Text(f"{mark} {said:{label}} ", style="bold" if marked else "")
    line.append(filled, style=palette.OTHER if marked else palette.HEAT)
    return line.append(f" {share:5.3f}", style="bold" if marked else "")


def _title(words: str, width: int) -> Text:
    line = Text(words[:width], style="bold")
    return line.append(f" {'─' * max(width - len(words) - 1, 0)}", style="dim")


def _width(block: Block) -> int:
    return max((line.cell_len for line in block), default=0)


def _joined(left: Block, right: Block, width: int | None = None) -> Block:
    """Put two blocks beside each other."""
    wide = _width(left) if width is None else width
    lines = [line.copy() for line in left] + [Text() for _ in right[len(left) :]]
    for line, second in zip(lines, right, strict=False):
        line.pad_right(wide - line.cell_len + GAP)
        line.append_text(second)
    return lines
