"""How well each node of a tree is what a target means, all evidence together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.directive import Target, Verb
from app.domain.page import Node, Tree
from app.engines.grounding.label import Label, label
from app.engines.grounding.lexicon import STOP_WORDS, meanings
from app.engines.grounding.similarity import FOLDED, WHOLE, similarity
from app.engines.grounding.surroundings import (
    container_factors,
    containers,
    dialog_factors,
    near_factors,
)

_ANY = 1.0
# Text is no control: a heading never beats a button of the same name, and alone it is hardly meant.
_TEXT = 0.5

_CLICK: Mapping[str, float] = {
    "chk": 0.97, "rad": 0.97, "img": 0.97, "el": 0.97, "row": 0.95, "sel": 0.95, "file": 0.95,
    "inp": 0.93, "range": 0.9, "txt": _TEXT,
}  # fmt: skip
_FILL: Mapping[str, float] = {
    "inp": 1.0, "sel": 0.9, "range": 0.9, "file": 0.7, "el": 0.6, "chk": 0.5, "rad": 0.5,
    "txt": 0.35, "": 0.3,
}  # fmt: skip
_CHECK: Mapping[str, float] = {
    "chk": 1.0, "rad": 0.98, "el": 0.85, "opt": 0.85, "menu": 0.85, "btn": 0.8, "row": 0.75,
    "img": 0.75, "": 0.5,
}  # fmt: skip
_SELECT: Mapping[str, float] = {
    "rad": 0.98, "menu": 0.97, "tab": 0.96, "el": 0.95, "row": 0.95, "img": 0.95, "chk": 0.93,
    "link": 0.93, "btn": 0.92, "inp": 0.85, "txt": _TEXT,
}  # fmt: skip
_LOOK: Mapping[str, float] = {}
_OPEN: Mapping[str, float] = {
    **_CLICK,
    "chk": 0.6,
    "rad": 0.8,
}  # ticking a thing shows nothing of it

FIT: Mapping[Verb, Mapping[str, float]] = {
    "fill": _FILL, "clear": _FILL, "check": _CHECK, "uncheck": _CHECK, "select": _SELECT,
    "open": _OPEN, "find": _LOOK, "read": _LOOK, "hover": _LOOK, "drag": _LOOK,
    "scroll": _LOOK,
    "focus": {"txt": _TEXT, "btn": 0.9, "link": 0.9},
}  # fmt: skip

# Roles a person says for one another: how well the second serves where the first was named.
ALIKE: Mapping[str, Mapping[str, float]] = {
    "btn": {"link": 0.94, "menu": 0.94, "el": 0.94, "img": 0.94, "tab": 0.9, "opt": 0.85, "row": 0.85},
    "link": {"btn": 0.94, "menu": 0.94, "tab": 0.92, "el": 0.92, "tree": 0.92, "row": 0.9, "img": 0.9},
    "inp": {"sel": 0.88, "range": 0.88, "el": 0.85, "file": 0.8, "txt": 0.4},
    "chk": {"rad": 0.85, "el": 0.85, "btn": 0.8, "opt": 0.8, "menu": 0.8},
    "rad": {"chk": 0.88, "opt": 0.88, "el": 0.85, "btn": 0.85, "tab": 0.8},
    "sel": {"inp": 0.88, "btn": 0.85, "el": 0.8, "menu": 0.7},
    "opt": {
        "rad": 0.94, "menu": 0.94, "el": 0.92, "sel": 0.9, "chk": 0.9, "row": 0.9, "tree": 0.9,
        "link": 0.88, "btn": 0.88,
    },
    "tab": {"link": 0.93, "btn": 0.92, "menu": 0.88, "rad": 0.85, "el": 0.88},
    "menu": {"btn": 0.93, "link": 0.93, "opt": 0.9, "sel": 0.88, "tab": 0.85, "el": 0.88},
    "tree": {"row": 0.92, "link": 0.92, "el": 0.92, "btn": 0.9, "menu": 0.85},
    "range": {"inp": 0.9, "el": 0.85},
    "file": {"btn": 0.9, "inp": 0.9, "el": 0.85},
    "row": {"link": 0.92, "el": 0.92, "opt": 0.9, "tree": 0.92, "btn": 0.88, "img": 0.85},
    "img": {"el": 0.95, "btn": 0.93, "link": 0.93},
    "el": {},
    "txt": {},
}  # fmt: skip
_UNLIKE = 0.72  # the person's word for the role and ours have nothing to do with each other

VERB_WORDS: Mapping[str, str] = {
    "create": "add", "edit": "edit", "delete": "delete", "close": "close", "search": "search",
    "login": "log in", "logout": "log out", "submit": "submit", "clear": "clear",
}  # fmt: skip

READONLY_FIT = 0.6  # a field that cannot be typed into, where typing is asked for


def verb_fit(verb: Verb, node: Node) -> float:
    """How well the verb can be done to the node, 0..1."""
    table = FIT.get(verb, _CLICK)
    fit = table.get(node.role, table.get("", _ANY))
    if table is _FILL and "readonly" in node.states:
        fit *= READONLY_FIT
    return fit


def role_fit(named: str | None, node: Node) -> float:
    """How well the node's role is what the person called it, 0..1."""
    if named is None or named in (node.role, "el"):
        return 1.0
    return ALIKE.get(named, {}).get(node.role, _UNLIKE)


