"""Whether a refinement is looked at a second time, by a model, before it is sent."""

from app.domain.background import Origin
from app.domain.plan import Proposal, Refinement
from app.domain.question import Question
from app.engines.direct import SURE
from app.engines.provenance import is_answer, statement
from app.engines.reasoner import Situation

MAX_REGENERATIONS = 2  # issue "Reasoning with a model": at most two; then what came last is sent
ASKING = "I found a value for this, but I am not sure that it is the right one. To go on I need:"
TRUSTED: frozenset[Origin] = frozenset({"goal", "answer", "subtask", "knowledge"})
"""Where a typed value may come from without a second look: what the person said, what a part of
the same task handed on, the team's own documents. Of a page, the web or an earlier conversation it
is known that the value stands there, not that it is the one that was meant; of a search's answer,
once it was judged, that too."""


def wanted(refinement: Refinement, situation: Situation) -> bool:
    """Whether the critic is asked: DESIGN's list, and nothing that rules are sure of.

    An end that tier 1 has seen on the page needs no opinion, nor does one the model is sure of where
    the page bears it out (`is_borne_out`). A rule's correction is a fixed strategy, its look behind
    an opener changes nothing, and where the model is away (`notice`) there is no one to ask.
    """
    if refinement.outcome == "finish":
        return not (_is_seen(situation) or is_borne_out(refinement, situation))
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
        or any(is_doubtful(one, situation) for one in refinement.proposals)
    )


def is_borne_out(refinement: Refinement, situation: Situation) -> bool:
    """Whether an end that the model is sure of (0.85, as for actions) can be told to be right.

    Nothing failed since, nothing it says is without a source, and either each step was done and
    tier 1 is sure of the last, or it answers a question with what the page or a search showed. An
    end that was refused once is looked at again.
    """
    if refinement.confidence < SURE or situation.refused is not None or _has_failed(situation):
        return False
    asks = "?" in situation.goal
    if not (asks or _is_question(situation) or _is_through(situation)):
        return False
    told = statement(refinement.reason, situation)
    if told.unknown:
        return False
    return bool(told.found) or (not asks and _is_through(situation))


def is_doubtful(proposal: Proposal, situation: Situation) -> bool:
    """Whether a value is typed that neither the person nor the task itself gave.

    What a search was judged to answer with is what was asked for; other words of its results are not.
    """
    if proposal.action.name != "setValue" or not proposal.action.args["text"]:
        return False
    source = proposal.provenance
    if source is None:
        return True
    if source.origin == "search":
        return not is_answer(str(proposal.action.args["text"]), situation)
    return source.origin not in TRUSTED


def left_to_person(refinement: Refinement, situation: Situation) -> Refinement:
    """The refinement, or a question for each value in it that is doubtful.

    For a choice that is not criticised any more: what a page made a model type is not sent only
    because it was proposed often enough.
    """
    if refinement.maker != "model" or refinement.outcome != "act":
        return refinement
    doubted = [one for one in refinement.proposals if is_doubtful(one, situation)]
    if not doubted:
        return refinement
    nodes = [situation.page.tree.get(one.action.target or "") for one in doubted]
    fields = [
        node.name if node and node.name else one.description
        for node, one in zip(nodes, doubted, strict=True)
    ]
    question = Question(text=ASKING, fields=tuple(dict.fromkeys(fields)))
    held = {"proposals": (), "expected": None, "completes_step": False}
    return refinement.model_copy(update={**held, "outcome": "ask", "question": question})


def _is_question(situation: Situation) -> bool:
    read = situation.instruction
    return read is not None and read.kind == "question"


def _is_through(situation: Situation) -> bool:
    """Whether each step of the plan was done, and tier 1 is sure of the last."""
    verdict, plan = situation.verdict, situation.plan
    if verdict is None or not verdict.succeeded or not plan.steps or plan.step is not None:
        return False
    skipped = any(step.status == "skipped" for step in plan.steps)
    return verdict.tier == 1 and verdict.confidence >= SURE and not skipped


def _is_seen(situation: Situation) -> bool:
    verdict = situation.verdict
    return verdict is not None and verdict.goal_achieved and verdict.tier == 1


def _has_failed(situation: Situation) -> bool:
    return situation.verdict is not None and situation.verdict.succeeded is False
