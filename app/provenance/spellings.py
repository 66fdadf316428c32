"""Converts numbers, dates and times in common formats to comparable keys."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from app.text import patterns
from app.text.value_words import AT, MONTHS, NAMED_TIMES, RELATIVE_DAYS, SCALES, UNITS, WEEKDAYS

Keys = frozenset[str]

_NAMES = "|".join(sorted({word for line in MONTHS for word in line}, key=len, reverse=True))
_MONTH = rf"(?:{_NAMES})\.?(?![^\W_])"
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|\.|\u00ba)?"
DATE_PATTERN = rf"""
    (?<!\d)\d{{4}}\ ?[\u5e74\ub144]\ ?\d{{1,2}}\ ?[\u6708\uc6d4]\ ?\d{{1,2}}\ ?[\u65e5\uc77c]
    | (?<!\w)(?:
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
_LAST_DAY = 31  # a greater number is a year


def day_keys(text: str, today: date | None = None) -> tuple[Keys, Keys]:
    """Return the keys of a day in every possible order, and of its parts."""
    keys, parts = set(), set()
    for year, month, day in _date_readings(text.casefold()):
        parts.add(f"n:{month}")
        if year:
            parts |= {f"n:{year}", f"s:{year}"}
        if day:
            parts.add(f"n:{day}")
        if year and day:
            keys.add(f"d:{year:04}-{month:02}-{day:02}")
            parts |= {f"my:{year:04}-{month:02}", f"md:{month:02}-{day:02}"}
        elif year:
            keys.add(f"my:{year:04}-{month:02}")
        else:
            keys.add(f"md:{month:02}-{day:02}")
            if today is not None:  # without a year: this one or the next
                parts |= {f"d:{today.year + more}-{month:02}-{day:02}" for more in (0, 1)}
    return frozenset(keys or {f"w:{text}"}), frozenset(parts)


def _date_readings(text: str) -> set[tuple[int, int, int]]:
    """Return (year, month, day), 0 for missing parts; both orders if day and month are ambiguous."""
    digits = [int(part) for part in patterns.findall(r"\d+", text)]
    if month := _month(text):
        year = next((n for n in digits if n > _LAST_DAY), 0)
        found = {(year, month, next((n for n in digits if n <= _LAST_DAY), 0))}
    elif len(digits) == 3 and digits[0] > _LAST_DAY:
        found = {(digits[0], digits[1], digits[2])}
    elif len(digits) == 3:  # with dots, the day always comes first
        day, other, year = digits
        years = (year,) if patterns.search(r"\d{4}", text) else (1900 + year, 2000 + year)
        orders = [(other, day)] if "." in text else [(other, day), (day, other)]
        found = {(year, *order) for year in years for order in orders}
    elif max(digits) > 99:
        found = {(max(digits), min(digits), 0)}
    else:  # an expiry date of a card, or day and month
        first, second = digits
        found = {(2000 + second, first, 0), (0, first, second), (0, second, first)}
    return {one for one in found if _is_day(*one)}


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year or 2000, month, day or 1)
    except ValueError:
        return False
    return True


def _month(text: str) -> int:
    named = patterns.findall(r"[^\W\d_]{3,}", text)
    words = {spelled for word in named for spelled in (word, word.removeprefix("\u05d1"))}
    return next((number for number, line in enumerate(MONTHS, 1) if words & line), 0)


def time_keys(text: str) -> tuple[Keys, Keys]:
    """Return the keys of the 24-hour time, and of its hour and minute."""
    hour, minute, *_ = (*(int(part) for part in patterns.findall(r"\d+", text)), 0)
    half = patterns.search(r"([ap])\.?m", text.casefold())
    if half:
        hour = hour % 12 + (12 if half[1] == "p" else 0)
    return frozenset({f"t:{hour:02}:{minute:02}"}), frozenset({f"n:{hour}", f"n:{minute}"})


def hour_keys(word: str, before: str) -> Keys:
    """Return the keys of a word as a time: "noon", or "2" after "at", both a.m. and p.m."""
    if word in NAMED_TIMES:
        return frozenset({f"t:{NAMED_TIMES[word]}"})
    if before in AT and word.isdigit() and int(word) < 24:
        return frozenset(f"t:{hour:02}:00" for hour in (int(word), int(word) % 12 + 12))
    return frozenset()


def relative_days(words: Sequence[str], today: date | None) -> Iterator[tuple[int, int, Keys]]:
    """Yield days relative to today ("tomorrow", "Friday"): first word, last word, keys."""
    for at, word in enumerate(words if today is not None else ()):
        if word in RELATIVE_DAYS:
            yield at, at, _days(today, RELATIVE_DAYS[word])
        weekday = next((n for n, line in enumerate(WEEKDAYS) if word in line), None)
        if weekday is not None and today is not None:  # the coming one, or the one a week later
            ahead = (weekday - today.weekday() - 1) % 7 + 1
            yield at, at, _days(today, ahead, ahead + 7)


