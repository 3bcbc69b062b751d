"""Keep an episode as a file, open one, or take it away as a moving picture."""

from nicegui import Client, ui

from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.pages.widgets import box, button, html
from walkon.web.sharing import filmed, saved

OPEN = (
    '<label class="button">Open an episode … '
    '<input type="file" accept=".json,application/json" data-open class="file"></label>'
)


class Share:
    """Buttons for files."""

    def __init__(self, controller: Controller, client: Client) -> None:
        self._controller, self._client = controller, client
        with box("div", "buttons", role="group", aria_label="Share"):
            button("⤓ Episode (JSON)", self._save)
            button("⤓ Film (SVG)", self._film)
            html(OPEN, "open-box")
        ui.on("walkon-open", lambda event: controller.open(str(event.args)))

    def _save(self) -> None:
        if self._controller.at:
            game = self._controller.timelines[0].past
            self._client.download(saved(game), f"{_name(game)}.json", "application/json")
        else:
            self._controller.say("Play a step first: an episode without steps cannot be kept.")

    def _film(self) -> None:
        if self._controller.timelines:
            game = self._controller.timelines[0].past
            self._client.download(filmed(game).encode(), f"{_name(game)}.svg", "image/svg+xml")


def _name(game: Game) -> str:
    return f"walkon-{game.table.world}-{game.table.agent.name}-{game.table.seed}"
