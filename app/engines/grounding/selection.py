"""Ordinals, "all" and exceptions: choosing among the nodes that fit."""

from collections.abc import Sequence

from app.domain.directive import Target, Verb
from app.domain.grounding import Grounding
from app.domain.page import Node, Tree
from app.engines.grounding.decision import FOUND, absent, candidates, confidence
from app.engines.grounding.label import label
from app.engines.grounding.scores import Scored, said_role, verb_fit
from app.engines.grounding.similarity import WHOLE, similarity
from app.engines.grounding.surroundings import record

_PEER = 0.8  # of the best score: what is counted when somebody says "the second Edit"
_EXCLUDED = WHOLE  # a phrase after "except" has to be the label, not just near it
_PLAIN = 0.9  # without a phrase every node of the role fits as well
ROLE_NOUNS = {
    "btn": ("button",), "link": ("link",), "tab": ("tab",), "opt": ("option",), "row": ("row", "item"),
    "chk": ("checkbox",), "rad": ("radio", "option"), "inp": ("field", "input"), "menu": ("item",),
    "img": ("image",), "sel": ("list", "dropdown"),
}  # fmt: skip


_NOUN_ROLES = {
    "list": "sel", "dropdown": "sel", "drop down": "sel", "combobox": "sel", "select": "sel",
    "input": "inp", "textbox": "inp", "text box": "inp", "text": "inp", "field": "inp",
    "text field": "inp", "text area": "inp", "textarea": "inp", "input field": "inp", "box": "inp",
    "button": "btn", "link": "link", "checkbox": "chk", "check box": "chk", "radio": "rad",
    "radio button": "rad", "tab": "tab", "image": "img", "picture": "img", "slider": "range",
    "row": "row", "item": "row", "option": "opt",
}  # fmt: skip


def generic_role(target: Target) -> str | None:
    """The role a phrase names when it names nothing else: "the text box"."""
    if target.quoted:
        return None
    words = " ".join(word for word in label(target.phrase).folded.split() if word not in _ARTICLES)
    return _NOUN_ROLES.get(words) or _NOUN_ROLES.get(words.removesuffix("s"))


_ARTICLES = frozenset(("the", "a", "an", "this", "that"))


def without(scores: Sequence[Scored], excluding: Sequence[str]) -> list[Scored]:
    """The scores but for nodes whose name is one of the phrases."""
    phrases = [label(phrase) for phrase in excluding]
    return [
        one
        for one in scores
        if not any(similarity(phrase, label(one.node.name))[0] >= _EXCLUDED for phrase in phrases)
    ]


def literal(target: Target, tree: Tree) -> Node | None:
    """The one control whose label spells the number itself: "Tab #2" for "tab 2"."""
    if target.ordinal is None or target.ordinal < 1:
        return None
    nouns = [target.phrase] if target.phrase else list(ROLE_NOUNS.get(target.role or "", ()))
    wanted = {label(f"{noun} {target.ordinal}").folded for noun in nouns}
    hits = [node for node in tree if node.role != "txt" and label(node.name).folded in wanted]
    return hits[0] if len(hits) == 1 else None


def of_role(target: Target, tree: Tree, verb: Verb) -> list[Scored]:
    """Every node of the role, all fitting alike: for a target without a phrase."""
    if target.role == "row" and not any(node.role == "row" for node in tree):
        return _record_heads(tree)
    return [
        Scored(node, at, _PLAIN * verb_fit(verb, node), _PLAIN, "role")
        for at, node in enumerate(tree)
        if _counts(target, node, verb)
    ]


def _counts(target: Target, node: Node, verb: Verb) -> bool:
    if target.role is None and verb in ("check", "uncheck") and target.all:
        return said_role("chk", node) and node.role != "btn"
    if target.role is None:
        return node.role != "txt" and verb_fit(verb, node) > 0.5
    exact = node.role == target.role
    return exact or (
        said_role(target.role, node) and target.role not in ("btn", "link", "inp", "chk")
    )


def _record_heads(tree: Tree) -> list[Scored]:
    """The first control of every row or item, which stands for it."""
    heads: dict[str, Scored] = {}
    for at, node in enumerate(tree):
        if (key := record(node.group)) and node.role != "txt":
            heads.setdefault(key, Scored(node, at, _PLAIN, _PLAIN, "first of its record"))
    return list(heads.values())


def peers(scores: Sequence[Scored], role: str | None) -> list[Scored]:
    """The nodes a person counts when naming one of several: as good as the best, in order.

    Of the named role when there are any, enabled before all else.
    """
    best = max((one.score for one in scores), default=0.0)
    if best < FOUND:
        return []
    close = [one for one in scores if one.score >= max(FOUND, best * _PEER)]
    top = max(close, key=lambda one: one.words).words
    if top >= WHOLE:
        close = [one for one in close if one.words >= WHOLE]
    named = [one for one in close if role is None or one.node.role == role]
    return sorted(named or close, key=lambda one: one.at)


def nth(group: Sequence[Scored], ordinal: int, said: str) -> Grounding:
    """The one at an ordinal, counted in document order; absent when there are fewer."""
    at = ordinal - 1 if ordinal > 0 else len(group) + ordinal
    if not group or not 0 <= at < len(group):
        few = absent(list(group), said)
        return few.model_copy(update={"reason": f"there are only {len(group)} of these here"})
    chosen = group[at]
    return _one(chosen, group)


def every(group: Sequence[Scored], said: str) -> Grounding:
    """All of them, in document order."""
    able = [one for one in group if one.node.enabled] or list(group)
    if not able:
        return absent([], said)
    weakest = min(able, key=lambda one: one.score)
    return Grounding(
        outcome="found",
        chosen=tuple(one.node.id for one in able),
        confidence=confidence(weakest, 0.0),
        candidates=candidates(able),
        reason=f"{len(able)} things",
    )


def _one(chosen: Scored, group: Sequence[Scored]) -> Grounding:
    first = [chosen, *(one for one in group if one is not chosen)]
    return Grounding(
        outcome="found",
        chosen=(chosen.node.id,),
        confidence=confidence(chosen, 0.6),
        candidates=candidates(first),
        reason="",
    )