def said_role(named: str | None, node: Node) -> bool:
    """Whether a person would count the node among the things of that role."""
    return named is None or role_fit(named, node) >= 0.9


# Evidence other than the name, and what it is worth beside it.
_HINT_ALONE = 0.95  # a placeholder is the label of a field that has no other
_HINT = 0.85
_HELD = 0.55  # what a field holds tells little of what it is called
_VALUE = 0.75
_OPTION = 0.8
_KIND = 0.78  # the browser's own input type: "email", "tel", "search"
_CONTAINED = 0.8  # the phrase is the name and the container together
_ALL_OF_IT = STOP_WORDS | {"all", "now", "selected", "manage", "show", "open", "go"}
_GROUP_ALONE = 0.85  # the container's label, for a control without any

_DISABLED = 0.8  # an exact label that is disabled still beats a vague one that is not
_OCCLUDED = 0.9

# Said in quotes: only the label itself, or nearly, is meant.
_QUOTED_MEANING, _QUOTED_PART = 0.75, 0.85

INPUT_KINDS = {
    "email": "email", "tel": "phone", "password": "password", "search": "search", "url": "website",
    "date": "date", "datetime-local": "date time", "time": "time", "number": "number",
    "month": "month", "week": "week", "color": "color", "file": "file",
}  # fmt: skip


class Scored(NamedTuple):
    """A node, its place in the document, its score in 0..1 and why; `words` is the label's part.

    A tuple, as thousands are made for one question.
    """

    node: Node
    at: int
    score: float
    words: float
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a target: words to find, where, and how much less likely that is."""

    words: Label
    within: str | None = None
    worth: float = 1.0
    quoted: bool = False


_OWNED = 0.97  # a label that says whose it is as well


def readings(target: Target, verb: Verb) -> tuple[Reading, ...]:
    """The phrase itself; with a verb that a control may be called by, also that verb's word."""
    plain = Reading(label(target.phrase), target.within, 1.0, target.quoted)
    word = VERB_WORDS.get(verb)
    if word is None or target.quoted:
        return (plain,)
    if not target.phrase:
        return (Reading(label(word), target.within),)
    said = meanings().get(word, word) in label(target.phrase).meaning_set
    if said:
        return (plain,)
    acted = Reading(label(f"{word} {target.phrase}"), target.within)
    inside = Reading(label(word), target.within or target.phrase, 0.97)
    return (Reading(plain.words, plain.within, 0.8), acted, inside)


def scored(target: Target, tree: Tree, verb: Verb) -> tuple[list[Scored], bool]:
    """Every node with its score, in document order, and whether `within` is on the page."""
    fits = [_fit(target, node, verb) for node in tree]
    best: list[Scored] = []
    here = True
    for number, reading in enumerate(readings(target, verb)):
        found, placed = _read(reading, tree, fits)
        here = placed if number == 0 else here or placed
        best = (
            [a if a.score >= b.score else b for a, b in zip(best, found, strict=True)]
            if best
            else found
        )
    if target.near:
        eligible = [one.score >= 0.5 for one in best]
        best = _weighed(best, near_factors(target.near, tree, eligible))
    return best, here


def _weighed(scores: Sequence[Scored], factors: Sequence[float]) -> list[Scored]:
    return [
        Scored(one.node, one.at, one.score * factor, one.words, one.why)
        for one, factor in zip(scores, factors, strict=True)
    ]


