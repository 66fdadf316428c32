"""Whether an amount is the least, the most or all of it, by the words before and behind it."""

from dataclasses import dataclass
from typing import Literal

from app.text import patterns

Bound = Literal["exact", "least", "most"]

# Phrases that end right before an amount. Of more words goes first: "no more than" before "more than".
_LEAST = """at least|minimum|minimum of|min|no fewer than|no less than|not fewer than|not less than
more than|exceed|exceeds|exceeding|over|above|from|>|>=|≥|mindestens|minimal|au moins|au minimum|al menos
como mínimo|mehr als|plus de|más de|לפחות|older than|longer than|starting at"""
_MOST = """at most|at the most|at latest|at the latest|maximum|maximum of|max|no more than|no later than
no longer than|no older than|no greater than|not more than|not later than|not longer than|not exceed
not exceeding|not to exceed|never exceed|up to|within|within the|less than|fewer than|under|below|limited to
capped at|<|<=|≤|höchstens|maximal|binnen|innerhalb|innerhalb von|spätestens|au plus|au maximum|dans|dans les
como máximo|dentro de|hasta|בתוך|תוך|עד|limit of"""
_OVER = "more than|over|above|exceed|exceeding|longer than|older than|beyond|later than"
_UNDER = "less than|fewer than|below|under|shorter than|earlier than"
_LATER = "no later than|not later than|at the latest|at latest|spätestens"


def _phrases(lines: str) -> frozenset[str]:
    return frozenset(one for line in lines.split("\n") for one in line.split("|"))


_BOUNDS: dict[str, Bound] = {
    **dict.fromkeys(_phrases(_LEAST), "least"),
    **dict.fromkeys(_phrases(_MOST), "most"),
}
_IF_DENIED: dict[str, Bound] = {
    **dict.fromkeys(_phrases(_OVER), "most"),
    **dict.fromkeys(_phrases(_UNDER), "least"),
}
LATER = _phrases(_LATER)
_DENYING = frozenset(["no", "not", "never", "cannot"])
_WORDS = patterns.compile(r"[^\W\d_]+|[<>]=?|[≥≤]")
_BETWEEN = 3  # characters between the phrase and the amount
_WITHIN = 4  # words between a denial and what it denies
_BEFORE, _AFTER = 48, 32  # characters that are looked at
_OR_MORE = patterns.compile(
    r"\s*(?:\w+\s){0,2}?(?:or|and|oder|ou|o)\s(?:more|longer|higher|above|over|later|newer|mehr|más|plus)\b"
    r"|\s*\w*\s?(?:\(?minimum|\+)")  # fmt: skip
_OR_LESS = patterns.compile(
    r"\s*(?:\w+\s){0,2}?(?:or|oder|ou|o)\s(?:less|fewer|shorter|below|earlier|under|weniger|menos|moins)\b"
    r"|\s*\w*\s?\(?(?:maximum|at (?:most|the latest))")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bounded:
    """From `start` to `end` the amount stands with what bounds it. `by` is the phrase before it, "" for
    none.
    """

    bound: Bound
    start: int
    end: int
    by: str = ""


def bounded(text: str, start: int, end: int) -> Bounded:
    """Of the amount from `start` to `end` of the text."""
    first = max(0, start - _BEFORE)
    before = text[first:start].lower()
    words = list(_WORDS.finditer(before))
    if words and len(before) - words[-1].end() <= _BETWEEN:
        said = [one[0] for one in words]
        for count in (3, 2, 1):
            phrase = " ".join(said[-count:])
            if count > len(said) or not (phrase in _BOUNDS or phrase in _IF_DENIED):
                continue
            bound = _BOUNDS.get(phrase, "exact")
            at = len(said) - count
            if phrase in _IF_DENIED and not _DENYING.isdisjoint(
                said[max(0, at - _WITHIN - 1) : at]
            ):
                bound = _IF_DENIED[phrase]
            return Bounded(bound, first + words[at].start(), end, phrase)
    after = text[end : end + _AFTER].lower()
    if (found := _OR_LESS.match(after)) is not None:
        return Bounded("most", start, end + found.end())
    if (found := _OR_MORE.match(after)) is not None:
        return Bounded("least", start, end + found.end())
    return Bounded("exact", start, end)
