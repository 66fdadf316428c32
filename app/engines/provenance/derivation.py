"""Values that a model works out of what has a source: `30.00 = sum: 10.50, 19.50`.

The model names the operation and what it was given; code checks that the inputs have a source, and that
no digit or address comes from nowhere: a number is computed again, or made of the inputs' own digits.
"""

import math
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import NamedTuple

from app.domain.background import Provenance
from app.domain.page import Node
from app.engines.evidence import folded
from app.engines.provenance.sources import GIVEN, Source, is_elsewhere, sources
from app.engines.provenance.tokens import normal, scan
from app.engines.reasoner import Situation
from app.engines.redaction import SECRET_FIELD, secrets_known
from app.engines.risk.lexicon import pattern, words
from app.text import patterns
from app.text.codings import encodings, readings

LONGEST_DATE = 10  # characters of an ISO date
FEW = 3  # digits of a number that may be counted or chosen: none that names a person or a record
_NUMBER = patterns.compile(r"-?\d+(?:[.,]\d+)*")
_WRITTEN = patterns.compile(r"\d+(?:[\s./,:-]\d+)*")  # a number as people write it, in groups
_DECIMAL = patterns.compile(r"\d+(?:[.,]\d{3})*[.,]\d{1,2}")
_ADDRESS = patterns.compile(r"\S*(?:@|://|\bwww\.)\S*|[\w-]{2,}(?:\.[\w-]{2,})*\.[^\W\d_]{2,}")
SHORTEST_SECRET = 4  # characters of a secret that is looked for within a longer text
_COLOUR = patterns.compile(r"#[0-9a-fA-F]{3,8}")
_CHOOSING = frozenset({"range"})
_ENTRIES = frozenset({"inp", "sel", "chk", "rad", "range", "file"})

Numbers = Sequence[Decimal]


class Derivation(NamedTuple):
    """One line of a reply: the value, the operation, and what went into it."""

    value: str
    operation: str
    inputs: tuple[str, ...]


_ARITHMETIC: dict[str, Callable[[Numbers], Decimal]] = {
    "sum": lambda numbers: sum(numbers, Decimal()),
    "difference": lambda numbers: numbers[0] - sum(numbers[1:], Decimal()),
    "product": lambda numbers: math.prod(numbers, start=Decimal(1)),
    "quotient": lambda numbers: numbers[0] / math.prod(numbers[1:], start=Decimal(1)),
    "average": lambda numbers: sum(numbers, Decimal()) / len(numbers),
    "percent": lambda numbers: numbers[0] * numbers[1] / 100,
    "minimum": min,
    "maximum": max,
}


def read_derivation(line: str) -> Derivation | None:
    """The line's parts; None where it is no derivation."""
    value, equals, rest = line.partition(" = ")
    operation, _, inputs = rest.partition(":")
    if not equals or not value.strip() or not operation.strip():
        return None
    parts = (part.strip() for part in patterns.split(r"[;,]\s+|[;,]$", inputs.strip()))
    return Derivation(value.strip(), operation.strip().casefold(), tuple(filter(None, parts)))


def derive(
    value: str, lines: Iterable[str], situation: Situation, node: Node | None
) -> Provenance | None:
    """Where a value that a model says it worked out comes from; None where that does not hold.

    The origin is that of the input that is trusted least; the operation says that it was derived.
    Inputs stand in the field's own frame: what one site shows is not for another.
    """
    read = (read_derivation(line) for line in lines)
    found = next((one for one in read if one is not None and one.value == value.strip()), None)
    if found is None:
        return None
    if found.operation == "picture":
        return _seen(found, situation)
    if found.operation == "chosen":
        return _chosen(found, situation, node)
    texts = [
        (source, folded(source.text))
        for source in sources(situation, node)
        if not is_elsewhere(source, node)
    ]
    known = [source for one in found.inputs if (source := _holding(one, texts)) is not None]
    if not known or len(known) < len(found.inputs):
        return None
    least = max(known, key=lambda one: one.origin not in GIVEN)
    if not _follows(found, node, situation, is_given=least.origin in GIVEN):
        return None
    return Provenance(
        origin=least.origin,
        excerpt=", ".join(found.inputs),
        ref=least.ref,
        operation=found.operation,
    )


def encodes_secret(text: str, situation: Situation) -> bool:
    """Whether a secret of the task stands in the text in another writing than its own."""
    hidden = (_squeezed(one) for one in secrets_known(situation) if one not in text)
    known = [one for one in hidden if len(one) >= SHORTEST_SECRET]
    return bool(known) and any(
        one in reading for reading in map(_squeezed, readings(text)) for one in known
    )


def _holding(wanted: str, texts: Sequence[tuple[Source, str]]) -> Source | None:
    """The first source in which the text stands."""
    words = folded(wanted)
    return next((source for source, text in texts if words.strip() and words in text), None)


def _seen(found: Derivation, situation: Situation) -> Provenance | None:
    if situation.page.screenshot is None:
        return None
    where = ", ".join(found.inputs)
    return Provenance(origin="page", excerpt=found.value, ref=where or None, operation="picture")


def _chosen(found: Derivation, situation: Situation, node: Node | None) -> Provenance | None:
    """A slider's place, a colour, or a small number where it is all that the page takes: a guess."""
    if node is None or identifies(node):
        return None
    alone = sum(one.role in _ENTRIES for one in situation.page.tree) == 1
    small = found.value.isdigit() and len(found.value) <= FEW and alone
    if small or node.role in _CHOOSING or node.input_type in ("range", "color"):
        return Provenance(origin="goal", excerpt=found.value, operation="chosen")
    return None


