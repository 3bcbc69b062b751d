"""The browser of the tests: Debian's Chromium, or whatever WALKON_CHROMIUM names."""

import os
import shutil

LEFT_OUT = "LEFT OUT: the tests in a browser, since there is no Chromium: install it, or name one in WALKON_CHROMIUM"


def chromium():
    """Where it is; None if it is nowhere."""
    named = os.environ.get("WALKON_CHROMIUM")
    if named is not None:
        return named or None
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
