"""Load the gallery: the table of widgets beside each page."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).with_name("pages")
PACKAGES = Path(__file__).with_name("node_modules")
SLOT = re.compile(r"\{(\w+)(?:@(-?\d+),(-?\d+))?\}")
"""`{name}` is an element in an action, `{name@30,-5}` a point 30 px right of and 5 px above its centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """How to find an element: `line` is text in its prompt line, `at` counts matching lines from 1; `css`
    is for Playwright.
    """

    line: str
    css: str
    at: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """One task. `name` is the key of its check in the page's `checks`; `chains` are the actions of
    successive model replies, `derived` what the model declares about their values; `by_hand` are
    Playwright's own actions if they differ.
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
        """The actions for Playwright."""
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
