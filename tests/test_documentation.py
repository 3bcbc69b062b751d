"""Every block of code in the documentation is run, or understood by what it is meant for; none names what is not there.

`pycon` blocks are doctests and run elsewhere, and so does the tutorial with its `console` blocks. What is left are
commands, which must be ones that exist with options that exist, and a few recipes that say that they are not run.
"""

import ast
import re
import shlex
import sqlite3
import tomllib
from pathlib import Path

import pytest
import typer

import walkon
from following import blocks
from walkon.agents.registry import AGENTS
from walkon.cli.main import app
from walkon.domains.classics import CLASSICS
from walkon.domains.registry import DOMAINS
from walkon.experiments.store import Store
from walkon.figures.registry import FIGURES
from walkon.solvers.solve import SOLVERS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
COMMANDS = typer.main.get_command(app).commands
UsageError = typer.BadParameter.__mro__[1]  # options that are not there, numbers that are none
KNOWN = {"solver": SOLVERS, "agent": AGENTS, "to": AGENTS}
SUFFIXES = (".py", ".pomdp", ".mdp", ".safetensors", ".json", ".csv")

SPANS = re.compile(r"(?<!`)`(walkon [a-z][^`]*)`(?!`)")
ANY_FENCE = re.compile(r"^```", re.MULTILINE)
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def lines_of(text):
    """The commands of a block, without what is remarked."""
    found = (shlex.split(line, comments=True) for line in text.replace("\\\n", " ").splitlines())
    return [words for words in found if words]


def understood(words):
    """A command of walkon, read as the command line reads it: its name and what was given."""
    name, *rest = words
    assert name in COMMANDS, f"there is no `walkon {name}`"
    return name, COMMANDS[name].make_context(name, rest).params


def check_walkon(words):
    name, given = understood(words)
    for option, values in KNOWN.items():
        for value in [given.get(option)] if isinstance(given.get(option), str) else given.get(option) or ():
            assert not value or value in values, f"there is no {option} {value!r}"
    if name in ("play", "solve", "identify", "compare"):
        subject = given.get("what") or given.get("problem")
        assert subject in {*DOMAINS, *CLASSICS} or subject.endswith(SUFFIXES), subject
    if name == "reproduce":
        assert set(given["figures"] or ()) <= {*FIGURES, "readings", "beyond"}


def check_make(words):
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(words) <= set(targets)


def check_pip(words):
    assert words[0] == "install"
    for word in words[1:]:
        if found := re.fullmatch(r"walkon\[(.*)\]", word):
            assert set(found[1].split(",")) <= set(EXTRAS)


def check_python(words):
    assert (ROOT / words[0]).is_file(), words[0]


def check_sqlite(words, folder):
    """The query is asked of a store that has nothing in it."""
    with Store(folder, write=True):
        base = sqlite3.connect(folder / Path(words[0]).name)
        base.execute(words[1])
        base.close()


def check_command(words, folder):
    first, rest = words[0], words[1:]
    if first == "sqlite3":
        check_sqlite(rest, folder)
    elif first not in ("curl", "cd", "export"):
        checks = {"walkon": check_walkon, "make": check_make, "pip": check_pip, "python": check_python}
        assert first in checks, f"nobody knows what {first} does: is this block a command, or text?"
        checks[first](rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_run_or_checked(page):
    text = page.read_text()
    kinds = {"", "pycon", "console", "python", "sh", "text", "csv", "json", "pomdp"}
    found = blocks(text)
    assert len(ANY_FENCE.findall(text)) == 2 * len(found), (
        "a block is not closed, or has a title that is not understood"
    )
    assert {block.language for block in found} <= kinds
    if page.name != "tutorial.md":
        assert not [block for block in found if block.language == "console"], "only the tutorial is followed"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_exists_with_its_options(page, tmp_path):
    for number, block in enumerate(blocks(page.read_text())):
        if block.language in ("", "sh"):  # what is not marked as text is a command
            for words in lines_of(block.text):
                check_command(words, tmp_path / str(number))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_in_a_sentence_exists_with_its_options(page):
    for span in SPANS.findall(page.read_text().replace("\n", " ")):
        name, *rest = span.split()[1:]
        command = COMMANDS.get(name.rstrip(",."))
        assert command is not None, f"there is no `walkon {name}`"
        options = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= options, span


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_recipe_says_that_it_is_not_run_and_names_only_what_exists(page):
    text = page.read_text()
    for block in blocks(text):
        if block.language == "python" and not block.title:
            above = text[: text.index(block.text)].split("\n#")[-1]
            assert "not run" in above.lower(), f"{page.name} has Python that is neither run nor marked:\n{block.text}"
            for node in ast.walk(ast.parse(block.text)):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "walkon":
                    assert hasattr(walkon, node.attr), node.attr


@pytest.mark.parametrize(
    "wrong",
    [
        "walkon plai pursuit",
        "walkon play pursuit --sizes 4",
        "walkon play pursuit --size four",
        "walkon play pursuits",
        "walkon solve tiger --solver sarsap",
        "walkon reproduce 7a",
        "make everything",
        "pip install walkon[wbe]",
        "python benchmarks/nothing.py",
        "sqlite3 results.sqlite 'SELECT agents FROM trials'",
        "launch rocket",
    ],
)
def test_what_does_not_exist_is_noticed(wrong, tmp_path):
    with pytest.raises((AssertionError, UsageError, sqlite3.OperationalError)):
        check_command(shlex.split(wrong), tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_formula_holds_nothing_that_markdown_takes_for_itself(page):
    """What is escaped with a backslash is gone before the formula is read."""
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for formula in re.findall(r"\$([^$]+)\$", prose):
        assert not re.search(r"\\[^a-zA-Z,\s]|<", formula), formula


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_to_one(page):
    for target in re.findall(r'\]\(([^)#\s]+)[^)]*\)|src="([^"]+)"', page.read_text()):
        path = "".join(target)
        assert path.startswith("https://") or (page.parent / path).exists(), path


def test_every_page_is_in_the_menu_and_the_other_way_round():
    site = tomllib.loads((ROOT / "zensical.toml").read_text())
    listed = re.findall(r"'([\w-]+\.md)'", str(site["project"]["nav"]))
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))
