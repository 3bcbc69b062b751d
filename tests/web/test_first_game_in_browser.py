"""The first game in a real browser, from a folder: the same numbers as the library's, and what the page says."""

import random
import re

import httpx
import numpy as np
import pytest
from playwright.sync_api import expect

import walkon
from page_visitor import census, page_server
from waiting import PATIENCE
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.first_game import contents, export, ready_policies, scripts
from walkon.web.game import Game, Match

FACTS = {script.facts["key"]: script.facts for script in scripts()}
PLAYED = """async ([key, setup, moves]) => {
  const library = await walkon.load(key);
  let game = walkon.begin(library, setup);
  for (const move of moves) if (!walkon.over(game)) game = walkon.step(game, move);
  return game.moments.map(({ state, action, reading, memory }) => [state, action ?? -1, reading ?? -1, memory.tasks]);
}"""
USUAL = """async ([key, setup]) => {
  const library = await walkon.load(key);
  let game = walkon.begin(library, setup);
  while (!walkon.over(game)) {
    const chances = walkon.usual(library, setup.task, walkon.now(game).state);
    game = walkon.step(game, chances.indexOf(Math.max(...chances)));
  }
  return game.moments.slice(1).map(({ move }) => move);
}"""
SENTENCES = """async (keys) => {
  const found = [];
  for (const key of keys) {
    const library = await walkon.load(key), view = walkon.views[library.world];
    const even = library.tasks.map(() => 1 / library.tasks.length), sure = (k) => even.map((_, i) => (i === k ? 1 : 0));
    const some = (...shares) => even.map((_, i) => shares[i] ?? 0);
    const beliefs = [even, sure(0), sure(1), some(0.6, 0.4), some(0.4, 0.35, 0.25)];
    const done = ["You put something down", "You take an onion"];
    const possible = new Set(library.tasks.flatMap((task) => (task.sensor ? [...task.sensor.columns] : [])));
    const seen = library.readings ? [...possible].map((z) => view.sensed(library, z)) : done;
    for (const before of beliefs) for (const after of beliefs)
      for (const each of seen) found.push(each + walkon.words.effect(before, after, view.noun));
  }
  return found;
}"""


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    export(folder / "game")
    return f"file://{folder}/game/index.html"


@pytest.fixture
def opened(browser, page_file):
    """Opens the page from its folder, as somebody who was never here; it may ask for nothing but its own files."""
    asked, broken, contexts = [], [], []

    def open_page(address="", **look):
        context = browser.new_context(**look)
        context.set_default_timeout(300_000)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.goto(page_file + address)
        page.wait_for_selector(".piece")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file://", "data:"))] == []
    assert broken == []


def games_of(key):
    """Some games of a library: the chosen ones, people who follow the task, and people who do anything."""
    dice = random.Random(key)
    facts = FACTS[key]
    chosen = {"night-pursuit": [(2, 164)], "night-pursuit-easy": [(3, 23)]}.get(key, [])
    for task, seed in [*chosen, *((k, dice.randrange(2**31)) for k in range(len(facts["names"])))]:
        yield {"agent": "atpo", "task": task, "seed": seed}, None
    for agent in facts["agents"]:
        moves = [dice.randrange(facts["B"]) for _ in range(20)]
        yield {"agent": agent, "task": dice.randrange(len(facts["names"])), "seed": dice.randrange(100)}, moves


@pytest.mark.parametrize("key", FACTS)
def test_a_browser_plays_exactly_what_the_library_plays(opened, key):
    page, facts = opened(), FACTS[key]
    world = WorldSpec.of(facts["world"], **facts["options"], tremble=facts["tremble"])
    library = world.make()
    policies = ready_policies(library.hash)
    for setup, moves in games_of(key):
        moves = page.evaluate(USUAL, [key, setup]) if moves is None else moves
        played = page.evaluate(PLAYED, [key, setup, moves])
        given = {} if setup["agent"] == "random" else {"policies": policies}
        told = {"target": setup["task"]} if setup["agent"] == "perseus" else {}
        agent = walkon.agent(setup["agent"], library, **given, **told)
        game = Game.begin(Match(Trial(world=world, **setup), library, agent)).play(moves)
        ours = [
            (m.state, -1 if m.action is None else m.action, -1 if m.step is None else m.step.observation)
            for m in game.moments
        ]
        assert [tuple(each[:3]) for each in played] == ours, setup
        if agent.identifies:
            beliefs = np.array([moment.memory.tasks for moment in game.moments])
            np.testing.assert_allclose([each[3] for each in played], beliefs, rtol=0, atol=1e-9)


