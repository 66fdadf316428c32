"""Scores the place of a node: its containers, its record, its neighbours."""

import math
from collections.abc import Sequence
from functools import lru_cache

from app.domain.page import Node, Tree
from app.grounding.labels import (
    CONTAINER_KINDS,
    RECORD_NOUNS,
    STOP_WORDS,
    WHOLE,
    Label,
    label,
    similarity,
)
from app.page import RECORDS, cut_group
from app.text import patterns

DIALOG = frozenset({"dialog"})
_MATCH = 0.6  # the container's label covers the whole phrase (label._PART)
_ELSEWHERE = 0.45  # factor outside the named container: too low for any label to be found
_NOT_HERE = 0.5  # factor if the container is not on the page
_BESIDE = 0.7  # factor for all but the node nearest to a `near` label
_BEHIND, _BEHIND_MODAL = 0.95, 0.7  # factors behind an open dialog

_NTH = patterns.compile(r"^([^\W\d]+) (-?\d{1,4})$")  # the grammar's form of "the third row"


@lru_cache(maxsize=4_096)
def parse_group(group: str) -> tuple[tuple[str, Label], ...]:
    """Return the (kind, label) pairs of a `Node.group`, outermost first."""
    return tuple((kind, label(text)) for kind, text in Node(id="", role="", group=group).groups)


def record_group(group: str) -> str:
    """Return the group up to its innermost row or item; empty if there is none."""
    return cut_group(group, RECORDS)


def name_variants(text: str) -> tuple[str, ...]:
    """Return the text, and the text without its generic noun: "user X"."""
    words = text.split()
    bare = words[words[:1] in (["the"], ["The"]) :]
    named = len(bare) > 1 and bare[0].lower() in RECORD_NOUNS
    return (text, " ".join(bare[1:])) if named else (text,)


def container_factors(within: str, tree: Tree) -> tuple[list[float], bool]:
    """Return a factor per node for being inside `within`, and whether the page has it."""
    if nth := _nth_record(within, tree):
        return [1.0 if record_group(node.group) == nth else _ELSEWHERE for node in tree], True
    for name in name_variants(within):
        strengths = _strengths(name, tree)
        best = max(strengths, default=0.0)
        if best >= _MATCH:
            return [1.0 if one >= best - 0.05 else _ELSEWHERE for one in strengths], True
    plain = not _kinds(within)[1]  # any container of a kind, or the page
    return [1.0 if plain else _NOT_HERE] * len(tree), plain


def _strengths(within: str, tree: Tree) -> list[float]:
    """Return how well each node is inside `within`: a container, or a record by its content."""
    named = label(within)
    fits = [similarity(named, label(node.name)) for node in tree]
    holders = {
        record_group(node.group) or node.group
        for node, fit in zip(tree, fits, strict=True)
        if node.group and fit >= WHOLE
    }
    return [
        max(
            _group_fit(within, node.group),
            WHOLE if (record_group(node.group) or node.group) in holders else 0.0,
            own if _MATCH <= own < WHOLE else 0.0,  # its own name has the record's: "Delete Ann"
        )
        for node, own in zip(tree, fits, strict=True)
    ]


@lru_cache(maxsize=16_384)
def _group_fit(within: str, group: str) -> float:
    """Return the best agreement of `within` with a container of the group; kind words match kinds."""
    named = label(within)
    kinds, rest = _kinds(within)
    best = 0.0
    for kind, here in parse_group(group):
        best = max(best, similarity(named, here))
        if kind in kinds:
            best = max(best, similarity(label(rest), here) if rest else 0.9)
    return best


@lru_cache(maxsize=1_024)
def _kinds(within: str) -> tuple[frozenset[str], str]:
    """Return the kinds of container that the words name, and the remaining words."""
    words = [word for word in label(within).folded.split() if word not in STOP_WORDS]
    names = frozenset().union(*CONTAINER_KINDS.values())
    kinds = frozenset(kind for kind, nouns in CONTAINER_KINDS.items() if nouns & set(words))
    return kinds, " ".join(word for word in words if word not in names)


def _nth_record(within: str, tree: Tree) -> str:
    """Return the record of "row 3" or "row -1" (from the end); empty for a name."""
    match = _NTH.match(within.strip())
    if match is None or not _kinds(match[1])[0] & RECORDS:
        return ""
    items = list(dict.fromkeys(key for node in tree if (key := record_group(node.group))))
    ordinal = int(match[2])
    at = ordinal - 1 if ordinal > 0 else len(items) + ordinal
    return items[at] if 0 <= at < len(items) else ""


def near_factors(near: str, tree: Tree, eligible: Sequence[bool]) -> list[float]:
    """Return a factor per node: 1 for the eligible node nearest to an element labelled `near`."""
    named = label(near)
    fits = [similarity(named, label(node.name)) for node in tree]
    best = max(fits, default=0.0)
    if best < _MATCH:
        return container_factors(near, tree)[0]
    anchors = [(at, node) for at, node in enumerate(tree) if fits[at] >= best - 0.02]
    gaps = {
        at: min(_distance(node, other, abs(at - place)) for place, other in anchors)
        for at, node in enumerate(tree)
        if eligible[at] and fits[at] < best - 0.02
    }
    nearest = min(gaps.values(), default=None)
    return [1.0 if gaps.get(at) == nearest else _BESIDE for at in range(len(tree))]


def _distance(a: Node, b: Node, order: int) -> float:
    """Return 0 within one record; pixels if both have positions; else positions in page order."""
    if record_group(a.group) and record_group(a.group) == record_group(b.group):
        return -1.0 / (1 + order)
    return math.dist(a.center, b.center) if a.center and b.center else float(order)


def dialog_factors(tree: Tree) -> list[float]:
    dialogs = [cut_group(node.group, DIALOG) for node in tree]
    top = next((one for one in reversed(dialogs) if one), "")
    behind = _BEHIND_MODAL if any("modal" in node.states for node in tree) else _BEHIND
    return [1.0 if one == top else _BEHIND if one else behind for one in dialogs]