def _fit(target: Target, node: Node, verb: Verb) -> float:
    """What role and state leave of a label's worth."""
    fit = verb_fit(verb, node) * role_fit(target.role, node)
    if "disabled" in node.states:
        fit *= _DISABLED
    return fit * _OCCLUDED if node.occluded else fit


def _read(reading: Reading, tree: Tree, fits: Sequence[float]) -> tuple[list[Scored], bool]:
    words = [_words(reading, node) for node in tree]
    places, here = container_factors(reading.within, tree) if reading.within else (None, True)
    front = dialog_factors(tree)
    made = []
    for at, (node, (worth, why)) in enumerate(zip(tree, words, strict=True)):
        score = worth * reading.worth * fits[at]
        if places is not None:
            score *= places[at]
        if front is not None:
            score *= front[at]
        made.append(Scored(node, at, score, worth, why))
    return made, here


def _words(reading: Reading, node: Node) -> tuple[float, str]:
    """The best agreement of the words with anything the node says about itself."""
    if not reading.words.literal:
        return 0.0, ""
    best, why = similarity(reading.words, label(node.name)) if node.name else (0.0, "")
    if best < FOLDED and reading.within and (own := _without_owner(node.name, reading.within)):
        best, why = max(
            (best, why), (similarity(reading.words, label(own))[0] * _OWNED, "own part")
        )
    if best < WHOLE and (
        node.hint or node.value or node.input_type or node.options or not node.name
    ):
        best, why = max((best, why), *_others(reading.words, node))
    if best < 0.5 and node.name and node.group:
        best, why = max((best, why), _with_container(reading.words, node))
    if not reading.quoted or best >= WHOLE + 0.04:
        return best, why
    return best * (_QUOTED_MEANING if why == "same meaning" else _QUOTED_PART), why


def _without_owner(name: str, owner: str) -> str:
    """Of "Block @ann", looked for within "@ann", what is left of the label: "Block"; else ""."""
    front, met, back = name.casefold().partition(owner.casefold())
    rest = f"{front} {back}".strip()
    apart = not (front[-1:].isalnum() or back[:1].isalnum())
    return rest if met and apart and len(rest) < len(name) else ""


def _others(words: Label, node: Node) -> list[tuple[float, str]]:
    """Agreement with hint, value, options, input type and, for the nameless, the container."""
    found = [(0.0, "")]
    if node.hint:
        fit = similarity(words, label(node.hint))[0]
        if not any(char.isalnum() for char in node.hint):  # a sign: "+" is not "-"
            fit = float(node.hint.strip() == words.literal.strip())
        found.append((fit * (_HINT if node.name else _HINT_ALONE), "hint"))
    if node.value and node.role != "txt":
        held = _HELD if node.role == "inp" else _VALUE
        found.append((similarity(words, label(node.value))[0] * held, "value"))
    if node.input_type in INPUT_KINDS and node.role == "inp":
        fit = similarity(words, label(INPUT_KINDS[node.input_type]))[0]
        found.append((fit * _KIND if fit >= WHOLE else 0.0, "type"))
    if not node.name and not node.hint and (groups := containers(node.group)):
        found.append((similarity(words, label(groups[-1][1]))[0] * _GROUP_ALONE, "container"))
    for option in node.options:
        fit = similarity(words, label(option))[0]
        if fit >= FOLDED:
            found.append((fit * _OPTION, "option"))
            break
    return found


def _with_container(words: Label, node: Node) -> tuple[float, str]:
    """The name says one part of the phrase, its containers the rest: "Clear all" of "Filters"."""
    name = label(node.name)
    if name.meaning_set.isdisjoint(words.meaning_set):
        return 0.0, ""
    rest = words.meaning_set - name.meaning_set - STOP_WORDS
    if not rest or not words.meaning_set & name.meaning_set - STOP_WORDS:
        return 0.0, ""
    around: frozenset[str] = frozenset().union(
        *(label(text).meaning_set for _, text in containers(node.group))
    )
    if not rest <= around:
        return 0.0, ""
    if not name.meaning_set <= words.meaning_set | around | _ALL_OF_IT:  # "Save order" is not new
        return 0.0, ""
    return _CONTAINED, "name and container"
