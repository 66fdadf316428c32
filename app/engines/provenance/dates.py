"""Days and times in the spellings people use, as keys that compare equal."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.engines.provenance.vocabulary import AT, MONTHS, RELATIVE_DAYS, WEEKDAYS
from app.text import patterns

if TYPE_CHECKING:
    from app.engines.provenance.tokens import Token

Day = date

_NAMES = "|".join(sorted({word for line in MONTHS for word in line}, key=len, reverse=True))
# Accented spellings reach the pattern before they are folded.
_ACCENTED = "m\u00e4rz|f\u00e9vrier|f\u00e9vr|ao\u00fbt|d\u00e9cembre|d\u00e9c|mar\u00e7o"
_MONTH = rf"(?:{_NAMES}|{_ACCENTED})\.?(?![^\W_])"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|\.|\u00ba)?"
_CJK = r"(?<!\d)\d{4}\ ?[\u5e74\ub144]\ ?\d{1,2}\ ?[\u6708\uc6d4]\ ?\d{1,2}\ ?[\u65e5\uc77c]"
PATTERN = rf"""{_CJK} | (?<!\w)(?:
      \d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?![\w-])
    | \d{{1,2}}(?:-\ ?\d{{1,2}}-|/\ ?\d{{1,2}}/|\.\ ?\d{{1,2}}\.)\ ?(?:\d{{4}}|\d{{2}})(?!\w)
    | {_DAY}[\ -]?(?:(?:of|de|den)\ |\u05d1)?{_MONTH}(?:[\ ,-]+(?:(?:of|de|del)\ )?\d{{4}}(?!\w))?
    | (?<![^\W\d_]){_MONTH}\ {_DAY}(?!\w|:)(?:,?\ \d{{4}}(?!\w))?
    | (?<![^\W\d_]){_MONTH},?\ (?:(?:of|de)\ )?\d{{4}}(?!\w)
    | \d{{4}}-\d{{2}}(?![\w-]) | \d{{1,2}}/(?:\d{{4}}|\d{{2}})(?![\w/])
    )"""
TIME = r"""(?<![\w.:])(?:\d{1,2}:\d{2}(?::\d{2})?(?:\ ?[ap]\.?m\b\.?)?(?![\w:])
    | \d{1,2}(?:\.\d{2})?\ ?[ap]\.?m\b\.?
    | \d{1,2}\ ?h(?:\ ?\d{2})?(?!\w) | \d{1,2}(?:[.:]\d{2})?\ ?(?:uhr|o'clock)(?!\w))"""
_CENTURIES = (1900, 2000)
_NAMED_TIMES = {"noon": "12:00", "midday": "12:00", "midnight": "00:00", "mittag": "12:00",
                "mitternacht": "00:00", "midi": "12:00", "minuit": "00:00", "mediodia": "12:00"}  # fmt: skip


def day_keys(said: str, today: Day | None = None) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of a day, in every order it can be read in, and those of its parts."""
    keys, parts = set(), set()
    for year, month, day in _readings(said):
        if year and month and day:
            keys.add(f"d:{year:04}-{month:02}-{day:02}")
            parts |= {
                f"n:{year}",
                f"s:{year}",
                f"my:{year:04}-{month:02}",
                f"md:{month:02}-{day:02}",
            }
        elif year:
            keys.add(f"my:{year:04}-{month:02}")
            parts |= {f"n:{year}", f"s:{year}"}
        else:
            keys.add(f"md:{month:02}-{day:02}")
            if today is not None:  # said without a year: of this one or the next
                parts |= {f"d:{today.year + more}-{month:02}-{day:02}" for more in (0, 1)}
        parts |= {f"m:{month}", f"n:{month}"} | ({f"n:{day}"} if day else set())
    return frozenset(keys or {f"w:{said}"}), frozenset(parts)


def _readings(said: str) -> set[tuple[int, int, int]]:
    """(year, month, day), each 0 where it is not said; both orders where a day may be a month."""
    text = said.casefold()
    digits = [int(part) for part in patterns.findall(r"\d+", text)]
    named = patterns.search(
        r"[^\W\d_]{3,}", patterns.sub(r"\b(?:den|del)\b|(?<=\d)(?:st|nd|rd|th|er)\b", " ", text)
    )
    month = _month(named[0]) if named else 0
    if month:
        found = {_worded(month, digits)}
    elif len(digits) == 3 and digits[0] > 31:
        found = {(digits[0], digits[1], digits[2])}
    elif len(digits) == 3:
        found = {(y, m, d) for y in _years(digits[2], text) for m, d in _orders(digits, text)}
    else:
        found = _of_two(digits, text)
    return {(y, m, d) for y, m, d in found if _is_day(y, m, d)}


def _worded(month: int, digits: list[int]) -> tuple[int, int, int]:
    years = [n for n in digits if n > 31]
    days = [n for n in digits if n <= 31]
    return (years[0] if years else 0, month, days[0] if days else 0)


def _of_two(digits: list[int], text: str) -> set[tuple[int, int, int]]:
    """Year and month, month and year as on cards, or day and month."""
    first, second = digits[0], digits[1]
    if first > 31:
        return {(first, second, 0)}
    if len(text.split("/")[-1]) == 4:
        return {(second, first, 0)}
    return {(2000 + second, first, 0), (0, first, second), (0, second, first)}


def _years(year: int, text: str) -> set[int]:
    return {year} if patterns.search(r"\d{4}", text) else {year + century for century in _CENTURIES}


def _orders(digits: list[int], text: str) -> set[tuple[int, int]]:
    """Dots part day and month in this order everywhere; slashes and dashes in either."""
    day_first = (digits[1], digits[0])
    return {day_first} if "." in text else {day_first, (digits[0], digits[1])}


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year or 2000, month, day or 1)
    except ValueError:
        return False
    return True


def _month(word: str) -> int:
    from_accents = word.translate(str.maketrans("\u00e4\u00e9\u00fb\u00e7", "aeuc"))
    spelled = {from_accents, from_accents.removeprefix("\u05d1")}  # Hebrew: "in February"
    return next((n for n, line in enumerate(MONTHS, 1) if spelled & line), 0)


def time_keys(said: str) -> tuple[frozenset[str], frozenset[str]]:
    """The time on a clock of 24 hours, and its hour and minute."""
    text = said.casefold().replace(".", ":" if patterns.search(r"\d\.\d", said) else "")
    hour, minute, *_ = (*(int(part) for part in patterns.findall(r"\d+", text)), 0)
    if "pm" in text.replace(" ", "") or patterns.search(r"p:?m", text):
        hour = hour % 12 + 12
    elif patterns.search(r"a:?m", text):
        hour %= 12
    return frozenset({f"t:{hour:02}:{minute:02}"}), frozenset({f"n:{hour}", f"n:{minute}"})


def with_hours(tokens: "tuple[Token, ...]", words: Sequence[str]) -> "tuple[Token, ...]":
    """The tokens with "at 2" as two o'clock, in the night or after noon, and "noon" as a time."""
    made = []
    for place, token in enumerate(tokens):
        word, before = words[place], words[place - 1] if place else ""
        more: set[str] = set()
        if word in _NAMED_TIMES:
            more = {f"t:{_NAMED_TIMES[word]}"}
        elif token.kind == "number" and before in AT and word.isdigit() and int(word) < 24:
            more = {f"t:{hour:02}:00" for hour in {int(word), (int(word) % 12) + 12}}
        made.append(replace(token, parts=token.parts | more) if more else token)
    return tuple(made)


def relative(
    words: Sequence[str], today: Day | None
) -> Iterator[tuple[tuple[int, int], frozenset[str]]]:
    """Days that are told from today: "tomorrow", "in 3 days", "next Friday": (from, to) and keys."""
    if today is None:
        return
    for at, word in enumerate(words):
        if word in RELATIVE_DAYS:
            yield (at, at + 1), _day(today, RELATIVE_DAYS[word])
        elif word in ("in", "dans", "en", "em") and at + 2 < len(words) and words[at + 1].isdigit():
            if (unit := _unit(words[at + 2])) and int(words[at + 1]) < 1_000:
                yield (at, at + 3), _day(today, int(words[at + 1]) * unit)
        else:
            weekday = next((n for n, line in enumerate(WEEKDAYS) if word in line), None)
            if weekday is not None:  # the coming one, or that of the week after
                ahead = (weekday - today.weekday() - 1) % 7 + 1
                yield (at, at + 1), _day(today, ahead) | _day(today, ahead + 7)


def _unit(word: str) -> int:
    stems = {
        "day": 1,
        "tag": 1,
        "jour": 1,
        "dia": 1,
        "week": 7,
        "woche": 7,
        "semaine": 7,
        "semana": 7,
    }
    return next((days for stem, days in stems.items() if word.startswith(stem)), 0)


def _day(today: Day, ahead: int) -> frozenset[str]:
    return frozenset({f"d:{(today + timedelta(days=ahead)).isoformat()}"})
