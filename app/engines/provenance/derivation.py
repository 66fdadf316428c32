"""Values that a model works out of what has a source: `30.00 = sum: 10.50, 19.50`.

The model names the operation and what it was given; code checks that the inputs have a source, and that
no digit or address comes from nowhere: a number is computed again, or made of the inputs' own digits.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from app.domain.background import Provenance
from app.domain.page import Node
from app.engines.evidence import folded
from app.engines.provenance.sources import GIVEN, Source, sources
from app.engines.reasoner import Situation
from app.text import patterns

LONGEST_DATE = 10  # characters of an ISO date
FEW = 3  # digits of a number that may be counted or chosen: none that names a person or a record
_NUMBER = patterns.compile(r"-?\d+(?:[.,]\d+)*")
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
    """
    read = (read_derivation(line) for line in lines)
    found = next((one for one in read if one is not None and one.value == value.strip()), None)
    if found is None:
        return None
    if found.operation == "picture":
        return _seen(found, situation)
    if found.operation == "chosen":
        return _chosen(found, situation, node)
    texts = [(source, folded(source.text)) for source in sources(situation, node)]
    known = [source for one in found.inputs if (source := _holding(one, texts)) is not None]
    if not known or len(known) < len(found.inputs) or not _follows(found, situation.today):
        return None
    least = max(known, key=lambda one: one.origin not in GIVEN)
    return Provenance(
        origin=least.origin,
        excerpt=", ".join(found.inputs),
        ref=least.ref,
        operation=found.operation,
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
    if node is None:
        return None
    alone = sum(one.role in _ENTRIES for one in situation.page.tree) == 1
    small = found.value.isdigit() and len(found.value) <= FEW and alone
    if small or node.role in _CHOOSING or node.input_type in ("range", "color"):
        return Provenance(origin="goal", excerpt=found.value, operation="chosen")
    return None


def _follows(found: Derivation, today: date | None) -> bool:
    """Whether the value can come of the inputs by that operation, as far as code can tell."""
    value, given = found.value, " ".join(found.inputs)
    if found.operation in _ARITHMETIC:
        return _computes(found)
    if found.operation == "count":
        return value.isdigit() and len(value) <= FEW
    if found.operation == "code" and _COLOUR.fullmatch(value):
        return not _digits(given)
    if found.operation == "date":
        return _is_near(value, today)
    if _squeezed(value) == _squeezed(given):  # the same signs, written otherwise
        return True
    if patterns.search(r"@|://|\bwww\.", value):
        return False
    return all(number in _digits(given) for number in _NUMBER.findall(value))


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
