"""How well each node of a tree is what a target means, all evidence together."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from app.domain.directive import Target, Verb
from app.domain.page import Node, Tree
from app.grounding.label import Label, label
from app.grounding.lexicon import STOP_WORDS, meanings
from app.grounding.similarity import FOLDED, MEANING, WHOLE, similarity
from app.grounding.surroundings import (
    container_factors,
    containers,
    dialog_factors,
    near_factors,
)


class Scored(NamedTuple):
    """A node, its place in the document and its score in 0..1; `words` is the label's part of it.

    A tuple, as thousands are made for one question.
    """

    node: Node
    at: int
    score: float
    words: float


# What a verb is done to: these roles, and what any other is worth beside them.
_PRESSED = frozenset({"btn", "link", "tab", "menu", "opt", "tree"})
_SUITED: Mapping[Verb, tuple[frozenset[str], float]] = {
    "fill": (frozenset({"inp", "sel", "range"}), 0.6),
    "clear": (frozenset({"inp", "sel", "range"}), 0.6),
    "check": (frozenset({"chk", "rad"}), 0.8),
    "uncheck": (frozenset({"chk", "rad"}), 0.8),
    "select": (frozenset({"sel", "opt", "rad", "menu"}), 0.93),
}
_LOOKED_AT: frozenset[Verb] = frozenset({"find", "read", "hover", "drag", "scroll"})
# Text is no control: a heading never beats a button of the same name, and alone it is hardly meant.
_TEXT = 0.5
_READONLY, _DISABLED, _OCCLUDED = 0.6, 0.8, 0.9

# Roles a person says for one another, and what one is worth where another of them was named.
_FAMILIES = (
    frozenset({"btn", "link", "tab", "menu", "tree", "row", "img", "el", "opt"}),
    frozenset({"inp", "sel", "range", "file"}),
    frozenset({"rad", "chk", "opt"}),
)
_ALIKE, _UNLIKE = 0.92, 0.75

# A verb that a control may be called by.
VERB_WORDS: Mapping[Verb, str] = {
    "create": "add", "edit": "edit", "delete": "delete", "close": "close", "search": "search",
    "login": "log in", "logout": "log out", "submit": "submit",
}  # fmt: skip

# Evidence other than the name, and what it is worth beside it.
_HINT, _HINT_ALONE = 0.85, 0.95  # a placeholder is the label of a field that has no other
_HELD, _VALUE = 0.55, 0.75  # what a field holds tells little of what it is called
_OPTION, _KIND = 0.8, 0.8  # of a list; the browser's own input type: "email", "tel", "search"
_GROUP_ALONE = 0.85  # the container's label, for a control without any
_CONTAINED = 0.86  # the phrase is the name and the container together
_ALL_OF_IT = STOP_WORDS | {"all"}
_QUOTED = 0.8  # said in quotes: only the label itself, or nearly, is meant
_KINDS = {"tel": "phone", "url": "website", "text": "", "textarea": ""}


def verb_fit(verb: Verb, node: Node) -> float:
    """How well the verb can be done to the node, 0..1."""
    if verb in _LOOKED_AT:
        return 1.0
    if node.role == "txt":
        return _TEXT
    suited, other = _SUITED.get(verb, (_PRESSED, 0.95))
    fit = 1.0 if node.role in suited else other
    return fit * _READONLY if verb in ("fill", "clear") and "readonly" in node.states else fit


def role_fit(named: str | None, node: Node) -> float:
    """How well the node's role is what the person called it, 0..1."""
    if named is None or named in (node.role, "el"):
        return 1.0
    alike = any({named, node.role} <= family for family in _FAMILIES)
    return _ALIKE if alike else _UNLIKE


def state_fit(node: Node) -> float:
    """An exact label that is disabled or covered still beats a vague one that is not."""
    fit = _DISABLED if "disabled" in node.states else 1.0
    return fit * _OCCLUDED if node.occluded else fit


def scored(target: Target, tree: Tree, verb: Verb) -> tuple[list[Scored], bool]:
    """Every node with its score, in document order, and whether `within` is on the page."""
    front, here = dialog_factors(tree), False
    made = [Scored(node, at, 0.0, 0.0) for at, node in enumerate(tree)]
    for said, within, worth in _readings(target, verb):
        places, placed = container_factors(within, tree) if within else ([1.0] * len(tree), True)
        here = here or (placed and within == target.within)
        for at, node in enumerate(tree):
            words = agreement(said, node)
            if target.quoted and words <= MEANING:
                words *= _QUOTED
            score = worth * words * places[at]
            if score > made[at].score:
                made[at] = Scored(node, at, score, words)
    made = [
        one._replace(
            score=one.score * front[one.at] * verb_fit(verb, one.node)
            * role_fit(target.role, one.node) * state_fit(one.node)
        )
        for one in made
    ]  # fmt: skip
    if target.near:
        factors = near_factors(target.near, tree, [one.score >= 0.5 for one in made])
        made = [one._replace(score=one.score * factors[one.at]) for one in made]
    return made, here


def _readings(target: Target, verb: Verb) -> Iterator[tuple[Label, str | None, float]]:
    """The phrase itself; with a verb that a control may be called by, also that verb's word.

    Each with where it is looked for, and how much less likely it is.
    """
    said, word = label(target.phrase), VERB_WORDS.get(verb, "")
    if not target.phrase:
        yield label(word), target.within, 1.0
    elif target.quoted or not word or meanings().get(word, word) in said.meaning_set:
        yield said, target.within, 1.0
    else:
        yield said, target.within, 0.8
        yield label(f"{word} {target.phrase}"), target.within, 1.0
        yield label(word), target.within or target.phrase, 0.97


def agreement(said: Label, node: Node) -> float:
    """The best agreement of the words with anything the node says about itself."""
    best = similarity(said, label(node.name))
    if best >= WHOLE:
        return best
    for text, worth, least in _texts(node):
        if text and (fit := similarity(said, label(text))) >= least:
            best = max(best, fit * worth)
    return max(best, _CONTAINED) if best < _CONTAINED and _with_container(said, node) else best


def _texts(node: Node) -> Iterator[tuple[str, float, float]]:
    """What else a node may be called by, its worth, and how well it has to agree."""
    yield node.hint, _HINT if node.name else _HINT_ALONE, 0.0
    if node.role == "inp":
        yield node.value or "", _HELD, 0.0
        yield _KINDS.get(node.input_type or "", node.input_type or ""), _KIND, WHOLE
    elif node.role != "txt":
        yield node.value or "", _VALUE, 0.0
    if not node.name and not node.hint and node.groups:
        yield node.groups[-1][1], _GROUP_ALONE, 0.0
    for option in node.options:
        yield option, _OPTION, FOLDED


def _with_container(said: Label, node: Node) -> bool:
    """The name says one part of the phrase, its containers the rest: "billing city"."""
    name, told = label(node.name).meaning_set, said.meaning_set - STOP_WORDS
    rest = told - name
    if not rest or rest == told or not node.group:
        return False
    around = frozenset().union(*(here.meaning_set for _, here in containers(node.group)))
    return rest <= around and name <= told | around | _ALL_OF_IT
