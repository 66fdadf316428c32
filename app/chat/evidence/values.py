"""Numbers, amounts, dates, times and addresses in a text, with their units and bounds."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from app.chat.evidence.wording import word_set
from app.engines.provenance.numbers import number_keys, of_word
from app.engines.provenance.tokens import Scan, Token, fold, scan
from app.text import patterns

_REMEMBERED = 4_096  # texts
_TYPED = ("n:", "s:", "d:", "md:", "my:", "t:", "p:", "e:", "u:")
_UNITS = {
    "%": "percent pct prozent pourcent",
    "usd": "$ dollar dollars usd bucks",
    "eur": "€ euro euros eur",
    "gbp": "£ pound pounds gbp sterling",
    "jpy": "¥ yen jpy",
    "ils": "₪ shekel shekels nis ils",
    "chf": "chf franken francs",
    "cent": "cent cents",
    "second": "second seconds sec secs s sekunde sekunden seconde secondes segundo segundos",
    "ms": "ms millisecond milliseconds",
    "minute": "minute minutes min mins minuten minuto minutos",
    "hour": "hour hours h hr hrs hourly stunde stunden heure heures hora horas",
    "day": "day days daily tag tage tagen jour jours dia dias giorno giorni",
    "week": "week weeks weekly woche wochen semaine semaines semana semanas",
    "month": "month months monthly monat monate monaten mois mes meses",
    "year": "year years yr yrs yearly annually jahr jahre jahren an ans annee annees ano anos",
    "byte": "b byte bytes",
    "bit": "bit bits",
    "kb": "kb kib kilobyte kilobytes",
    "mb": "mb mib megabyte megabytes",
    "gb": "gb gib gigabyte gigabytes",
    "tb": "tb tib terabyte terabytes",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "m": "m metre metres meter meters",
    "km": "km kilometre kilometres kilometer kilometers",
    "mile": "mile miles mi",
    "foot": "foot feet ft",
    "inch": "inch inches",
    "mg": "mg milligram milligrams",
    "g": "g gram grams",
    "kg": "kg kilo kilos kilogram kilograms",
    "lb": "lb lbs",
    "l": "l litre litres liter liters",
    "ml": "ml millilitre millilitres milliliter milliliters",
    "celsius": "°c celsius",
    "fahrenheit": "°f fahrenheit",
    "px": "px pixel pixels",
    "w": "w watt watts",
    "kw": "kw kilowatt kilowatts",
    "v": "v volt volts",
    "hz": "hz hertz",
    "mhz": "mhz megahertz",
    "ghz": "ghz gigahertz",
}
_UNIT_OF = {word: unit for unit, line in _UNITS.items() for word in (*line.split(), unit)}
_ENGLISH = word_set("""
zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
million dozen
""")
_TIMES = {"once": "n:1", "twice": "n:2", "thrice": "n:3", "half": "n:0.5", "single": "n:1"}
_BEFORE = patterns.compile(
    r"(?:(?P<sign>[$€£¥₪])|\b(?P<code>usd|eur|gbp|jpy|chf|ils))\s?$", patterns.IGNORECASE
)
_AFTER = patterns.compile(
    r"\s?-?(?P<unit>%|[$€£¥₪]|°\s?[cf]\b|per\s?cent\b|[^\W\d_]+)", patterns.IGNORECASE
)
_RANGE = patterns.compile(
    r"\s?(?:[-\u2013\u2014]|to|or|and|bis|oder|und|a|ou|y|et)\s?[$€£]?(?=\d)", patterns.IGNORECASE
)
_SIZE = patterns.compile(r"(\d+(?:[.,]\d+)?)([^\W\d_]{1,3})")
_LOOKED = 3  # words after a number, among which its unit is
_GE, _GT, _LE, _LT = "ge", "gt", "le", "lt"
_BOUNDS_BEFORE = (
    (
        _LE,
        r"at\s+most|no\s+(?:more|later|longer|greater|higher)\s+than|not\s+(?:be\s+)?(?:more|later|longer"
        r"|greater|higher)\s+than|(?:not|never)\s+exceed(?:ing|ed)?|up\s+to|maximum|max\b|within|limit(?:ed)?"
        r"|hochstens|maximal|bis\s+zu|au\s+plus|jusqu.?a|como\s+maximo|hasta|not\s+(?:over|above)",
    ),
    (
        _GE,
        r"at\s+least|no\s+(?:less|fewer|earlier|sooner)\s+than|not\s+(?:be\s+)?(?:less|fewer|earlier)\s+than"
        r"|minimum|min\b|not\s+(?:below|under)|mindestens|minimal|au\s+moins|al\s+menos|starting\s+(?:at|from)",
    ),
    (
        _GT,
        r"(?:more|greater|longer|higher|later|older)\s+than|over|above|exceed(?:s|ing|ed)?|beyond"
        r"|mehr\s+als",
    ),
    (_LT, r"(?:less|fewer|lower|shorter|smaller|earlier|younger)\s+than|under|below|weniger\s+als"),
)  # fmt: skip
_BOUND = patterns.compile(
    "|".join(rf"\b(?P<{name}{n}>{said})" for n, (name, said) in enumerate(_BOUNDS_BEFORE)),
    patterns.IGNORECASE,
)
_BOUND_AFTER = [(bound, patterns.compile(said, patterns.IGNORECASE)) for bound, said in (
    (_GE, r"(?:[^\W\d_]+\s+){0,3}?(?:or|and)\s+(?:more|longer|above|later|older|up)\b"),
    (_LE, r"(?:[^\W\d_]+\s+){0,3}?or\s+(?:less|fewer|below|earlier|shorter|under)\b"),
    (_LE, r"(?:[^\W\d_]+\s+){0,2}?(?:maximum|max|at\s+(?:the\s+)?most)\b"),
    (_GE, r"(?:[^\W\d_]+\s+){0,2}?(?:minimum|min|at\s+least)\b"),
)]  # fmt: skip
# What stands right before the next number bounds that one: "8 signs, but at least 12".
_NEXT = patterns.compile(
    r"(?:maximum|max|minimum|min|at\s+(?:the\s+)?(?:most|least))\s+[$€£]?$", patterns.IGNORECASE
)
_REACH = 48  # characters before a number in which what bounds it stands


@dataclass(frozen=True, slots=True)
class Value:
    """One value: `keys` as in `app.engines.provenance.tokens`, `parts` what it also may be; `unit` is ""
    where none is said, `bounds` of "ge", "gt", "le", "lt". `place` is where it begins in the folded text.
    """

    keys: frozenset[str]
    parts: frozenset[str] = frozenset()
    unit: str = ""
    bounds: frozenset[str] = frozenset()
    place: int = 0

    def same(self, other: "Value") -> bool:
        """Whether the text that holds `other` says this one."""
        if not self.keys & (other.keys | other.parts):
            return False
        if self.unit and other.unit and self.unit != other.unit:
            return False
        return not self.bounds or bool(self.bounds & other.bounds)


@lru_cache(maxsize=_REMEMBERED)
def values_of(text: str, *, claimed: bool = False) -> tuple[Value, ...]:
    """The values in their order. Where they are `claimed`, "one" and "once" by themselves are none, and a
    number of more readings than one counts with each.
    """
    found = scan(text)
    # "5 and 10" are two numbers, "two hundred and five" is one.
    spans = [one for one in found.spans if any(map(_is_spelled, _words(found, one[0], one[1])))]
    inside = {at for first, last, _ in spans for at in range(first, last + 1)}
    made = [
        _value(found, found.tokens[last].end, found.tokens[first].start, _typed(keys), frozenset())
        for first, last, keys in spans
    ]
    for at, token in enumerate(found.tokens):
        if at not in inside and (keys := _keys(found, at, token, claimed=claimed)):
            made.append(_value(found, token.end, token.start, keys, _typed(token.parts)))
    return tuple(made)


def _words(found: Scan, first: int, last: int) -> list[str]:
    return [found.word(at) for at in range(first, last + 1)]


def _is_spelled(word: str) -> bool:
    return word in _ENGLISH or (not word.isdigit() and (of_word(word) or 0) > 1)


def _keys(found: Scan, at: int, token: Token, *, claimed: bool) -> frozenset[str]:
    """Those of a value; none for a word that is no number."""
    if token.kind == "number":
        return number_keys(found.text[token.start : token.end])  # also where a span took it
    if token.kind not in ("word", "sign"):
        return _typed(token.keys)
    word = found.word(at)
    if size := _SIZE.fullmatch(word):
        return frozenset({f"n:{size[1].replace(',', '.')}"}) if size[2] in _UNIT_OF else frozenset()
    if word in _TIMES:
        return frozenset({_TIMES[word]} if not claimed or word == "twice" else ())
    if word in ("one", "a", "an", "each", "per"):
        unit = _unit_after(found.text, token.end, 1)
        return frozenset({"n:1"}) if (unit and word != "per") or not claimed else frozenset()
    if word in _ENGLISH or not word.isascii():
        return frozenset(key for key in token.keys if key.startswith("n:"))
    return frozenset()


def _typed(keys: Iterable[str]) -> frozenset[str]:
    return frozenset(key for key in keys if key.startswith(_TYPED))


def _value(found: Scan, end: int, start: int, keys: frozenset[str], parts: frozenset[str]) -> Value:
    text = found.text
    size = _SIZE.fullmatch(text[start:end])
    counted = any(key.startswith(("n:", "s:")) for key in keys)
    unit = ""
    if size and size[2].casefold() in _UNIT_OF:
        unit = _UNIT_OF[size[2].casefold()]
    elif counted:
        unit = _unit_before(text, start) or _unit_after(text, end, _LOOKED)
    return Value(keys, parts, unit, _bounds(text, start, end), start)


def _unit_before(text: str, start: int) -> str:
    found = _BEFORE.search(text, max(0, start - 5), start)
    return _UNIT_OF[(found["sign"] or found["code"]).casefold()] if found else ""


def _unit_after(text: str, end: int, most: int) -> str:
    if ranged := _RANGE.match(text, end):
        number = patterns.compile(r"\d[\d.,]*").match(text, ranged.end())
        end = number.end() if number else end
    for looked in range(most):
        found = _AFTER.match(text, end)
        if found is None or (looked and not text[end : end + 1].isspace()):
            return ""
        word = fold(found["unit"]).replace(" ", "")
        if unit := _UNIT_OF.get(word):
            # One letter is a unit only beside its number: "5 m", not "5 of plan m".
            return unit if len(word) > 1 or not looked or not word.isalpha() else ""
        if word in ("of", "and", "or", "to", "in", "at", "for", "per", "is", "are", "by", "on"):
            return ""
        end = found.end()
    return ""


def _bounds(text: str, start: int, end: int) -> frozenset[str]:
    """What bounds the value: the nearest such words before it with no number between, or right after."""
    before = text[max(0, start - _REACH) : start]
    before = patterns.split(r"\d|[.;!?]\s", before)[-1]
    nearest = ""
    for found in _BOUND.finditer(fold(before)):
        nearest = str(found.lastgroup)[:2]
    after = text[end : end + _REACH].lstrip(" %")
    after = _NEXT.sub("", patterns.split(r"[.;!?]|(?=\d)", after)[0])
    told = {name for name, shape in _BOUND_AFTER if shape.match(after)}
    return frozenset({nearest} - {""} | told)
