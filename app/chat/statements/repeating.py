"""Amounts that are no number with a unit: how often, which in a row, at once, and versions by their names."""

from collections.abc import Iterator

from app.chat.statements import dates
from app.chat.statements.amounts import Amount
from app.chat.statements.bounds import bounded
from app.chat.statements.numbers import IN_WORDS, NUMBER, value_of
from app.chat.statements.units import OFTEN, UNITS, WORKING
from app.text import patterns

_UNIT = (
    r"hours?|days?|weeks?|months?|quarters?|years?|stunden?|tage?|wochen?|monate?|jahre?|jours?|mois"
    r"|semaines?|ans?|días?|meses|semanas?|años?"
)
_EVERY = patterns.compile(
    r"\b(?:every|once (?:every|an?|per|each)|each|alle|tous les|cada)\s(?P<other>other\s)?"
    rf"(?:(?P<n>\d+|[^\W\d_]+)\s)?(?P<unit>{_UNIT})\b",
)
_TIMES = patterns.compile(
    rf"\b(?:(?P<twice>twice)|(?P<n>{NUMBER})\stimes)\s(?:an?|per|each|every)\s(?P<unit>{_UNIT})\b",
)
_OFTEN = patterns.compile(rf"\b(?:{'|'.join(OFTEN)})\b")
_ORDINALS = {
    word: float(value)
    for value, words in enumerate(
        (
            "first 1st erste ersten erster premier première primer primera primero",
            "second 2nd zweite zweiten zweiter deuxième segundo segunda",
            "third 3rd dritte dritten dritter troisième tercer tercera tercero",
            "fourth 4th vierte vierten vierter quatrième cuarto cuarta",
            "fifth 5th fünfte fünften fünfter cinquième quinto quinta",
            "sixth 6th sechste sechsten sixième sexto",
            "seventh 7th siebte siebten septième séptimo",
            "eighth 8th achte achten huitième octavo",
            "ninth 9th neunte neunten neuvième noveno",
            "tenth 10th zehnte zehnten dixième décimo",
            "eleventh 11th elfte elften", "twelfth 12th zwölfte zwölften", "thirteenth 13th",
            "fourteenth 14th", "fifteenth 15th", "sixteenth 16th",
        ),
        1,
    )
    for word in words.split()
}  # fmt: skip
# What comes one after the other, so that the first is told from the third; "first aid" and "third party" are
# names.
_NTH = patterns.compile(
    rf"\b(?P<nth>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}|last(?=\s(?:\w+\s)?day\b))\s"
    rf"(?:(?:{'|'.join(WORKING)}|calendar|full|consecutive|unsuccessful|failed|written)\s)?"
    r"(?P<what>hours?|days?|weeks?|months?|quarters?|years?|attempts?|offen[cs]es?|reminders?|warnings?"
    r"|violations?|breach(?:es)?|instal?ments?|renewals?|trimesters?"
    r"|tag(?:es)?|woche|monats?|jahr(?:es)?|mahnung|jour|semaine|mois|an|rappel|día|semana|mes|año"
    r"|of (?=(?:each|every|the|a) (?:\w+ )?(?:month|quarter|year)))"
    r"(?:\b|(?<=\s))(?!\s?-)",
)
_AT_ONCE = patterns.compile(
    r"\b(?:immediately|at once|without (?:undue |any )?delay|forthwith|straight ?away|right away|instantly"
    r"|unverzüglich|sofort|umgehend|immédiatement|sans délai|inmediatamente|de inmediato)\b"
    r"(?!\s(?:after|before|following|upon|prior|available|nach|vor))",
)
_NAMED = patterns.compile(
    r"\b(?P<name>[A-Z]{2,6})[ -]?v?(?P<value>\d+(?:\.\d+)?)\b(?!\s?(?:%|days|months))"
)
_NORMS = "ISO IEC RFC EUR USD GBP CHF ILS NIS JPY INR NO II"
_HASTE = (
    "immediately once delay forthwith straight straightaway right instantly unverzüglich sofort umgehend "
    "immédiatement délai inmediatamente inmediato"
)
_NO_NAMES = frozenset(_NORMS.split())
REPEATING = frozenset(OFTEN) | frozenset(
    ["every", "once", "each", "alle", "tous", "cada", "twice", "times"]
)
ORDINALS = frozenset(_ORDINALS) | frozenset(["last", "st", "nd", "rd", "th"])
AT_ONCE = frozenset(_HASTE.split())


