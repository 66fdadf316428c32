"""Load the gallery: the table of widgets beside each page."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).with_name("pages")
PACKAGES = Path(__file__).with_name("node_modules")
SLOT = re.compile(r"\{(\w+)(?:@(-?\d+),(-?\d+))?\}")
"""`{name}` stands for an element in an action, `{name@30,-5}` for a point right of its centre and above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """How an element is found: `line` is text of its line in the prompt, `at` which of these lines counted
    from 1; `css` is for Playwright.
    """

    line: str
    css: str
    at: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """One thing to do. `name` is the key of its check in the page's `checks`; `chains` are the actions of
    one model reply after the other, `derived` what the model says of their values; `by_hand` are Playwright's
    own where they differ.
    """

    page: str
    library: str
    name: str
    goal: str
    chains: tuple[tuple[str, ...], ...]
    by_hand: tuple[str, ...]
    derived: tuple[str, ...]
    elements: Mapping[str, Element]

    @property
    def hand_actions(self) -> tuple[str, ...]:
        """What Playwright does."""
        return self.by_hand or tuple(one for chain in self.chains for one in chain)


def all_widgets() -> tuple[Widget, ...]:
    """Every widget, by page."""
    return tuple(one for file in sorted(PAGES.glob("*.toml")) for one in _read(file))


def _read(file: Path) -> list[Widget]:
    table = tomllib.loads(file.read_text("utf-8"))
    return [
        Widget(
            page=f"{file.stem}.html",
            library=one.get("library", table["library"]),
            name=one["name"],
            goal=one["goal"],
            chains=tuple(tuple(chain) for chain in one["chains"]),
            by_hand=tuple(one.get("by_hand", ())),
            derived=tuple(one.get("derived", ())),
            elements={name: Element(**found) for name, found in one.get("where", {}).items()},
        )
        for one in table["widget"]
    ]
