"""Traces values that a model derives from sourced inputs: `30.00 = sum: 10.50, 19.50`.

The model names an operation and its inputs. Code checks that the inputs have sources, recomputes
what it can, and requires every other number, date or address to occur in the inputs.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from difflib import SequenceMatcher

from app.domain.action import Provenance
from app.domain.directive import SECRET_FIELD
from app.domain.page import Node
from app.domain.reasoner import Situation
from app.domain.redaction import secrets_known
from app.page import ENTRIES, fold_words
from app.provenance.sources import GIVEN_ORIGINS, Source, is_other_frame, list_sources
from app.provenance.tokens import Scan, scan_text
from app.provenance.trace import trace_value
from app.provenance.value_match import contains_token, is_fact
from app.text import patterns
from app.text.encodings import decode_variants, encode_variants
from app.text.lexicon import pattern, words
from app.text.vocabulary import stems

FEW = 3  # digits of a freely chosen number; longer ones may identify a person or a record
SHORTEST_SECRET = 4  # characters; shorter secrets are not searched inside longer texts
_YEARS = 2  # years from today within which a computed day may be
_ADDRESS = patterns.compile(r"\S*(?:@|://|\bwww\.)\S*|[\w-]{2,}(?:\.[\w-]{2,})*\.[^\W\d_]{2,}")
_PLACES = patterns.compile(r"[.,](\d{1,2}|\d{4,})\D*$")
_GROUPED = patterns.compile(r"\d[^\w\s]\d")  # separators between digits
_COLOUR = patterns.compile(r"#[0-9a-fA-F]{3,8}|[0-9a-fA-F]{6}")
_TYPES = frozenset({"email", "tel", "url", "password"})
_IDENTIFYING = pattern(stems("values.identifying"))

Numbers = Sequence[Decimal]


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


def derive_source(
    value: str, lines: Iterable[str], situation: Situation, node: Node | None
) -> Provenance | None:
    """Return the source of a derived value; None if the derivation is invalid.

    The origin is that of the least trusted input, marked with the operation. Inputs must be in the
    field's frame: values do not cross sites.
    """
    value = value.strip()
    declared = (line.partition(" = ") for line in lines)
    derivation = next(
        (derivation_text for own, _, derivation_text in declared if own.split() == value.split()),
        "",
    )
    operation, operands = (part.strip() for part in derivation.partition(":")[::2])
    operation = operation.casefold()
    if operation == "picture":
        from_picture = Provenance(
            origin="page", excerpt=value, ref=operands or None, operation=operation
        )
        return from_picture if situation.page.screenshot is not None else None
    if operation == "chosen" and _may_choose(value, situation, node):
        return Provenance(origin="goal", excerpt=value, operation=operation)
    texts = [
        (source, f" {fold_words(source.text)} ")
        for source in list_sources(situation, node, value=operands)
        if not is_other_frame(source, node)
    ]
    if operation in ("", "chosen"):  # otherwise a copy, even of a short or common word
        return None if node is None or is_identifying(node) else _trace_copy(value, texts)
    inputs = [one for one in patterns.split(r"[;,]\s+|[;,]$", operands) if one.strip()]
    found_sources = [_find_source(fold_words(one).strip(), texts) for one in inputs]
    sources = [source for source in found_sources if source is not None]
    if not sources or len(sources) < len(found_sources):
        return None
    least = max(sources, key=lambda one: one.origin not in GIVEN_ORIGINS)
    is_given = least.origin in GIVEN_ORIGINS
    if not _is_derivable(value, operation, inputs, node, situation, is_given=is_given):
        return None
    excerpt = ", ".join(inputs)
    return Provenance(origin=least.origin, excerpt=excerpt, ref=least.ref, operation=operation)


def _find_source(phrase: str, texts: Iterable[tuple[Source, str]]) -> Source | None:
    """Return the first source with the text; a number inside another number does not count."""
    phrase = f" {phrase.strip()} " if phrase.replace(" ", "").isdigit() else phrase
    return next((source for source, text in texts if phrase and phrase in text), None)


def _trace_copy(value: str, texts: Iterable[tuple[Source, str]]) -> Provenance | None:
    source = _find_source(fold_words(value), texts)
    if source is None:
        return None
    return Provenance(origin=source.origin, excerpt=value, ref=source.ref)


def encodes_secret(text: str, situation: Situation) -> bool:
    hidden = (_squeeze(secret) for secret in secrets_known(situation) if secret not in text)
    secrets = [secret for secret in hidden if len(secret) >= SHORTEST_SECRET]
    variants = [_squeeze(secret) for secret in decode_variants(text)] if secrets else []
    return any(secret in variant for variant in variants for secret in secrets)


def _may_choose(value: str, situation: Situation, node: Node | None) -> bool:
    """Whether a model may choose it: a slider, a colour, plain words, a lone small number."""
    if node is None or is_identifying(node):
        return False
    if node.role == "range" or node.input_type in ("range", "color"):
        return True
    if value.islower() and all(token.kind == "word" for token in scan_text(value).tokens):
        return True
    alone = sum(one.role in ENTRIES for one in situation.page.tree) == 1
    return alone and value.isdigit() and len(value) <= FEW


def _is_derivable(
    value: str,
    operation: str,
    inputs: Sequence[str],
    node: Node | None,
    situation: Situation,
    *,
    is_given: bool,
) -> bool:
    """Whether the operation on the inputs can give the value.

    Computable results must agree. Other operations must not introduce numbers, dates or addresses;
    free text, such as a translation, is only for fields that identify nothing. `is_given`: the
    person gave the inputs, and may want them joined.
    """
    inputs_text = " ".join(inputs)
    if operation in _ARITHMETIC:
        return _is_result(value, operation, " ; ".join(inputs))
    if operation == "code" and _COLOUR.fullmatch(value):
        return not any(map(str.isdigit, inputs_text))
    if operation == "count":
        page = situation.page
        upper_limit = max(len(inputs), len(page.tree) + len(page.summary.splitlines()))
        is_small = value.isdigit() and len(value) <= FEW and int(value) <= upper_limit
        return is_small and not is_identifying(node)
    scan, scans = scan_text(value), [scan_text(one, situation.today) for one in inputs]
    if operation == "date" and not any(map(_days, scans)):
        return _is_near(scan, situation.today)
    if value in encode_variants(inputs_text):
        return True
    is_same = scan.tokens and _squeeze(value) == _squeeze(inputs_text)
    if is_same and not _GROUPED.search(f"{value} {inputs_text}") and (is_given or len(scans) == 1):
        return True  # the same characters, joined
    facts = [at for at in range(len(scan.tokens)) if is_fact(scan, at)]
    addresses = _ADDRESS.findall(value.casefold())
    return (
        all(any(contains_token(scan, at, one) for one in scans) for at in facts)
        and all(any(address in one.casefold() for one in inputs) for address in addresses)
        and (
            not is_identifying(node)
            or set(fold_words(value).split()) <= set(fold_words(inputs_text).split())
        )
    )


def _is_result(value: str, operation: str, inputs: str) -> bool:
    numbers, result = _numbers(inputs), _numbers(value)
    if not numbers or len(result) != 1:
        return False
    try:
        computed = _ARITHMETIC[operation](numbers)
    except (ArithmeticError, IndexError):
        return False
    decimals = _PLACES.search(value)
    places = len(decimals[1]) if decimals else 0
    return abs(computed - result[0]) <= Decimal(1).scaleb(-places) / 2


def _numbers(text: str) -> list[Decimal]:
    """Return the numbers in a text; an ambiguous separator counts as thousands."""
    counts = (
        [Decimal(key[2:]) for key in token.keys if key.startswith("n:")]
        for token in scan_text(text).tokens
    )
    return [max(readings) for readings in counts if readings]


def _days(text: Scan) -> frozenset[str]:
    keys = [token.keys for token in text.tokens] + [keys for _, _, keys in text.spans]
    return frozenset(key for one in keys for key in one if key.startswith("d:"))


def _is_near(value: Scan, today: date | None) -> bool:
    """Whether the text is a day or month within two years of today."""
    keys = (key for token in value.tokens for key in token.keys)
    years = [int(key.partition(":")[2][:4]) for key in keys if key.startswith(("d:", "my:"))]
    return today is not None and any(abs(year - today.year) <= _YEARS for year in years)


def _squeeze(text: str) -> str:
    return patterns.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def is_identifying(node: Node | None) -> bool:
    """Whether the field, by type or name, identifies someone, a place, an amount or a permission."""
    if node is None:
        return False
    name = f"{node.name} {node.hint}"
    is_named = _IDENTIFYING.search(words(name)) is not None
    return node.input_type in _TYPES or is_named or SECRET_FIELD.search(name) is not None


SHORTEST = 4  # words; a shorter text is a value, such as a name, and is not composed
LONGEST = 4_000  # words compared; the comparison is quadratic at worst
_LEAST_KEPT = 0.5  # share of the new text; below it, it is another text


def trace_edit(value: str, node: Node, situation: Situation) -> Provenance | None:
    """Return the source of what `value` adds to the field's text: the person, or None.

    Removals need no source. Line breaks are ignored, since pages may omit them.
    """
    original, edited = (node.value or "").split(), value.split()
    if not original or max(len(original), len(edited)) > LONGEST:
        return None
    compared = SequenceMatcher(None, original, edited, autojunk=False)
    kept_words = sum(block.size for block in compared.get_matching_blocks())
    if kept_words < len(original) and (
        len(original) < SHORTEST or kept_words < _LEAST_KEPT * len(edited)
    ):
        return None
    found = Provenance(origin="page", ref=node.name)
    for change, _, _, start, end in compared.get_opcodes():
        added = " ".join(edited[start:end])
        if change == "equal" or not any(sign.isalnum() for sign in added):
            continue
        source = trace_value(added, situation, node=replace(node, value=None))
        if source is None or source.origin not in GIVEN_ORIGINS:
            return None
        found = source
    return found.model_copy(update={"operation": "edit"})
