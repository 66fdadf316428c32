"""From scores to an outcome: found, ambiguous or absent, with a probability."""

import math
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.engines.grounding.label import label
from app.engines.grounding.lexicon import STOP_WORDS
from app.engines.grounding.scores import Scored
from app.engines.grounding.similarity import WHOLE

FOUND = 0.55  # below it a label is something else (see similarity's scale)
MARGIN = 0.02  # between whole labels: less than the step between two rungs of similarity's ladder
PART_MARGIN = 0.12  # between parts of longer labels, where length alone tells nothing
_NEAREST, _ALIKE = 3, 45.0  # named when nothing fits; rapidfuzz ratio of 0..100
_SLIGHT = 0.2  # agreement too slight to decide by, enough to mention
SHOWN = 6  # candidates reported
RIVALS = 40  # of those that fit as well: a person shows the way among more by saying more


def decide(scores: Sequence[Scored], said: str, here: bool = True, where: str = "") -> Grounding:
    """The outcome for one element; `said` is the person's phrase, for the reason."""
    ranked = sorted(scores, key=lambda one: (-one.score, one.at))
    if not ranked or ranked[0].score < FOUND:
        return absent(ranked, said, here, where)
    top = ranked[0]
    alike = [one for one in ranked if _same(top.node, one.node) and top.score - one.score <= MARGIN]
    others = [one for one in ranked if not _same(top.node, one.node)]
    rivals = [one for one in others if one.score >= FOUND and top.score - one.score <= _margin(top)]
    if rivals:
        return _ambiguous(alike[:1] + rivals, said)
    runner_up = others[0].score if others else 0.0
    return Grounding(
        outcome="found",
        chosen=(top.node.id,),
        confidence=confidence(top, runner_up, len(alike)),
        candidates=candidates(ranked),
        reason=_note(top),
    )


def _margin(top: Scored) -> float:
    return MARGIN if top.words >= WHOLE else PART_MARGIN


def _same(one: Node, other: Node) -> bool:
    """Whether a person sees no difference but the place in the order."""
    return (one.role, one.group) == (other.role, other.group) and (
        label(one.name).folded == label(other.name).folded
    )


def confidence(top: Scored, runner_up: float, alike: int = 1) -> float:
    """The probability that `top` is what was meant.

    Logistic in the score, the lead over the runner-up and the number of look-alikes. The first
    three weights are a maximum-likelihood fit on 4,080 phrases made from labels (cut short, misspelt, put
    otherwise, or of elements taken off the page: tests/unit/grounding/perturbed.py); the last is a
    judgement, as those phrases mean one element each.
    """
    lead = min(top.score - runner_up, 0.4)
    z = -4.85 + 7.96 * top.score + 2.6 * lead - 0.7 * min(alike - 1, 2)
    return round(1.0 / (1.0 + math.exp(-z)), 3)


def candidates(ranked: Sequence[Scored], least: float = 0.2) -> tuple[Candidate, ...]:
    """The best few as they are reported."""
    return tuple(candidate(one) for one in ranked[:SHOWN] if one.score >= least)


def candidate(one: Scored, name: str | None = None) -> Candidate:
    """A node as it is reported."""
    node = one.node
    return Candidate(
        id=node.id,
        role=node.role,
        name=node.name or node.hint if name is None else name,
        group=node.group,
        score=round(max(0.0, min(1.0, one.score)), 3),
        why=one.why,
    )


def _ambiguous(rivals: Sequence[Scored], said: str) -> Grounding:
    shown = tuple(candidate(one) for one in sorted(rivals, key=lambda one: one.at)[:RIVALS])
    return Grounding(
        outcome="ambiguous",
        confidence=round(1.0 / len(rivals), 3),
        candidates=shown,
        reason=f"{len(rivals)} things here could be {_quoted(said)}",
        about=said,
    )


def absent(ranked: Sequence[Scored], said: str, here: bool = True, where: str = "") -> Grounding:
    """Nothing fits; the nearest are named."""
    near = _nearest(ranked, said)
    reason = f"nothing here is called {_quoted(said)}"
    if not here and where:
        reason = f"there is no {_quoted(where)} here"
    if near:
        names = ", ".join(dict.fromkeys(_quoted(one.node.name or one.node.hint) for one in near))
        reason += f"; the nearest {'is' if len(near) == 1 else 'are'} {names}"
    best = ranked[0].score if ranked else 0.0
    sure = round(1.0 - 0.7 * min(best / FOUND, 1.0) ** 2, 3)
    return Grounding(
        outcome="absent", confidence=sure, candidates=candidates(near, 0.0), reason=reason
    )


def _nearest(ranked: Sequence[Scored], said: str) -> list[Scored]:
    """Up to three things a person may have had in mind: by score, shared words, then letters."""
    content = label(said).meaning_set - STOP_WORDS
    shares = [not content.isdisjoint(label(one.node.name).meaning_set) for one in ranked]
    close = [one.words > _SLIGHT or share for one, share in zip(ranked, shares, strict=True)]
    near = [one for one, is_close in zip(ranked, close, strict=True) if is_close][:_NEAREST]
    if len(near) == _NEAREST:
        return near
    shown = {one.at for one in near}
    names = {one.at: label(one.node.name).bare for one in ranked if one.at not in shown}
    alike = process.extract(
        label(said).bare, names, scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=_NEAREST - len(near)
    )
    by_place = {one.at: one for one in ranked}
    return near + [by_place[at] for _, _, at in alike]


def _quoted(text: str) -> str:
    return f"'{text}'" if text else "that"


def _note(top: Scored) -> str:
    for state in ("disabled", "readonly"):
        if state in top.node.states:
            return f"it is {state}"
    return "it is covered by something else" if top.node.occluded else ""
