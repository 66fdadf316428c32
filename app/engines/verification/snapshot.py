"""The page as it was before an action: small enough for a checkpoint, whole enough to compare."""

import hashlib
import zlib
from collections import Counter
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import orjson

from app.domain.page import MASK, ClientObservations, Node, Observation, Tree
from app.text import patterns

_VERSION = 1
_REMEMBERED = 16_384  # names; the pages of a few runs, which are looked at again and again
_SKELETON_CHARS = 1_000  # what a stored action may spend on telling where it was taken
_CLOCK = patterns.compile(
    r"\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s?[ap]\.?m\b\.?)?|\b\d+(?=\s*(?:s|sec|secs|seconds?|min|mins|minutes?|h|hours?)\b)"
    r"|\(\d[\d,.]*\)",
    patterns.IGNORECASE,
)
_WORDS = patterns.compile(r"[^\W\d_]+")
_DIGITS = patterns.compile(r"\d+")
_UNSTABLE = frozenset({"focused"})


def pack(observation: Observation) -> bytes:
    """The observation as zlib over JSON arrays. What a password field holds is never in it."""
    rows = [_row(node) for node in observation.tree.nodes]
    client = observation.client
    head = [
        _VERSION, observation.url, observation.title, observation.summary,
        observation.errors, observation.successes, observation.events,
        [client.network, client.mutated, client.url_changed],
        observation.scroll, observation.scrollables, rows,
    ]  # fmt: skip
    try:
        raw = orjson.dumps(head)
    except TypeError:  # a lone surrogate in page text
        raw = orjson.dumps(_clean(head))
    return zlib.compress(raw, 1)


def unpack(data: bytes) -> Observation:
    """What `pack` was given. Raises ValueError for bytes of another make."""
    try:
        head = orjson.loads(zlib.decompress(data))
    except zlib.error as error:
        raise ValueError("not a packed observation") from error
    version, url, title, summary, errors, successes, events, client, scroll, scrollables, rows = (
        head
    )
    if version != _VERSION:
        raise ValueError(f"packed observation of version {version}")
    states: dict[str, frozenset[str]] = {"": frozenset()}
    return Observation(
        url=url, title=title, summary=summary,
        errors=tuple(errors), successes=tuple(successes), events=tuple(events),
        client=ClientObservations(network=client[0], mutated=client[1], url_changed=client[2]),
        scroll=scroll, scrollables=tuple(scrollables),
        tree=Tree(tuple(_node(row, states) for row in rows)),
    )  # fmt: skip


def _row(node: Node) -> tuple[Any, ...]:
    value = node.value
    if value and node.input_type == "password":
        value = MASK
    return (
        node.id, node.role, node.name, value, " ".join(sorted(node.states)) if node.states else "",
        node.group, node.hint, node.input_type, node.occluded, node.options, node.center, node.box,
        node.frame,
    )  # fmt: skip


def _node(row: list[Any], known: dict[str, frozenset[str]]) -> Node:
    center, box, states = row[10], row[11], known.get(row[4])
    if states is None:
        states = known[row[4]] = frozenset(row[4].split(" "))
    return Node(
        id=row[0], role=row[1], name=row[2], value=row[3], states=states, group=row[5],
        hint=row[6], input_type=row[7], occluded=row[8], options=tuple(row[9]),
        center=None if center is None else (center[0], center[1]),
        box=None if box is None else (box[0], box[1], box[2], box[3]), frame=row[12],
    )  # fmt: skip


def _clean(value: object) -> object:
    """The same with lone surrogates replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value


@lru_cache(maxsize=_REMEMBERED)
def steady(text: str) -> str:
    """The text without what changes by itself: clocks, ages ("5 minutes"), counts in brackets."""
    return _CLOCK.sub("#", text) if _DIGITS.search(text) else text


@lru_cache(maxsize=_REMEMBERED)
def without_numbers(text: str) -> str:
    """The text with every number made the same."""
    return _DIGITS.sub("#", text)


def fingerprint(observation: Observation) -> str:
    """A short hash of the page's state: equal for two looks at a page that did not change.

    It leaves out ids, positions, focus, the order of controls, clocks and counters; address (path,
    query, routing fragment), signatures, values, states and the words of the summary are in.
    """
    seen = Counter(_state(node) for node in observation.tree.nodes)
    lines = sorted(f"{count}|{state}" for state, count in seen.items())
    said = sorted(set(_WORDS.findall(observation.summary)))
    return _hash("\n".join((_place(observation.url), " ".join(said), *lines)))


def dom_hash(observation: Observation) -> str:
    """A short hash of the nodes as they stand, in order, their texts and values included."""
    lines = (f"{n.role}|{n.name}|{n.group}|{_shown(n)}|{_states(n)}" for n in observation.tree)
    return _hash("\n".join(lines))


def skeleton(observation: Observation) -> str:
    """What was there, container by container, without values: at most 1,000 characters."""
    places: dict[str, list[str]] = {}
    for node in observation.tree:
        label = f"{node.role} {node.name}".strip() if node.role not in ("row", "opt") else node.role
        places.setdefault(node.group, []).append(label)
    told = ""
    for group, labels in places.items():
        told += f"{group or 'page'}: {_listed(labels)}\n"
        if len(told) > _SKELETON_CHARS:
            break
    return told.removesuffix("\n")[:_SKELETON_CHARS]


def _listed(labels: list[str]) -> str:
    counts = Counter(labels)
    return ", ".join(label if n == 1 else f"{label} x{n}" for label, n in counts.items())


def _state(node: Node) -> str:
    name = without_numbers(node.name) if node.role == "txt" else steady(node.name)
    return f"{node.role}|{name}|{steady(node.group)}|{_shown(node)}|{_states(node)}"


def _states(node: Node) -> str:
    return " ".join(sorted(node.states - _UNSTABLE)) if node.states else ""


def _shown(node: Node) -> str:
    if node.value and node.input_type == "password":
        return MASK
    return node.value or ""


def _place(url: str) -> str:
    """Path, query and the fragment where it routes."""
    parts = split_url(url)
    return f"{parts[0]}{parts[1]}?{parts[2]}{parts[3] if parts[3][:1] in ('/', '!') else ''}"


def split_url(url: str) -> tuple[str, str, str, str]:
    """Origin, path without a trailing slash, query and fragment; for no address, all in the path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ("", url, "", "")
    origin = f"{parts.scheme}://{parts.netloc}".lower()
    return (origin, parts.path.rstrip("/") or "/", parts.query, parts.fragment)


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
