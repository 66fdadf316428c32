"""Scores the nodes for a target, and decides the outcome."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from app.domain.directive import Candidate, Grounding, Target, Verb
from app.domain.page import Node, Tree
from app.grounding.labels import (
    FOLDED,
    MEANING,
    STOP_WORDS,
    WHOLE,
    Label,
    label,
    meanings,
    similarity,
)
from app.grounding.surroundings import container_factors, dialog_factors, near_factors, parse_group


class Scored(NamedTuple):
    """A node, its place in page order, its score in 0..1, and the label's share (`words`)."""

    node: Node
    at: int
    score: float
    words: float


# The roles a verb applies to, and the factor for any other role.
_PRESSABLE = frozenset({"btn", "link", "tab", "menu", "opt", "tree"})
_VERB_ROLES: Mapping[Verb, tuple[frozenset[str], float]] = {
    "fill": (frozenset({"inp", "sel", "range"}), 0.6),
    "clear": (frozenset({"inp", "sel", "range"}), 0.6),
    "check": (frozenset({"chk", "rad"}), 0.8),
    "uncheck": (frozenset({"chk", "rad"}), 0.8),
    "select": (frozenset({"sel", "opt", "rad", "menu"}), 0.93),
}
_READ_VERBS: frozenset[Verb] = frozenset({"find", "read", "hover", "drag", "scroll"})
# Factor for plain text: a button of the same name beats a heading.
_TEXT = 0.5
_READONLY, _DISABLED, _OCCLUDED = 0.6, 0.8, 0.9

# Roles that people confuse; the factors are for a role of the same and of another family.
_FAMILIES = (
    frozenset({"btn", "link", "tab", "menu", "tree", "row", "img", "el", "opt"}),
    frozenset({"inp", "sel", "range", "file"}),
    frozenset({"rad", "chk", "opt"}),
)
_ALIKE, _UNLIKE = 0.92, 0.75

# Verbs that may be the name of a control.
VERB_WORDS: Mapping[Verb, str] = {
    "create": "add", "edit": "edit", "delete": "delete", "close": "close", "search": "search",
    "login": "log in", "logout": "log out", "submit": "submit",
}  # fmt: skip

# Weights of evidence other than the name.
_HINT, _HINT_ALONE = 0.85, 0.95  # a placeholder is the label of a field without one
_HELD, _VALUE = 0.55, 0.75  # a field's value is weak evidence of its name
_OPTION, _KIND = 0.8, 0.8  # an option of a list; the input type: "email", "tel", "search"
_GROUP_ALONE = 0.85  # the container's label, for a control without one
_CONTAINED = 0.86  # the phrase is the name and the container together
_ALL_OF_IT = STOP_WORDS | {"all"}
_QUOTED = 0.8  # factor for inexact matches of a quoted phrase
_KINDS = {"tel": "phone", "url": "website", "text": "", "textarea": ""}


def verb_fit(verb: Verb, node: Node) -> float:
    if verb in _READ_VERBS:
        return 1.0
    if node.role == "txt":
        return _TEXT
    suited, other = _VERB_ROLES.get(verb, (_PRESSABLE, 0.95))
    fit = 1.0 if node.role in suited else other
    return fit * _READONLY if verb in ("fill", "clear") and "readonly" in node.states else fit


def role_fit(named: str | None, node: Node) -> float:
    if named is None or named in (node.role, "el"):
        return 1.0
    alike = any({named, node.role} <= family for family in _FAMILIES)
    return _ALIKE if alike else _UNLIKE


def state_fit(node: Node) -> float:
    """Return a factor in 0..1; a disabled node with an exact label still beats a vague match."""
    fit = _DISABLED if "disabled" in node.states else 1.0
    return fit * _OCCLUDED if node.occluded else fit


def score_nodes(target: Target, tree: Tree, verb: Verb) -> tuple[list[Scored], bool]:
    """Return every node's score in page order, and whether `within` is on the page."""
    front, is_placed = dialog_factors(tree), False
    made = [Scored(node, at, 0.0, 0.0) for at, node in enumerate(tree)]
    for phrase, within, worth in _readings(target, verb):
        places, placed = container_factors(within, tree) if within else ([1.0] * len(tree), True)
        is_placed = is_placed or (placed and within == target.within)
        for at, node in enumerate(tree):
            words = best_agreement(phrase, node)
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
    return made, is_placed


def _readings(target: Target, verb: Verb) -> Iterator[tuple[Label, str | None, float]]:
    """Yield the phrase, and a verb's word that may name a control, with container and factor."""
    phrase, word = label(target.phrase), VERB_WORDS.get(verb, "")
    if not target.phrase:
        yield label(word), target.within, 1.0
    elif target.quoted or not word or meanings().get(word, word) in phrase.meaning_set:
        yield phrase, target.within, 1.0
    else:
        yield phrase, target.within, 0.8
        yield label(f"{word} {target.phrase}"), target.within, 1.0
        yield label(word), target.within or target.phrase, 0.97


def best_agreement(phrase: Label, node: Node) -> float:
    """Return the best agreement of the words with any text of the node."""
    best = similarity(phrase, label(node.name))
    if best >= WHOLE:
        return best
    for text, worth, least in _texts(node):
        if text and (fit := similarity(phrase, label(text))) >= least:
            best = max(best, fit * worth)
    return (
        max(best, _CONTAINED)
        if best < _CONTAINED and _matches_with_container(phrase, node)
        else best
    )


def _texts(node: Node) -> Iterator[tuple[str, float, float]]:
    """Yield the node's other names, their weights, and the least agreement they need."""
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


