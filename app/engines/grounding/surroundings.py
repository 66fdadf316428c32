"""Where a node is: its containers, its record, what lies beside it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from app.domain.page import Node, Tree
from app.engines.grounding.label import Label, label
from app.engines.grounding.lexicon import CONTAINER_KINDS, RECORD_NOUNS
from app.engines.grounding.similarity import WHOLE, similarity
from app.text import patterns

RECORDS = frozenset({"row", "item"})  # kinds that repeat, one per record
MATCH = 0.6  # a container's label says at least all of the phrase (similarity._PART)
_BESIDE = 0.7  # what is not the nearest to a `near` label
_ELSEWHERE = 0.45  # outside the container that was named: below deciding.FOUND for any label
_WEAKER = 0.8  # in a container whose label fits less well than another's
_NOT_HERE = 0.5  # no such container on the page: nothing can be surely meant

_DESCRIBED = patterns.compile(
    r"^(?:the\s+)?(?:\w+\s+){1,2}(?:by|from|of|for|named|called|titled|with|about|to)\s+(.+)$",
    patterns.IGNORECASE,
)
_NTH = patterns.compile(r"^([^\W\d]+) (-?\d{1,4})$")  # as the grammar writes "the third row"


@lru_cache(maxsize=4_096)
def containers(group: str) -> tuple[tuple[str, str], ...]:
    """The (kind, label) pairs of a `Node.group`, from the outside in."""
    return Node(id="", role="", group=group).groups


@lru_cache(maxsize=4_096)
def record(group: str) -> str:
    """The group down to its innermost row or item; empty when it has none."""
    parts = group.split(" > ")
    for at in range(len(parts), 0, -1):
        if parts[at - 1].partition(":")[0].strip() in RECORDS:
            return " > ".join(parts[:at])
    return ""


@lru_cache(maxsize=4_096)
def dialog(group: str) -> str:
    """The group down to its innermost dialog; empty when it has none."""
    parts = group.split(" > ")
    for at in range(len(parts), 0, -1):
        if parts[at - 1].partition(":")[0].strip() == "dialog":
            return " > ".join(parts[:at])
    return ""


def described(text: str) -> str:
    """X of "the message from X"; empty for any other text."""
    found = _DESCRIBED.match(text)
    return found[1] if found else ""


def names_said(text: str) -> tuple[str, ...]:
    """The text, and what is left of it without the sort of thing: "the email by X", "user X"."""
    variants = [text]
    if told := described(text):
        variants.append(told)
    words = text.split()
    if words and words[0].lower() == "the":
        words = words[1:]
    if len(words) > 1 and words[0].lower() in RECORD_NOUNS:
        variants.append(" ".join(words[1:]))
    return tuple(dict.fromkeys(variants))


def container_factors(within: str, tree: Tree) -> tuple[list[float], bool]:
    """A factor per node for being inside what `within` names, and whether the page has it."""
    nth = _nth_record(within, tree)
    if nth is not None:
        return [1.0 if record(node.group) == nth else _ELSEWHERE for node in tree], True
    first, here = _named_factors(within, tree)
    if here:
        return first, True
    for said in names_said(within)[1:]:
        factors, here = _named_factors(said, tree)
        if here and not _is_kind(said):
            return factors, True
    return first, False


def _named_factors(within: str, tree: Tree) -> tuple[list[float], bool]:
    fits = _container_fits(within, tree)
    named = label(within)
    own = [_own(named, node) for node in tree]
    strengths = [max(fits.get(node.group, 0.0), mine) for node, mine in zip(tree, own, strict=True)]
    best = max(strengths, default=0.0)
    if best < MATCH:
        plain = _is_kind(within)
        return [1.0 if plain else _NOT_HERE] * len(tree), plain
    return [_inside(strength, best) for strength in strengths], True


def _inside(strength: float, best: float) -> float:
    if strength >= best - 0.05:
        return 1.0
    return _WEAKER if strength >= MATCH else _ELSEWHERE


def _container_fits(within: str, tree: Tree) -> dict[str, float]:
    """How well each group of the page is what `within` names; records also by what they hold."""
    groups = dict.fromkeys(node.group for node in tree if node.group)
    fits = {group: _group_fit(within, group) for group in groups}
    named = label(within)
    holders = {
        record(node.group) or node.group
        for node in tree
        if node.group and similarity(named, label(node.name))[0] >= WHOLE
    }
    for group in groups:
        if (record(group) or group) in holders:
            fits[group] = max(fits[group], WHOLE)
    return fits


@lru_cache(maxsize=16_384)
def _group_fit(within: str, group: str) -> float:
    """The best agreement of `within` with one container of the group, kind words read as kinds."""
    kinds = _kinds(within)
    named = label(_without_kinds(within)) if kinds else label(within)
    best = 0.0
    for kind, text in containers(group):
        here = label(text)
        fit = similarity(label(within), here)[0]
        if kinds:
            bare = similarity(named, here)[0] if named.words else 0.9
            fit = max(fit, bare if kind in kinds else bare * 0.9 if named.words else 0.0)
        best = max(best, fit)
    return best


def _own(within: Label, node: Node) -> float:
    """The node's own name may carry its record: "Delete Ann Smith"."""
    fit = similarity(within, label(node.name))[0]
    return fit if MATCH <= fit < WHOLE else 0.0


