"""The README as the package index shows it: its links and pictures get full addresses, those of `[project.urls]`."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r'(?<=\]\()([^)\s]+)(?=\))|(?<=src=")([^"]+)(?=")')


class Readme(MetadataHookInterface):
    """Reads README.md and puts it into the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the field `readme`."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        urls = metadata["urls"]
        absolute = LINK.sub(lambda found: full(found[0], urls["Documentation"], urls["Source"]), text)
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute}


def full(path: str, site: str, source: str) -> str:
    """Return the full address of what README.md leads to: pages and pictures of docs/ are on the site."""
    if re.match(r"\w+:", path):
        return path
    if path.startswith("docs/"):
        return site + re.sub(r"\.md(?=#|$)", ".html", path.removeprefix("docs/"))
    return f"{source}/blob/main/{path}"
