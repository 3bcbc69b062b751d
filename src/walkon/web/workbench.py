"""What the page shows of a run: worked out once for all visitors, in a process beside the page, and kept.

It is worked out again only when there are new results: while a run is going on with pauses, and when it has ended at
once. Work goes on when the visitor who asked for it has left, because others will want the same.
"""

import asyncio
from concurrent.futures.process import BrokenProcessPool
from time import monotonic
from typing import NamedTuple
from zlib import crc32

from walkon.errors import InputError
from walkon.html import Markup
from walkon.paper import READINGS
from walkon.paper.run import Run as Asked
from walkon.processes import Workers
from walkon.runs.sweep import Settings
from walkon.web.results import Mark, Run
from walkon.web.results_parts import figures_part
from walkon.web.seen import Seen, draw, look_at
from walkon.web.solving import lower_priority

BETWEEN_LOOKS = 3.0  # seconds, for all pages together
PAUSE = 5  # the pause before the next update, in multiples of the time that the last one took


class Shown(NamedTuple):
    """What was worked out of a part, and from how many trials."""

    mark: Mark
    seen: Seen
    pictures: dict[str, bytes]  # SVG, by the name of the figure
    figures: Markup  # with the pictures that there are
    drawn: bool  # whether all pictures are there


class Workbench:
    """The parts of a run for all pages."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._names = ("", *Asked(Settings()).parts, READINGS)  # the first part that has trials has no name, too
        self._kept: dict[str, Shown] = {}
        self._problems: dict[str, str] = {}
        self._not_before: dict[str, float] = {}  # when a part may be worked out again
        self._work: dict[str, asyncio.Task[None]] = {}
        self._looked = -BETWEEN_LOOKS
        self._alone = asyncio.Lock()
        self.mark: Mark | None = None

    def find(self, part: str = "") -> Shown | None:
        """Return what is known of a part, of the first one if none is named; None if nothing is known yet."""
        return self._kept.get(part)

    def problem(self, part: str = "") -> str:
        """Return why a part cannot be shown; empty if nothing is wrong."""
        if part not in self._names:
            return f"a run has no part {part!r:.40}: expected {', '.join(self._names[1:])}"
        return self._problems.get(part, "")

    def picture(self, name: str) -> bytes | None:
        """Return the picture of a figure."""
        return next((each.pictures[name] for each in self._kept.values() if name in each.pictures), None)

    async def look(self, part: str = "") -> None:
        """Look for new results, at most every few seconds for all pages, and begin to work out a part if necessary."""
        if part not in self._names:
            return
        if self.mark is None or monotonic() >= self._looked + BETWEEN_LOOKS:
            self._looked = monotonic()
            try:
                self.mark = await asyncio.to_thread(lambda: self._run.mark)
            except InputError as problem:
                self._problems[part] = str(problem)
                return
        known = self._kept.get(part)
        ended = known is not None and known.mark[1] and not self.mark[1]
        new = known is None or known.mark != self.mark
        if new and part not in self._work and (ended or monotonic() >= self._not_before.get(part, 0.0)):
            self._work[part] = asyncio.get_running_loop().create_task(self._renew(part, self.mark))

    async def finish(self, part: str = "") -> None:
        """Wait for the work on a part."""
        if part in self._work:
            await asyncio.shield(self._work[part])

    async def _renew(self, part: str, mark: Mark) -> None:
        began = monotonic()
        try:
            async with self._alone:
                began = monotonic()
                await self._work_out(part, mark)
            self._problems.pop(part, None)
        except InputError as problem:
            self._problems[part] = str(problem)
        except BrokenProcessPool:
            self._problems[part] = "the process that reads the results was killed: it is tried again"
        finally:
            took = monotonic() - began
            self._not_before[part] = monotonic() + max(PAUSE * took, BETWEEN_LOOKS)
            del self._work[part]

    async def _work_out(self, part: str, mark: Mark) -> None:
        """Work out a part in a process of its own: first what is quickly known, then the pictures."""
        known = self._kept.get(part)
        if known is not None and known.mark == mark:
            return  # meanwhile, under its other name
        loop, process = asyncio.get_running_loop(), Workers(1, begin=lower_priority)
        try:
            seen = await loop.run_in_executor(process, look_at, self._run.folder, part, mark)
            pictures = known.pictures if known else {}
            self._keep(part, Shown(mark, seen, pictures, _figures(seen, pictures), False))
            pictures = await loop.run_in_executor(process, draw, self._run.folder, seen.name, mark)
            self._keep(part, Shown(mark, seen, pictures, _figures(seen, pictures), True))
        finally:
            process.kill()  # also if the server ends before the work does

    def _keep(self, part: str, shown: Shown) -> None:
        for name in {part, shown.seen.name}:
            self._kept[name] = shown


def _figures(seen: Seen, pictures: dict[str, bytes]) -> Markup:
    return figures_part(seen.plates, {name: f"{crc32(svg):x}" for name, svg in pictures.items()})
