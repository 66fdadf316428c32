"""Matches a person's phrase to nodes of a page, with a confidence."""

from collections.abc import Sequence

from app.domain.directive import Grounding, Target, Verb
from app.domain.page import Node, Tree
from app.grounding.fields import assign_fields, find_field, find_submitter
from app.grounding.label import label
from app.grounding.scores import (
    FOUND,
    VERB_WORDS,
    Scored,
    absent_grounding,
    decide_grounding,
    found_grounding,
    list_candidates,
    match_confidence,
    rank_scores,
    role_fit,
    score_nodes,
    verb_fit,
)
from app.grounding.similarity import WHOLE, similarity
from app.grounding.surroundings import container_factors, record_group

_PEER = 0.8  # share of the best score: nodes counted for "the second Edit"
_PLAIN = 0.9  # the score of every node of the role if there is no phrase
_STRICT = frozenset({"btn", "link", "inp", "chk"})  # roles that are frequent on any page


class Grounder:
    """Matches phrases to nodes by words alone. Deterministic and stateless."""

    def ground(
        self, target: Target, tree: Tree, *, verb: Verb = "click", value: str | None = None
    ) -> Grounding:
        """Return the node or nodes that `target` means for `verb`.

        `value`, if known, is the text to be typed into the field.
        """
        if verb in ("fill", "clear") and _plain(target):
            return self.field(target.phrase, tree, value=value)
        if exact := _literal(target, tree):
            target = target.model_copy(update={"phrase": exact.name, "ordinal": None})
        if not target.phrase and verb == "submit":
            return self.submit(tree)
        scores, here = _scores(target, tree, verb)
        scores = _without(scores, target.excluding)
        return _choose(target, scores, here)

    field = staticmethod(find_field)
    fields = staticmethod(assign_fields)
    submit = staticmethod(find_submitter)


def _scores(target: Target, tree: Tree, verb: Verb) -> tuple[list[Scored], bool]:
    if target.phrase or verb in VERB_WORDS:
        return score_nodes(target, tree, verb)
    plain = _of_role(target, tree, verb)
    if target.within is None:
        return plain, True
    factors, here = container_factors(target.within, tree)
    return [one._replace(score=one.score * factors[one.at]) for one in plain], here


def _choose(target: Target, scores: Sequence[Scored], here: bool) -> Grounding:
    said, missing = target.phrase or target.role or "", "" if here else target.within or ""
    group = _peers(scores, target.role) if target.all or target.ordinal is not None else []
    if target.all:
        return _every(group) if group else absent_grounding(rank_scores(scores), said, missing)
    if target.ordinal is not None and group:
        return _nth(group, target.ordinal, said)
    return decide_grounding(scores, said, missing)


def _plain(target: Target) -> bool:
    """Whether the target is only a phrase, which may also name a field."""
    return bool(target.phrase) and not (
        target.quoted or target.all or target.ordinal or target.within or target.near
    )


def _without(scores: Sequence[Scored], excluding: Sequence[str]) -> list[Scored]:
    """Remove nodes whose name is one of the phrases."""
    out = [label(phrase) for phrase in excluding]
    return [
        one for one in scores if all(similarity(it, label(one.node.name)) < WHOLE for it in out)
    ]


def _literal(target: Target, tree: Tree) -> Node | None:
    """Return the only control whose label contains the number: "Tab #2" for "tab 2"."""
    if target.ordinal is None or target.ordinal < 1:
        return None
    wanted = label(f"{target.phrase or target.role} {target.ordinal}").folded
    hits = [node for node in tree if node.role != "txt" and label(node.name).folded == wanted]
    return hits[0] if len(hits) == 1 else None


def _of_role(target: Target, tree: Tree, verb: Verb) -> list[Scored]:
    """Return every node of the role with the same score, for a target without a phrase.

    If rows are not controls, the first control of each row represents it.
    """
    role = "chk" if target.role is None and verb in ("check", "uncheck") else target.role
    nodes = [(at, node) for at, node in enumerate(tree) if node.role != "txt"]
    fitting = [(at, node) for at, node in nodes if _counts(role, node, verb)]
    if role == "row" and not any(node.role == "row" for _, node in nodes):
        heads = {record_group(node.group): (at, node) for at, node in reversed(nodes)}
        fitting = sorted((head for held, head in heads.items() if held), key=lambda one: one[0])
    return [Scored(node, at, _PLAIN * verb_fit(verb, node), _PLAIN) for at, node in fitting]


def _counts(role: str | None, node: Node, verb: Verb) -> bool:
    if role is None:
        return verb_fit(verb, node) > 0.6
    return node.role == role or (role not in _STRICT and role_fit(role, node) >= 0.9)


def _peers(scores: Sequence[Scored], role: str | None) -> list[Scored]:
    """Return the nodes counted for "the second one": the best, in page order, preferably of `role`."""
    best = max((one.score for one in scores), default=0.0)
    close = [one for one in scores if one.score >= max(FOUND, best * _PEER)]
    close = [one for one in close if one.words >= WHOLE] or close
    named = [one for one in close if role is None or one.node.role == role]
    return sorted(named or close, key=lambda one: one.at)


def _nth(group: Sequence[Scored], ordinal: int, said: str) -> Grounding:
    """Return the node at an ordinal in page order; absent if there are fewer."""
    at = ordinal - 1 if ordinal > 0 else len(group) + ordinal
    if not 0 <= at < len(group):
        few = absent_grounding(group, said)
        return few.model_copy(update={"reason": f"there are only {len(group)} of these here"})
    return found_grounding(group[at], group, 0.6)


def _every(group: Sequence[Scored]) -> Grounding:
    able = [one for one in group if one.node.enabled] or group
    return Grounding(
        outcome="found",
        chosen=tuple(one.node.id for one in able),
        confidence=match_confidence(min(able, key=lambda one: one.score)),
        candidates=list_candidates(able),
        reason=f"{len(able)} things",
    )
