"""One value in two spellings: numbers, dates, times and telephone numbers as pages write them."""

import unicodedata
from decimal import Decimal

from app.text import patterns
from app.text.lexicon import words
from app.text.vocabulary import numbers

_AROUND = patterns.compile(
    r"^[\s€$£¥₪₹%]+|[\s€$£¥₪₹%]+$|^(?:eur|usd|gbp|chf)\s+|\s+(?:eur|usd|gbp|chf|zł|kr)$",
    patterns.IGNORECASE,
)
_NUMERIC = patterns.compile(r"[\d\s.,:/+()'-]+")
_CLOCK = patterns.compile(r"(\d{1,2}):(\d{2})(?::00)?\s*([ap])?\.?(?:m\b\.?)?", patterns.IGNORECASE)
_MONTHS = numbers("values.months")
_DATE_PARTS = 3
_YEAR = 1_000


def same_when_formatted(held: str, text: str) -> bool:
    """The same number, date, time or telephone number in another spelling.

    "1990-01-05", "05/01/1990" and "5 January 1990"; "1234.5" and "1.234,50 €"; "+4930123" and
    "+49 30 123"; "14:05" and "2:05 PM".
    """
    held, text = (
        _AROUND.sub("", unicodedata.normalize("NFKC", value)).strip() for value in (held, text)
    )
    if held == text:
        return bool(text)
    for read in (_time, _date):
        one, other = read(held), read(text)
        if one is not None and other is not None:
            # Where the year is at the same place, day and month are not turned round.
            years = [[part >= _YEAR for part in parts] for parts in (one, other)]
            return one == other or (sorted(one) == sorted(other) and years[0] != years[1])
    if not (_NUMERIC.fullmatch(held) and _NUMERIC.fullmatch(text)):
        return False
    if text.startswith("0") and text[1:2].isdigit() and not held.startswith("0"):
        return False  # a zero that says something is gone, as of a postcode
    ours, theirs = _numbers(text), _numbers(held)
    if ours and theirs:
        return not ours.isdisjoint(theirs)
    digits = patterns.sub(r"\D", "", text)
    return bool(digits) and digits == patterns.sub(r"\D", "", held)


def _time(text: str) -> tuple[int, ...] | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    return (hour % 12 + (12 if half == "p" else 0) if half else hour), int(found[2])


def _date(text: str) -> tuple[int, ...] | None:
    """Its numbers as they stand, with a month by its name; None where they are none of a date."""
    named = [(0, _MONTHS[word]) for word in words(text).split() if word in _MONTHS]
    if not named and not _NUMERIC.fullmatch(text):
        return None
    parts = [int(part) for part in patterns.findall(r"\d+", text)]
    parts += [month for _, month in named]
    is_one = len(parts) == _DATE_PARTS and any(part >= _YEAR for part in parts)
    return tuple(parts) if is_one else None


def _numbers(text: str) -> set[Decimal]:
    """What a text is as a number, in the ways in which commas and points are used."""
    plain = patterns.sub(r"[\s']", "", text)
    return {
        Decimal(plain.replace(thousands, "").replace(point, "."))
        for thousands, point in (",.", ".,")
        if patterns.fullmatch(
            rf"[+-]?(?:\d+|\d{{1,3}}(?:\{thousands}\d{{3}})+)(?:\{point}\d*)?", plain
        )
    }