def _follows(found: Derivation, node: Node | None, situation: Situation, *, is_given: bool) -> bool:
    """Whether the value can come of the inputs by that operation, as far as code can tell.

    What can be computed again has to agree. Free words, such as a translation, are for fields that
    name nobody and nothing, and bring in no number and no address. `is_given`: the person said the
    inputs, and may have them joined.
    """
    value, given = found.value, " ".join(found.inputs)
    if found.operation in _ARITHMETIC:
        return _computes(found)
    if found.operation == "code" and _COLOUR.fullmatch(value):
        return not _digits(given)
    if found.operation == "count":
        return not identifies(node) and _is_counted(found, situation)
    if found.operation == "date" and not all(map(_is_day, found.inputs)):
        return _is_near(value, situation.today)
    if not _keeps_days(found):
        return False
    if _squeezed(value) == _squeezed(given):  # the same signs, written otherwise
        is_one = is_given or len(found.inputs) == 1 or len(_figures(value)) <= FEW
        return is_one and _keeps_amounts(value, given) and _keeps_addresses(found)
    if _is_day(value) or value in encodings(given):
        return True
    if not (_keeps_numbers(found) and _keeps_addresses(found)):
        return False
    return not identifies(node) or set(folded(value).split()) <= set(folded(given).split())


def _is_counted(found: Derivation, situation: Situation) -> bool:
    """Whether the page has as many things, or as many were named."""
    page = situation.page
    most = max(len(found.inputs), len(page.tree) + len(page.summary.splitlines()))
    return found.value.isdigit() and len(found.value) <= FEW and int(found.value) <= most


def _days(text: str) -> frozenset[str]:
    dates = (token.keys for token in scan(normal(text)).tokens if token.kind == "date")
    return frozenset().union(*dates)


def _is_day(text: str) -> bool:
    """Whether it is a date and nothing else."""
    return {token.kind for token in scan(normal(text)).tokens} == {"date"}


def _keeps_days(found: Derivation) -> bool:
    """Whether its dates are those of the inputs, in whatever order of day and month."""
    days = _days(found.value)
    return not days or any(days & _days(one) for one in found.inputs)


def _keeps_amounts(value: str, given: str) -> bool:
    """Whether no decimal point was moved: 850.00 is not 85000."""
    if not any(_DECIMAL.fullmatch(one) for one in _NUMBER.findall(f"{value} {given}")):
        return True
    return set(_numbers(value)) <= set(_numbers(given))


def _keeps_addresses(found: Derivation) -> bool:
    """Whether each address in it stands in one of the inputs: none is put together."""
    known = [one.casefold() for one in found.inputs]
    return all(
        any(address.casefold() in one for one in known) for address in _ADDRESS.findall(found.value)
    )


def _keeps_numbers(found: Derivation) -> bool:
    """Whether each number in it is one of the inputs': a long one whole, and not made of two."""
    whole = {_figures(number) for one in found.inputs for number in _WRITTEN.findall(one)}
    groups = {number for one in found.inputs for number in patterns.findall(r"\d+", one)}
    written = (_figures(number) for number in _WRITTEN.findall(found.value))
    return all(one in whole or (len(one) <= FEW and one in groups) for one in written)


def _figures(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _computes(found: Derivation) -> bool:
    numbers = [number for one in found.inputs for number in _numbers(one)]
    result = _numbers(found.value)
    if not numbers or len(result) != 1:
        return False
    try:
        computed = _ARITHMETIC[found.operation](numbers)
    except (ArithmeticError, IndexError):
        return False
    places = max(0, -int(result[0].as_tuple().exponent))
    return abs(computed - result[0]) <= Decimal(1).scaleb(-places) / 2


def _numbers(text: str) -> list[Decimal]:
    """The numbers in a text; the last of its separators parts the decimals, unless three digits follow."""
    found = []
    for number in _NUMBER.findall(text):
        whole, _, rest = number.replace(",", ".").rpartition(".")
        is_whole = not whole or (len(rest) == 3 and whole not in ("0", "-0"))
        plain = number.replace(",", "").replace(".", "")
        written = plain if is_whole else f"{whole.replace('.', '')}.{rest}"
        try:
            found.append(Decimal(written))
        except InvalidOperation:
            continue
    return found


def _digits(text: str) -> list[str]:
    return _NUMBER.findall(text)


def _squeezed(text: str) -> str:
    return patterns.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def _is_near(value: str, today: date | None) -> bool:
    """Whether it is a date within two years of today, in figures."""
    if today is None:
        return False
    try:
        found = date.fromisoformat(value[:LONGEST_DATE])
    except ValueError:
        numbers = sorted((int(one) for one in patterns.findall(r"\d+", value)[:5]), reverse=True)
        return bool(numbers) and any(abs(one - today.year) <= 2 for one in numbers)
    return abs((found - today).days) <= 2 * 366


_TABLE = Path(__file__).parent / "identifying.toml"
_TYPES = frozenset({"email", "tel", "url", "password"})


def identifies(node: Node | None) -> bool:
    """Whether the field says who, where, how much or by which right, by its type or its name."""
    if node is None:
        return False
    name = f"{node.name} {node.hint}"
    is_named = _named().search(words(name)) is not None
    return node.input_type in _TYPES or is_named or SECRET_FIELD.search(name) is not None


@cache
def _named() -> patterns.Pattern:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return pattern(" ".join(_stem(one) for line in table.values() for one in line.split()))


def _stem(written: str) -> str:
    """The stem as `words` writes it, so that an accent of the table is none."""
    return "+".join(words(written).split()) + ("$" if written.endswith("$") else "")
