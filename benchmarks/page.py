"""Measure the page: in a browser, with many visitors at once, and with one who asks for much while another plays.

python benchmarks/page.py [VISITORS] [PLAYERS]
"""

import asyncio
import sys
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from chromium import chromium
from page_load import DEMANDS, WORLD, cpu, keys_of_another, open_at_once, play_together
from page_visitor import page_server

KEYS = ["ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"]
WATCH = """() => {
  window.delays = [];
  let pressed = null;
  document.addEventListener("keydown", () => (pressed = performance.now()), true);
  const seen = () => {
    if (pressed === null) return;
    const began = pressed;
    pressed = null;
    requestAnimationFrame(() => window.delays.push(performance.now() - began));
  };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(seen).observe(document.querySelector(".belief"), all);
}"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def said(what: str, seconds: list[float]) -> None:
    """Print one line of the table."""
    ms = 1e3 * np.array(seconds)
    print(f"{what:<60} median {np.median(ms):7.1f} ms   95 % {np.quantile(ms, 0.95):7.1f} ms   max {ms.max():7.1f} ms")


def in_a_browser(address: str) -> None:
    """Measure the first paint, and the time from a key to the redrawn belief."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        paints = []
        for seed in range(5):
            page = browser.new_context().new_page()
            page.goto(f"{address}/?{WORLD}&seed={seed}")
            page.wait_for_selector(".board")
            paints.append(page.evaluate(PAINT) / 1e3)
        page.evaluate(WATCH)
        for i in range(60):
            page.keyboard.press(KEYS[i % 4])
            time.sleep(0.1)
        said("first paint, an empty browser", paints)
        said("from a key to the belief on the screen", [each / 1e3 for each in page.evaluate("window.delays")])
        browser.close()


async def together(address: str, visitors: int, players: int) -> None:
    """Measure visitors who open the page at once, and then some of them who press a key a second."""
    before = cpu(address)
    found = await open_at_once(address, visitors)
    said(f"{visitors} open the page at once: can play after", [seconds for _, seconds in found])
    print(f"{'':<60} {1e3 * (cpu(address) - before) / visitors:7.1f} ms of the server's CPU each")
    for visitor, _ in found[players:]:
        await visitor.leave()
    playing = [visitor for visitor, _ in found[:players]]
    before = cpu(address)
    latencies = await play_together(playing, 20)
    said(f"{len(playing)} press a key a second: a key", latencies)
    print(f"{'':<60} {1e3 * (cpu(address) - before) / len(latencies):7.1f} ms of the server's CPU each")
    for visitor in playing:
        await visitor.leave()


def main() -> None:
    """Measure the page after its policies have been solved."""
    visitors, players = (int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((1, 200), (2, 80)))
    with page_server(reconnect=20.0) as address:
        asyncio.run(keys_of_another(address, "", 3))
        in_a_browser(address)
        asyncio.run(together(address, visitors, players))
        for what, demand in DEMANDS.items():
            said(f"a key, while another {what}"[:60], asyncio.run(keys_of_another(address, demand)))


if __name__ == "__main__":
    main()
