"""Deeds as they are compared: by what they act on, and in the chains they were sent in."""

from collections.abc import Hashable, Iterable
from itertools import groupby

from app.domain.plan import Deed
from app.text import patterns

ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
CHOICES = frozenset({"chk", "rad", "opt", "sel"})
MOVING = frozenset({"wait", "scroll"})
_DIGITS = patterns.compile(r"\d+")

Chained = tuple[Deed, ...]


def chains(deeds: Iterable[Deed]) -> list[Chained]:
    """The deeds in the chains they were sent in; one whose chain is not known is alone.

    What is done several times within a chain is done so on purpose, and looked at once.
    """
    numbered = enumerate(deeds, start=1)
    grouped = groupby(numbered, key=lambda pair: pair[1].chain or -pair[0])
    return [tuple(deed for _, deed in group) for _, group in grouped]


def key(deed: Deed) -> tuple[Hashable, ...]:
    """The action by what it acts on: an id may be another after the page was drawn anew."""
    args = tuple(
        sorted((k, v) for k, v in deed.action.args.items() if k != "id" or not deed.signature)
    )
    return (deed.action.name, deed.signature, args)


def without_numbers(deed: Deed) -> str:
    """The action by what it acts on, all numbers alike: "page 2" and "page 3" are the same."""
    return _DIGITS.sub("#", repr(key(deed)))


def fills(deed: Deed) -> bool:
    """Whether it enters or chooses something in a field."""
    role = deed.signature[0] if deed.signature else ""
    return deed.action.name in ENTERING or (deed.action.name == "click" and role in CHOICES)


def words(deed: Deed) -> str:
    """The action for a sentence."""
    return f"'{deed.description or deed.action.text}'"
