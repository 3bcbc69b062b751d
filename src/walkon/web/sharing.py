"""A game as a file: an episode that opens again here and in `walkon play`, and a film to show around."""

from collections.abc import Sequence

from walkon.formats.episode_file import document_of, encoded, named_world, recording_of
from walkon.pictures.svg import Frame, film
from walkon.tasks import TaskLibrary
from walkon.web import words
from walkon.web.game import Game
from walkon.web.offers import affordable
from walkon.web.parts.bars import colour
from walkon.web.replay import replayed


def saved(game: Game) -> bytes:
    """The game as an episode's file."""
    return encoded(game.recording)


def opened(data: bytes, own: Sequence[TaskLibrary] = ()) -> Game:
    """The game in an episode's file. Nothing is made before it is known to be small."""
    document = document_of(data)
    affordable(*named_world(document))
    return replayed(recording_of(document, own))


def filmed(game: Game) -> str:
    """The game as an animated SVG: the world, the belief over tasks, and why it moved."""
    frames = []
    for t in range(game.steps + 1):
        seen = game.moment(t)
        shares = [] if seen.belief is None else enumerate(seen.belief.tolist())
        rows = tuple((f"{k} {seen.tasks[k]}", share, colour(k)) for k, share in shares)
        caption = f"Step {t}. {words.why(game, t)}"
        frames.append(Frame(seen.scene, rows, caption))
    return film(frames)
