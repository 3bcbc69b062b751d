"""The files of a release, which have the same bytes when built again."""

import email
import hashlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import walkon
from waiting import PATIENCE
from wheels import build

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return build(tmp_path_factory.mktemp("sdist"), "sdist")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_two_builds_have_the_same_bytes(target, tmp_path, wheel, sdist):
    first = {"wheel": wheel, "sdist": sdist}[target]
    second = build(tmp_path, target)
    assert second.name == first.name
    assert digest(second) == digest(first)


def test_a_wheel_holds_the_whole_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as held:
        names = set(held.namelist())
    package = ROOT / "src"
    ours = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    ours |= {f"walkon/examples/{path.name}" for path in (ROOT / "examples").iterdir()}  # for `walkon examples`
    ours = {name for name in ours if "__pycache__" not in name}
    assert {name for name in names if ".dist-info/" not in name} == ours
    assert {"walkon/py.typed", "walkon/paper/claims.toml", "walkon/paper/report/report.css"} <= names
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def test_the_version_is_in_one_place(wheel, sdist):
    """In the package itself: everything else reads it there."""
    assert f"-{walkon.__version__}" in wheel.name
    assert f"-{walkon.__version__}" in sdist.name
    assert "version" in PROJECT["dynamic"]
    others = ["pyproject.toml", "CITATION.cff", "README.md", "zensical.toml"]
    assert not [name for name in others if re.search(re.escape(walkon.__version__), (ROOT / name).read_text())]


def facts_of(wheel):
    with zipfile.ZipFile(wheel) as held:
        (name,) = (each for each in held.namelist() if each.endswith("METADATA"))
        return email.message_from_bytes(held.read(name))


def test_the_readme_of_a_wheel_leads_nowhere_that_is_relative(wheel):
    """As a package index shows it: every link and every picture has a full address, and nothing else is changed."""
    facts = facts_of(wheel)
    text = facts.get_payload(decode=True).decode()
    assert facts["Description-Content-Type"] == "text/markdown"
    targets = ["".join(found) for found in re.findall(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"', text)]
    assert len(targets) > 10
    assert [target for target in targets if not target.startswith("https://")] == []
    urls = PROJECT["urls"]
    shown = text.replace(f"{urls['Source']}/blob/main/", "").replace(urls["Documentation"], "docs/")
    assert shown.replace(".html", ".md").strip() == (ROOT / "README.md").read_text().replace(".html", ".md").strip()
    assert {each.split(", ")[0] for each in facts.get_all("Project-URL")} == set(urls)


def test_what_the_readme_leads_to_is_on_the_site_or_in_the_source():
    """Pages and pictures below docs/ are published with the site; the rest is in the repository."""
    for found in re.findall(r'\]\(([^)\s]+)\)|src="([^"]+)"', (ROOT / "README.md").read_text()):
        path = "".join(found).partition("#")[0]
        assert path.startswith("https://") or (ROOT / path).is_file(), path


def test_the_addresses_of_the_project_are_the_same_on_the_site():
    site = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]
    assert (site["site_url"], site["repo_url"]) == (PROJECT["urls"]["Documentation"], PROJECT["urls"]["Source"])


def test_a_wheel_says_what_it_needs(wheel):
    facts = facts_of(wheel)
    assert set(facts.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])
    assert facts["License-Expression"] == "MIT"
    assert facts["Requires-Python"] == ">=3.11"
    needed = [each for each in facts.get_all("Requires-Dist") if "extra ==" not in each]
    assert sorted(re.match(r"[\w-]+", each)[0] for each in needed) == sorted(
        re.match(r"[\w-]+", each)[0] for each in PROJECT["dependencies"]
    )


def test_a_wheel_alone_is_a_walkon_that_starts(wheel, tmp_path):
    """Installed into a folder of its own, apart from this one; what it depends on is here already."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", tmp_path, wheel]
    subprocess.run(pip, check=True, timeout=PATIENCE)
    ask = "import walkon, walkon.cli.main; print(walkon.__file__); walkon.cli.main.main()"
    done, listed = (
        subprocess.run(
            [sys.executable, "-c", ask, *words],
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        for words in (["--version"], ["examples", "corridor"])
    )
    assert (ROOT / "examples" / "corridor.py").read_text() in listed.stdout
    assert done.stdout.splitlines() == [str(tmp_path / "walkon" / "__init__.py"), f"walkon {walkon.__version__}"]


def test_a_source_distribution_has_what_its_tests_and_documentation_need(sdist):
    with tarfile.open(sdist) as held:
        names = {name.partition("/")[2] for name in held.getnames()}
    for needed in [
        "LICENSE",
        "SECURITY.md",
        ".github/workflows/check.yml",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
        "docs/tutorial.md",
        "docs/images/page.png",
        "examples/corridor.py",
        "hatch_build.py",
        "src/walkon/py.typed",
        "tests/test_release.py",
        "zensical.toml",
    ]:
        assert needed in names
    assert not [name for name in names if "__pycache__" in name]
