"""The cases of `bench/data/scenes`: the application, the expected state, and a model's moves."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.scenes.language import App
from bench.scenes.page import Page

DATA = Path(__file__).resolve().parents[1] / "data" / "scenes"
SETS = ("trap", "twin", "goal")


@dataclass(frozen=True)
class Case:
    """One goal on one application. It is reached if `truth` holds for the saved state and the result
    contains every text of `says`; with neither it cannot be reached. `acts` are a model's actions as
    `Name = value @ row`. `approve` is the object whose approval must be requested exactly once;
    `allows` is one whose approval may be requested.
    """

    name: str
    group: str  # the kind of a trap, otherwise the application's name
    app: App
    at: str
    goal: str
    acts: tuple[str, ...]
    truth: Mapping[str, str] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    quote: str = ""
    claims: str = ""  # an overconfident model's final message
    approve: str = ""
    allows: str = ""
    language: str = "en"
    reachable: bool = True

    def open(self) -> Page:
        host = self.name.replace("/", "-").replace("_", "-")
        return Page(self.app, self.at, f"{host}.example")

    def reached(self, page: Page, result: str) -> bool:
        said = result.casefold()
        return (
            self.reachable
            and all(page.saved.get(key, "") == value for key, value in self.truth.items())
            and all(_stands_in(text.casefold(), said) for text in self.says)
        )


def _stands_in(text: str, said: str) -> bool:
    """Whether the text occurs as whole words and numbers."""
    return re.search(f"(?<![0-9a-z]){re.escape(text)}(?![0-9a-z])", said) is not None


def cases(kind: str, folder: Path = DATA) -> list[Case]:
    """All cases of kind `trap`, `twin` or `goal`."""
    return [case for file in sorted(folder.glob("*.toml")) for case in _of_file(file, kind)]


def _of_file(file: Path, kind: str) -> list[Case]:
    told = tomllib.loads(file.read_text("utf-8"))
    app = App(
        name=told["name"],
        pages=told["pages"],
        nav=told.get("nav", {}),
        lists=told.get("lists", {}),
        start=told.get("start", {}),
    )
    language = told.get("language", "en")
    return [
        _case(
            app, f"{file.stem}/{kind}{number}", one, told.get("at", next(iter(app.pages))), language
        )
        for number, one in enumerate(told.get(kind, ()), start=1)
    ]


def _case(app: App, name: str, told: dict[str, Any], at: str, language: str) -> Case:
    told = dict(told)
    pages = {page: _swapped(text, told.get("swap", {})) for page, text in app.pages.items()}
    for page, more in told.get("adds", {}).items():
        pages[page] = f"{pages[page].rstrip()}\n{more}\n"
    missing = [
        old for old in told.get("swap", {}) if not any(old in text for text in app.pages.values())
    ]
    if missing:
        raise ValueError(f"{name}: not on any page: {missing}")
    changed = replace(
        app,
        pages=pages,
        start={**app.start, **told.get("start", {})},
        faults=told.get("faults", {}),
        lists={**app.lists, **told.get("lists", {})},
    )
    return Case(
        name=name,
        group=told.get("kind", name.partition("/")[0]),
        app=changed,
        at=told.get("at", at),
        goal=told["goal"],
        acts=tuple(told.get("acts", ())),
        truth=told.get("truth", {}),
        says=tuple(told.get("says", ())),
        quote=told.get("quote", ""),
        claims=told.get("claims", ""),
        approve=told.get("approve", ""),
        allows=told.get("allows", ""),
        language=language,
        reachable="truth" in told or "says" in told,
    )


def _swapped(text: str, swap: Mapping[str, str]) -> str:
    for old, new in swap.items():
        text = text.replace(old, new)
    return text


def chosen(found: Sequence[Case], only: str) -> list[Case]:
    """The cases whose name, kind or goal contains these words."""
    return [one for one in found if only in f"{one.name} {one.group} {one.goal}"]
