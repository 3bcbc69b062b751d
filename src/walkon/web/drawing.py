"""The figures of a run as it stands: those that it drew at its end, or new ones from the trials that it has so far.

They are drawn in a process of their own, for all pages together, so that nobody who plays has to wait for it.
"""

import asyncio
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from time import monotonic

from walkon.processes import Workers
from walkon.web.results import Run
from walkon.web.solving import let_pages_go_first

REST = 5  # how many times longer than it took to draw the figures the next drawing waits


class Drawing:
    """The figures of one run, shared by all who look at it."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._mark: tuple[int, bool] | None = None
        self._not_before = 0.0
        self._alone = asyncio.Lock()
        self.figures: dict[str, bytes] = {}  # SVG, by the names of their files

    async def look(self) -> None:
        """See to it that the figures are up to date; while a run goes on, not all the time."""
        async with self._alone:
            mark = await asyncio.to_thread(lambda: self._run.mark)
            if mark == self._mark or (mark[1] and monotonic() < self._not_before):
                return
            began = monotonic()
            kept = {} if mark[1] else self._run.figures
            self.figures = {name: path.read_bytes() for name, path in kept.items()} or await _apart(self._run.folder)
            self._mark, self._not_before = mark, monotonic() + REST * (monotonic() - began)


async def _apart(folder: Path) -> dict[str, bytes]:
    """The figures, drawn in a process that ends afterwards; none if it is ended from outside."""
    process = Workers(1, begin=let_pages_go_first)
    try:
        return await asyncio.get_running_loop().run_in_executor(process, drawn, folder)
    except BrokenProcessPool:
        return {}
    finally:
        process.shutdown(wait=False, cancel_futures=True)


def drawn(folder: Path) -> dict[str, bytes]:
    """All figures of which a run has trials, as SVG."""
    from walkon.figures.files import as_bytes  # only the process that draws needs matplotlib
    from walkon.paper.run import BEYOND_FIGURES, FIGURES

    table = Run(folder).table()
    found = {name: figure for name, figure in (FIGURES | BEYOND_FIGURES).items() if figure.rows(table)}
    return {f"{name}.svg": as_bytes(figure.draw(table), "svg", name) for name, figure in found.items()}
