"""Days of the calendar and times of the day, as documents write them."""

from collections.abc import Iterator

from app.text import patterns

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero", "february feb februar février febrero", "march mar märz "
            "mars marzo",
            "april apr avril abril", "may mai mayo", "june jun juni juin junio", "july jul juli juillet "
            "julio",
            "august aug août agosto", "september sep sept septembre septiembre",
            "october oct oktober octobre octubre", "november nov novembre noviembre",
            "december dec dezember décembre diciembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = patterns.compile(r"\b(?P<y>(?:19|20)\d\d)-(?P<m>[01]\d)-(?P<d>[0-3]\d)\b")
_DAY_FIRST = patterns.compile(
    rf"\b(?P<d>[0-3]?\d)(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?P<name>{_NAMES})\.?(?:,?\s(?:de\s)?(?P<y>(?:19|20)\d\d))?\b",
)
_MONTH_FIRST = patterns.compile(
    rf"\b(?P<name>{_NAMES})\.?\s(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?:,?\s(?P<y>(?:19|20)\d\d))?\b",
)
_MONTH = patterns.compile(rf"\b(?P<name>{_NAMES})\s(?P<y>(?:19|20)\d\d)\b")
_YEAR = patterns.compile(
    r"(?<![\d.,€$£])\b(?P<y>(?:19|20)\d\d)\b(?![.,]?\d|\s?(?:%|[€$£]|characters|users|hours|days|words))"
)
_HINT = patterns.compile(r"\d(?:\d\d\d|:\d\d|\s?[ap]\.?m\b)")
_CLOCK = patterns.compile(
    r"\b(?P<h>[01]?\d|2[0-4])(?:[:.](?P<m>[0-5]\d))?\s?(?P<half>[ap]\.?m\b\.?)|\b(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)\b",
)


def of(low: str, bag: frozenset[str]) -> Iterator[tuple[patterns.Match, str, float]]:
    """Those of a text in lower case that has these words: each with its family ("date", "day of the year",
    "clock") and a number that orders it.
    """
    if bag.isdisjoint(_MONTHS) and not _HINT.search(low):
        return
    for shape in (_ISO, _DAY_FIRST, _MONTH_FIRST, _MONTH, _YEAR):
        for found in shape.finditer(low):
            yield found, *_day(found)
    for found in _CLOCK.finditer(low):
        yield found, "clock", _minutes(found)


def _day(found: patterns.Match) -> tuple[str, float]:
    parts = found.groupdict()
    month = int(parts["m"]) if parts.get("m") else _MONTHS.get((parts.get("name") or "").lower(), 0)
    day = int(parts.get("d") or 0)
    year = int(parts.get("y") or 0)
    return ("date" if year else "day of the year"), float(year * 10_000 + month * 100 + day)


def _minutes(found: patterns.Match) -> float:
    if found["h24"]:
        return float(int(found["h24"]) * 60 + int(found["m24"]))
    hour = int(found["h"]) % 12 + (12 if found["half"].lower().startswith("p") else 0)
    return float(hour * 60 + int(found["m"] or 0))
