"""Plain HTML controls: what every browser and screen reader knows best, and what keys already work on."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments


def box(tag: str, classes: str = "", **attributes: str) -> Element:
    """An element that holds others."""
    element = ui.element(tag).classes(classes)
    put(element, **attributes)
    return element


def put(element: Element, **attributes: Any) -> None:
    """Set attributes of an element. `aria_label` becomes `aria-label`; None takes an attribute away."""
    changed = False
    for name, value in attributes.items():
        key = name.rstrip("_").replace("_", "-")
        if element.props.get(key) != value:
            changed = True
            if value is None:
                element.props.pop(key)
            else:
                element.props[key] = value
    if changed:
        element.update()


def text(tag: str, words: str, classes: str = "", **attributes: str) -> TextElement:
    """An element that holds words."""
    element = TextElement(tag=tag, text=words)
    element.classes(classes)
    put(element, **attributes)
    return element


def html(content: str = "", classes: str = "", tag: str = "div", **attributes: str) -> ui.html:
    """A part of the page. All names in it are escaped where it is made."""
    element = ui.html(content, sanitize=False, tag=tag)
    element.classes(classes)
    put(element, **attributes)
    return element


def button(words: str, pressed: Callable[[], Any], classes: str = "", **attributes: str) -> TextElement:
    """A button."""
    element = text("button", words, f"button {classes}", type="button", **attributes)
    element.on("click", lambda _: pressed(), js_handler="() => emit()")
    return element


class Select:
    """A label and a list to choose from."""

    def __init__(self, label: str, chosen: Callable[[str], Any], name: str) -> None:
        with box("label", "field") as self._field:
            text("span", label)
            self._list = box("select", name=name)
        self._list.on("change", lambda event: chosen(_value(event)), js_handler="(e) => emit(e.target.value)")
        self._offered: dict[str, str] = {}

    def visible(self, there: bool) -> None:
        """Show it or not."""
        put(self._field, hidden=None if there else "")

    def offer(self, options: Mapping[str, str], value: str) -> None:
        """What there is to choose from, by value, and what is chosen now."""
        if dict(options) != self._offered:
            self._offered = dict(options)
            self._list.clear()
            with self._list:
                for each, words in options.items():
                    text("option", words, value=each)
        put(self._list, value=value)


class Slider:
    """A label and a slider over whole numbers from 0."""

    def __init__(self, label: str, moved: Callable[[int], Any]) -> None:
        with box("label", "field slider"):
            text("span", label)
            self._range = box("input", type="range", min="0", max="0", value="0", step="1")
        self._range.on(
            "input",
            lambda event: moved(int(_value(event)) if _value(event).isdigit() else 0),
            js_handler="(e) => emit(e.target.value)",
        )

    def show(self, value: int, most: int, words: str) -> None:
        """Where it stands."""
        put(self._range, max=str(most), value=str(value), aria_valuetext=words)


def _value(event: GenericEventArguments) -> str:
    """What was chosen. It comes from a browser, so it is only ever taken as text."""
    return str(event.args)[:200]
