"""One value in two spellings: numbers, dates and telephone numbers as pages write them."""

import unicodedata
from decimal import Decimal, InvalidOperation

from app.text import patterns

_NUMERIC = patterns.compile(r"[\d\s.,:/+()'-]+")
_AROUND = patterns.compile(
    r"^[\s€$£¥₪₹%]+|[\s€$£¥₪₹%]+$|^(?:eur|usd|gbp|chf)\s+|\s+(?:eur|usd|gbp|chf|zł|kr)$",
    patterns.IGNORECASE,
)
_CLOCK = patterns.compile(r"(\d{1,2}):(\d{2})(?::00)?\s*([ap])?\.?(?:m\b\.?)?", patterns.IGNORECASE)
_MONTH = patterns.compile(r"[^\W\d_]{3,}")
_MONTHS = (
    "jan", "feb fev fév", "mar mär maa", "apr abr avr", "may mai mag mei", "jun giu juin", "jul lug juil",
    "aug ago aou aoû", "sep set", "oct okt ott out", "nov", "dec dez dic déc",
)  # fmt: skip
_DATE_PARTS = 3
_YEAR = 4  # digits
_LOCAL = 7  # digits of a telephone number without what stands for the country


def same_when_formatted(held: str, text: str) -> bool:
    """The same number, date, time or telephone number in another spelling.

    "1990-01-05" and "05/01/1990", "1234.5" and "1.234,50 €", "+4930123" and "+49 30 123", "14:05" and
    "2:05 PM".
    """
    held, text = (
        _AROUND.sub("", unicodedata.normalize("NFKC", value)).strip() for value in (held, text)
    )
    if held == text and text:
        return True
    if (one := _time(held)) is not None and one == _time(text):
        return True
    if not (_NUMERIC.fullmatch(held) and _NUMERIC.fullmatch(text)):
        return False
    dates = _parts(held), _parts(text)
    if len(dates[0]) == len(dates[1]) == _DATE_PARTS and any(len(p) == _YEAR for p in dates[0]):
        return _same_date(*dates)
    ours, theirs = _numbers(text), _numbers(held)
    if ours and theirs:
        return bool(ours & theirs) and not _lost_zero(held, text)
    return _same_digits(held, text)


def may_be_same_date(held: str, text: str) -> bool:
    """A date whose month is written out: "5 January 1990" for "1990-01-05"."""
    wanted = _parts(text)
    named = [word.casefold() for word in _MONTH.findall(held)]
    digits = sorted(int(part) for part in patterns.findall(r"\d+", held))
    if len(wanted) != _DATE_PARTS or not _NUMERIC.fullmatch(text) or not named or len(digits) != 2:
        return False
    left = sorted(int(part) for part in wanted)
    months = {
        at + 1
        for at, names in enumerate(_MONTHS)
        for name in names.split()
        if any(w.startswith(name) for w in named)
    }
    for at, month in enumerate(left):
        if left[:at] + left[at + 1 :] == digits and 1 <= month <= len(_MONTHS):
            return not months or month in months
    return False


def _parts(text: str) -> list[str]:
    return patterns.findall(r"\d+", text)


def _same_date(held: list[str], text: list[str]) -> bool:
    """In the same order the parts have to be the same; else the same three."""
    if [len(p) == _YEAR for p in held] == [len(p) == _YEAR for p in text]:
        return [int(p) for p in held] == [int(p) for p in text]
    return sorted(int(p) for p in held) == sorted(int(p) for p in text)


def _time(text: str) -> tuple[int, int] | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, half = int(found[1]), (found[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour, int(found[2])


def _numbers(text: str) -> set[Decimal]:
    """What a text is as a number, in the ways in which commas and points are used."""
    plain = patterns.sub(r"[\s']", "", text)
    if not patterns.fullmatch(r"[+-]?\d[\d.,]*", plain):
        return set()
    found = set()
    for thousands, point in ((",", "."), (".", ",")):
        grouped = patterns.fullmatch(
            rf"[+-]?\d{{1,3}}(?:\{thousands}\d{{3}})+(?:\{point}\d+)?", plain
        )
        bare = patterns.fullmatch(rf"[+-]?\d+(?:\{point}\d*)?", plain)
        if grouped or bare:
            try:
                found.add(Decimal(plain.replace(thousands, "").replace(point, ".")))
            except InvalidOperation:
                continue
    return found


def _lost_zero(held: str, text: str) -> bool:
    """Whether a leading zero is gone that says something, as in a postcode."""
    return text.startswith("0") and text[1:2].isdigit() and not held.startswith("0")


def _same_digits(held: str, text: str) -> bool:
    """The same digits; of a telephone number the page may have put its country before."""
    ours, theirs = patterns.sub(r"\D", "", text), patterns.sub(r"\D", "", held)
    if not ours or not theirs:
        return False
    return ours == theirs or (
        len(ours) >= _LOCAL and theirs.endswith(ours) and len(theirs) - len(ours) <= 3
    )
