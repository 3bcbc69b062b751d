"""Games in libraries without tables: the page's logic plays, rewinds, saves and explains them."""

import pytest

import walkon
from untabled_worlds import Lamp, Pair
from walkon.formats.episode_file import encode
from walkon.tasks.library import trembling
from walkon.trials.trial import Trial, WorldSpec
from walkon.web import words
from walkon.web.game import Game, Match, move_keys, move_names
from walkon.web.host import Host, read_brought
from walkon.web.replay import film_game, open_game

LAMPS = walkon.define([Lamp("on"), Lamp("off")], tables=False)


def match_in(library, agent="search", **how):
    trial = Trial(world=WorldSpec.of("own"), agent=agent, seed=5, **how)
    return Match(trial, library, walkon.agent(agent, library, **({"simulations": 3} if agent == "search" else {})))


@pytest.mark.parametrize("kind", [Lamp, Pair])
def test_a_person_plays_and_the_moves_lead_back_to_the_same_game(kind):
    library = trembling(walkon.define([kind("on"), kind("off")], tables=False), 0.1)
    match = match_in(library, task=1)
    moves = (1, None, 0, 1)
    game = Game.begin(match).play(moves)
    assert game.moves == moves
    again = Game.begin(match).play(moves)
    assert [moment.state for moment in again.moments] == [moment.state for moment in game.moments]
    assert move_names(match.played) == ("wait", "press")
    assert move_keys(match.played) == {"1": 0, "2": 1}
    assert game.moments[1].fits.shape == (2,)
    assert "own teammate would do" in words.hint(game)
    assert "task 0" in words.explain(game, 2)
    assert words.describe_surprise(game, 2) == ""
    assert len(list(film_game(game))) == 6


def test_what_a_game_shows_is_what_tables_show():
    tabled = walkon.define([Lamp("on"), Lamp("off")])
    games = [Game.begin(match_in(library, "random")).play([1, 0, None]) for library in (tabled, LAMPS)]
    one, two = (game.picture(3) for game in games)
    assert (one.did, one.status, one.step) == (two.did, two.status, two.step)
    assert games[0].moments[2].fits == pytest.approx(games[1].moments[2].fits)


def test_a_game_is_saved_and_opened_again():
    library = trembling(LAMPS, 0.1)
    game = Game.begin(match_in(library)).play([1, 1, None])
    *_, again = open_game(encode(game.recording), [LAMPS, library])
    assert [moment.state for moment in again.moments] == [moment.state for moment in game.moments]
    assert again.moments[-1].memory.tasks.tolist() == game.moments[-1].memory.tasks.tolist()


def test_trembling_teammates_are_those_of_tables_and_have_a_hash_of_their_own():
    tabled, shaky = trembling(walkon.define([Lamp("on")]), 0.3), trembling(LAMPS, 0.3)
    for x, name in ((("on", 0), "(on, 0)"), (("off", 2), "(off, 2)")):
        row = tabled[0].teammates.toarray()[tabled[0].states.index(name)]
        ours = dict(shaky[0].outline.teammates(x))
        assert [ours[b] for b in ("wait", "press")] == pytest.approx(row)
    assert len({LAMPS.hash, shaky.hash, trembling(LAMPS, 0.2).hash}) == 3
    assert trembling(walkon.define([Lamp("on", 0.2)], tables=False), 0.3)[0].hash != shaky[0].hash
    assert shaky[0].hash == trembling(walkon.define([Lamp("on")], tables=False), 0.3)[0].hash
    assert walkon.make("tag", tables=False, tremble=0.2)[0].compiled is None


def test_a_library_without_tables_is_brought_to_the_page(tmp_path):
    (tmp_path / "walks.py").write_text(
        "import walkon\nfrom untabled_worlds import *\n"
        "class Bare(Walk):\n    advice = None\n"
        "library = walkon.define([Bare(4), Bare(-4)], tables=False)"
    )
    host = Host(1, read_brought([tmp_path / "walks.py"]))
    assert host.usual.agent == "search"
