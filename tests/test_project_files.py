"""The workflows and forms of the project's host: they parse, and everything they call exists."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import walkon
from waiting import PATIENCE

ROOT = Path(__file__).parent.parent
HOSTED = ROOT / ".github"
FORMS = sorted(path for path in (HOSTED / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
WORKFLOWS = sorted((HOSTED / "workflows").glob("*.yml"))
PUBLISH = yaml.safe_load((HOSTED / "workflows" / "publish.yml").read_text())


def steps(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_there_is_a_form_for_a_fault_and_for_everything_that_has_a_recipe():
    assert {path.stem for path in FORMS} == {"bug", "agent", "world", "solver"}
    recipes = (ROOT / "CONTRIBUTING.md").read_text()
    assert all(f"**A new {name}.**" in recipes for name in ("agent", "world", "solver"))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_has_what_its_host_asks_for(path):
    form = yaml.safe_load(path.read_text())
    assert {"name", "description", "body"} <= form.keys()
    questions = [part for part in form["body"] if part["type"] != "markdown"]
    assert len({part["id"] for part in questions}) == len(questions)
    assert all(part["attributes"]["label"] for part in questions)
    assert any(part.get("validations", {}).get("required") for part in questions)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_only_what_is_there(path):
    text = path.read_text()
    workflow = yaml.safe_load(text)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for step in steps(workflow):
        if step.get("run", "").startswith("make "):
            assert set(step["run"].split()[1:]) <= targets
    for name in re.findall(r"\b(?:tests|requirements)/[\w/.]+|\.ci/\w+", text):
        assert (ROOT / name).exists(), name
    assert workflow["permissions"] == {"contents": "read"}  # more only where one job needs it


def test_a_release_is_published_from_tags_alone_and_by_a_job_that_does_nothing_else():
    assert PUBLISH[True] == {"push": {"tags": ["v*"]}}  # YAML reads the word "on" as a truth
    allowed = {name: job.get("permissions") for name, job in PUBLISH["jobs"].items()}
    assert allowed == {"build": None, "publish": {"id-token": "write"}}
    assert not [step for step in PUBLISH["jobs"]["publish"]["steps"] if "run" in step]


@pytest.mark.parametrize(
    ("tag", "passes"),
    [
        (f"v{walkon.__version__}", True),
        (walkon.__version__, False),
        ("v0.0.1", False),
        (f"v{walkon.__version__}0", False),
    ],
)
def test_a_tag_that_is_not_the_version_is_refused(tag, passes, tmp_path):
    """The workflow's own lines, run as they stand."""
    (check,) = (step["run"] for step in steps(PUBLISH) if step.get("name") == "The tag is the version")
    (tmp_path / "python").symlink_to(sys.executable)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(
        [shutil.which("bash"), "-e", "-c", check],
        cwd=ROOT,
        env={"PATH": path, "GITHUB_REF_NAME": tag},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode == 0) == passes, done.stderr
    assert passes or f"expected v{walkon.__version__}" in done.stdout


def test_dependabot_looks_after_python_and_the_workflows():
    found = yaml.safe_load((HOSTED / "dependabot.yml").read_text())
    assert {each["package-ecosystem"] for each in found["updates"]} == {"pip", "github-actions"}


def pins(name):
    """The packages of a lock file, each with its version and its hashes."""
    text = re.sub(r"^ *#.*$", "", (ROOT / "requirements" / name).read_text(), flags=re.MULTILINE)
    found = {}
    for entry in re.findall(r"^\S(?:.*\\\n)*.*$", text, re.MULTILINE):
        package, version = entry.split()[0].split("==")
        found[package.partition("[")[0]] = (version, frozenset(re.findall(r"--hash=(sha256:[0-9a-f]{64})", entry)))
    return found


@pytest.mark.parametrize(("name", "needs"), [("service.txt", {"fastapi", "uvicorn"}), ("web.txt", {"nicegui"})])
def test_whoever_serves_can_install_what_was_tested(name, needs):
    tested, served = pins("dev.txt"), pins(name)
    assert {"numpy", "numba", *needs} <= served.keys()
    assert "pytest" not in served
    assert all(hashes for _, hashes in served.values())
    assert served.items() <= tested.items()
    assert "://" not in (ROOT / "requirements" / name).read_text()
    assert f"requirements/{name}" in (ROOT / "Makefile").read_text()


def test_the_citation_has_the_paper_as_it_can_be_found():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    readme = (ROOT / "README.md").read_text()
    (paper,) = cited["references"]
    assert paper["title"] in readme
    assert paper["identifiers"] == [{"type": "other", "value": "arXiv:2201.03538"}]
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    claimed = [
        page
        for page in pages
        if re.search(r"proceedings|\bin AAMAS|, AAMAS 2022|\(AAMAS 2022", page.read_text(), re.IGNORECASE)
    ]
    assert not claimed
