"""The page as a person meets it: in a real browser, with keys, clicks, files, and a connection that comes and goes."""

import re
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest
from playwright.sync_api import expect, sync_playwright

from chromium import chromium
from command_line import run
from page_visitor import page_server
from small_runs import KITCHEN, SMALL, small_entries
from walkon.experiments.store import Store
from walkon.experiments.sweeps import Settings
from walkon.experiments.work import play_trials

SMALL_WORLD = "world=night-pursuit&size=3&noise=0.1&tasks=2&seed=8"
LEVERS = """
import numpy as np
import walkon

swap, keep = [[0, 1], [1, 0]], np.eye(2)
team = walkon.MMDP(
    P=[[keep, swap], [swap, keep]],
    R=np.zeros((2, 2, 2)),
    states=["lamp off", "lamp on"],
    actions=["wait", "pull"],
    teammate_actions=["wait", "pull <b>hard</b>"],
)
see = [[0.9, 0.1], [0.1, 0.9]]
library = walkon.TaskLibrary(
    [
        walkon.Task(team, [[0.9, 0.1]] * 2, [see, see], name="lazy", observations=["dark", "bright"], horizon=20),
        walkon.Task(team, [[0.1, 0.9]] * 2, [see, see], name="busy", observations=["dark", "bright"], horizon=20),
    ]
)
"""
KEYS = {"Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight", "Stay": "Space"}


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """A small run."""
    folder = tmp_path_factory.mktemp("run")
    settings = Settings(trials=1)
    with Store(folder, write=True) as store:
        store.begin({"command": "a test"}, settings.record())
        for sweep in (SMALL, KITCHEN):
            trials = [entry.trial for entry in small_entries(sweep)]
            for one in trials:
                store.add([(one, play_trials([one], None)[0])])
    return folder


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server with a library of somebody's own."""
    path = tmp_path_factory.mktemp("own") / "levers.py"
    path.write_text(LEVERS)
    with page_server(path) as where:
        yield where


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser):
    """Opens a page of an address, in a browser that knows nothing of the others."""
    contexts, asked, broken = [], [], []

    def opened(where, **look):
        context = browser.new_context(**look)
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.goto(where)
        page.wait_for_selector(".board, .facts, .run-status h1")
        return page

    yield opened
    for context in contexts:
        context.close()
    outside = [url for url in asked if not re.match(r"(http|ws)://127\.0\.0\.1:|data:|blob:", url)]
    assert outside == []
    assert broken == []


def beliefs(page):
    return [plain(text) for text in page.locator(".belief .bar-value").all_inner_texts()]


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def press(page, key):
    """A key, and the step that it leads to."""
    before = page.locator(".did").first.text_content()
    page.keyboard.press(key)
    expect(page.locator(".did").first).not_to_have_text(before)


def step(page):
    return int(re.search(r"Step (\d+) of", page.locator(".did").first.inner_text())[1])


