"""The page's server in a process of its own, as the tests start it: with a census of who is there.

python page_server.py PORT RECONNECT_SECONDS [FILE ...]
"""

import gc
import json
import os
import sys
import time
import warnings
from pathlib import Path

import psutil
from nicegui import Client, core
from nicegui import app as pages

from waiting import PATIENCE
from walkon.network import Address
from walkon.web import server
from walkon.web.controller import Controller
from walkon.web.host import Host, read_brought
from walkon.web.results import Run


@pages.get("/census")
def census() -> dict[str, int]:
    """How many pages, stages and bytes there are."""
    gc.collect()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        controllers = sum(isinstance(each, Controller) for each in gc.get_objects())
    return {
        "clients": len(Client.instances),
        "stages": controllers,
        "bytes": psutil.Process(os.getpid()).memory_info().rss,
    }


@pages.get("/cpu")
def cpu() -> float:
    """The CPU seconds of this process."""
    return time.process_time()


@pages.on_startup
def wait_for_slow_visitors() -> None:
    """Hold no visitor for gone whose computer is busy: how long a page may be away says nothing about that."""
    core.sio.eio.ping_timeout = PATIENCE


async def nothing(host: Host) -> None:
    """The tests play small worlds: what most people play first need not be ready."""


def pressed(controller: Controller, key: str, as_usual=Controller.key) -> None:
    """A key that breaks the page, to see what becomes of it."""
    if key == "n":
        raise RuntimeError("a secret of the server")
    as_usual(controller, key)


def main() -> None:
    """Serve until the process is stopped."""
    Host.prepare, Controller.key = nothing, pressed
    server.RECONNECT = float(sys.argv[2])
    paths = [Path(name) for name in sys.argv[3:]]
    folders = [path for path in paths if path.is_dir()]
    own = read_brought([path for path in paths if path.is_file()]) if any(path.is_file() for path in paths) else None
    server.serve(
        Host(1, own),
        Address(port=int(sys.argv[1])),
        lambda address: print(json.dumps({"address": address.removesuffix("results")}), flush=True),
        Run(folders[0]) if folders else None,
    )


if __name__ == "__main__":
    main()
