"""Dates that may be read in two ways: what a model writes as 12/03 may be another day than was said."""

from app.domain.page import Node
from app.engines.provenance.trace import trace
from app.engines.reasoner import Situation
from app.text import patterns

_NUMERIC = patterns.compile(r"(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)")
_DAY_FIRST = patterns.compile(r"(?:\b|_)(?:d{1,2}|t{1,2}|j{1,2})[/.-]m{1,2}\b", patterns.IGNORECASE)
_MONTH_FIRST = patterns.compile(r"\bm{1,2}[/.-](?:d{1,2}|t{1,2}|j{1,2})\b", patterns.IGNORECASE)
_MONTHS = 12


def is_other_day(value: str, node: Node | None, situation: Situation) -> bool:
    """Whether it may be another day than the person's: both its first numbers could be the month.

    What they wrote themselves stands; else the field's own format decides, and without one nothing does.
    """
    found = _NUMERIC.search(value)
    if found is None or found[0] in situation.told:
        return False
    first, second, year = int(found[1]), int(found[2]), found[3]
    if first == second or max(first, second) > _MONTHS:
        return False
    shown = f"{node.name} {node.hint}" if node is not None else ""
    if _DAY_FIRST.search(shown):
        day, month = first, second
    elif _MONTH_FIRST.search(shown):
        month, day = first, second
    else:
        return True
    return trace(f"{year}-{month:02}-{day:02}", situation) is None
