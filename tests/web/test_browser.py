"""The page as a person meets it: in a real browser, with keys, clicks and files."""

import re

import pytest
from playwright.sync_api import expect

from command_line import run_here
from page_reading import SMALL_WORLD, beliefs, plain, press, step

KEYS = {"Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight", "Stay": "Space"}


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
    expect(page.locator(".coming")).to_be_hidden()  # the board is there
    expect(page.locator(".surprise")).to_have_text("")  # nobody who plays as hinted is told of a surprise
    page.locator(".numbers summary").click()
    expect(page.locator(".numbers td").first).to_be_visible()
    expect(page.locator(".numbers")).to_contain_text("bits")


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
    expect(page.locator(".history .left-line")).to_have_count(0)
    press(page, "ArrowDown")
    assert step(page) == 2
    assert points(page, ".left-line") == [4, 4]  # the line that was left, beside the new one
    assert points(page, ".task-line") == [3, 3]
    lines = page.locator("select[name=line]")
    expect(lines.locator("option")).to_have_count(2)
    lines.select_option("0")
    expect(page.locator(".did")).to_contain_text("Step 3 of 50")
    assert beliefs(page) == last
    expect(page).to_have_url(re.compile(r"moves=0\.0\.2$"))
    page.get_by_role("button", name="Same luck").click()
    expect(page.locator(".did")).to_contain_text("Step 0 of 50")
    expect(page.get_by_text(", as likely as others.")).to_have_count(1)  # a task that is shown is not said to lead
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft"):
        press(page, key)
    assert beliefs(page) == last  # the same moves on the same luck
    expect(page.get_by_text(", as likely as others.")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"moves=0\.0\.2$"))  # it comes after the board
    page.reload()
    expect(page.locator(".did")).to_contain_text("Step 3 of 50")
    assert beliefs(page) == last


