"""Film the first game for README and site, and photograph the boards of three worlds.

A browser plays them on the page that `walkon export-page` writes.

The page's own animations are stopped and set to three points of each move, so that the film is the same each time.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from walkon.web.first_game import export

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
SCREEN = {"width": 1080, "height": 700}
MOVES = ["ArrowLeft"] * 4 + ["ArrowDown"] * 2 + [" "]  # those that the guide suggests
STILL = 4  # the step of the picture: the agent has just seen its teammate and a prey
SHARES = (0.08, 0.3, 1.0)  # of a move's animations that are over in each of its pictures
HOLD, GLIDE, END = 1900, 90, 4200  # milliseconds
BOARDS = {  # a moment of each world, reached by the moves that the page suggests
    "night-pursuit": ("#world=night-pursuit&noise=0.3&task=2&seed=164", 4),
    "pursuit": ("#world=pursuit&task=0&seed=1", 3),
    "overcooked": ("#world=overcooked&task=3&seed=25", 8),
}
MOVE = """([key, share]) => {
  if (key) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  for (const each of document.getAnimations()) {
    const { delay, duration, iterations } = each.effect.getComputedTiming();
    each.pause();
    each.currentTime = iterations === Infinity ? 0 : share * (delay + duration);
  }
}"""


def play(page: Page) -> Iterator[tuple[int, int, bytes]]:
    """Play the game: the step of each picture, how long it is shown, and the picture."""
    yield 0, HOLD, page.screenshot()
    for t, key in enumerate(MOVES, 1):
        for share in SHARES:
            page.evaluate(MOVE, [key if share == SHARES[0] else "", share])
            length = GLIDE if share < 1 else END if t == len(MOVES) else HOLD
            yield t, length, page.screenshot()


def film(browser: Browser, address: str, light: str, name: str) -> None:
    """Save the film, and if it is light also the still picture."""
    page = browser.new_page(viewport=SCREEN, color_scheme=light)
    page.goto(address)
    page.wait_for_selector(".piece")
    page.evaluate(MOVE, ["", 1])
    steps, lengths, pictures = zip(*play(page), strict=True)
    if light == "light":
        last = max(i for i, t in enumerate(steps) if t == STILL)
        (HERE / "first-game.png").write_bytes(pictures[last])
    first, *others = (Image.open(BytesIO(each)).convert("RGB") for each in pictures)
    options = {"duration": list(lengths), "loop": 0, "quality": 82, "method": 6, "minimize_size": True}
    first.save(HERE / name, append_images=others, save_all=True, **options)


def photograph(browser: Browser, address: str, name: str, moves: int) -> None:
    """Save the board of a world after some moves, each with the size of a square."""
    page = browser.new_page(viewport=SCREEN, reduced_motion="reduce", device_scale_factor=1.5)
    page.goto(address)
    page.wait_for_selector(".piece")
    for _ in range(moves):
        page.locator("#pad .glows").first.click()
    page.add_style_tag(
        content="#bubble, .hint-arrow, .hint-ring { display: none !important; } #board { border-radius: 0; }"
    )
    page.locator("#board").screenshot(path=HERE / f"board-{name}.png", omit_background=True)
    page.close()


def main() -> None:
    """Film it light and dark, and photograph the boards."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        export(Path(folder) / "game")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (start, moves) in BOARDS.items():
            photograph(browser, f"file://{folder}/game/index.html{start}", name, moves)
        film(browser, f"file://{folder}/game/index.html", "light", "first-game.webp")
        film(browser, f"file://{folder}/game/index.html", "dark", "first-game-dark.webp")
        browser.close()


if __name__ == "__main__":
    main()
