"""Whether a refinement is looked at a second time, by a model, before it is sent."""

from app.domain.background import Origin
from app.domain.plan import Proposal, Refinement
from app.engines.direct import SURE
from app.engines.reasoner import Situation

MAX_REGENERATIONS = 2  # issue "Reasoning with a model": at most two; then what came last is sent
TRUSTED: frozenset[Origin] = frozenset({"goal", "answer", "subtask", "knowledge"})
"""Where a typed value may come from without a second look: what the person said, what a part of
the same task handed on, the team's own documents. Of a page, the web or an earlier conversation it
is known that the value stands there, not that it is the one that was meant."""


def wanted(refinement: Refinement, situation: Situation) -> bool:
    """Whether the critic is asked: DESIGN's list, and nothing that rules are sure of.

    An end that tier 1 has seen on the page needs no opinion. A rule's correction is a fixed
    strategy, its look behind an opener changes nothing, and where the model is away (`notice`)
    there is no one to ask.
    """
    if refinement.outcome == "finish":
        return not _is_seen(situation)
    if refinement.outcome == "fail":
        return refinement.maker == "model"
    if refinement.outcome != "act":
        return False
    if refinement.maker == "rules":
        looks = any(proposal.purpose == "explore" for proposal in refinement.proposals)
        sure = refinement.confidence >= SURE or refinement.strategy is not None or looks
        return not sure and refinement.notice is None
    return (
        refinement.confidence < SURE
        or _has_failed(situation)
        or any(map(is_doubtful, refinement.proposals))
    )


def is_doubtful(proposal: Proposal) -> bool:
    """Whether a value is typed that neither the person nor the task itself gave."""
    if proposal.action.name != "setValue" or not proposal.action.args["text"]:
        return False
    return proposal.provenance is None or proposal.provenance.origin not in TRUSTED


def _is_seen(situation: Situation) -> bool:
    verdict = situation.verdict
    return verdict is not None and verdict.goal_achieved and verdict.tier == 1


def _has_failed(situation: Situation) -> bool:
    return situation.verdict is not None and situation.verdict.succeeded is False
