"""The report: one page that stands alone."""

import csv
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from synthetic_results import results, table_of
from walkon.figures.files import FORMATS
from walkon.figures.rows import MIDDLES
from walkon.measuring.claims import BEYOND as EXPECTED
from walkon.measuring.claims import read_claims
from walkon.measuring.table import Table
from walkon.measuring.verdicts import count_sentences, judge
from walkon.paper.report import page as report_page
from walkon.paper.report import write
from walkon.paper.report.write import write_report
from walkon.paper.run import BEYOND_FIGURES as BEYOND
from walkon.paper.run import DECISIONS, EXPERIMENTS, FIGURES, Found
from walkon.saying import SIGNS

TABLE = results(trials=8, samples=50)
VERDICTS = judge(TABLE)
NASTY = "<script>alert('\"&</script>"
PROVENANCE = {
    "calls": [{"walkon": "0.1", "packages": {"numpy": "2.0"}}, {"walkon": NASTY, "cores": 2}],
    NASTY: [NASTY],
    "nothing": None,
}
SETTINGS = {"trials": 8, "seed": 0, "quick": False}
SOME = TABLE.where(sweep="baseline")  # for pages of which other parts matter
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Parse the page as a browser would; fails on tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.words = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [value for name, value in attrs.items() if name in ("href", "src")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"{self.getpos()}: {tag}"

    def handle_data(self, data):
        if "style" not in self.open[-1:]:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def draw_for_the_page_only(monkeypatch):
    """Write figures only in the format that is on the page."""
    for module in (write, report_page):
        monkeypatch.setattr(module, "FORMATS", ("svg",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("run") / "new"
    assert write_report(place, TABLE, VERDICTS, PROVENANCE, SETTINGS) == place / "report.html"
    return place


@pytest.fixture(scope="module")
def page(folder):
    return Page((folder / "report.html").read_text())


def test_every_link_leads_to_a_place_on_the_page_or_a_file_beside_it(folder, page):
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids, link
        else:
            assert (folder / link).is_file(), link


def test_it_holds_no_outside_address_and_no_script(folder, page):
    text = (folder / "report.html").read_text()
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", text)
    assert "script" not in {tag for tag, _ in page.tags}


def test_all_that_was_drawn_is_on_the_page_with_words_for_those_who_cannot_see_it(page):
    pictures = [attrs["aria-label"] for tag, attrs in page.tags if attrs.get("role") == "img"]
    assert len(pictures) == len(FIGURES) == sum(tag == "svg" for tag, _ in page.tags)
    for figure, words in zip(FIGURES.values(), pictures, strict=True):
        assert words.startswith(figure.title)
        assert figure.title in page.text
        assert any(char.isdigit() for char in words)


def test_the_words_of_a_figure_have_its_numbers():
    steps = {"atpo": [10, 20], "bopa": [30, 31]}
    rows = [
        {"sweep": "baseline", "agent": agent, "steps": n, "solved": 1.0} for agent, each in steps.items() for n in each
    ]
    figure = FIGURES["2a"]
    assert "ATPO: 15; BOPA: 30.5." in figure.in_words(figure.rows(table_of(rows)))


def test_every_verdict_is_described_in_words(page):
    for verdict in VERDICTS:
        assert " ".join(verdict.claim.says.split()) in page.text
        assert f"claim-{verdict.claim.id}" in page.ids
    counts = count_sentences(VERDICTS)
    assert {"holds", "fails", "not decided"} <= set(counts)
    assert f"✓ {counts['holds']}sentences hold" in page.text
    assert f"✗ {counts['fails']}fail" in page.text


def test_every_chapter_is_there_and_decisions_name_figures(page):
    for experiment in EXPERIMENTS:
        assert experiment.chapter in page.text
    assert {name for decision in DECISIONS for name in decision.figures} <= set(FIGURES)


def test_what_others_wrote_is_text_and_never_markup(folder, page, monkeypatch):
    assert NASTY in page.text
    assert "<script>alert" not in (folder / "report.html").read_text()
    draw_for_the_page_only(monkeypatch)
    odd = Table(TABLE.columns | {"agent": np.where(TABLE["agent"] == "atpo", NASTY, TABLE["agent"])}, TABLE.curves)
    write_report(folder / "odd", odd, VERDICTS, {}, {"trials": NASTY, "seed": NASTY})
    assert NASTY in Page((folder / "odd" / "report.html").read_text()).text


def test_files_of_figures_are_whole(folder):
    for name in FIGURES:
        for form in FORMATS:
            assert (folder / "figures" / f"{name}.{form}").stat().st_size > 1000
        assert ElementTree.parse(folder / "figures" / f"{name}.svg").getroot().tag.endswith("svg")


def test_the_numbers_behind_a_figure_are_in_its_csv_file(folder):
    for name, figure in FIGURES.items():
        with open(folder / "tables" / f"figure-{name}.csv", newline="") as file:
            read = list(csv.DictReader(file))
        rows = figure.rows(TABLE)
        assert len(read) == len(rows)
        for found, row in zip(read, rows, strict=True):
            assert float(found["n"]) == row["n"]
            drawn = next(each for each in MIDDLES if each in row)
            assert float(found[drawn]) == pytest.approx(row[drawn], rel=1e-5)


def test_every_trial_is_in_a_csv_file(folder):
    counts = {}
    for name in ("trials", "trials-timed"):
        with open(folder / "tables" / f"{name}.csv", newline="") as file:
            counts[name] = [row["sweep"] for row in csv.DictReader(file)]
    assert len(counts["trials"]) + len(counts["trials-timed"]) == len(TABLE)
    assert set(counts["trials-timed"]) == {"setup", "decision"}


def test_the_same_results_give_the_same_files(folder, tmp_path):
    write_report(tmp_path, TABLE, VERDICTS, PROVENANCE, SETTINGS)
    for path in tmp_path.rglob("*.*"):
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), path


def test_a_quick_or_incomplete_run_says_so_first(tmp_path):
    path = write_report(
        tmp_path, SOME, judge(SOME), {}, SETTINGS | {"quick": True, "recipe": {"solver": "sarsop"}}, missing=7
    )
    found = Page(path.read_text())
    banners = [attrs for _, attrs in found.tags if attrs.get("class") == "banner"]
    assert len(banners) == 3
    assert "This was a quick run" in found.text
    assert "7 trials are missing" in found.text
    assert "Not run: 3a, 3b, 3c, 4a, 4b, 5a, 5b, 6a, 6b, bound" in found.text
    assert "walkon reproduce --trials 8 --seed 0 --quick --solver sarsop" in found.text


def test_a_figure_that_is_not_there_says_how_to_run_it_and_old_files_go(tmp_path):
    old = tmp_path / "figures" / "3a.png"
    old.parent.mkdir()
    old.write_bytes(b"of another run")
    found = Page(write_report(tmp_path, SOME, (), {}, SETTINGS).read_text())
    assert not old.exists()
    assert "`walkon reproduce 3a` runs it." in found.text
    assert not (tmp_path / "tables" / "figure-3a.csv").exists()


def test_an_empty_table_gives_a_page(tmp_path):
    nothing = TABLE.rows(np.zeros(len(TABLE), dtype=bool))
    found = Page(write_report(tmp_path, nothing, judge(nothing), {}, SETTINGS).read_text())
    assert "None of the figures 2a, 5a and 6a was run" in found.text
    assert not list((tmp_path / "figures").iterdir())


def test_claims_are_shown_by_readings_and_the_fitted_one_beside_the_literal(tmp_path, monkeypatch):
    draw_for_the_page_only(monkeypatch)
    concerned = [verdict for verdict in VERDICTS if verdict.claim.sweep == "pursuit"]
    other = tuple(
        replace(each, outcome="fails", findings=tuple(replace(one, outcome="fails") for one in each.findings))
        for each in concerned
    )
    under = {"fitted": other, "printed-noise": concerned}
    path = write_report(tmp_path, TABLE, VERDICTS, {}, SETTINGS, fitted=TABLE.where(sweep="pursuit"), readings=under)
    text = path.read_text()
    table = text[text.index('<table class="readings"') :]
    table = table[: table.index("</table>")]
    head = re.findall(r'<th scope="col">(.*?)</th>', table)
    assert head == ["the paper says", "literal", "fitted", "printed-noise"]
    assert table.count("<tr>") == 1 + len(concerned)
    assert table.count(f">{SIGNS['fails']}<") >= len(concerned)
    assert text.count("used to choose the reading") == sum(each.claim.figure == "5b" for each in concerned)
    assert "only the claims about 5a" in text
    for part in ("three values for each side", "256 observations, not 81", "about even", "three in four", "possible"):
        assert part in text[text.index("the evidence for and against it") :]  # of what the fitted reading consists of
    for name in (
        "figures/5a-fitted.svg",
        "tables/fitted-trials.csv",
        "tables/fitted-claims.csv",
        "tables/readings.csv",
    ):
        assert (tmp_path / name).is_file()


def test_a_run_that_cannot_be_drawn_leaves_the_old_page(tmp_path, monkeypatch):
    path = write_report(tmp_path, SOME, VERDICTS, PROVENANCE, SETTINGS)
    old = path.read_bytes()

    def broken(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(write, "csv_text", broken)
    with pytest.raises(OSError, match="full"):
        write_report(tmp_path, TABLE.where(sweep="size"), (), {}, SETTINGS)
    assert path.read_bytes() == old
    assert not list(tmp_path.rglob("*.draft"))


@pytest.fixture(scope="module")
def further(tmp_path_factory):
    """A report with what goes beyond the paper."""
    place = tmp_path_factory.mktemp("further")
    table = results(trials=4, samples=50, beyond=True)
    rest = table.rows(np.char.startswith(table["sweep"], "beyond"))
    plans = [{"world": "night-pursuit, all tasks at once", "solver": "sarsop", "seconds": 12.5}]
    more = Found(rest, judge(rest, read_claims(EXPECTED)), 0)
    write_report(place, SOME, VERDICTS, PROVENANCE, SETTINGS, beyond=more, plans=plans)
    return place, rest, Page((place / "report.html").read_text())


def test_what_goes_beyond_the_paper_has_a_section_of_its_own(further, page):
    folder, table, whole = further
    assert "beyond" in whole.ids
    assert "beyond" not in page.ids
    for figure in BEYOND.values():
        assert f"figure-{figure.name}" in whole.ids
        assert all((folder / "figures" / f"{figure.name}.{form}").stat().st_size > 0 for form in FORMATS)
    for link in whole.links:
        assert (link[1:] in whole.ids) if link.startswith("#") else (folder / link).is_file(), link
    assert "best possible without the task" in whole.text
    assert "the bounds are those that Sarsop(backups=12000, gap=0.01) proves for the union" in whole.text
    assert "53.00 to 62.00" in whole.text
    for agent in ("bayes", "atpo"):
        mean = table.where(sweep="beyond-night", agent=agent)["return"].mean()
        assert f"{mean:.2f} ±" in whole.text
    for claim in read_claims(EXPECTED):
        assert f"claim-{claim.id}" in whole.ids
        assert claim.says in whole.text


def test_its_numbers_are_in_files_beside_the_page(further):
    folder, table, _ = further
    with (folder / "tables" / "beyond-trials.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(table)
    with (folder / "tables" / "beyond-best-possible.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["agent"] for row in rows if row["sweep"] == "beyond-libraries"} == {
        *("perseus", "bayes", "atpo-look", "atpo-q", "atpo")
    }
    with (folder / "tables" / "figure-losses-night.csv").open() as file:
        assert {row["agent"] for row in csv.DictReader(file)} == set(table.where(sweep="beyond-night")["agent"])
