"""The cheapest, the largest: of the things a page lists the one with the least or greatest number."""

from app.domain.directive import Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.engines.grounding.label import label
from app.engines.refinement.case import Case
from app.engines.refinement.listing import FRAMING, HEADS, RECORD_KINDS
from app.engines.risk import is_risky
from app.text import patterns

PRICE = patterns.compile(
    r"[$€£¥]\s?(?P<a>\d[\d,]*(?:\.\d+)?)|(?P<b>\d[\d,]*(?:\.\d+)?)\s?(?:[$€£¥]|(?:USD|EUR|GBP|CHF|ILS)\b)"
)
NUMBER = patterns.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w.]*\w)")
LEAST = r"cheapest|lowest[- ]priced|least expensive|lowest|smallest|fewest"
MOST = r"most expensive|priciest|highest[- ]priced|highest|greatest|largest|biggest"
SAID = patterns.compile(rf"\b(?:(?P<least>{LEAST})|(?P<most>{MOST}))\b", patterns.IGNORECASE)
PRICED = patterns.compile(r"cheap|expensive|pric|cost|fare", patterns.IGNORECASE)
CONFIDENCE = 0.85


def extreme(case: Case, target: Target) -> Grounding | None:
    """The control of what has the least or greatest number; None when none was asked for, or two have it."""
    words = f"{target.phrase} {target.within or ''} {target.near or ''}"
    asked = SAID.search(words)
    if asked is None or target.quoted or target.ordinal is not None or target.all:
        return None
    read = _price if PRICED.search(words) else _number
    heads = _of_kind(_heads(case), label(SAID.sub("", target.phrase)).stems)
    rated = [(value, n) for n in heads if (value := read(_text(n))) is not None]
    if len(rated) < 2:
        return None
    best = (min if asked["least"] else max)(value for value, _ in rated)
    chosen = [node for value, node in rated if value == best]
    if len(chosen) != 1:
        return None
    node = chosen[0]
    seen = Candidate(id=node.id, role=node.role, name=node.name, group=node.group, score=CONFIDENCE)
    return Grounding(outcome="found", chosen=(node.id,), confidence=CONFIDENCE, candidates=(seen,))


def _heads(case: Case) -> list[Node]:
    """One control a record: the first of a row or item, or any control that stands alone."""
    heads: dict[str, Node] = {}
    for node in case.tree:
        kinds = {kind for kind, _ in node.groups}
        if node.role in HEADS and node.enabled and not kinds & FRAMING and not is_risky(node.name):
            heads.setdefault(node.group if kinds & RECORD_KINDS else node.id, node)
    return list(heads.values())


def _of_kind(heads: list[Node], kind: frozenset[str]) -> list[Node]:
    """Those that say they are of the kind; all of them, where fewer than two say so."""
    fitting = [n for n in heads if kind and kind <= label(f"{n.name} {n.group}").stems]
    return fitting if len(fitting) > 1 else heads


def _text(node: Node) -> str:
    kind, _, last = (node.group.split(" > ")[-1] if node.group else "").partition(":")
    own = kind.strip() in RECORD_KINDS and label(last).folded != label(node.name).folded
    return f"{node.name} {last}" if own else node.name


def _price(text: str) -> float | None:
    found = list(PRICE.finditer(text))
    return _value(found[0]["a"] or found[0]["b"]) if len(found) == 1 else None


def _number(text: str) -> float | None:
    found = set(NUMBER.findall(text))
    return _value(found.pop()) if len(found) == 1 else None


def _value(digits: str) -> float:
    return float(digits.replace(",", ""))
