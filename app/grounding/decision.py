"""From scores to an outcome: found, ambiguous or absent, with a probability."""

import math
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from app.domain.directive import Candidate, Grounding
from app.domain.page import Node
from app.grounding.label import label
from app.grounding.scores import Scored
from app.grounding.similarity import WHOLE

FOUND = 0.55  # below it a label is something else (see similarity's scale)
MARGIN = 0.02  # between whole labels: less than the step between two rungs of similarity's ladder
_PART_MARGIN = 0.12  # between parts of longer labels, where length alone tells nothing
_NEAREST, _TWIN_SCORE = 3, 55.0  # named when nothing fits; rapidfuzz ratio of 0..100
_SLIGHT = 0.2  # agreement too slight to decide by, enough to mention
_SHOWN = 6  # candidates reported
_RIVALS = 40  # of those that fit as well: a person shows the way among more by saying more


def ranked(scores: Sequence[Scored]) -> list[Scored]:
    """The best first; of equals the first on the page."""
    return sorted(scores, key=lambda one: (-one.score, one.at))


def decide(scores: Sequence[Scored], said: str, missing: str = "") -> Grounding:
    """The outcome for one element; `said` is the person's phrase, for the reason.

    `missing` is the container that was named and is not on the page.
    """
    best = ranked(scores)
    if not best or best[0].score < FOUND:
        return absent(best, said, missing)
    top = best[0]
    margin = MARGIN if top.words >= WHOLE else _PART_MARGIN
    others = [one for one in best if not _same(top.node, one.node)]
    rivals = [one for one in others if one.score >= max(FOUND, top.score - margin)]
    if rivals:
        return _ambiguous([top, *rivals], said)
    twins = sum(top.score - one.score <= MARGIN for one in best if _same(top.node, one.node))
    return found(top, best, others[0].score if others else 0.0, twins=twins)


def found(top: Scored, best: Sequence[Scored], runner_up: float, *, twins: int = 1) -> Grounding:
    """That one, from among the scores; `runner_up` is the score of the best that differs from it."""
    return Grounding(
        outcome="found",
        chosen=(top.node.id,),
        confidence=confidence(top, runner_up, twins),
        candidates=candidates([top, *(one for one in best if one is not top)]),
        reason=_note(top.node),
    )


def _same(one: Node, other: Node) -> bool:
    """Whether a person sees no difference but the place in the order."""
    return (one.role, one.group) == (other.role, other.group) and (
        label(one.name).folded == label(other.name).folded
    )


def confidence(top: Scored, runner_up: float = 0.0, alike: int = 1) -> float:
    """The probability that `top` is what was meant.

    Logistic in the score, the lead over the runner-up and the number of look-alikes. The first
    three weights are a maximum-likelihood fit on 4,080 phrases made from labels (cut short, misspelt, put
    otherwise, or of elements taken off the page: tests/unit/grounding/perturbed.py); the last is a
    judgement, as those phrases mean one element each.
    """
    lead = min(top.score - runner_up, 0.4)
    z = -4.85 + 7.96 * top.score + 2.6 * lead - 0.7 * min(alike - 1, 2)
    return round(1.0 / (1.0 + math.exp(-z)), 3)


def candidates(best: Sequence[Scored], least: float = _SLIGHT) -> tuple[Candidate, ...]:
    """The best few as they are reported."""
    return tuple(_candidate(one) for one in best[:_SHOWN] if one.score >= least)


def _candidate(one: Scored) -> Candidate:
    node, score = one.node, round(max(0.0, min(1.0, one.score)), 3)
    name = node.name or node.hint
    return Candidate(id=node.id, role=node.role, name=name, group=node.group, score=score)


def _ambiguous(rivals: Sequence[Scored], said: str) -> Grounding:
    shown = sorted(rivals, key=lambda one: one.at)[:_RIVALS]
    return Grounding(
        outcome="ambiguous",
        confidence=round(1.0 / len(rivals), 3),
        candidates=tuple(map(_candidate, shown)),
        reason=f"{len(rivals)} things here could be {_quoted(said)}",
        about=said,
    )


def absent(best: Sequence[Scored], said: str, missing: str = "") -> Grounding:
    """Nothing fits; the nearest are named."""
    near = _nearest(best, said)
    reason = f"nothing here is called {_quoted(said)}"
    if missing:
        reason = f"there is no {_quoted(missing)} here"
    if near:
        names = ", ".join(dict.fromkeys(_quoted(one.node.name or one.node.hint) for one in near))
        reason += f"; the nearest {'is' if len(near) == 1 else 'are'} {names}"
    score = best[0].score if best else 0.0
    return Grounding(
        outcome="absent",
        confidence=round(1.0 - 0.7 * min(score / FOUND, 1.0) ** 2, 3),
        candidates=candidates(near, 0.0),
        reason=reason,
    )


def _nearest(best: Sequence[Scored], said: str) -> list[Scored]:
    """Up to three things a person may have had in mind: by score, then by their letters."""
    near = [one for one in best if one.words > 0.0][:_NEAREST]
    names = {at: label(one.node.name).bare for at, one in enumerate(best) if one not in near}
    alike = process.extract(
        label(said).bare, names, scorer=fuzz.WRatio, score_cutoff=_TWIN_SCORE,
        limit=_NEAREST - len(near),
    )  # fmt: skip
    return near + [best[at] for _, _, at in alike]


def _quoted(text: str) -> str:
    return f"'{text}'" if text else "that"


def _note(node: Node) -> str:
    for state in ("disabled", "readonly"):
        if state in node.states:
            return f"it is {state}"
    return "it is covered by something else" if node.occluded else ""
