"""The amounts in a sentence: numbers in digits or words, with their units or what they count."""

from collections.abc import Iterator
from functools import lru_cache

from app.chat.statements.amounts import Amount
from app.chat.statements.bounds import LATER, Bound, Bounded, bounded
from app.chat.statements.numbers import IN_WORDS, NEEDS_UNIT, NUMBER, value_of
from app.chat.statements.repeating import AT_ONCE, ORDINALS, REPEATING, special
from app.chat.statements.units import MONEY, OFTEN, UNITS, WORKING, WORKING_DAY, Unit
from app.chat.statements.words import plain_words, terms_of
from app.text import patterns

KEPT = 8_192  # sentences whose amounts are remembered, some ten megabytes
# All of a sentence in lower case: a pattern that has to try both cases takes five times as long.
_SIGN = r"[€$£¥₪₹]|\b(?:eur|usd|gbp|chf|ils|nis|jpy|inr)\b"
_SIGN_BEFORE = patterns.compile(rf"(?P<sign>{_SIGN})\s?$")
_TO = rf"\s?(?:-|\u2013|\bto\b|\bbis\b|\band\b|\bà\b)\s?(?:{_SIGN})?"
_AMOUNT = patterns.compile(rf"(?P<low>{NUMBER})(?:{_TO}(?P<high>{NUMBER}))?")
_BEGINS = patterns.compile(r"\d(?<![\w.]\d)")
_REFERRING = (
    "section sections clause clauses article articles paragraph paragraphs page pages step steps version "
    "versions chapter chapters figure figures table tables annex appendix schedule no nr number numbers iso "
    "iec rfc part phase room floor rule item question abschnitt artikel seite"
)
_REFERENCES = frozenset(_REFERRING.split())
_BEHIND_REFERENCE = patterns.compile(r"(?P<word>[^\W\d_]+)\.?\s?$|[§#/]\s?$|\.\s?$")
_PER = patterns.compile(
    r"^\s*(?:/|per|a|an|each|every|pro|par|por)\s?(?P<per>month|year|week|day|hour|quarter|annum|monat|jahr|mois|an|mes)\b"
    r"|^\s*(?P<often>monthly|annually|yearly|weekly|daily|quarterly)\b",
)
_A_UNIT = patterns.compile(
    r"\b(?:within|after|than|least|most|for|in|every|last)\s(?:an?|one)\s(?:\w+\s)?(?P<unit>hour|day|week|month|quarter|year)\b",
)
_AHEAD = patterns.compile(
    r"\b(?:before|prior|advance|ahead|beforehand|earlier|notice|vor|voraus|avant|antes|לפני|מראש)\b"
)
_NOTICE = patterns.compile(r"\bnotice\b")
_AND = patterns.compile(r"\band\b")
_SIGNED = patterns.compile(r"(?:\s?\(\d+\))?[\s-]?(?P<sign>%|°C|°F|°|[€$£¥₪₹])")
_BEHIND = patterns.compile(r"[\s\u00a0(\d)'\u2019-]{0,8}(?P<word>[^\W\d_]+)")
_COUNTED = patterns.compile(r"[\s-]?(?:of (?:the |its )?)?((?:[^\W\d_]+[\s/-]?){1,3})")
_NAME = patterns.compile(r"([^\W\d_][^,.;:]{1,40}):\s*\W{0,2}$")
_WORDS = patterns.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_DIGIT = patterns.compile(r"\d")
_ONES = frozenset(["hour", "day", "week", "month", "quarter", "year"])
_IN_WORDS = frozenset(IN_WORDS)
_TELLING = _ONES | REPEATING | ORDINALS | AT_ONCE | _IN_WORDS
_PASSED = "calendar consecutive full whole further additional more extra paid unpaid random"
_SKIPPED = frozenset(_PASSED.split())
_BETWEEN_WORDS = " -'\u2019()0123456789abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=KEPT)
def amounts_of(text: str, tongue: str = "en") -> tuple[Amount, ...]:
    """In the order of the text. References ("section 4"), and numbers that are part of a word, are none."""
    low = text.lower()
    low = low if len(low) == len(text) else text  # a few signs become two in lower case
    bag = frozenset(_WORDS.findall(low))
    digits = _DIGIT.search(text) is not None
    if not digits and bag.isdisjoint(_TELLING):
        return ()
    found: list[Amount] = []
    taken: list[tuple[int, int]] = []
    for one in special(text, low, bag, tongue, digits=digits):
        if _free(one.start, one.end, taken):
            taken.append((one.start, one.end))
            found.append(one)
    for match in _numbers(low, bag, digits=digits):
        if _free(*match.span("low"), taken):
            found += _of(text, low, match, tongue)
    if not bag.isdisjoint(_ONES):
        taken += [(one.start, one.end) for one in found]
        found += _single(text, low, tongue, taken)
    return tuple(sorted(found, key=lambda one: one.start))