def test_keys_play_an_episode_until_the_belief_names_the_task(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1")
    expect(page.locator(".goal")).to_contain_text("You are the teammate")
    assert beliefs(page) == ["50 %", "50 %"]
    named = page.locator(".belief li", has_text="★ is played").locator(".bar-value")
    for _ in range(30):
        if re.search(r"9\d|100", named.inner_text()):
            break
        move = re.search(r"would do (\w+) here", page.locator(".hint").inner_text())[1]
        press(page, KEYS[move])
    assert re.search(r"9\d|100", named.inner_text())
    why = plain(page.locator(".why").inner_text())
    assert re.search(r"task 1 (now|stays at)", why), why
    assert page.locator(".history polyline").count() == 2
    page.locator(".numbers summary").click()
    expect(page.locator(".numbers td").first).to_be_visible()


def test_time_is_rewound_and_branched(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):
        press(page, key)
    last = beliefs(page)
    expect(page).to_have_url(re.compile(r"moves=0\.0\.2$"))
    slider = page.locator("input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".did")).to_contain_text("Step 1 of 50")
    page.evaluate("document.activeElement.blur()")
    press(page, "ArrowDown")
    assert step(page) == 2
    lines = page.locator("select[name=line]")
    expect(lines.locator("option")).to_have_count(2)
    lines.select_option("0")
    expect(page.locator(".did")).to_contain_text("Step 3 of 50")
    assert beliefs(page) == last
    expect(page).to_have_url(re.compile(r"moves=0\.0\.2$"))
    page.get_by_role("button", name="Same luck").click()
    expect(page.locator(".did")).to_contain_text("Step 0 of 50")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):
        press(page, key)
    assert beliefs(page) == last  # the same moves on the same luck
    page.reload()
    expect(page.locator(".did")).to_contain_text("Step 3 of 50")
    assert beliefs(page) == last


def test_two_agents_are_compared_on_the_same_luck(visit, address):
    page = visit(f"{address}/compare?{SMALL_WORLD}&agent=atpo&other=random&task=1")
    boards = page.locator(".board")
    expect(boards).to_have_count(2)
    assert boards.nth(0).get_attribute("aria-label") == boards.nth(1).get_attribute("aria-label")
    page.get_by_role("button", name="Step", exact=False).click()
    expect(page.locator(".did").nth(1)).to_contain_text("Step 1 of")
    page.get_by_role("button", name="Run").click()
    for did in page.locator(".did").all():
        expect(did).to_contain_text(re.compile("★ solved|Step ([5-9]|[1-4][0-9]|50) of"), timeout=40_000)
    page.locator("select[name=other]").select_option("perseus")
    expect(page.locator(".panel-title").nth(1)).to_have_text("perseus")
    expect(page.locator(".did").nth(1)).to_contain_text("Step 0 of")


def test_a_library_of_ones_own_is_played_by_names(visit, address):
    page = visit(address)
    expect(page.locator("select[name=world] option").first).to_have_text("levers")
    expect(page.locator(".facts")).to_contain_text("lamp o")
    buttons = page.locator(".move")
    expect(buttons).to_have_count(2)
    expect(buttons.nth(1)).to_contain_text("pull <b>hard</b>")  # as text, and not as a tag
    for _ in range(8):
        press(page, "2")
    expect(page.locator(".facts")).to_contain_text(re.compile("dark|bright"))
    assert int(plain(page.locator(".belief .bar-value").nth(1).inner_text()).split()[-2]) > 60
    expect(page.locator(".states .bars")).to_contain_text("lamp on")


def test_a_run_is_browsed_and_a_trial_replayed(visit, run_folder):
    with page_server(run_folder) as where:
        page = visit(f"{where}/results")
        expect(page.locator(".run-status")).to_contain_text("trials are finished")
        expect(page.get_by_role("table").first).to_contain_text("value-iteration")
        page.locator("select[name=agent]").select_option("atpo")
        link = page.get_by_role("link", name="Replay atpo").first
        expect(link).to_be_visible()
        link.click()
        page.wait_for_selector(".board")
        expect(page.locator(".did")).to_contain_text("Step 0 of")
        before = beliefs(page)
        press(page, "f")
        press(page, "f")
        assert step(page) == 2
        press(page, "b")
        press(page, "b")
        assert beliefs(page) == before
        page.goto(f"{where}/trial?key=nothing")
        expect(page.get_by_role("alert")).to_contain_text("there is no trial 'nothing'")
        assert page.request.get(f"{where}/results/figures/..%2Fresults.sqlite").status == 404


def test_two_people_play_at_once_each_their_own_game(visit, address):
    one, other = visit(f"{address}/?{SMALL_WORLD}&task=0"), visit(f"{address}/?{SMALL_WORLD}&task=1")
    press(one, "ArrowUp")
    press(other, "ArrowDown")
    press(one, "ArrowUp")
    assert (step(one), step(other)) == (2, 1)
    expect(one).to_have_url(re.compile(r"moves=0\.0$"))
    expect(other).to_have_url(re.compile("moves=1$"))


def test_bad_input_is_said_and_breaks_nothing(visit, address, tmp_path):
    page = visit(f"{address}/?{SMALL_WORLD.replace('size=3', 'size=99')}")
    expect(page.get_by_role("alert")).to_contain_text("size is '99', expected one of 3, 4, 5, 6")
    page = visit(f"{address}/?world=%3Cscript%3Ealert(1)%3C/script%3E&moves=1")
    expect(page.get_by_role("alert")).to_contain_text("<script>")
    page = visit(f"{address}/?{SMALL_WORLD}")
    (tmp_path / "bad.json").write_text('{"format": "walkon episode", "version": 1, "world": "mars"}')
    page.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
    expect(page.get_by_role("alert")).to_contain_text("cannot be opened")
    (tmp_path / "large.json").write_text(" " * 1_000_000)
    page.locator("input[type=file]").set_input_files(tmp_path / "large.json")
    expect(page.get_by_role("alert")).to_contain_text("too large")
    press(page, "ArrowUp")
    page.keyboard.press("n")  # breaks this server on purpose
    expect(page.get_by_role("alert")).to_contain_text("Something went wrong here")
    assert "secret" not in page.content()
    press(page, "ArrowUp")
    nowhere = page.request.get(f"{address}/no/such/page")
    assert nowhere.status == 404
    assert "Traceback" not in nowhere.text()


def test_an_episode_is_kept_opened_again_and_filmed(visit, address, tmp_path):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1")
    for key in ("ArrowUp", "ArrowLeft", "f"):
        press(page, key)
    seen = beliefs(page)
    with page.expect_download() as kept:
        page.get_by_role("button", name="Episode (JSON)").click()
    kept.value.save_as(tmp_path / "episode.json")
    with page.expect_download() as filmed:
        page.get_by_role("button", name="Film (SVG)").click()
    filmed.value.save_as(tmp_path / "film.svg")
    assert "@keyframes" in (tmp_path / "film.svg").read_text()
    other = visit(f"{address}/?{SMALL_WORLD}")
    other.locator("input[type=file]").set_input_files(tmp_path / "episode.json")
    expect(other.locator("input[type=range]")).to_have_attribute("max", "3")
    for _ in range(3):
        press(other, "f")
    assert beliefs(other) == seen
    told = run("play", tmp_path / "episode.json")
    assert told.returncode == 0, told.stderr
    assert "atpo · seed 8" in told.stdout


def test_everything_can_be_done_with_the_keyboard_alone(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "(document.activeElement.closest('label') ?? document.activeElement).innerText.split('\\n')[0]"
            )
        )
    for name in ("walkon", "Play", "Compare", "World", "Size", "Task", "Teammate", "Agent", "Step", "Keys"):
        assert name in reached, name
    assert reached.index("World") < reached.index("Agent") < reached.index("Step")
    page.locator("select[name=agent]").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".goal")).to_contain_text("atpo-greedy")
    assert page.evaluate("document.activeElement.name") == "agent"  # the focus stays
    page.get_by_role("button", name="Up, key ↑").focus()
    before = step(page)
    page.keyboard.press("Enter")
    expect(page.locator(".did")).to_contain_text(f"Step {before + 1} of")
    press(page, "ArrowDown")


