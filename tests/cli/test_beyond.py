"""`walkon reproduce beyond` on the command line."""

import json

from command_line import run as command
from command_line import run_here
from walkon.measuring.claims import BEYOND, read_claims
from walkon.paper.run import QUICK, Run
from walkon.runs.run import Alone, run
from walkon.runs.store import Store
from walkon.runs.sweep import Settings

SETTINGS = Settings(quick=True, trials=1, recipe=QUICK)


def test_a_report_has_what_was_run_and_says_what_is_missing(tmp_path):
    places = [entry for entry in Run(SETTINGS).entries("beyond") if entry.sweep == "beyond-night"]
    chosen = [entry.trial for entry in places if entry.trial.agent in ("value-iteration", "bayes")]
    with Store(tmp_path / "run", write=True) as store:
        store.begin({}, SETTINGS.record())
        run(chosen, store, Alone(str(tmp_path)))
    done = command("report", tmp_path / "run", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["trials"], told["missing"]) == (8, len(places) - 8)
    assert {row["agent"] for row in told["results"]} == {"value-iteration", "bayes"}
    assert {claim.id for claim in read_claims(BEYOND)} <= told["claims"].keys()
    page = (tmp_path / "run" / "report.html").read_text()
    assert '<section id="beyond">' in page
    assert "plans for whole libraries" in page
    assert (tmp_path / "run" / "figures" / "losses-night.svg").is_file()
    assert (tmp_path / "run" / "tables" / "beyond-plans.csv").read_text().count("\n") == 2
    shown = run_here("report", tmp_path / "run").stdout
    assert "beyond the paper:" in shown
    assert "beyond-night" in shown


def test_beyond_is_one_of_the_things_to_reproduce():
    wrong = run_here("reproduce", "7z", "--out", "nowhere")
    assert wrong.returncode == 2
    assert "readings, beyond or dark" in " ".join(wrong.stderr.split())
