"""Imports point down only, rooms on one layer do not import each other, and every module has a docstring."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

import walkon
from walkon.agents.registry import AGENTS

PACKAGE = Path(walkon.__file__).parent
LADDER = [  # from the top down; rooms on one line are in the same layer
    ["__main__"],
    ["cli"],
    ["web", "service", "testing"],
    ["paper", "network"],
    ["figures"],
    ["speed", "runs"],
    ["measuring"],
    ["envs"],
    ["simulation"],
    ["formats"],
    ["trials"],
    ["domains", "agents"],
    ["tasks"],
    ["pictures"],
    ["shipped"],
    ["solvers"],
    ["policies"],
    ["models"],
    ["checks", "compiled", "html", "memory", "plugins"],
    ["arrays", "caches", "deprecated", "errors", "processes", "saying"],
]
FLOOR = {room: height for height, rooms in enumerate(reversed(LADDER)) for room in rooms}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(name):
    """The room of a module, from its dotted name; the package itself is no room."""
    parts = name.split(".")
    return parts[1] if parts[0] == "walkon" and len(parts) > 1 else None


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module == "walkon")


def where(path):
    return str(path.relative_to(PACKAGE))


def test_modules_import_only_what_is_below_them():
    offenders = []
    for path in MODULES:
        here = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if here == "__init__":
            continue
        assert here in FLOOR, f"{here} has no place in the ladder"
        for name in imports(path):
            there = room_of(name)
            if there in FLOOR and there != here and FLOOR[there] >= FLOOR[here]:
                offenders.append(f"{where(path)} imports {name}")
    assert not offenders


WORLDLY = "night.?pursuit|pursuit|overcooked|prey|kitchen|onion|hotspot"  # the worlds' names, and what only they know
WORLDLY_ROOMS = ("domains", "paper", "speed")


def words_of_code(path):
    """The names and texts of a module, without its docstrings and comments."""
    text, documented = path.read_text(), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            documented |= set(range(node.lineno, node.end_lineno + 1))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT and token.start[0] not in documented:
            yield token.string


def test_only_the_worlds_the_paper_and_the_benchmarks_speak_of_a_world():
    """Other rooms know a world only through its `World`."""
    worldly = set()
    for path in MODULES:
        elsewhere = path.relative_to(PACKAGE).parts[0] not in WORLDLY_ROOMS
        if elsewhere and any(re.search(WORLDLY, word, re.IGNORECASE) for word in words_of_code(path)):
            worldly.add(where(path))
    assert not worldly


def compared_names(path):
    """The agents' names that a module compares something with, or looks for something among."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Compare):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and part.value in AGENTS:
                    yield part.value


def test_no_module_outside_agents_compares_the_name_of_an_agent():
    """Other modules know an agent only by what its class declares."""
    outside = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] not in ("agents", "paper")]
    found = {where(path): sorted(set(compared_names(path))) for path in outside}
    assert not {name: names for name, names in found.items() if names}


def test_every_module_has_a_docstring_of_a_sentence():
    said = {where(path): ast.get_docstring(ast.parse(path.read_text())) or "" for path in MODULES}
    assert not {name: text for name, text in said.items() if len(text.split()) < 4}


def test_no_module_has_more_than_300_lines():
    sizes = {where(path): len(path.read_text().splitlines()) for path in MODULES}
    assert not {name: size for name, size in sizes.items() if size > 300}


def test_nothing_but_the_command_line_imports_the_public_package():
    """Inside, every import names the module that a thing lives in."""
    inside = [path for path in MODULES if path.relative_to(PACKAGE).parts[0] not in ("cli", "__init__.py")]
    assert not [where(path) for path in inside if "walkon" in imports(path)]


def test_every_public_name_exists():
    for name in walkon.__all__:
        assert getattr(walkon, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = walkon.magic
