"""Imports point down only, siblings do not know each other, and every module says what it is."""

import ast
from pathlib import Path

import pytest

import walkon

PACKAGE = Path(walkon.__file__).parent
LADDER = [  # from the top down; rooms on one line are siblings
    ["__main__"],
    ["cli"],
    ["web", "service"],
    ["figures", "network"],
    ["speed"],
    ["experiments"],
    ["envs"],
    ["simulation"],
    ["formats"],
    ["domains", "agents"],
    ["tasks"],
    ["pictures"],
    ["solvers"],
    ["policies"],
    ["models"],
    ["compiled", "errors", "processes"],
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


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_imports_only_what_is_below_it(path):
    here = path.relative_to(PACKAGE).with_suffix("").parts[0]
    if here == "__init__":
        return
    assert here in FLOOR, f"{here} has no place in the ladder"
    for name in imports(path):
        there = room_of(name)
        if there in FLOOR and there != here:
            assert FLOOR[there] < FLOOR[here], f"{path.name} in {here} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_says_what_it_is(path):
    said = ast.get_docstring(ast.parse(path.read_text())) or ""
    assert len(said.split()) >= 4, f"{said!r} is no sentence"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_is_one_concept_long(path):
    assert len(path.read_text().splitlines()) <= 300


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_but_the_command_line_imports_the_public_package(path):
    """Inside, every import names the module that a thing lives in."""
    if path.relative_to(PACKAGE).parts[0] not in ("cli", "__init__.py"):
        assert not [name for name in imports(path) if name == "walkon"]


def test_every_public_name_is_there():
    for name in walkon.__all__:
        assert getattr(walkon, name).__doc__, name
    assert set(walkon.__all__) == set(walkon._HOME)
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = walkon.magic
