"""Take the screenshot of the page for README and documentation: four moves of the first game, looked at inside."""

import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

MOVES = "seed=164&task=2&moves=2.2.2.2"
CHROMIUM = "/usr/bin/chromium"


def main() -> None:
    """Serve the page, visit it, and save a screenshot."""
    words = [sys.executable, "-m", "walkon", "serve", "--port", "0", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as driver:
        assert server.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            text += server.stdout.readline()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{json.loads(text)['address']}play?{MOVES}")
        page.get_by_text("Step 4 of 50").wait_for(timeout=120_000)
        page.screenshot(path=Path(__file__).with_name("page.png"), animations="disabled", full_page=True)
        browser.close()
        server.terminate()


if __name__ == "__main__":
    main()
