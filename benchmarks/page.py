"""Measure the speed of the page: first paint and keys in a browser, and keys with many visitors at once.

python benchmarks/page.py [PEOPLE]
"""

import asyncio
import random
import sys
import time
from pathlib import Path

import httpx
import numpy as np
from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from chromium import chromium
from page_visitor import Visitor, page_server

WORLD = "world=night-pursuit&size=5&noise=0.3&tasks=4&task=2"  # 625 states, K = 4
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
    print(f"{what:<48} median {np.median(ms):7.1f} ms   95 % {np.quantile(ms, 0.95):7.1f} ms   max {ms.max():7.1f} ms")


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


async def together(address: str, people: int) -> None:
    """Measure with many visitors, each pressing a key about twice a second."""
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=10)) as client:
        visitors = [await Visitor(address, f"{WORLD}&seed={i}").arrive(client) for i in range(people)]
    await asyncio.gather(*(visitor.until("Step ") for visitor in visitors))
    began = time.perf_counter()
    await asyncio.gather(*(each.play(random.Random(i), 20, (0.2, 0.8)) for i, each in enumerate(visitors)))
    rate = people * 20 / (time.perf_counter() - began)
    said(f"{people} visitors, {rate:.0f} keys per second: a key", [each for v in visitors for each in v.latencies])
    for visitor in visitors:
        await visitor.leave()


def main() -> None:
    """Measure the page after its policies have been solved."""
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with page_server() as address:
        asyncio.run(together(address, 1))
        in_a_browser(address)
        asyncio.run(together(address, people))


if __name__ == "__main__":
    main()
