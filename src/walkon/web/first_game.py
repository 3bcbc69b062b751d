"""The first game: a page that runs wholly in the browser, with libraries and policies that come with the package.

`walkon serve` shows it at once, and `walkon export-page` writes it to a folder. It needs no server: its scripts hold
all data, so that it can be opened as a file. The page that looks inside an agent uses the same policies for the same
libraries, so nothing has to be solved for them, and both pages play the same game.
"""

from collections.abc import Mapping
from functools import cache
from html import unescape
from importlib.resources import files
from pathlib import Path
from re import search

from walkon.errors import InputError
from walkon.formats.files import FileError, reason, replacing
from walkon.web.library_script import BEFORE, LibraryScript, Policy

FRONT = "index.html"
SERVED = (
    '<html lang="en">',
    '<html lang="en" data-server>',
)  # what is only there beside a server, the page then offers


@cache
def contents() -> Mapping[str, bytes]:
    """The files of the page by name, the front page last."""
    folder = files("walkon.web") / "static" / "game"
    found = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    return {name: found[name] for name in sorted(found, key=lambda name: (name == FRONT, name))}


def served_front() -> bytes:
    """The front page as a server sends it."""
    return contents()[FRONT].decode("utf-8").replace(*SERVED).encode("utf-8")


def from_head(name: str) -> str:
    """What the front page's head has under a name, such as its description: all pages have the same."""
    found = search(rf'<\w+ (?:name|rel)="{name}" (?:content|href)="([^"]*)"', contents()[FRONT].decode("utf-8"))
    assert found is not None, name
    return unescape(found[1])


def export(folder: Path) -> dict[str, int]:
    """Write the page to a folder and return the size of each file.

    The folder is made, or has an older copy of the page or nothing in it. Each file is replaced as a whole.
    """
    page = contents()
    if folder.is_dir():
        foreign = sorted(each.name for each in folder.iterdir() if each.name not in page)
        if foreign:
            raise InputError(f'{folder} has "{foreign[0]}" in it, which is not part of the page: give a new folder')
    else:
        if folder.exists():
            raise FileError(f"{folder} is a file, expected a folder for the page")
        try:
            folder.mkdir(parents=True)
        except OSError as cause:
            raise FileError(f"{folder} cannot be made: {reason(cause)}") from None
    for name, content in page.items():
        with replacing(folder / name) as draft:
            draft.write_bytes(content)
    return {name: len(content) for name, content in page.items()}


def scripts() -> list[LibraryScript]:
    """The libraries of the page."""
    texts = [content.decode("utf-8") for name, content in contents().items() if name.endswith(".js")]
    return [LibraryScript.read(text) for text in texts if text.startswith(BEFORE)]


@cache
def _ready() -> Mapping[str, list[Policy]]:
    return {script.facts["hash"]: script.policies() for script in scripts()}


def ready_policies(library_hash: str) -> list[Policy] | None:
    """The policies of a library that comes with the page, one for each task; None for any other library."""
    return _ready().get(library_hash)