def _free(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return all(end <= first or last <= start for first, last in taken)


def _numbers(low: str, bag: frozenset[str], *, digits: bool) -> Iterator[patterns.Match]:
    """Each number or range, none of them within another."""
    starts = [found.start() for found in _BEGINS.finditer(low)] if digits else []
    if not bag.isdisjoint(_IN_WORDS):
        words = _WORDS.finditer(low)
        starts += [one.start() for one in words if one[0] in _IN_WORDS]
        starts.sort()
    past = 0
    for start in starts:
        if start >= past and (found := _AMOUNT.match(low, start)) is not None:
            past = found.end()
            yield found


def _single(text: str, low: str, tongue: str, taken: list[tuple[int, int]]) -> Iterator[Amount]:
    """One of them, as in "within a week"."""
    for found in _A_UNIT.finditer(low):
        unit = UNITS[found["unit"]]
        if _free(*found.span("unit"), taken):
            taken.append(found.span())
            yield _made(text, 1.0, unit, found.start("unit") - 2, found.end(), tongue)


def _of(text: str, low: str, found: patterns.Match, tongue: str) -> Iterator[Amount]:
    start, end = found.span("low")
    if _referring(text, start) or (
        text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit()
    ):
        return
    unit, after = _unit(text, found)
    if found["low"] in NEEDS_UNIT and (unit is None or unit.family not in ("time", "percent")):
        return
    sign = _SIGN_BEFORE.search(low, max(0, start - 5), start)
    if unit is None and sign:
        unit = UNITS[sign["sign"]]
    first = sign.start() if sign else start
    least = value_of(found["low"])
    if not found["high"]:
        yield _made(text, least, unit, first, after, tongue)
        return
    high, second = value_of(found["high"]), found.start("high")
    between = "between" in low[max(0, start - 12) : start]
    if _AND.search(low[end:second]) and not between:
        yield _made(text, least, unit, first, after, tongue)
        yield _made(text, high, unit, second, after, tongue)
        return
    yield _made(text, least, unit, first, after, tongue, "least")
    yield _made(text, high, unit, first, after, tongue, "most")


def _referring(text: str, start: int) -> bool:
    """Whether a number at this place only names a part: "section 4"."""
    found = _BEHIND_REFERENCE.search(text, max(0, start - 16), start)
    if found is None:
        return False
    word = found["word"]
    if word is None:
        return True
    # A full stop before the number ends a sentence, but not that of "min. 5".
    return word.lower() in _REFERENCES or (
        "." in found[0] and word.lower() not in ("min", "max", "approx", "ca")
    )


def _unit(text: str, found: patterns.Match) -> tuple[Unit | None, int]:
    """The unit behind a number, past "calendar" and the like, and where it ends."""
    at = found.end("high") if found["high"] else found.end("low")
    rest = text[at : at + 60]
    signed = _SIGNED.match(rest)
    if signed is not None:
        return UNITS.get(signed["sign"].lower()), at + signed.end()
    working = False
    for word in _BEHIND.finditer(rest):
        if word.start() and rest[: word.start()].strip(_BETWEEN_WORDS):
            break
        said = word["word"].lower()
        if said in WORKING:
            working = True
        elif (unit := UNITS.get(said)) is not None:
            return (WORKING_DAY if working and unit.name == "day" else unit), at + word.end()
        elif said not in _SKIPPED:
            break
    return None, at


def _made(
    text: str,
    value: float,
    unit: Unit | None,
    start: int,
    end: int,
    tongue: str,
    of_range: Bound | None = None,
) -> Amount:
    there = bounded(text, start, end)
    nouns: tuple[str, ...] = ()
    if unit is None:
        family, name = "count", ""
        nouns, end = _nouns(text, start, end, tongue)
    else:
        family, name = unit.family, unit.name
        value *= unit.factor * (_rate(text[end : end + 24]) if family in MONEY else 1.0)
    ahead = _ahead(text, start, end)
    said = text[there.start : max(end, there.end)].strip()
    bound = of_range or _from_now(there, ahead=ahead)
    return Amount(value, family, name, bound, start, end, text, said, tongue, nouns, ahead)


def _from_now(there: Bounded, *, ahead: bool) -> Bound:
    # No later than a week before the trip is at least a week before it.
    return "least" if ahead and there.by in LATER and there.bound == "most" else there.bound


def _ahead(text: str, start: int, end: int) -> bool:
    behind = text[end : end + 32].lower().partition(",")[0]
    return bool(_AHEAD.search(behind) or _NOTICE.search(text[max(0, start - 60) : start].lower()))


def _rate(after: str) -> float:
    """How often in a year money is due, so that 10 a month is 120 a year; 1 where it does not say."""
    found = _PER.match(after.lower())
    if found is None:
        return 1.0
    word = (found["per"] or found["often"]).lower()
    hours = OFTEN.get(word) or (8766.0 if word == "annum" else UNITS[word].factor)
    return 8766.0 / hours


def _nouns(text: str, start: int, end: int, tongue: str) -> tuple[tuple[str, ...], int]:
    """What is counted: the words behind the number, else the name before a colon: "Users: 5"."""
    behind = _COUNTED.match(text[end : end + 80])
    if behind is not None:
        nouns = terms_of(behind[1], tongue)
        first = plain_words(behind[1])[:1]
        if nouns and terms_of(first[0] if first else "", tongue):
            return nouns, end + behind.start(1) + len(behind[1].split(" ")[0])
    named = _NAME.search(text[max(0, start - 60) : start])
    return (terms_of(named[1], tongue) if named else ()), end
