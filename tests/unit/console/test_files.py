"""What must hold of the console's files as text: what is vendored is what is written down, and nothing parses
markup or leaves for another server.
"""

import re
from hashlib import sha256
from pathlib import Path

from app.api.routes.console import FOLDER, files

VENDOR = FOLDER / "vendor"
THEME = Path(__file__).parents[3] / "extension/panel/theme.css"
OWN = [path for path in FOLDER.rglob("*") if path.suffix in {".js", ".css", ".html"}]
UNSAFE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|setHTML|createContextualFragment"
    r"|\beval\(|new Function|localStorage|document\.cookie|\bon\w+=\"|style=\""
)


def texts() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in OWN if path.parent != VENDOR}


def test_what_is_vendored_is_what_is_written_down() -> None:
    written = re.findall(
        r"`([^`]+\.js)`.*`([0-9a-f]{64})`", (VENDOR / "README.md").read_text("utf-8")
    )
    there = {path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")}
    assert dict(written) == there


def test_nothing_parses_markup_or_keeps_the_key_longer_than_the_tab() -> None:
    found = [(name, match[0]) for name, text in texts().items() for match in UNSAFE.finditer(text)]
    assert not found


def test_nothing_is_asked_of_another_server() -> None:
    address = re.compile(r"https?://(?!www\.w3\.org/2000/svg)[\w.]+")
    assert not [(name, found) for name, text in texts().items() for found in address.findall(text)]


def test_its_colours_are_those_of_the_extension() -> None:
    def tokens(path: Path) -> list[str]:
        return re.findall(r"--[\w-]+: #[0-9a-f]+", path.read_text("utf-8"))

    assert tokens(FOLDER / "theme.css") == tokens(THEME)
    assert len(tokens(THEME)) > 20


def test_every_module_that_is_named_is_served() -> None:
    for name, file in files().items():
        if not name.endswith(".js") or name.startswith("vendor/"):
            continue
        for found in re.findall(r'^import .*from "(\.[^"]+)"', file.content.decode(), re.M):
            path = (FOLDER / name).parent / found
            assert path.resolve().relative_to(FOLDER).as_posix() in files(), (name, found)
