"""The page's server with an agent that thinks for ever, and a key that stops the event loop for ever.

python stuck_server.py PORT RECONNECT_SECONDS
"""

import threading

import page_server
from walkon import network
from walkon.web.controller import Controller
from walkon.web.game import Game


def wait(why: str) -> None:
    """Say why, and wait for ever."""
    print(why, flush=True)
    threading.Event().wait()


def step(game: Game, move: int | None = None, as_usual=Game.step) -> Game:
    """A step in which the agent thinks for ever, if a person moves."""
    return as_usual(game) if move is None else wait("an agent thinks")


def pressed(controller: Controller, key: str, as_usual=Controller.key) -> None:
    """A key that stops the event loop."""
    if key == "n":
        wait("the event loop is stuck")
    as_usual(controller, key)


if __name__ == "__main__":
    Game.step, page_server.pressed = step, pressed
    network.MOST_SECONDS_TO_END = 1e6  # so that it is not what ends it
    page_server.main()