def test_the_end_of_a_game_is_said_and_what_to_do_next(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1&seed=8&moves={'.'.join('01' * 25)}")
    expect(page.locator(".end")).to_have_text(
        "The game is over: the horizon of 50 steps is reached, and the task is not solved."
    )
    expect(page.locator(".next")).to_contain_text("Nothing: the game is over.")
    expect(page.locator(".move").first).to_be_hidden()
    page.get_by_role("button", name="Again, same luck").click()
    expect(page.locator(".did")).to_contain_text("Step 0 of 50")
    expect(page.locator(".move").first).to_be_visible()
    expect(page.locator(".end")).to_have_count(0)
    press(page, "ArrowUp")


def test_an_agent_without_beliefs_is_played_with(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&agent=random")
    press(page, "ArrowUp")
    assert step(page) == 1


def points(page, lines):
    """How many steps each line of the chart shows."""
    return [len(line.get_attribute("points").split()) for line in page.locator(f".history {lines}").all()]


def test_back_and_forward_lead_from_one_choice_to_the_next_and_not_through_the_moves(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=0")
    press(page, "ArrowUp")
    press(page, "ArrowLeft")
    seen = beliefs(page)
    page.locator("select[name=task]").select_option("1")
    expect(page).to_have_url(re.compile("task=1&seed=8&seat=you$"))
    press(page, "ArrowDown")
    page.locator("select[name=agent]").select_option("random")
    expect(page).to_have_url(re.compile("agent=random.*seat=you$"))
    page.go_back()
    expect(page.locator(".goal")).to_contain_text("task 1")
    expect(page.locator(".did")).to_contain_text("Step 1 of")
    expect(page).to_have_url(re.compile("agent=atpo&task=1.*moves=1$"))
    page.go_back()
    expect(page.locator(".goal")).to_contain_text("task 0")
    expect(page.locator(".did")).to_contain_text("Step 2 of")
    assert beliefs(page) == seen
    page.go_forward()
    expect(page.locator(".goal")).to_contain_text("task 1")
    page.go_forward()
    expect(page.locator(".goal")).to_contain_text("Random")
    assert page.evaluate("history.length") == 4  # an empty page, and three choices


def test_two_agents_are_compared_on_the_same_luck(visit, address):
    page = visit(f"{address}/compare?{SMALL_WORLD}&agent=atpo&other=random&task=1")
    boards = page.locator(".board")
    expect(boards).to_have_count(2)
    assert boards.nth(0).get_attribute("aria-label") == boards.nth(1).get_attribute("aria-label")
    page.get_by_role("button", name="Step", exact=False).click()
    expect(page.locator(".did").nth(1)).to_contain_text("Step 1 of")
    page.get_by_role("button", name="Run").click()
    for did in page.locator(".did").all():
        expect(did).to_contain_text(re.compile("★ solved|Step ([5-9]|[1-4][0-9]|50) of"))
    expect(page.locator(".scores")).to_have_text(
        re.compile(r"^ATPO: step \d+, .*solved.* · Random: step \d+, .*solved")
    )
    page.locator("select[name=other]").select_option("perseus")
    expect(page.locator(".panel-title").nth(1)).to_have_text("Perseus")
    expect(page.locator(".did").nth(1)).to_contain_text("Step 0 of")
    page.get_by_role("link", name="Play").click()  # leads to the same game
    expect(page.locator(".did")).to_have_count(1)
    expect(page).to_have_url(re.compile("size=3.*task=1&seed=8&seat=1"))


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


def test_a_run_is_browsed_and_a_trial_replayed(visit, results, run_folder):
    page = visit(f"{results}/results")
    expect(page.locator("h1")).to_have_text("Results: the paper")
    expect(page.locator(".run-status")).to_contain_text(f"trials finished in {run_folder.name}/")
    expect(page.locator(".results table").first).to_contain_text("Value Iteration")
    expect(page.locator(".tally")).to_contain_text("have no data")
    figure = page.get_by_role("link", name="Open large: 6a. Overcooked: soups")
    figure.scroll_into_view_if_needed(timeout=300_000)
    page.wait_for_function("a => a.querySelector('.by-light').naturalWidth > 0", arg=figure.element_handle())
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Trials").click()
    page.locator("select[name=agent]").select_option("atpo")
    expect(page).to_have_url(re.compile(r"agent=atpo$"))
    page.get_by_role("button", name="steps").click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("steps")
    expect(page).to_have_url(re.compile(r"agent=atpo&sort=steps$"))
    assert page.evaluate("document.activeElement.innerText").startswith("steps")  # the focus stays
    rows = page.locator(".trials tbody tr").all_inner_texts()
    again = visit(page.url)  # the address holds the order
    expect(again.locator(".trials tbody tr")).to_have_count(len(rows))
    assert again.locator(".trials tbody tr").all_inner_texts() == rows
    link = page.get_by_role("link", name="Replay atpo").first
    expect(link).to_be_visible()
    link.click()
    page.wait_for_selector(".board")
    expect(page.locator(".did")).to_contain_text("Step 0 of")
    before = beliefs(page)
    assert set(points(page, ".task-line")) == {1}  # the chart does not tell how it ends
    assert "(" not in page.locator("select[name=tasks] option:checked").inner_text()
    assert page.locator(".seed").inner_text() == ""
    press(page, "f")
    press(page, "f")
    assert step(page) == 2
    assert set(points(page, ".task-line")) == {3}
    press(page, "b")
    press(page, "b")
    assert beliefs(page) == before
    assert set(points(page, ".task-line")) == {3}  # what was seen stays
    page.goto(f"{results}/trial?key=nothing")
    expect(page.get_by_role("alert")).to_contain_text("there is no trial 'nothing'")
    assert page.locator(".card:visible, select:visible").count() == 0
    page.get_by_role("link", name="All trials").click()
    expect(page.locator(".trials tbody tr").first).to_be_visible()
    assert page.request.get(f"{results}/results/figures/..%2Fresults.sqlite").status == 404


@pytest.mark.parametrize("light", ["light", "dark"])
def test_figures_open_large_and_are_light_or_dark_like_the_page(visit, results, light):
    page = visit(f"{results}/results", color_scheme=light)
    figures = page.locator("[data-large]")
    expect(figures.first).to_be_visible()
    figures.first.focus()
    page.keyboard.press("Enter")
    large = page.locator("dialog.large")
    shown = large.locator("img:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_have_class(f"by-{light}")
    page.wait_for_function("picture => picture.naturalWidth > 0", arg=shown.element_handle())
    assert shown.bounding_box()["width"] > 2 * figures.first.bounding_box()["width"] / 1.5
    title = large.locator("b").inner_text()
    page.keyboard.press("ArrowRight")
    if figures.count() > 1:
        expect(large.locator("b")).not_to_have_text(title)
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.large") == ""  # where it was before
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("PageDown")  # keys scroll, where there is no game
    page.wait_for_function("scrollY > 0")


def test_two_people_play_at_once_each_their_own_game(visit, address):
    one, other = visit(f"{address}/?{SMALL_WORLD}&task=0"), visit(f"{address}/?{SMALL_WORLD}&task=1")
    press(one, "ArrowUp")
    press(other, "ArrowDown")
    press(one, "ArrowUp")
    assert (step(one), step(other)) == (2, 1)
    expect(one).to_have_url(re.compile(r"moves=0\.0$"))
    expect(other).to_have_url(re.compile("moves=1$"))


def test_bad_input_is_reported_and_breaks_nothing(visit, address, tmp_path):
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
    expect(other.locator(".note")).to_contain_text("after a reload of the page, open the file again")
    for _ in range(3):
        press(other, "f")
    assert beliefs(other) == seen
    other.locator("select[name=task]").select_option("0")
    expect(other.locator(".note")).to_have_text("")
    told = run_here("play", tmp_path / "episode.json")
    assert told.returncode == 0, told.stderr
    assert "atpo · seed 8" in told.stdout


def test_a_key_that_is_held_down_is_one_move(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1")
    press(page, "ArrowUp")
    for _ in range(20):
        page.keyboard.down("ArrowUp")  # all but the first repeat it
    page.keyboard.up("ArrowUp")
    page.keyboard.press("b")  # comes after all of them
    expect(page.locator(".did")).to_contain_text("Step 1 of")
    expect(page.locator("input[type=range]")).to_have_attribute("max", "2")


def test_an_address_with_moves_that_do_not_exist_leads_to_a_game(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1&moves=9.9.9")
    expect(page.get_by_role("alert")).to_contain_text("action 9 does not exist")
    press(page, "ArrowUp")
    expect(page).to_have_url(re.compile(r"moves=0$"))
