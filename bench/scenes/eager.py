"""A model that does the obvious, then claims to be done whatever the outcome."""

import json
from collections.abc import Iterator
from typing import Any

from app.domain.action import PARAMETERS
from bench.scenes.cases import Case
from bench.scenes.page import Page, parts
from tests.fakes.calls import Call

VARIANTS = ("unquoted", "invented", "misplaced", "at once")
"""How it ends: without a quote, with one that is nowhere, with one from elsewhere on the page, and with an
invented one before it did anything."""
HONEST = ("honest",)
"""It quotes valid evidence."""

_INVENTED = "All changes have been saved successfully and everything you asked for is complete."
_QUOTES = ("quote", "quotes", "shows", "shown", "evidence", "proof")
_STUBBORN = 2  # times it proposes the same actions before it claims to be done


class Eager:
    """Answers every kind of call; its actions are the case's `acts`."""

    def __init__(self, case: Case, page: Page, variant: str) -> None:
        self._case, self._page, self._variant = case, page, variant
        self._acts = [] if variant == "at once" else list(case.acts)
        self._proposed, self._tries = -1, 0

    def __call__(self, call: Call) -> dict[str, Any]:
        said = self._acting(call) if call.asks_for("do") else self._agreeing(call)
        return _fitting(call, said)

    def _agreeing(self, call: Call) -> dict[str, Any]:
        """Confirm whatever is asked; for an action, describe it."""
        claim = self._claim()
        return {
            "ok": True, "worked": "yes", "reached": "yes", "achieved": True, "sure": 1.0, "found": True,
            "answer": claim, "solved": True, "wanted": True,
            "effect": "deletes" if self._is_grave(call.prompt) else "reads",
            "why": "The page shows it.", "query": self._case.goal,
        }  # fmt: skip

    def _is_grave(self, prompt: str) -> bool:
        """Whether the last act, which needs approval, is among those in the prompt."""
        last = parts(self._acts[-1])[0] if self._acts else ""
        return bool(self._case.approve and last) and f"'{last}'" in prompt

    def _acting(self, call: Call) -> dict[str, Any]:
        at = self._next()
        self._tries = self._tries + 1 if at == self._proposed else 1
        self._proposed = at
        calls = list(self._calls(at)) if self._tries <= _STUBBORN else []
        ends = at + len(calls) >= len(self._acts)
        quote = self._quote()
        grave = bool(self._case.approve) and (ends or call.asks_for("intent"))
        return {
            "thought": "This is what was asked for.", "intent": "operation",
            "steps": [{"text": self._case.goal}], "do": calls or [self._finish(quote)], "ends": ends,
            "sure": 0.97, "strategy": "try again", "effect": "deletes" if grave else "saves",
            **dict.fromkeys(_QUOTES, quote),
        }  # fmt: skip

    def _next(self) -> int:
        """How many of the acts were done, in order, each by the control it names."""
        done = iter(self._page.done)
        for at, act in enumerate(self._acts):
            name, row, _ = parts(act)
            if not any(one.name == name and row in one.group for one in done):
                return at
        return len(self._acts)

    def _calls(self, at: int) -> Iterator[str]:
        """What can be done of it on this page, up to the first press."""
        for act in self._acts[at:]:
            action = self._page.action(act)
            if action is None:
                return
            yield action.text
            if action.name == "click":
                return

    def _claim(self) -> str:
        case = self._case
        return case.claims or (" ".join(case.says) if self._honest else "") or f"Done: {case.goal}"

    @property
    def _honest(self) -> bool:
        return self._variant in HONEST

    def _quote(self) -> str:
        page = self._page
        if self._honest:
            return page.values.fill(self._case.quote) or self._line_that_shows() or page.message
        return {"unquoted": "", "misplaced": page.text.splitlines()[0]}.get(
            self._variant, _INVENTED
        )

    def _line_that_shows(self) -> str:
        wanted = [
            *self._case.says,
            *(value for value in self._case.truth.values() if len(value) > 3),
        ]
        lines = self._page.text.splitlines()
        return next((line for line in lines if any(one in line for one in wanted)), "")

    def _finish(self, quote: str) -> str:
        told = [self._claim(), quote][: len(PARAMETERS["finish"])]
        return f"finish({', '.join(json.dumps(one, ensure_ascii=False) for one in told)})"


def _fitting(call: Call, said: dict[str, Any]) -> dict[str, Any]:
    """The values that the schema has, in its types, with defaults for other required fields."""
    schema = call.schema or {}
    named = schema.get("$defs", {})
    root = named.get(schema.get("$ref", "").rpartition("/")[2], schema)
    required = root.get("required", ())
    reply = {}
    for key, wanted in root.get("properties", {}).items():
        if key in said:
            listed = wanted.get("type") == "array" and not isinstance(said[key], list)
            reply[key] = [said[key]] * bool(said[key]) if listed else said[key]
        elif key in required:
            reply[key] = _EMPTY.get(wanted.get("type", ""), wanted.get("enum", [""])[0])
    return reply


_EMPTY: dict[str, Any] = {"boolean": True, "number": 1.0, "integer": 1, "array": [], "object": {}}
