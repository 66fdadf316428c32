"""How well the rules of `app.engines.risk` tell the risk of a control: recall and false alarms.

Run: `python -m bench.risk_words [dev|held|held2 …]`. The tables are per language and per effect; what
was missed or raised in vain is named. The sets are in `tests/data/risk`; their first lines say how they
are written.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.domain.action import Action, action
from app.domain.page import Node, Observation, Tree
from app.domain.risk import Risk
from app.engines.risk import assess

SETS = Path(__file__).parents[1] / "tests" / "data" / "risk"
RECALL = 0.99  # the least share of dangerous controls that must be found
FALSE_ALARMS = 0.05  # the largest share of harmless ones that may be raised
HARMLESS = {"-": "low", "~": "medium"}


@dataclass(frozen=True)
class Labelled:
    """One control as a person judged it: `effect` is "-" or "~" for a harmless one."""

    language: str
    app: str
    effect: str
    action: Action
    node: Node | None
    page: Observation

    @property
    def dangerous(self) -> bool:
        """Whether a person should be asked."""
        return self.effect not in HARMLESS

    @property
    def text(self) -> str:
        """The control as it is named in a table."""
        if self.node is None:
            return self.action.text
        return f"{self.node.role} {self.node.name!r} in {self.node.group!r} {self.action.name}"


@dataclass
class Count:
    """What was found of some controls."""

    dangerous: int = 0
    found: int = 0
    named: int = 0  # found, with the effect that a person named
    harmless: int = 0
    raised: int = 0
    missed: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    def add(self, one: Labelled, risk: Risk) -> None:
        """One more control."""
        high = risk.level == "high"
        if one.dangerous:
            self.dangerous += 1
            self.found += high
            self.named += high and one.effect in risk.effects
            if not high:
                self.missed.append(f"{one.language} {one.effect}: {one.text}")
        else:
            self.harmless += 1
            self.raised += high
            if high:
                self.alarms.append(f"{one.language} {risk.effects}: {one.text}")

    @property
    def row(self) -> str:
        """Recall and false alarms, with the counts they are of."""
        recall = f"{self.found / self.dangerous:7.1%}" if self.dangerous else "      -"
        alarms = f"{self.raised / self.harmless:7.1%}" if self.harmless else "      -"
        return f"{recall} of {self.dangerous:4}   {alarms} of {self.harmless:4}"


def labelled(name: str) -> Iterator[Labelled]:
    """The controls of a set."""
    for line in (SETS / f"{name}.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield _labelled(line)


def _labelled(line: str) -> Labelled:
    language, app, effect, role, name, group, *more = line.split("|")
    extras = [part.partition("=") for part in "|".join(more).split(";;") if part]
    told = {key: value for key, _, value in extras}
    does, _, what = told.get("act", "click").partition(":")
    node = None if role == "-" else Node(
        id="1", role=role, name=name, group=group, input_type=told.get("type"), hint=told.get("hint", ""),
        value=told.get("value"), box=(100.0, 100.0, 80.0, 20.0),
        states=frozenset(told.get("states", "").split()) | ({"focused"} if does == "enter" else set()),
    )  # fmt: skip
    others = [_beside(i, value) for i, (key, _, value) in enumerate(extras, 2) if key == "with"]
    nodes = [one for one in (node, *others) if one is not None]
    if does == "drag":
        nodes.append(_beside(99, what))
    page = Observation(
        url=told.get("url", "https://app.example/"), tree=Tree.of(nodes),
        summary=told.get("sum", "").replace("\\n", "\n"),
    )  # fmt: skip
    return Labelled(language, app, effect, _action(does, what), node, page)


def _beside(number: int, text: str) -> Node:
    """`role:name:group`, an input's type behind the role (`inp/password`), a value behind the name (`~x`)."""
    role, name, group = (*text.split(":", 2), "")[:3]
    kind, _, input_type = role.partition("/")
    called, _, value = name.partition("~")
    states = frozenset({"checked"}) if value == "checked" else frozenset()
    return Node(id=str(number), role=kind, name=called, group=group, input_type=input_type or None,
                value=value or None, states=states)  # fmt: skip


def _action(does: str, what: str) -> Action:
    if does == "drag":
        return action("dragTo", "1", "99")
    made = {
        "click": lambda: action("click", "1"),
        "at": lambda: action("clickAt", 110, 110),
        "check": lambda: action("setChecked", "1", True),
        "uncheck": lambda: action("setChecked", "1", False),
        "choose": lambda: action("selectOption", "1", what),
        "set": lambda: action("setValue", "1", what),
        "enter": lambda: action("pressKey", "Enter"),
        "key": lambda: action("pressKey", what),
        "go": lambda: action("navigate", what),
        "upload": lambda: action("uploadFile", "1", what or "a.pdf"),
    }
    return made[does]()


def measure(controls: Iterable[Labelled]) -> dict[str, Count]:
    """The counts by "all", by language and by effect."""
    counts: dict[str, Count] = {"all": Count()}
    for one in controls:
        risk = assess(one.action, one.node, one.page)
        kind = one.effect if one.dangerous else f"harmless, {HARMLESS[one.effect]}"
        for key in ("all", one.language, kind):
            counts.setdefault(key, Count()).add(one, risk)
    return counts


def levels(controls: Iterable[Labelled]) -> Counter[tuple[str, str]]:
    """How often a level that a person gave (high, medium, low) got which."""
    return Counter(
        (HARMLESS.get(one.effect, "high"), assess(one.action, one.node, one.page).level)
        for one in controls
    )


def _timed(controls: list[Labelled]) -> float:
    """Milliseconds of one assessment among 500 other controls, in the mean."""
    rows = [
        Node(id=f"r{i}", role="btn", name="Edit", group=f"list: All > row: Person {i}")
        for i in range(500)
    ]
    pages = [
        Observation(url=c.page.url, summary=c.page.summary, tree=Tree.of([*c.page.tree, *rows]))
        for c in controls
    ]
    for one, page in zip(controls, pages, strict=True):
        assess(one.action, one.node, page)
    began = time.process_time()
    for one, page in zip(controls, pages, strict=True):
        assess(one.action, one.node, page)
    return 1_000 * (time.process_time() - began) / len(controls)


def main() -> None:
    """Print the tables."""
    for name in sys.argv[1:] or sorted(path.stem for path in SETS.glob("*.txt")):
        controls = list(labelled(name))
        counts = measure(controls)
        print(
            f"\n{name}: {len(controls)} controls, {_timed(controls):.3f} ms each on a page of 500"
        )
        print(f"{'':18}{'recall':>7}{'':14}false alarms")
        for key, count in counts.items():
            print(f"{key:18}{count.row}")
        print(f"the effect named too: {counts['all'].named} of {counts['all'].found}")
        print(f"levels (a person's, ours): {dict(levels(controls))}")
        for title, names in (("missed", counts["all"].missed), ("in vain", counts["all"].alarms)):
            for text in names:
                print(f"  {title}: {text}")


if __name__ == "__main__":
    main()