def special(
    text: str, low: str, bag: frozenset[str], tongue: str, *, digits: bool
) -> Iterator[Amount]:
    """Those of a sentence with these words; `low` is it in lower case, `digits`: it has some."""
    if digits:
        for found, family, value in dates.of(low, bag):
            yield _plain(text, found, value, family, family, tongue)
    if not bag.isdisjoint(ORDINALS):
        yield from _ordinals(text, low, tongue)
    if digits:
        yield from _versions(text, tongue)
    if not bag.isdisjoint(REPEATING):
        yield from _repeated(text, low, bag, tongue)
    if not bag.isdisjoint(AT_ONCE):
        for found in _AT_ONCE.finditer(low):
            yield _plain(text, found, 0.0, "time", "at once", tongue)


def _plain(
    text: str, found: patterns.Match, value: float, family: str, unit: str, tongue: str
) -> Amount:
    start, end = found.span()
    there = bounded(text, start, end)
    return Amount(
        value,
        family,
        unit,
        "exact",
        start,
        end,
        text,
        text[there.start : there.end].strip(),
        tongue,
    )


def _ordinals(text: str, low: str, tongue: str) -> Iterator[Amount]:
    """Places in a row, as "the third day": neither the least nor the most."""
    for found in _NTH.finditer(low):
        said = found["nth"]
        value = (
            -1.0 if said == "last" else _ORDINALS.get(said) or float(patterns.sub(r"\D", "", said))
        )
        noun = found["what"]
        noun = "day" if noun == "of " else noun  # "the 5th of each month"
        unit = UNITS.get(noun)
        name = unit.name if unit else noun.rstrip("s")
        start, end = found.start(), found.end() - 3 * (found["what"] == "of ")
        said = text[start:end].strip()
        yield Amount(value, "ordinal", name, "exact", start, end, text, said, tongue, (name,))


def _versions(text: str, tongue: str) -> Iterator[Amount]:
    """A version or size by its name, as "AES-256" and "TLS 1.2"."""
    for found in _NAMED.finditer(text):
        name = found["name"]
        if name in _NO_NAMES:
            continue
        start, end = found.span()
        there = bounded(text, start, end)
        said = text[there.start : there.end].strip()
        value = float(found["value"])
        yield Amount(value, f"named {name}", name, there.bound, start, end, text, said, tongue)


def _repeated(text: str, low: str, bag: frozenset[str], tongue: str) -> Iterator[Amount]:
    for found in _EVERY.finditer(low):
        written = found["n"]
        if written is not None and not _NUMERAL.fullmatch(written):
            continue
        times = (value_of(written) if written else 1.0) * (2.0 if found["other"] else 1.0)
        yield _plain(text, found, times * _hours(found["unit"]), "every", "hour", tongue)
    for found in _TIMES.finditer(low) if "times" in bag or "twice" in bag else ():
        times = 2.0 if found["twice"] else value_of(found["n"])
        if times:
            yield _plain(text, found, _hours(found["unit"]) / times, "every", "hour", tongue)
    for found in _OFTEN.finditer(low) if not bag.isdisjoint(OFTEN) else ():
        yield _plain(text, found, OFTEN[found[0]], "every", "hour", tongue)


def _hours(unit: str) -> float:
    return (UNITS.get(unit) or UNITS[unit.rstrip("s")]).factor


_NUMERAL = patterns.compile(rf"\d+|{'|'.join(IN_WORDS)}", patterns.IGNORECASE)
