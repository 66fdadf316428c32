"""What could bring a hidden thing into view: menus, tabs, folds, pages of a list, navigation."""

from collections.abc import Callable, Sequence

from app.domain.grounding import Candidate
from app.domain.page import Node, Tree
from app.engines.grounding.deciding import candidate
from app.engines.grounding.label import Label, label
from app.engines.grounding.scoring import Scored
from app.engines.grounding.similarity import opposed, similarity
from app.engines.grounding.surroundings import containers, dialog_factors
from app.engines.grounding.vectors import LabelVectors

# How likely each kind of control is to hide something, before its name is looked at.
_POPUP, _COLLAPSED, _TAB, _MORE, _MENU, _NAV, _NEXT, _LINK = (
    0.95,
    0.9,
    0.75,
    0.7,
    0.7,
    0.6,
    0.5,
    0.35,
)
_KIND_SHARE = 0.45  # of the score; the rest is how related the name is
_MORE_MEANINGS = frozenset({"more", "menu", "show more", "all", "option", "action", "advanced"})
_FORWARD = frozenset({"next", "load", "older"})
LIMIT = 8


def opener_scores(
    tree: Tree, phrase: str, vectors: LabelVectors | None, risky: Callable[[str], bool]
) -> tuple[Candidate, ...]:
    """What may reveal `phrase`, likeliest first; nothing whose name is risky, at most 8."""
    found = [
        (at, node, kind)
        for at, node in enumerate(tree)
        if (kind := _kind(node)) > 0.0 and node.enabled and not risky(node.name)
    ]
    if not found:
        return ()
    related = relatedness(phrase, [node.name or node.hint for _, node, _ in found], vectors)
    front = dialog_factors(tree)
    made = [
        Scored(
            node, at,
            (_KIND_SHARE * kind + (1 - _KIND_SHARE) * near) * (front[at] if front else 1.0),
            near, _why(node),
        )
        for (at, node, kind), near in zip(found, related, strict=True)
    ]  # fmt: skip
    made.sort(key=lambda one: (-one.score, one.at))
    return tuple(candidate(one) for one in made[:LIMIT])


def relatedness(phrase: str, texts: Sequence[str], vectors: LabelVectors | None) -> list[float]:
    """How much each text is about the phrase, 0..1: shared words first, then sense."""
    said = label(phrase)
    labels = [label(text) for text in texts]
    shares = [max(_share(said, here), similarity(said, here)[0]) for here in labels]
    if vectors is None or not said.words:
        return shares
    cosines = vectors.cosines(said.bare, [here.bare for here in labels]).tolist()
    return [
        max(share, 0.0 if not here.words or opposed(said, here) else min(0.8, max(0.0, cosine)))
        for share, here, cosine in zip(shares, labels, cosines, strict=True)
    ]


def _share(said: Label, here: Label) -> float:
    """Words in common, by weight, of the shorter: "Customer" is all about a new customer."""
    common = said.meaning_set & here.meaning_set
    if not common or not said.total or not here.total:
        return 0.0
    weights = dict(zip(said.meanings, said.weights, strict=True))
    got = sum(weights[one] for one in common)
    return min(1.0, 0.35 + 0.65 * got / min(said.total, here.total))


def _kind(node: Node) -> float:
    states = node.states
    if (
        node.role in ("txt", "inp", "sel", "chk", "rad", "opt", "range", "file")
        or "expanded" in states
    ):
        return 0.0
    if "haspopup" in states:
        return _POPUP
    if "collapsed" in states:
        return _COLLAPSED
    if node.role == "tab":
        return 0.0 if states & {"selected", "current"} else _TAB
    words = label(node.name).meaning_set
    if words & _MORE_MEANINGS:
        return _MORE
    if words & _FORWARD:
        return _NEXT
    return _plain_kind(node)


def _plain_kind(node: Node) -> float:
    if "current" in node.states:
        return 0.0
    kinds = {kind for kind, _ in containers(node.group)}
    if node.role in ("menu", "tree"):
        return _MENU
    if node.role == "link":
        return (
            _NAV if kinds & {"nav", "menu", "list"} else 0.0 if kinds & {"row", "item"} else _LINK
        )
    return _NAV if "nav" in kinds else 0.0


def _why(node: Node) -> str:
    if "haspopup" in node.states:
        return "opens a menu"
    if "collapsed" in node.states:
        return "folded"
    return {"tab": "a tab not shown", "link": "leads elsewhere"}.get(node.role, "may reveal more")