CONTRAST = """() => {
  const parts = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return c.startsWith('color(') ? m.slice(0, 4).map((v, i) => i < 3 ? 255 * v : v) : m; };
  const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c; } return [255, 255, 255]; };
  const bad = [];
  for (const e of document.querySelectorAll('main *, header *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest('svg') || !e.offsetParent) continue;
    const [a, b] = [light(parts(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(`${e.tagName}.${e.className} ${e.textContent.slice(0, 30)} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return bad;
}"""  # noqa: E501
NAMELESS = """() => [...document.querySelectorAll('button, select, input, a, [role=img], table')]
  .filter((e) => !(e.innerText?.trim() || e.getAttribute('aria-label') || e.closest('label')?.innerText.trim()))
  .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_it_reads_well_light_and_dark_wide_and_narrow(visit, address, light, width, height):
    page = visit(
        f"{address}/?{SMALL_WORLD}&task=1&moves=0.4.1", color_scheme=light, viewport={"width": width, "height": height}
    )
    expect(page.locator(".did")).to_contain_text("Step 3 of")
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing to scroll sideways for
    grounds = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("[data-light-switch]").click()
    page.locator("[data-light-switch]").click()
    assert (page.evaluate("getComputedStyle(document.body).backgroundColor") == grounds) == (light == "dark")
    for landmark in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1, landmark


class Wire:
    """A wire between browser and server that can be cut and mended."""

    def __init__(self, address):
        self._to = int(address.rpartition(":")[2])
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._open, self._whole = set(), True
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            if not self._whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._to))
            self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        for each in (one, other):
            with_error_ignored(each)

    def cut(self):
        self._whole = False
        for each in list(self._open):
            with_error_ignored(each)
        self._open.clear()

    def mend(self):
        self._whole = True

    def close(self):
        self.cut()
        self._server.close()


def with_error_ignored(connection):
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def wire(address):
    made = Wire(address)
    try:
        yield made
    finally:
        made.close()


def test_a_lost_connection_comes_back_to_the_same_point(visit, address, browser):
    with wire(address) as between:
        page = visit(f"{between.address}/?{SMALL_WORLD}&task=1")
        press(page, "ArrowUp")
        press(page, "ArrowLeft")
        seen = beliefs(page)
        between.cut()
        expect(page.locator("#popup")).to_have_attribute("aria-hidden", "false")
        time.sleep(0.5)
        between.mend()
        expect(page.locator("#popup")).to_have_attribute("aria-hidden", "true", timeout=30_000)
        expect(page.locator(".did")).to_contain_text("Step 2 of")
        assert beliefs(page) == seen
        press(page, "ArrowDown")
        assert step(page) == 3


def test_a_server_that_starts_anew_finds_its_players_where_they_were(visit):
    with page_server(reconnect=1) as where:
        page = visit(f"{where}/?{SMALL_WORLD}&task=1")
        press(page, "ArrowUp")
        press(page, "ArrowLeft")
        seen = beliefs(page)
    expect(page.locator("#popup")).to_have_attribute("aria-hidden", "false")
    with page_server(reconnect=1, port=int(where.rpartition(":")[2])):
        expect(page.locator("#popup")).to_have_attribute("aria-hidden", "true", timeout=40_000)
        expect(page.locator(".did")).to_contain_text("Step 2 of", timeout=40_000)
        assert beliefs(page) == seen
        press(page, "ArrowDown")
