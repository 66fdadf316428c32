"""Amounts: how much of what, and whether two of them measure the same and are the same."""

from dataclasses import dataclass
from functools import cached_property

from app.chat.statements.bounds import Bound
from app.chat.statements.units import CLOSE, MONEY
from app.chat.statements.words import terms_of

PIECES = 5  # words around an amount that tell what it is of
AROUND = 60  # characters in which these are looked for


@dataclass(frozen=True, eq=False)
class Amount:
    """`value` is in the base of its `family`; `unit` is how that was written. It stands from `start` to `end`
    of its `sentence`. Of a count `nouns` are what is counted; `ahead`: so long before something, as a notice
    is. `said` is the text with the words of its bound.
    """

    value: float
    family: str
    unit: str
    bound: Bound
    start: int
    end: int
    sentence: str
    said: str
    tongue: str = "en"
    nouns: tuple[str, ...] = ()
    ahead: bool = False

    @property
    def text(self) -> str:
        """As it is written."""
        return self.sentence[self.start : self.end].strip()

    @cached_property
    def near(self) -> frozenset[str]:
        """The words around it."""
        before = terms_of(self.sentence[max(0, self.start - AROUND) : self.start], self.tongue)
        after = terms_of(self.sentence[self.end : self.end + AROUND], self.tongue)
        return frozenset((*before[-PIECES:], *after[:PIECES]))


def same_kind(one: Amount, other: Amount) -> bool:
    """Whether the two measure the same, so that their values can be held against each other."""
    if one.family in MONEY and other.family in MONEY:
        return True
    times = {one.family, other.family}
    if one.family != other.family and times != {"time", "working time"}:
        return False
    if one.family in ("count", "ordinal"):
        return not one.nouns or not other.nouns or not set(one.nouns).isdisjoint(other.nouns)
    return one.ahead == other.ahead or "time" not in times


def differing(one: Amount, other: Amount) -> bool:
    """Whether two amounts of one kind are not the same; "within 14 days" and "14 days" are."""
    if one.family != other.family or not equal(one, other):
        return True
    return {one.bound, other.bound} == {"least", "most"}


def equal(one: Amount, other: Amount) -> bool:
    """Of the same size, whatever the bounds."""
    if one.unit == other.unit:
        return one.value == other.value
    return abs(one.value - other.value) <= CLOSE * max(abs(one.value), abs(other.value))