def test_no_sentence_has_more_than_twelve_words(opened):
    said = opened().evaluate(SENTENCES, list(FACTS))
    assert len(said) > 1000
    assert max(len(each.replace("·", " ").split()) for each in said) <= 12


def percents(page):
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in page.locator(".percent").all_inner_texts()]


def test_the_first_game_tells_its_story(opened):
    page = opened()
    expect(page.locator("h1")).to_have_text("Show your partner where to go, without a word.")
    expect(page.locator("#bubble p")).to_have_text("This is you. Go to your prey; A has to find its own. Press ←.")
    assert percents(page) == ["25 %"] * 4
    bubbles = []
    for key in ["ArrowLeft"] * 4 + ["ArrowDown"] * 2:
        page.keyboard.press(key)
        bubbles.append(page.locator("#bubble p").inner_text().replace("\N{NO-BREAK SPACE}", " "))
    assert bubbles == [
        "A moved too. It looked at the bright cells and saw nothing.",
        "These are its four guesses, still almost even. The ★ is yours; A cannot see it.",
        "A learns only from what it sees. Keep walking: ←.",
        "It saw you above, prey below. Your map ★ fits well: 89 %. The frame fills.",
        "It saw you above. Now it is certain: your map has > 99 %.",
        "Stay on your prey, and let it come.",
    ]
    expect(page.locator("#why")).to_have_text("You above, prey right: A stays certain.")
    page.keyboard.press(" ")
    expect(page.locator("#end h2")).to_have_text("Caught in 7 steps.")
    expect(page.locator("#end")).to_contain_text(
        "It was certain after 5 steps. What gave it away: step 4, “you above, prey below”. "
        "With the same luck, a partner who is told your map needs 6: that is par."
    )
    expect(page.locator("#another")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#end")).to_be_hidden()
    expect(page.locator("#bubble")).to_be_hidden()  # the guide comes once
    assert percents(page) == ["25 %"] * 4


PAR = """async (key) => {
  const library = await walkon.load(key), chosen = walkon.games.find((each) => each.key === key).chosen;
  return chosen.map(([task, seed]) => {
    let game = walkon.begin(library, { agent: "atpo", task, seed });
    while (!walkon.over(game)) {
      const chances = walkon.usual(library, task, walkon.now(game).state);
      game = walkon.step(game, chances.indexOf(Math.max(...chances)));
    }
    const steps = game.moments.length - 1, par = walkon.par(game).moments.length - 1;
    return { steps, par, said: walkon.words.end(game).lines.at(-1) };
  });
}"""


@pytest.mark.parametrize("key", ["night-pursuit", "night-pursuit-easy"])
def test_par_is_a_bar_in_every_chosen_game_and_the_end_says_which_side_one_is_on(opened, key):
    for game in opened().evaluate(PAR, key):
        assert game["par"] <= game["steps"]
        rank = ": that is par." if game["par"] < game["steps"] else " too: you made par."
        assert game["said"] == f"With the same luck, a partner who is told your map needs {game['par']}{rank}"


def test_a_game_that_is_quicker_than_par_says_so(opened):
    page = opened("#world=night-pursuit&noise=0.3&agent=atpo&task=2&seed=41")
    for key in ["ArrowLeft"] * 4 + ["ArrowDown", " "]:
        page.keyboard.press(key)
    expect(page.locator("#end")).to_contain_text(
        "With the same luck, a partner who is told your map needs 7: you beat par."
    )


def test_a_held_key_is_one_move_and_time_can_be_branched(opened):
    page = opened("#world=night-pursuit&noise=0.3&agent=atpo&task=2&seed=41")
    page.keyboard.down("ArrowLeft")
    page.keyboard.down("ArrowLeft")  # a repeat
    page.keyboard.up("ArrowLeft")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_attribute("aria-valuetext", "step 1 of 1")
    for key in ("ArrowLeft", "ArrowLeft", "b", "b", "ArrowUp"):
        page.keyboard.press(key)
    expect(slider).to_have_attribute("aria-valuetext", "step 2 of 2")
    expect(page).to_have_url(re.compile(r"moves=2\.0$"))
    page.get_by_role("button", name="the other line, 3 steps").click()
    expect(slider).to_have_attribute("aria-valuetext", "step 3 of 3")
    expect(page).to_have_url(re.compile(r"moves=2\.2\.2$"))
    before = percents(page)
    page.reload()
    expect(page.locator(".percent").first).to_have_text(before[0])
    assert percents(page) == before


GLIDING = """(key) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const moved = document.getAnimations().filter((each) => each.transitionProperty === "transform");
  return moved.map((each) => each.effect.target.textContent).sort();
}"""


def test_pieces_glide_to_where_they_go(opened):
    page = opened("#world=night-pursuit&noise=0.3&agent=atpo&task=2&seed=164")
    assert page.evaluate(GLIDING, "ArrowLeft") == ["A", "you"]


def test_back_leads_to_the_game_before_and_not_through_its_moves(opened):
    page = opened("#world=night-pursuit&noise=0.3&agent=atpo&task=2&seed=41")
    for key in ("ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", "step 2 of 2")
    before = page.evaluate("location.href")
    page.get_by_role("button", name="Change").click()
    page.get_by_role("button", name=re.compile("^Overcooked")).click()
    expect(page.locator("h1")).to_contain_text("Cook with a helper")
    page.keyboard.press("ArrowDown")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("Show your partner")
    expect(page.get_by_role("slider", name="Step")).to_have_attribute("aria-valuetext", "step 2 of 2")
    expect(page).to_have_url(before)
    page.go_forward()
    expect(page.locator("h1")).to_contain_text("Cook with a helper")


def test_a_visitor_plays_the_agent_and_guesses_against_it(opened):
    page = opened("#world=night-pursuit&noise=0.1&agent=atpo&task=0&seed=54&actions=")
    expect(page.locator("h1")).to_contain_text("Now you are A")
    assert page.locator("#board").get_attribute("aria-label") == "It is dark. Take a step to look around."
    assert page.locator(".piece").count() == 1  # nobody else is seen
    for key in ("ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    assert percents(page) == [""] * 4
    page.get_by_role("button", name=re.compile("map 1: prey in column 3, row 2")).click()
    expect(page.locator("#end h2")).to_have_text("Right, after 2 steps.")
    expect(page.locator("#end")).to_contain_text("From what you saw, ATPO gives it")


@pytest.mark.parametrize("look", [(390, 844), (844, 390), (1024, 768), (1440, 900), (2560, 1440)])
def test_board_moves_and_guesses_are_on_one_screen(opened, look):
    width, height = look
    page = opened(viewport={"width": width, "height": height})
    for world in ("", "#world=pursuit&task=1&seed=3", "#world=overcooked&task=2&seed=3"):
        page.evaluate("(world) => world && (location.hash = world)", world)
        expect(page.locator("html")).to_have_attribute(
            "data-world", re.search(r"world=(\w+)|$", world)[1] or "night-pursuit"
        )
        for part in ("#board", "#pad", "#maps", "#why"):
            box = page.locator(part).bounding_box()
            right, bottom = box["x"] + box["width"], box["y"] + box["height"]
            assert min(box["x"], box["y"], width + 1 - right, height + 1 - bottom) >= 0, (part, world, box)


STORIES = """async () => {
  const library = await walkon.load("overcooked"), view = walkon.views.overcooked;
  const { chosen } = walkon.games.find((each) => each.key === "overcooked");
  return chosen.map(([task, seed]) => {
    let game = walkon.begin(library, { agent: "atpo", task, seed });
    const hints = [];
    while (!walkon.over(game)) {
      const t = game.moments.length - 1, chances = walkon.usual(library, task, walkon.now(game).state);
      const all = view.moves(game, t);
      const likeliest = all.filter(({ move }) => chances[move] >= Math.max(...chances) - 1e-9);
      const hint = view.suggest(likeliest, game, t);
      hints.push([hint.label, likeliest.map(({ label }) => label), hint.label === "–"]);
      game = walkon.step(game, hint.move);
    }
    return { task, hints, certain: game.moments.findIndex(({ memory }) => memory.tasks[task] >= 0.95) };
  });
}"""


def test_hints_in_the_kitchen_are_the_cooks_own_moves_and_let_the_agent_find_out(opened):
    stories = opened().evaluate(STORIES)
    for story in stories:
        for label, likeliest, useless in story["hints"]:
            still = {"wait", "–", "up", "down"} & set(likeliest)  # to go up from the top is to wait
            assert label in likeliest or (label == "wait" and still), story
            assert not useless
        assert 0 < story["certain"] <= 15
    assert [label for label, *_ in stories[0]["hints"][:9]] == (
        ["down", "wait", "wait", "take onion", "up", "into the pan", "down", "take onion", "up"]
    )


def test_a_game_is_sent_without_giving_it_away_and_starts_anew_where_it_arrives(opened):
    page = opened(
        "#world=night-pursuit&noise=0.3&agent=atpo&task=2&seed=164", permissions=["clipboard-read", "clipboard-write"]
    )
    expect(page.locator("#bubble p")).to_contain_text("This is you.")  # who comes by a link is guided too
    for key in ["ArrowLeft"] * 4 + ["ArrowDown"] * 2 + [" "]:
        page.keyboard.press(key)
    page.get_by_role("button", name="Send this game").click()
    expect(page.locator(".sent")).to_have_text("Copied: how it went, and where to play the same game.")
    first, *others = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert first == "walkon: Caught in 7 steps. Par: 6."
    assert others[:2] == ["How sure an almost blind partner was of what I wanted:", "⬜⬜⬜🟨🟩🟩🟩"]
    assert "walkon serve" in others[2]  # a file cannot be opened by others
    page = opened("#" + others[2].partition("#")[2])
    expect(page.get_by_role("heading", level=1)).to_contain_text("Show your partner")
    assert percents(page) == ["25 %"] * 4


def test_no_word_is_cut_off_where_the_visitor_is_the_agent_on_a_phone(opened):
    page = opened(
        "#world=night-pursuit&noise=0.1&agent=atpo&task=0&seed=54&actions=", viewport={"width": 390, "height": 844}
    )
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = page.get_by_role("button", name="Light or dark").bounding_box()
        assert box["x"] + box["width"] <= width


def test_the_end_in_a_kitchen_leaves_the_board_in_sight(opened):
    page = opened("#world=overcooked&task=3&seed=25", reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    while not page.locator("#end").is_visible():
        page.keyboard.press("n")
    board, card = page.locator("#board").bounding_box(), page.locator(".ending").bounding_box()
    assert card["y"] >= board["y"] + board["height"]
    assert card["y"] + card["height"] <= 900


def test_the_tree_of_the_page_has_names_for_everything(opened):
    page = opened()
    tree = page.locator("body").aria_snapshot()
    for words in (
        'heading "Show your partner where to go, without a word." [level=1]',
        "Board of 5 by 5 cells. You are in column 5, row 1. A is in column 1, row 2.",
        'group "Your move"',
        "map 3, the true one: prey in column 1, row 3 and in column 2, row 4; 25 per cent",
        'button "left"',
        "status",
    ):
        assert words in tree, words


def test_a_ringed_prey_says_whose_it_is_and_a_hint_covers_nobody(opened):
    page = opened(reduced_motion="reduce")  # nothing glides while it is measured
    assert page.locator(".ring-name").all_text_contents() == ["yours", "A's"]
    for _ in range(4):
        page.keyboard.press("ArrowLeft")  # now A stands where the hint leads
    arrow, agent = (page.locator(each).bounding_box() for each in (".hint-arrow", ".piece-agent text"))
    assert arrow["y"] + arrow["height"] <= agent["y"]
    page.get_by_role("button", name="Change").click()
    for size in ({"width": 390, "height": 844}, {"width": 844, "height": 390}):
        page.set_viewport_size(size)
        close = page.get_by_role("button", name="Close").bounding_box()
        assert close["y"] + close["height"] <= size["height"]


@pytest.fixture(scope="module")
def served():
    """A server for which nothing was named on the command line."""
    with page_server() as address:
        yield address


def test_the_server_sends_the_game_without_building_a_page_and_keeps_old_addresses(served):
    with httpx.Client(base_url=served, timeout=PATIENCE) as client:
        front = client.get("/")
        assert "data-server" in front.text
        assert client.head("/").status_code == 200
        for name, content in contents().items():
            answer = client.get(f"/{name}")
            assert answer.content == content or name == "index.html"
            again = client.get(f"/{name}", headers={"if-none-match": answer.headers["etag"]})
            assert again.status_code == 304
        assert census(served)["clients"] == 0
        assert "_nicegui" in client.get("/?world=night-pursuit&size=3").text
        assert "_nicegui" in client.get("/play").text


def test_the_server_has_its_own_words_and_signs(served):
    with httpx.Client(base_url=served, timeout=PATIENCE) as client:
        nowhere = client.get("/nowhere")
        assert nowhere.status_code == 404
        assert "There is nothing at this address." in nowhere.text
        assert "HTTPException" not in nowhere.text
        assert client.head("/play").status_code == 200
        assert client.get("/favicon.ico").text.startswith("<svg")
        assert '<meta name="description" content="A game of two.' in client.get("/play").text


def test_look_inside_leads_to_the_same_moment(browser, served):
    page = browser.new_page()
    page.set_default_timeout(300_000)
    page.goto(served)
    page.wait_for_selector(".piece")
    for key in ["ArrowLeft"] * 4:
        page.keyboard.press(key)
    before = percents(page)
    page.set_viewport_size({"width": 320, "height": 780})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320  # with all that a server adds
    page.get_by_role("link", name="Look inside").click()
    expect(page.locator(".did")).to_contain_text("Step 4 of 50")
    expect(page.locator(".did")).to_contain_text("prey down")
    shown = [text.replace("\N{NO-BREAK SPACE}", " ") for text in page.locator(".belief .bar-value").all_inner_texts()]
    assert shown == before
    page.close()