def _matches_with_container(phrase: Label, node: Node) -> bool:
    """Whether the name covers one part of the phrase and its containers the rest: "billing city"."""
    name, content = label(node.name).meaning_set, phrase.meaning_set - STOP_WORDS
    rest = content - name
    if not rest or rest == content or not node.group:
        return False
    around = frozenset().union(*(here.meaning_set for _, here in parse_group(node.group)))
    return rest <= around and name <= content | around | _ALL_OF_IT


FOUND = 0.55  # below it the label does not match (see similarity's scale)
MARGIN = 0.02  # margin between whole labels: less than a step of similarity's scale
_PART_MARGIN = 0.12  # margin between parts of longer labels, whose length is no evidence
_NEAREST, _TWIN_SCORE = 3, 55.0  # suggestions if nothing matches; least rapidfuzz ratio (0..100)
_SLIGHT = 0.2  # agreement too weak to decide, enough to report
_SHOWN = 6  # candidates reported
_RIVALS = 40  # equal candidates reported


def rank_scores(scores: Sequence[Scored]) -> list[Scored]:
    return sorted(scores, key=lambda one: (-one.score, one.at))


def decide_grounding(scores: Sequence[Scored], phrase: str, missing: str = "") -> Grounding:
    """Decide the outcome. `missing` is a named container that is not on the page."""
    best = rank_scores(scores)
    if not best or best[0].score < FOUND:
        return absent_grounding(best, phrase, missing)
    top = best[0]
    margin = MARGIN if top.words >= WHOLE else _PART_MARGIN
    others = [one for one in best if not _is_twin(top.node, one.node)]
    rivals = [one for one in others if one.score >= max(FOUND, top.score - margin)]
    if rivals:
        rivals = [top, *rivals]
        listed = sorted(rivals, key=lambda one: one.at)[:_RIVALS]
        return Grounding(
            outcome="ambiguous",
            confidence=round(1.0 / len(rivals), 3),
            candidates=tuple(map(_candidate, listed)),
            reason=f"{len(rivals)} things here could be {_quoted(phrase)}",
            about=phrase,
        )
    twins = sum(top.score - one.score <= MARGIN for one in best if _is_twin(top.node, one.node))
    return found_grounding(top, best, others[0].score if others else 0.0, twins=twins)


def found_grounding(
    top: Scored, best: Sequence[Scored], runner_up: float, *, twins: int = 1
) -> Grounding:
    """Return the outcome for `top`; `runner_up` is the best score of a different element."""
    return Grounding(
        outcome="found",
        chosen=(top.node.id,),
        confidence=match_confidence(top, runner_up, twins),
        candidates=list_candidates([top, *(one for one in best if one is not top)]),
        reason=_state_note(top.node),
    )


def _is_twin(one: Node, other: Node) -> bool:
    return (one.role, one.group) == (other.role, other.group) and (
        label(one.name).folded == label(other.name).folded
    )


def match_confidence(top: Scored, runner_up: float = 0.0, alike: int = 1) -> float:
    """Return the probability that `top` is meant.

    Logistic in the score, the lead over the runner-up and the number of look-alikes. The first
    three weights are a maximum-likelihood fit on 4,080 phrases made from labels (cut short,
    misspelt, rephrased, or of elements removed from the page: tests/unit/grounding/perturbed.py);
    the last is set by hand, since those phrases mean one element each.
    """
    lead = min(top.score - runner_up, 0.4)
    z = -4.85 + 7.96 * top.score + 2.6 * lead - 0.7 * min(alike - 1, 2)
    return round(1.0 / (1.0 + math.exp(-z)), 3)


def list_candidates(best: Sequence[Scored], least: float = _SLIGHT) -> tuple[Candidate, ...]:
    return tuple(_candidate(one) for one in best[:_SHOWN] if one.score >= least)


def _candidate(one: Scored) -> Candidate:
    node, score = one.node, round(max(0.0, min(1.0, one.score)), 3)
    name = node.name or node.hint
    return Candidate(id=node.id, role=node.role, name=name, group=node.group, score=score)


def absent_grounding(best: Sequence[Scored], phrase: str, missing: str = "") -> Grounding:
    near = _nearest(best, phrase)
    reason = f"nothing here is called {_quoted(phrase)}"
    if missing:
        reason = f"there is no {_quoted(missing)} here"
    if near:
        names = ", ".join(dict.fromkeys(_quoted(one.node.name or one.node.hint) for one in near))
        reason += f"; the nearest {'is' if len(near) == 1 else 'are'} {names}"
    score = best[0].score if best else 0.0
    return Grounding(
        outcome="absent",
        confidence=round(1.0 - 0.7 * min(score / FOUND, 1.0) ** 2, 3),
        candidates=list_candidates(near, 0.0),
        reason=reason,
    )


def _nearest(best: Sequence[Scored], phrase: str) -> list[Scored]:
    """Return up to three likely alternatives: by score, then by spelling."""
    near = [one for one in best if one.words > 0.0][:_NEAREST]
    names = {at: label(one.node.name).bare for at, one in enumerate(best) if one not in near}
    alike = process.extract(
        label(phrase).bare, names, scorer=fuzz.WRatio, score_cutoff=_TWIN_SCORE,
        limit=_NEAREST - len(near),
    )  # fmt: skip
    return near + [best[at] for _, _, at in alike]


def _quoted(text: str) -> str:
    return f"'{text}'" if text else "that"


def _state_note(node: Node) -> str:
    for state in ("disabled", "readonly"):
        if state in node.states:
            return f"it is {state}"
    return "it is covered by something else" if node.occluded else ""
