"""The list of a run's trials on the page: four filters, an order, and fifty at a time."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from nicegui import ui
from nicegui.element import Element

from walkon.html import escape
from walkon.saying import count
from walkon.web.pages.widgets import Select, box, button, html, put, text
from walkon.web.trial_list import AT_ONCE, FILTERS, ORDERS, Played, Wanted, offers, select_trials, trial_rows

NAMES = {"belief": "belief in the true task"}  # of columns that have another one
SIGNS = {"ascending": " ▲", "descending": " ▼", "none": ""}


class Trials:
    """The list in one browser. What is chosen is passed to `changed`."""

    def __init__(self, wanted: Wanted, changed: Callable[[Wanted], None]) -> None:
        self._wanted, self._changed = wanted, changed
        self._played: Sequence[Played] = ()
        self._found: Sequence[Played] = ()
        self._first = 0
        with box("div", "choices"):
            self._selects = {name: Select(name.capitalize(), partial(self._filter, name), name) for name in FILTERS}
        self._count = html(classes="quiet", role="status")
        with box("div", "wide", tabindex="0"), box("table", "table left trials", aria_label="Trials"):
            with box("thead"), box("tr"):
                text("th", "replay", scope="col")
                self._heads = {name: self._head(name) for name in ORDERS}
            self._rows = html(tag="tbody")
        with box("div", "buttons"):
            self._back = button("◀ Previous", partial(self._turn, -AT_ONCE))
            self._next = button("Next ▶", partial(self._turn, AT_ONCE))

    def _head(self, name: str) -> tuple[Element, ui.html]:
        with box("th", scope="col") as head:
            return head, button(NAMES.get(name, name), partial(self._sort, name), "sort")

    async def fill(self, played: Sequence[Played]) -> None:
        """List these trials."""
        self._played = played
        found = await asyncio.to_thread(offers, played)
        for name, select in self._selects.items():
            chosen = getattr(self._wanted, name)
            select.offer({"": "all"} | {each: each for each in [*found[name], chosen] if each}, chosen)
        await self._select()

    async def _filter(self, name: str, value: str) -> None:
        await self._want(replace(self._wanted, **{name: value}))

    async def _sort(self, name: str) -> None:
        await self._want(self._wanted.by(name))

    async def _want(self, wanted: Wanted) -> None:
        self._wanted, self._first = wanted, 0
        self._changed(wanted)
        await self._select()

    def _turn(self, by: int) -> None:
        self._first = max(0, self._first + by)
        self._show()

    async def _select(self) -> None:
        wanted = self._wanted
        found = await asyncio.to_thread(select_trials, self._played, wanted)  # many may be finished
        if wanted == self._wanted:  # else another choice was made meanwhile
            self._found = found
            self._show()

    def _show(self) -> None:
        first, found, wanted = self._first, self._found, self._wanted
        last = min(first + AT_ONCE, len(found))
        some = f", {first + 1:,} to {last:,} of them here" if last - first < len(found) else ""
        self._count.content = escape(f"{count(len(found), 'trial')}{some}. Press the name of a column to sort by it.")
        self._rows.content = trial_rows(found[first:last])
        for name, (head, sort) in self._heads.items():
            down = "descending" if wanted.sort.startswith("-") else "ascending"
            order = down if name == wanted.column else "none"
            put(head, aria_sort=order)
            sort.content = escape(NAMES.get(name, name) + SIGNS[order])
        self._back.set_visibility(first > 0)
        self._next.set_visibility(last < len(found))
