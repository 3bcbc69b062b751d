"""The frame of every page, and plain HTML controls, which browsers, keyboards and screen readers know best."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments

from walkon.html import Markup, element, escape, joined
from walkon.web.first_game import from_head

PAGES = {"/": "Play", "/play": "Look inside", "/compare": "Compare", "/results": "Results"}
STATIC = files("walkon.web") / "static"
CSS, JS = (STATIC / "page.css").read_text("utf-8"), (STATIC / "page.js").read_text("utf-8")
LIGHT = (
    '<button type="button" class="button light" data-light-switch aria-label="Light or dark">'
    '<span aria-hidden="true">◐</span> <span class="light-name"></span></button>'
)
ABOUT = f'<meta name="description" content="{escape(from_head("description"))}">'
NOWHERE = (
    f'<!doctype html><html lang="en"><head><title>walkon · nothing here</title><style>{CSS}</style></head><body>'
    '<main><h1 class="run-title">There is nothing at this address.</h1>'
    '<p><a href="/">To the game</a></p></main></body></html>'
)
EMIT = "(e) => emit(e.target.value)"
E = TypeVar("E", bound=Element)


@contextmanager
def shell(path: str, results: bool, game: bool = False) -> Iterator[Element]:
    """Put the head, the links to the other pages and the light switch around a page."""
    ui.add_head_html(f"<style>{CSS}</style><script>{JS}</script>{ABOUT}")
    ui.page_title(f"walkon · {PAGES.get(path, 'Replay')}")
    outer = ui.context.client.content.parent_slot
    if outer is not None:
        outer.parent.tag = "div"  # NiceGUI's own frame is a main element; ours is below
    html(_head("/play" if game and path == "/" else path, results, game))
    with box("main", id="main") as main:
        yield main


@cache
def _head(path: str, results: bool, game: bool) -> Markup:
    """The head of every page, in one piece: it is sent before anything else is built."""
    left_out = ({"/play"} if not game else set()) | ({"/results"} if not results else set())
    places = [(where, name) for where, name in PAGES.items() if where not in left_out]
    links = [element("a", name, href=where, aria_current="page" if where == path else "") for where, name in places]
    return joined(
        element("a", f"Skip to the {'results' if path == '/results' else 'game'}", class_="skip", href="#main"),
        element(
            "header",
            element("a", "walkon", class_="logo", href="/"),
            element("nav", *links, aria_label="Pages"),
            Markup(LIGHT),
            class_="head",
            role="banner",
        ),
    )


def box(tag: str, classes: str = "", **attributes: str) -> Element:
    """Make an element that contains others."""
    return put(ui.element(tag).classes(classes), **attributes)


def put(element: E, **attributes: Any) -> E:
    """Set attributes of an element. `aria_label` becomes `aria-label`; None removes an attribute."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    changed = {key: value for key, value in named.items() if element.props.get(key) != value}
    for key, value in changed.items():
        if value is None:
            del element.props[key]
        else:
            element.props[key] = value
    if changed:
        element.update()
    return element


def text(tag: str, words: str, classes: str = "", **attributes: str) -> TextElement:
    """Make an element with text."""
    return put(TextElement(tag=tag, text=words).classes(classes), **attributes)


def html(content: str = "", classes: str = "", tag: str = "div", **attributes: str) -> ui.html:
    """Make an element with HTML, in which all names must be escaped already."""
    return put(ui.html(content, sanitize=False, tag=tag).classes(classes), **attributes)


def button(words: str, pressed: Callable[[], Any], classes: str = "", **attributes: str) -> ui.html:
    """Make a button with text, or with HTML if that is `Markup`."""
    made = html(escape(words), f"button {classes}", "button", type="button", **attributes)
    made.on("click", lambda _: pressed(), js_handler="() => emit()")
    return made


class Select:
    """A list to choose from, with a label."""

    def __init__(self, label: str, chosen: Callable[[str], Any], name: str) -> None:
        with box("label", "field") as self._field:
            text("span", label)
            self._list = html(tag="select", name=name)
        self._list.on("change", lambda event: chosen(_value(event)), js_handler=EMIT)

    def visible(self, there: bool) -> None:
        """Show or hide it."""
        put(self._field, hidden=None if there else "")

    def offer(self, options: Mapping[str, str], value: str) -> None:
        """Set the options, by value, and the chosen one."""
        self._list.content = "".join(
            f'<option value="{escape(each)}"{" selected" if each == value else ""}>{escape(words)}</option>'
            for each, words in options.items()
        )


class Slider:
    """A slider over whole numbers from 0, with a label."""

    def __init__(self, label: str, moved: Callable[[int], Any]) -> None:
        with box("label", "field slider"):
            text("span", label)
            self._range = box("input", type="range", min="0", max="0", value="0", step="1")
        self._range.on("input", lambda event: moved(number(_value(event)) or 0), js_handler=EMIT)

    def show(self, value: int, most: int, words: str) -> None:
        """Set the slider."""
        put(self._range, max=str(most), value=str(value), aria_valuetext=words)


def number(value: str) -> int | None:
    """The number in a chosen value; None if it is none."""
    return int(value) if value.isdigit() else None


def _value(event: GenericEventArguments) -> str:
    """The chosen value. Anything that comes from a browser is taken as text."""
    return str(event.args)[:200]
