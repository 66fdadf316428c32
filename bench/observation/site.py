"""The pages to observe: third-party interfaces, generated pages, or any folder of HTML."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGES = Path(__file__).with_name("pages")
PACKAGES = Path(__file__).parents[2] / "tests" / "pages" / "node_modules"
TEMPLATES = "startbootstrap-sb-admin-2"


@dataclass(frozen=True, slots=True)
class Site:
    """A base URL and the paths of its pages."""

    url: str
    paths: tuple[str, ...]


class _Folder(SimpleHTTPRequestHandler):
    """A folder, with the installed packages under /packages/."""

    def __init__(self, *args: Any, packages: Path, **more: Any) -> None:
        self._packages = str(packages)
        super().__init__(*args, **more)

    def translate_path(self, path: str) -> str:
        if path.startswith("/packages/"):
            root, self.directory = self.directory, self._packages
            try:
                return super().translate_path(path.removeprefix("/packages"))
            finally:
                self.directory = root
        return super().translate_path(path)

    def log_message(self, *args: object) -> None:
        """Suppress the access log: the table is the output."""


@contextmanager
def serve_site(folder: Path | None, packages: Path = PACKAGES) -> Iterator[Site]:
    """Serve the pages of a folder, by default those of this benchmark, on a free loopback port."""
    handler = functools.partial(_Folder, directory=str(folder or PAGES), packages=packages)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Site(f"http://127.0.0.1:{server.server_port}", _paths(folder))
    finally:
        server.shutdown()
        server.server_close()


def _paths(folder: Path | None) -> tuple[str, ...]:
    if folder:
        return tuple(sorted(str(file.relative_to(folder)) for file in folder.rglob("*.html")))
    own = [f"{file.name}" for file in PAGES.glob("*.html") if not file.stem.startswith("inner")]
    templates = [
        f"packages/{TEMPLATES}/{file.name}" for file in (PACKAGES / TEMPLATES).glob("*.html")
    ]
    others = ["packages/jquery-ui-dist/index.html", "antd.html?modal=1"]
    return (*sorted(own), *sorted(templates), *others)
