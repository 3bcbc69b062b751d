"""The page for everybody: by keyboard alone, light and dark, wide and narrow, with names for all that can be used."""

import pytest
from playwright.sync_api import expect

from page_reading import SMALL_WORLD, press, step

CONTRAST = """() => {
  const parts = (c) => {
    const m = c.match(/[\\d.]+/g).map(Number);
    return c.startsWith('color(') ? m.slice(0, 4).map((v, i) => i < 3 ? 255 * v : v) : m;
  };
  const linear = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = parts(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0.99) return c;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const e of document.querySelectorAll('main *, header *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest('svg') || !e.offsetParent) continue;
    const [a, b] = [light(parts(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) bad.push(`${e.tagName}.${e.className} ${e.textContent.slice(0, 30)} ${contrast.toFixed(2)}`);
  }
  return bad;
}"""
SHADES = """() => {
  const table = document.querySelector('.heat'), row = table.insertRow();
  for (let p = 0.02; p <= 1; p += 0.02) {
    const cell = Object.assign(row.insertCell(), { textContent: '99', className: p > 0.6 ? 'dark' : '' });
    cell.style.setProperty('--p', p.toFixed(2));
  }
}"""
NAMELESS = """() => [...document.querySelectorAll('button, select, input, a, [role=img], table')]
  .filter((e) => !(e.innerText?.trim() || e.getAttribute('aria-label') || e.closest('label')?.innerText.trim()))
  .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_it_reads_well_light_and_dark_wide_and_narrow(visit, address, light, width, height):
    page = visit(
        f"{address}/?{SMALL_WORLD}&task=1&moves=0.4.1", color_scheme=light, viewport={"width": width, "height": height}
    )
    expect(page.locator(".did")).to_contain_text("Step 3 of")
    assert page.evaluate(NAMELESS) == []
    page.evaluate(SHADES)  # every shade of the heat maps
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing to scroll sideways for
    grounds = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("[data-light-switch]").click()
    page.locator("[data-light-switch]").click()
    assert (page.evaluate("getComputedStyle(document.body).backgroundColor") == grounds) == (light == "dark")
    for landmark in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1, landmark


@pytest.mark.parametrize(
    ("width", "height"), [(2560, 1440), (1440, 900), (1280, 720), (1024, 768), (844, 390), (390, 844)]
)
@pytest.mark.parametrize("path", ["", "compare"])
def test_board_moves_and_belief_are_on_one_screen(visit, address, path, width, height):
    page = visit(f"{address}/{path}?{SMALL_WORLD}&task=1&moves=0.4.1", viewport={"width": width, "height": height})
    expect(page.locator(".did").last).to_contain_text("Step 3 of")
    for part in (".board", ".pad", ".belief .bars"):
        for each in page.locator(part).filter(visible=True).all():
            there = each.bounding_box()
            assert 0 <= there["x"] <= width - there["width"], part
            assert 0 <= there["y"] <= height - there["height"], part
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_results_read_well_light_and_dark_wide_and_narrow(visit, results):
    for light, width in (("light", 1440), ("dark", 1440), ("light", 390), ("dark", 844)):
        page = visit(f"{results}/results", color_scheme=light, viewport={"width": width, "height": 844})
        expect(page.locator(".trials tbody tr").first).to_be_visible()
        expect(page.locator("[data-large]").first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        assert page.evaluate(CONTRAST) == []
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.get_by_role("heading", level=1).count() == page.get_by_role("main").count() == 1


def test_everything_can_be_done_with_the_keyboard_alone(visit, address):
    page = visit(f"{address}/?{SMALL_WORLD}&task=1")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "(document.activeElement.closest('label') ?? document.activeElement).innerText.split('\\n')[0]"
            )
        )
    for name in ("walkon", "Play", "Compare", "World", "Size", "Task", "Teammate", "Agent", "Step", "Keys"):
        assert name in reached, name
    assert reached.index("World") < reached.index("Agent") < reached.index("Step")
    page.locator("select[name=agent]").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".goal")).to_contain_text("ATPO Greedy has to find out")
    assert page.evaluate("document.activeElement.name") == "agent"  # the focus stays
    page.get_by_role("button", name="Up, key ↑").focus()
    before = step(page)
    page.keyboard.press("Enter")
    expect(page.locator(".did")).to_contain_text(f"Step {before + 1} of")
    press(page, "ArrowDown")
