"""Numbers in the spellings people use: digits, words, telephone and account numbers."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from app.text import patterns
from app.text.value_words import SCALES, UNITS

NUMBER_PATTERN = r"""(?<![\w.,])[-\u2212]?\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?![\w]|[.,]\d)
    | (?:(?<![\w)])[-\u2212])?(?:(?<!\d[.,])\d+[.,]\d+(?![.,]\d)|\d+)(?:\ ?(?:k|million)\b)?(?![^\W_])"""
_SHORT = 2  # digits: "05" is 5, "007" is not 7
_LONG = 7  # digits from which a number is one of a telephone, an account or a document
_LONGEST = 24  # characters; of a longer one the digits alone are compared
_COUNTRY = 3  # digits of the longest country code
_JOINING = frozenset({"and", "und", "et", "y", "e"})


def number_keys(said: str) -> frozenset[str]:
    """The number, and the same digits as they stand where they may be a code."""
    text = said.replace("\u2212", "-").strip()
    if len(text) > _LONGEST:
        return frozenset({f"s:{text}"})
    scaled = patterns.fullmatch(r"(.*\d) ?(k|million)", text, patterns.IGNORECASE)
    if scaled:
        factor = 1_000 if scaled[2].lower() == "k" else 1_000_000
        return frozenset(f"n:{_plain(value * factor)}" for value in _number_readings(scaled[1]))
    digits = text.lstrip("-")
    if not digits.isdigit():
        return frozenset(f"n:{_plain(value)}" for value in _number_readings(text))
    keys = {f"s:{text}"}
    if len(digits) <= _SHORT or not digits.startswith("0"):
        keys.add(f"n:{int(text)}")
    return frozenset(keys | (phone_keys(text) if len(digits) >= _LONG else set()))


def _number_readings(text: str) -> Iterator[Decimal]:
    """What the number can be: in "1,000" the comma may part thousands or decimals."""
    compact = patterns.sub(r"['\u2019\u00a0\u202f ]", "", text)
    for thousands, decimal in ((",", "."), (".", ",")):
        head, _, tail = compact.partition(decimal)
        is_number = patterns.fullmatch(rf"-?(?:\d+|[1-9]\d{{0,2}}(?:[{thousands}]\d{{3}})+)", head)
        if is_number and (tail.isdigit() or not tail):
            yield Decimal(f"{head.replace(thousands, '')}.{tail or 0}")


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def phone_keys(said: str) -> frozenset[str]:
    """The digits, with and without a country code and the zero of a trunk call."""
    digits = patterns.sub(r"\D", "", said)
    national = digits.lstrip("0")
    forms = {digits, national}
    if said.lstrip(" (").startswith(("+", "00")):
        forms |= {national[cut:].lstrip("0") for cut in range(1, _COUNTRY + 1)}
    return frozenset(f"p:{form}" for form in forms if len(form) >= _LONG - 1)


def groups(said: str) -> frozenset[str]:
    """The longer groups of digits in it: the four of a card, a number without its prefix."""
    return frozenset(key for part in patterns.findall(r"\d{4,}", said) for key in number_keys(part))


def of_word(word: str) -> int | None:
    """The number that one word names."""
    return UNITS.get(word, SCALES.get(word))


def spelled(words: Sequence[str]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Numbers of several words, "two hundred and fifty": the first and last word, and the keys.

    Figures are a part of them beside a scale alone: "2 00" is not 2, and "ten (10)" is not 20.
    """
    at = 0
    while at < len(words):
        end = at
        while _goes_on(words, at, end):
            end += 1
        if end - at > 1:
            yield at, end - 1, frozenset({f"n:{_total(words[at:end])}"})
        at = max(end, at + 1)


def _goes_on(words: Sequence[str], first: int, at: int) -> bool:
    word, *after = (*words[at : at + 2], "")
    if _value(word) is not None:
        return at == first or _joins(words[at - 1], word)
    return at > first and word in _JOINING and _value(after[0]) is not None


def _joins(before: str, word: str) -> bool:
    in_figures = before.isdigit() or word.isdigit()
    return not in_figures or (before in SCALES) != (word in SCALES)


def _value(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) <= 3:
        return int(word)
    return of_word(word)


def _total(words: Sequence[str]) -> int:
    """What a scale follows is multiplied by it: 305,000 for "three hundred five thousand"."""
    total = group = 0
    for word in words:
        value = _value(word) or 0
        if word not in SCALES:
            group += value
        elif value == SCALES["hundred"]:
            group = max(group, 1) * value
        else:
            total += max(group, 1) * value
            group = 0
    return total + group
