"""Where the bundled page was served, so that a recipe made there finds it again."""

import json
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

PORT = 8788  # the bundled page's own; another where it is taken
MOST = 50  # sites that are remembered, the newest


def remember(data_dir: Path, url: str) -> None:
    """Note that the bundled page is served at that address."""
    site = urlsplit(url).netloc
    known = [one for one in _known(data_dir) if one != site]
    data_dir.mkdir(parents=True, exist_ok=True)
    _place(data_dir).write_text(json.dumps([*known, site][-MOST:]), "utf-8")


def port_of(data_dir: Path, site: str) -> int | None:
    """The port of a site that was the bundled page's; None for any other site."""
    if site not in _known(data_dir):
        return None
    return int(site.rpartition(":")[2])


def _known(data_dir: Path) -> list[str]:
    with suppress(FileNotFoundError, ValueError):
        found = json.loads(_place(data_dir).read_text("utf-8"))
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
    return []


def _place(data_dir: Path) -> Path:
    return data_dir / "bundled-page.json"
