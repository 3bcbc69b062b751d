import json
import subprocess

from walkon.runs.provenance import git_commit, provenance


def test_the_provenance_says_what_a_person_would_ask_and_can_be_stored():
    facts = json.loads(json.dumps(provenance("walkon reproduce")))
    assert facts["command"] == "walkon reproduce"
    assert facts["walkon"]
    assert facts["packages"]["numpy"]
    assert facts["cores"] >= 1
    assert len(facts["code"]) == 16


def test_a_package_outside_a_repository_has_no_commit(tmp_path):
    assert git_commit(tmp_path) is None


def test_changed_files_are_told(tmp_path):
    (tmp_path / "__init__.py").write_text("one")
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    clean = git_commit(tmp_path)
    assert clean is not None
    assert len(clean) == 40
    (tmp_path / "__init__.py").write_text("two")
    assert git_commit(tmp_path) == clean + " with changes"