def _days(today: date | None, *ahead: int) -> Keys:
    assert today is not None
    return frozenset(f"d:{(today + timedelta(days=days)).isoformat()}" for days in ahead)


NUMBER_PATTERN = r"""(?<![\w.,])[-\u2212]?\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?![\w]|[.,]\d)
    | (?:(?<![\w)])[-\u2212])?(?:(?<!\d[.,])\d+[.,]\d+(?![.,]\d)|\d+)(?:\ ?(?:k|million)\b)?(?![^\W_])"""
_SHORT = 2  # digits; "05" is 5, "007" is not 7
_LONG = 7  # digits from which a number is a telephone, account or document number
_LONGEST = 24  # characters; of longer numbers only the digits are compared
_COUNTRY = 3  # digits of the longest country code
_JOINING = frozenset({"and", "und", "et", "y", "e"})


def number_keys(written: str) -> frozenset[str]:
    """Return the number, and its digits as written if they may be a code."""
    text = written.replace("\u2212", "-").strip()
    if len(text) > _LONGEST:
        return frozenset({f"s:{text}"})
    scaled = patterns.fullmatch(r"(.*\d) ?(k|million)", text, patterns.IGNORECASE)
    if scaled:
        factor = 1_000 if scaled[2].lower() == "k" else 1_000_000
        return frozenset(
            f"n:{_format_decimal(value * factor)}" for value in _number_readings(scaled[1])
        )
    digits = text.lstrip("-")
    if not digits.isdigit():
        return frozenset(f"n:{_format_decimal(value)}" for value in _number_readings(text))
    keys = {f"s:{text}"}
    if len(digits) <= _SHORT or not digits.startswith("0"):
        keys.add(f"n:{int(text)}")
    return frozenset(keys | (phone_keys(text) if len(digits) >= _LONG else set()))


def _number_readings(text: str) -> Iterator[Decimal]:
    """Yield the possible values: the comma in "1,000" may separate thousands or decimals."""
    compact = patterns.sub(r"['\u2019\u00a0\u202f ]", "", text)
    for thousands, decimal in ((",", "."), (".", ",")):
        head, _, tail = compact.partition(decimal)
        is_number = patterns.fullmatch(rf"-?(?:\d+|[1-9]\d{{0,2}}(?:[{thousands}]\d{{3}})+)", head)
        if is_number and (tail.isdigit() or not tail):
            yield Decimal(f"{head.replace(thousands, '')}.{tail or 0}")


def _format_decimal(value: Decimal) -> str:
    return f"{value.normalize():f}"


def phone_keys(text: str) -> frozenset[str]:
    """Return the digits with and without country code and trunk zero."""
    digits = patterns.sub(r"\D", "", text)
    national = digits.lstrip("0")
    forms = {digits, national}
    if text.lstrip(" (").startswith(("+", "00")):
        forms |= {national[cut:].lstrip("0") for cut in range(1, _COUNTRY + 1)}
    return frozenset(f"p:{form}" for form in forms if len(form) >= _LONG - 1)


def digit_groups(text: str) -> frozenset[str]:
    return frozenset(key for part in patterns.findall(r"\d{4,}", text) for key in number_keys(part))


def number_word(word: str) -> int | None:
    return UNITS.get(word, SCALES.get(word))


def spelled_numbers(words: Sequence[str]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield (first, last, keys) of numbers of several words; figures count beside a scale word."""
    at = 0
    while at < len(words):
        end = at
        while _continues_number(words, at, end):
            end += 1
        if end - at > 1:
            yield at, end - 1, frozenset({f"n:{_sum_words(words[at:end])}"})
        at = max(end, at + 1)


def _continues_number(words: Sequence[str], first: int, at: int) -> bool:
    word, *after = (*words[at : at + 2], "")
    if _word_value(word) is not None:
        return at == first or _can_join(words[at - 1], word)
    return at > first and word in _JOINING and _word_value(after[0]) is not None


def _can_join(before: str, word: str) -> bool:
    in_figures = before.isdigit() or word.isdigit()
    return not in_figures or (before in SCALES) != (word in SCALES)


def _word_value(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) <= 3:
        return int(word)
    return number_word(word)


def _sum_words(words: Sequence[str]) -> int:
    """Sum the words; a scale word multiplies what precedes it: "three hundred five thousand"."""
    total = group = 0
    for word in words:
        value = _word_value(word) or 0
        if word not in SCALES:
            group += value
        elif value == SCALES["hundred"]:
            group = max(group, 1) * value
        else:
            total += max(group, 1) * value
            group = 0
    return total + group
