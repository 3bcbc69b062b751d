"""The pages of the documentation: every block is of a kind that is run, and everything that they name exists.

`pycon` blocks are doctests, the tutorial's `console` blocks are followed, and `test_commands.py` runs all commands.
The rest are a few recipes that say that they are not run, and blocks that are not code.
"""

import ast
import pkgutil
import re
import runpy
import tomllib
from pathlib import Path

import pytest
import typer

import walkon
from following import blocks
from walkon.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
COMMANDS = typer.main.get_command(app).commands
SPANS = re.compile(r"(?<!`)`(walkon [a-z][^`]*)`(?!`)")
ANY_FENCE = re.compile(r"^```", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_run_or_checked(page):
    text = page.read_text()
    kinds = {"pycon", "console", "python", "sh", "csv", "json", "toml"} | (
        {"text"} if page.name in ("ARCHITECTURE.md", "gallery.md") else set()
    )
    found = blocks(text)
    assert len(ANY_FENCE.findall(text)) == 2 * len(found), (
        "a block is not closed, or has a title that is not understood"
    )
    assert {block.language for block in found} <= kinds
    if page.name != "tutorial.md":
        assert not [block for block in found if block.language == "console"], "only the tutorial is followed"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_in_a_sentence_exists_with_its_options(page):
    for span in SPANS.findall(page.read_text().replace("\n", " ")):
        name, *rest = span.split()[1:]
        command = COMMANDS.get(name.rstrip(",."))
        assert command is not None, f"there is no `walkon {name}`"
        with command.make_context(name, [], resilient_parsing=True) as context:
            params = command.get_params(context)  # with the options of the worlds
        options = {option for each in params for option in (*each.opts, *each.secondary_opts)}
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_formula_holds_nothing_that_markdown_takes_for_itself(page):
    """Markdown removes backslashes before the formula is parsed."""
    prose = re.sub(r"^```.*?^```$|`[^`]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for formula in re.findall(r"\$([^$]+)\$", prose):
        assert not re.search(r"\\[^a-zA-Z,\s]|<", formula), formula


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_to_one(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r'\]\(([^)#\s]+)[^)]*\)|src="([^"]+)"', prose):
        path = "".join(target)
        assert path.startswith("https://") or (page.parent / path).exists(), path


def test_every_page_is_in_the_menu_and_the_other_way_round():
    site = tomllib.loads((ROOT / "zensical.toml").read_text())
    listed = re.findall(r"'([\w-]+\.md)'", str(site["project"]["nav"]))
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_numbers_of_the_first_page_are_those_of_the_readme():
    readme = " ".join((ROOT / "README.md").read_text().split())
    numbers = re.findall(r"\[\*\*(.+?)\*\*<br>", (ROOT / "docs" / "index.md").read_text())
    assert len(numbers) == 3
    for each in numbers:
        assert re.search(rf"{re.escape(each.split()[0])} (of its )?{re.escape(each.split()[1])}", readme, re.IGNORECASE)


def test_the_reference_has_every_public_name_once_under_the_name_that_one_types():
    reference = runpy.run_path(str(ROOT / "docs" / "reference.py"))
    for name, text in reference["pages"]().items():
        assert (ROOT / "docs" / name).read_text() == text, "`python docs/reference.py` makes the pages new"
    shown = [name for _, names, _ in reference["TOPICS"].values() for name in names.split()]
    assert sorted(shown) == sorted(walkon.__all__)


def test_a_page_of_the_reference_names_only_what_exists():
    for page in (ROOT / "docs").glob("reference-*.md"):
        for name in re.findall(r"^::: (\S+)$", page.read_text(), re.MULTILINE):
            assert pkgutil.resolve_name(name) is not None


def test_nothing_that_makes_the_site_is_published():
    site = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
    assert site["exclude_docs"].split() == ["*.py", "theme/"]
    for picture in (site["theme"]["logo"], site["theme"]["favicon"], "images/preview.png"):
        assert (ROOT / "docs" / picture).is_file()
