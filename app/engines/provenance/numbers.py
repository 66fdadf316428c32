"""Numbers in the spellings people use: digits, words, telephone and account numbers."""

from collections.abc import Iterator, Sequence

from app.engines.provenance.vocabulary import SCALES, UNITS
from app.text import patterns

PATTERN = r"""(?<![\w.,])[-\u2212]?\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?![\w]|[.,]\d)
    | (?:(?<![\w)])[-\u2212])?\d+(?:[.,]\d+)?(?:\ ?(?:k|million)\b)?(?![^\W_])"""
_GROUPED = patterns.compile(r"\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+")
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
        return frozenset(f"n:{_plain(value * factor)}" for value in _readings(scaled[1]))
    digits = text.lstrip("-")
    if digits.isdigit():
        keys = {f"s:{text}"}
        if len(digits) <= _SHORT or not digits.startswith("0"):
            keys.add(f"n:{int(text)}")
        if len(digits) >= _LONG:
            keys |= phone_keys(text)
        return frozenset(keys)
    return frozenset(f"n:{_plain(value)}" for value in _readings(text))


def _readings(text: str) -> set[float]:
    """What the number can be: in "1,000" the comma may part thousands or decimals."""
    found = set()
    compact = patterns.sub(r"['\u2019\u00a0\u202f ]", "", text)
    for thousands, decimal in ((",", "."), (".", ",")):
        sign, whole = ("-", compact[1:]) if compact.startswith("-") else ("", compact)
        head, _, tail = whole.partition(decimal)
        if (
            thousands in tail
            or decimal in tail
            or not patterns.fullmatch(rf"\d+|\d{{1,3}}(?:[{thousands}]\d{{3}})+", head)
        ):
            continue
        found.add(float(f"{sign}{head.replace(thousands, '')}.{tail or 0}"))
    return found


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.6f}".rstrip("0")


def pieces(said: str) -> frozenset[str]:
    """The numbers that stand beside each other in what may be one: "2 100"."""
    if " " not in said or not _GROUPED.match(said):
        return frozenset()
    return frozenset(key for part in said.split() if part.isdigit() for key in number_keys(part))


def phone_keys(said: str) -> frozenset[str]:
    """The digits, with and without a country code and the zero of a trunk call."""
    digits = patterns.sub(r"\D", "", said)
    national = digits.lstrip("0")
    forms = {digits, national}
    if said.lstrip(" (").startswith(("+", "00")):
        forms |= {national[cut:].lstrip("0") for cut in range(1, _COUNTRY + 1)}
    elif len(digits) == 11 and digits.startswith("1"):  # the North American plan
        forms.add(digits[1:])
    return frozenset(f"p:{form}" for form in forms if len(form) >= _LONG - 1)


def groups(said: str) -> frozenset[str]:
    """The longer groups of digits in it: the four of a card, a number without its prefix."""
    found = patterns.findall(r"\d{4,}", said)
    return (
        frozenset(key for part in found for key in number_keys(part)) if len(found) else frozenset()
    )


def of_word(word: str) -> int | None:
    """The number that one word names."""
    return UNITS.get(word, SCALES.get(word))


def spelled(words: Sequence[str]) -> Iterator[tuple[tuple[int, int], frozenset[str]]]:
    """Numbers of several words ("two hundred and fifty", "2 million"): (from, to) and their keys.

    Figures beside figures are numbers of their own: "2 00" is not 2.
    """
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and (
            (_value(words[end]) is not None and not (end > at and _are_figures(words, end)))
            or (end > at and words[end] in _JOINING and _value_at(words, end + 1) is not None)
        ):
            end += 1
        if end - at > 1:
            total = _total([w for w in words[at:end] if w not in _JOINING])
            yield (at, end), frozenset({f"n:{total}"})
        at = max(end, at + 1)


def _are_figures(words: Sequence[str], at: int) -> bool:
    return words[at].isdigit() and words[at - 1].isdigit()


def _value_at(words: Sequence[str], at: int) -> int | None:
    return _value(words[at]) if at < len(words) else None


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
