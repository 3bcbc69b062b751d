"""What every page has: its head, the way to the other pages, and the light."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from nicegui import ui

from walkon.web.pages.widgets import box, html, put, text

PAGES = {"/": "Play", "/compare": "Compare", "/results": "Results"}
STATIC = files("walkon.web") / "static"
CSS, JS = (STATIC / "page.css").read_text("utf-8"), (STATIC / "page.js").read_text("utf-8")
LIGHT = (
    '<button type="button" class="button light" data-light-switch aria-label="Light or dark">'
    '<span aria-hidden="true">◐</span> <span class="light-name"></span></button>'
)


@contextmanager
def shell(path: str, results: bool) -> Iterator[None]:
    """A page around what is made inside."""
    ui.add_head_html(f"<style>{CSS}</style><script>{JS}</script>")
    ui.page_title(f"walkon · {PAGES.get(path, 'Replay')}")
    outer = ui.context.client.content.parent_slot
    if outer is not None:
        put(outer.parent, role="presentation")  # NiceGUI's own frame: the page says itself what its main part is
    html('<a class="skip" href="#main">To the game</a>', tag="div")
    with box("header", "head", role="banner"):
        text("a", "walkon", "logo", href="/")
        with box("nav", aria_label="Pages"):
            for where, name in PAGES.items():
                if where != "/results" or results:
                    current = {"aria_current": "page"} if where == path else {}
                    text("a", name, href=where, **current)
        html(LIGHT, "light-box")
    with box("main", id="main"):
        yield
