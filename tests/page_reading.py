"""Helpers for tests in a browser: read the page, and press its keys."""

import re

from playwright.sync_api import expect

SMALL_WORLD = "world=night-pursuit&size=3&noise=0.1&tasks=2&seed=8"


def beliefs(page):
    return [plain(text) for text in page.locator(".belief .bar-value").all_inner_texts()]


def plain(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


def press(page, key):
    """A key, and the step that it leads to."""
    before = page.locator(".did").first.text_content()
    page.keyboard.press(key)
    expect(page.locator(".did").first).not_to_have_text(before)


def step(page):
    return int(re.search(r"Step (\d+) of", page.locator(".did").first.inner_text())[1])
