"""Make preview.png, the picture that is shown beside a link to the site, from the one film.py took of the game."""

from base64 import b64encode
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
PAGE = """
<style>
  body {{ margin: 0; width: 1200px; height: 630px; background: #fff; color: #1f2430;
    font-family: "DejaVu Sans", sans-serif; display: grid; grid-template-columns: 440px 1fr; align-items: center; }}
  section {{ padding: 0 0 0 56px; }}
  section svg {{ width: 88px; height: 88px; }}
  h1 {{ font-size: 64px; margin: 18px 0; }}
  p {{ font-size: 25px; line-height: 1.4; margin: 0; }}
  main img {{ width: 680px; border-radius: 16px; box-shadow: 0 2px 20px #0003; }}
</style>
<section>{mark}<h1>walkon</h1>
<p>An agent joins a team it has never met, works out what the team is doing, and helps.</p></section>
<main><img src="data:image/png;base64,{game}"></main>
"""


def main() -> None:
    """Lay out the page, and photograph it."""
    game = b64encode((HERE / "first-game.png").read_bytes()).decode()
    page = PAGE.format(mark=(HERE / "mark.svg").read_text(), game=game)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        sheet = browser.new_page(viewport={"width": 1200, "height": 630})
        sheet.set_content(page)
        sheet.screenshot(path=HERE / "preview.png", animations="allow")
        browser.close()


if __name__ == "__main__":
    main()
