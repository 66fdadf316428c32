"""A model that knows the right actions, and finds the ids of the elements in its prompt."""

import re
from typing import Any

from bench.gallery.widgets import SLOT, Element, Widget
from tests.fakes.calls import Call

_LINE = re.compile(
    r"^\s*(?:[+~] )?(?P<id>\d+(?::\d+)*)(?P<rest>(?: @(?P<x>-?\d+),(?P<y>-?\d+) \S+)? .*)$"
)
_TEXT = re.compile(r"^> (?:.*\| )?@(?P<x>-?\d+),(?P<y>-?\d+) (?P<rest>.*)$")  # as `find` reports it
_CELLS = re.compile(r"(?:: |, )(?=\d+(?::\d+)*(?: |, |$))")  # a row lists its controls in one line
_REFUSED = re.compile(
    r"(?:not sent: |Your last proposal was not sent:\s+)(?P<why>.*)", re.IGNORECASE
)


class NotSeen(Exception):
    """An element or its position is not in the prompt."""


class Expert:
    """Answers the calls of one run. `trouble` says why an action could not be expressed or executed."""

    def __init__(self, widget: Widget) -> None:
        self._left = list(widget.chains)
        self._widget = widget
        self.trouble: list[str] = []
        self._sought: set[str] = set()

    def __call__(self, call: Call) -> Any:
        if not call.asks_for("do"):
            return _agreeing(call)
        self.trouble += [found["why"] for found in _REFUSED.finditer(call.prompt)]
        chain = self._left.pop(0) if self._left else ()
        try:
            actions = [self._written(one, call) for one in chain]
        except NotSeen as error:
            text = error.args[-1].strip(' "').rpartition('"')[2]
            if len(error.args) > 1 and text not in self._sought:  # it may be a text, or out of view
                self._sought.add(text)
                self._left.insert(0, chain)
                return _reply([f'find("{text}")'], last=False)
            self.trouble.append(str(error.args[0]))
            self._left.clear()
            actions = []
        derived = list(self._widget.derived)
        return _reply(actions, last=not self._left) | {"derived": derived}

    def _written(self, action: str, call: Call) -> str:
        filled = SLOT.sub(lambda slot: self._filled(slot, call), action)
        return re.sub(r"^click\((?=-?\d+, )", "clickAt(", filled)

    def _filled(self, slot: re.Match[str], call: Call) -> str:
        line = _found(self._widget.elements[slot[1]], call.prompt)
        if slot[2] is None:
            return f'"{line["id"]}"' if "id" in line.groupdict() else f"{line['x']}, {line['y']}"
        if line["x"] is None:
            raise NotSeen(f"no position given: {line[0].strip()}")
        return f"{int(line['x']) + int(slot[2])}, {int(line['y']) + int(slot[3])}"


def _found(element: Element, prompt: str) -> re.Match[str]:
    told = (_cells(line) if "row: " in line else [line] for line in prompt.splitlines())
    lines = (_LINE.match(part) or _TEXT.match(part) for parts in told for part in parts)
    found = [line for line in lines if line and element.line in line["rest"]]
    if len(found) < element.at:
        raise NotSeen(f"not in the prompt: {element.line}", element.line)
    return found[element.at - 1]


def _cells(line: str) -> list[str]:
    """The controls in a row's line; unnamed ones with their part of the row's label."""
    row, *cells = _CELLS.split(line)
    names = iter(row.split("row: ")[-1].split(", "))
    return [cell if " " in cell else f'{cell} "{next(names, "")}"' for cell in cells]


def _reply(actions: list[str], *, last: bool) -> dict[str, Any]:
    opening = {"intent": "operation", "steps": [{"text": "Do what was asked for"}]}
    said = {
        "thought": "This is next.",
        "ends": last,
        "sure": 0.95,
        "effect": "fills",
        "strategy": "go on",
    }
    return opening | said | {"do": actions or ['fail("That is all")']}


def _agreeing(call: Call) -> dict[str, Any]:
    answers = {
        "wanted": True, "ok": True, "worked": "yes", "reached": "yes", "found": True, "solved": True,
        "sure": 0.95,
    }  # fmt: skip
    properties = {name: value for name, value in answers.items() if call.asks_for(name)}
    return {"effect": "fills", "why": "", "quote": ""} | properties
