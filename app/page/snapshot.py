"""Packs, compares and fingerprints observations."""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from urllib.parse import urlsplit

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from app.domain.page import MASK, Node, Observation, Tree
from app.text import patterns

INTERACTIVE_WEIGHT = 0.4  # DESIGN, "Re-planning"
STRUCTURE_WEIGHT = 0.6
REPLAN_BELOW = 0.70

Pairs = Iterable[tuple[str, str]]


def page_similarity(one: Observation, other: Observation) -> float:
    """Return the similarity of two pages in 0..1: symmetric, 1 for pages with the same controls.

    Interactive part: controls by role and name. Structural part: the number of each role per
    container. Ids, values, states, positions, order, clocks and counters do not count. At most 1 ms
    for 500 nodes.
    """
    interactive, structure = map(_jaccard, _count_nodes(one), _count_nodes(other))
    return INTERACTIVE_WEIGHT * interactive + STRUCTURE_WEIGHT * structure


def _count_nodes(page: Observation) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    nodes = page.tree.nodes
    controls = ((node.role, node.name) for node in nodes if node.role != "txt")
    return _count_pairs(controls), _count_pairs((node.role, node.group) for node in nodes)


def _count_pairs(pairs: Pairs) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for (role, text), count in Counter(pairs).items():
        found[role, drop_volatile(text)] += count
    return found


def _jaccard(one: Counter[tuple[str, str]], other: Counter[tuple[str, str]]) -> float:
    whole = (one | other).total()
    return (one & other).total() / whole if whole else 1.0


_CACHE = 16_384  # names; the pages of a few runs
_SKELETON_CHARS = 1_000  # characters of the page outline stored with an action
_CLOCK = patterns.compile(
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s?[ap]\.?m\b\.?)?|\b\d+(?=\s{0,9}(?:s|sec|secs|seconds?|min|mins|minutes?|h|hours?)\b)"
    r"|\(\d[\d,.]*\)",
    patterns.IGNORECASE,
)
_WORDS = patterns.compile(r"[^\W_]+")
_DIGITS = patterns.compile(r"\d+")
_ADAPTER = TypeAdapter(Observation)
_EXCLUDED = {
    "texts",
    "viewport",
    "unreachable",
    "dialogs",
    "downloads",
    "tabs",
    "mode",
    "markup",
    "screenshot",
    "pictured",
    "no_picture",
}


def pack(observation: Observation) -> bytes:
    """Compress the observation as JSON, without the contents of password fields."""
    nodes = [
        replace(n, value=_visible_value(n)) if n.input_type == "password" else n
        for n in observation.tree
    ]
    masked = replace(observation, tree=Tree.of(nodes))
    try:
        raw = _ADAPTER.dump_json(masked, exclude=_EXCLUDED, exclude_defaults=True)
    except PydanticSerializationError:  # a lone surrogate in page text
        plain = _ADAPTER.dump_python(masked, mode="json", exclude=_EXCLUDED, exclude_defaults=True)
        raw = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
    return zlib.compress(raw, 1)


def unpack(data: bytes) -> Observation:
    """Restore a packed observation. Raises ValueError for other bytes."""
    try:
        return _ADAPTER.validate_json(zlib.decompress(data))
    except zlib.error as error:
        raise ValueError("not a packed observation") from error


@lru_cache(maxsize=_CACHE)
def drop_volatile(text: str) -> str:
    """Remove clocks, ages ("5 minutes") and counts in brackets."""
    return _CLOCK.sub("#", text) if _DIGITS.search(text) else text


@lru_cache(maxsize=_CACHE)
def without_numbers(text: str) -> str:
    return _DIGITS.sub("#", text)


def fingerprint(observation: Observation) -> str:
    """Return a short hash of the page's state, equal for observations of an unchanged page.

    Ids, positions, focus, order and clocks do not count; the address (path, query, routing
    fragment), signatures, values, states, looks, and the summary's words and numbers do.
    """
    seen = Counter(_describe_state(node) for node in observation.tree.nodes)
    lines = sorted(f"{count}|{state}" for state, count in seen.items())
    words = sorted(set(_WORDS.findall(drop_volatile(observation.summary))))
    origin, path, query, _ = split_url(observation.url)
    place = f"{origin}{path}?{query}{routing_fragment(observation.url)}"
    return _hash("\n".join((place, " ".join(words), *lines)))


def dom_hash(observation: Observation) -> str:
    lines = (
        f"{n.role}|{n.name}|{n.group}|{_visible_value(n)}|{_joined_states(n)}"
        for n in observation.tree
    )
    return _hash("\n".join(lines))


def page_outline(observation: Observation) -> str:
    """List the controls by container without values, in at most 1,000 characters."""
    places: dict[str, list[str]] = {}
    for node in observation.tree:
        label = f"{node.role} {node.name}".strip() if node.role not in ("row", "opt") else node.role
        places.setdefault(node.group, []).append(label)
    outline = ""
    for group, labels in places.items():
        counts = (label if n == 1 else f"{label} x{n}" for label, n in Counter(labels).items())
        outline += f"{group or 'page'}: {', '.join(counts)}\n"
        if len(outline) > _SKELETON_CHARS:
            break
    return outline.removesuffix("\n")[:_SKELETON_CHARS]


def _describe_state(node: Node) -> str:
    name = without_numbers(node.name) if node.role == "txt" else drop_volatile(node.name)
    place = f"{node.role}|{name}|{drop_volatile(node.group)}"
    return f"{place}|{_visible_value(node)}|{_joined_states(node)}|{node.looks}"


def _joined_states(node: Node) -> str:
    return " ".join(sorted(node.states - {"focused"})) if node.states else ""


def _visible_value(node: Node) -> str:
    if node.value and node.input_type == "password":
        return MASK
    return node.value or ""


def split_url(url: str) -> tuple[str, str, str, str]:
    """Return origin, path without a trailing slash, query and fragment; an invalid URL is all path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ("", url, "", "")
    origin = f"{parts.scheme}://{parts.netloc}".lower()
    return (origin, parts.path.rstrip("/") or "/", parts.query, parts.fragment)


def routing_fragment(url: str) -> str:
    """Return the fragment if it routes to a page of an app; "" for a place on the page."""
    fragment = split_url(url)[3]
    return fragment if fragment[:1] in ("/", "!") else ""


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