def _kinds(within: str) -> frozenset[str]:
    words = set(patterns.findall(r"\w+", within.lower()))
    return frozenset(kind for kind, names in CONTAINER_KINDS.items() if words & names)


def _without_kinds(within: str) -> str:
    names = frozenset().union(*CONTAINER_KINDS.values())
    return " ".join(word for word in within.split() if word.lower() not in names)


def _is_kind(within: str) -> bool:
    """Whether the phrase names a sort of container, or the page, and no particular one."""
    rest = [word for word in label(_without_kinds(within)).folded.split() if word not in _PAGE]
    return not rest


_PAGE_WORDS = "page screen site website the this that open current main"
_PAGE = frozenset(_PAGE_WORDS.split())


def _nth_record(within: str, tree: Tree) -> str | None:
    """The record of "row 3" or "row -1", which is counted from the end; None for a name."""
    said = _NTH.match(within.strip())
    if said is None or not _kinds(said[1]) & RECORDS:
        return None
    items = list(dict.fromkeys(key for node in tree if (key := record(node.group))))
    ordinal = int(said[2])
    at = ordinal - 1 if ordinal > 0 else len(items) + ordinal
    return items[at] if 0 <= at < len(items) else None


def near_factors(near: str, tree: Tree, eligible: Sequence[bool]) -> list[float]:
    """A factor per node: 1 for the eligible node nearest to a thing labelled `near`."""
    named = label(near)
    fits = [similarity(named, label(node.name))[0] for node in tree]
    best = max(fits, default=0.0)
    if best < MATCH:
        return container_factors(near, tree)[0]
    anchors = [at for at, fit in enumerate(fits) if fit >= best - 0.02]
    gaps = [
        _gap(tree, at, anchors) if able and at not in anchors else float("inf")
        for at, able in enumerate(eligible)
    ]
    nearest = min(gaps, default=float("inf"))
    if nearest == float("inf"):
        return [1.0] * len(tree)
    return [1.0 if gap == nearest else _BESIDE for gap in gaps]


def _gap(tree: Tree, at: int, anchors: Iterable[int]) -> float:
    return min(_distance(tree.nodes[at], tree.nodes[other], abs(at - other)) for other in anchors)


def _distance(a: Node, b: Node, order: int) -> float:
    """Nothing inside one record; pixels between boxes; places in the document without boxes."""
    if record(a.group) and record(a.group) == record(b.group):
        return -1.0 / (1 + order)
    if a.box is None or b.box is None:
        return float(order)
    (ax, ay, aw, ah), (bx, by, bw, bh) = a.box, b.box
    across = max(bx - (ax + aw), ax - (bx + bw), 0.0)
    down = max(by - (ay + ah), ay - (by + bh), 0.0)
    return float(across + 2.0 * down)  # the same line reads as nearer than the next one


def dialog_factors(tree: Tree) -> list[float] | None:
    """A factor per node when a dialog is open: what is behind it is meant less. None without one."""
    open_dialogs = list(dict.fromkeys(key for node in tree if (key := dialog(node.group))))
    if not open_dialogs:
        return None
    blocking = any("modal" in node.states for node in tree)
    behind = 0.7 if blocking else 0.95
    top = open_dialogs[-1]
    return [
        1.0 if dialog(node.group) == top else 0.96 if dialog(node.group) else behind
        for node in tree
    ]
