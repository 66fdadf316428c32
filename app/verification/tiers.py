"""Chooses the verification tier, and combines a model's opinion with tier 1's verdict.

| tier 1 found                      | on the way    | last, plain goal | last, large goal        |
|-----------------------------------|---------------|------------------|-------------------------|
| it failed, 0.70 and surer         | 1             | 1                | 1                       |
| undecided, the page is busy       | 1, look again | 1, look again    | 1, look again           |
| undecided, nothing has changed    | 1, look again | 1, look again    | 1, look again, then 3   |
| undecided                         | 2             | 2                | 3                       |
| it worked, completion uncertain   | 1             | 2                | 3                       |
| completed, not as predicted       | -             | 2                | 3                       |
| completed, and more was set       | -             | 2                | 3                       |
| completed                         | -             | 1                | 1                       |

"As predicted": the page shows the texts that the model expected. An opinion that the goal is
reached needs a quote that is new on the page.

A model raises or lowers a confidence that tier 1 left open. It cannot outweigh code: a new error
message, a record still listed, or a missing required goal keeps the confidence at 0.5 or less, so
that no tier completes such a task.
"""

from dataclasses import dataclass
from typing import Literal

from app.domain.action import POINT_ACTIONS, PRESSES, Chain
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.verdict import GOAL_CONFIDENCE, ModelOpinion, Verdict
from app.page import GOING_ON, NO_CHANGE, compare_pages, is_submit
from app.plans import has_unmet_text, meets_goal
from app.verification.evidence import find_objection
from app.verification.records import explain_still_listed
from app.verification.verdict import ABSENT_GOAL, TIER_2_TOKENS, TIER_3_TOKENS

Tier = Literal[2, 3]

LEAST_TRUST = 0.5  # least confidence of an opinion that counts
TRUST: dict[Tier, float] = {2: 0.9, 3: 0.95}
"""Factors for a model's stated confidence, which exceeds its accuracy, more so for the short tier 2
question.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """The stakes of a verdict.

    `ends`: the chain ends the goal or sub-task. `large`: the goal takes several steps. `by_model`:
    a model planned it, and no other sub-task follows. `recorded`: a recipe is replayed without a
    model.
    """

    ends: bool
    large: bool
    by_model: bool = False
    recorded: bool = False

    @property
    def tier(self) -> Tier:
        return 3 if self.ends and self.large else 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionLimits:
    """Page evidence that limits a model's opinion.

    `objection`: why the page contradicts success, or "". `lacks_goal`: the required next goal is
    absent. `has_news`: the page reported something new, which can support a "no".
    `may_have_submitted`: the chain may have submitted something that must not be repeated.
    """

    objection: str = ""
    lacks_goal: bool = False
    has_news: bool = True
    reports_success: bool = False
    may_have_submitted: bool = False


def required_tier(
    verdict: Verdict,
    stake: Stake,
    chain: Chain,
    page: Observation,
    *,
    waited: bool = False,
    sets_other_field: bool = False,
) -> Tier | None:
    """Return the tier to ask if a model is available; None if tier 1's verdict is final.

    `waited`: not the first observation since the chain. `sets_other_field`: something else than the chain's
    values was set.
    """
    if stake.recorded or (verdict.succeeded is False and verdict.confidence >= GOAL_CONFIDENCE):
        return None
    if verdict.succeeded is not True:
        looks_again = NO_CHANGE in verdict.observations and not (waited and stake.tier == 3)
        return None if looks_again or verdict.reason.startswith(GOING_ON) else stake.tier
    if not stake.ends or _lacks_next(chain, page):
        return None
    is_predicted = bool(chain.expected.elements) and not has_unmet_text(chain.expected, page)
    as_predicted = is_predicted and not sets_other_field
    return None if verdict.task_completed and (as_predicted or not stake.by_model) else stake.tier


def tokens_saved(verdict: Verdict, stake: Stake) -> int:
    """Return the tokens saved by not asking a higher tier; 0 if tier 1 is undecided."""
    if verdict.succeeded is None:
        return 0
    return TIER_3_TOKENS if stake.tier == 3 else TIER_2_TOKENS


def find_opinion_limits(
    verdict: Verdict,
    before: Observation,
    after: Observation,
    chain: Chain,
    goal: Instruction | None,
    stake: Stake,
) -> OpinionLimits:
    diff = compare_pages(before, after)
    objection = find_objection(before, after, diff)
    objection = objection or explain_still_listed(goal if stake.ends else None, before, after, diff)
    why = verdict.reason if verdict.doubted else objection
    has_message = any(not message.is_repeated for message in diff.messages)
    return OpinionLimits(
        objection=why,
        lacks_goal=_lacks_next(chain, after),
        has_news=has_message or bool(diff.text_added or why),
        reports_success=bool(diff.successes),
        may_have_submitted=_may_submit(chain, before),
    )


def weigh_opinion(
    verdict: Verdict, opinion: ModelOpinion, stake: Stake, limits: OpinionLimits
) -> Verdict:
    """Combine the verdict with the opinion; return tier 1's if no model could be asked."""
    if opinion.tier == 1:
        return verdict.model_copy(update={"tokens_saved": 0})
    trust = opinion.confidence * TRUST[opinion.tier]
    succeeded, completed = (
        (opinion.succeeded, opinion.completed) if trust >= LEAST_TRUST else (None, None)
    )
    update: dict[str, object] = {"tokens_saved": 0, "tier": opinion.tier}
    if succeeded is None and completed is None:
        return verdict.model_copy(update={"tokens_saved": 0} if verdict.succeeded else update)
    if succeeded is None and completed:
        succeeded = True
    if completed is None:
        completed = verdict.task_completed and not stake.by_model
    worked = _combine_outcomes(verdict, succeeded, limits)
    highest = ABSENT_GOAL if limits.lacks_goal or limits.objection else 1.0
    agrees = worked is not None and worked == verdict.succeeded
    sure = min(max(trust, verdict.confidence) if agrees else trust, highest)
    reached = stake.ends and worked is True and completed and sure >= GOAL_CONFIDENCE
    return verdict.model_copy(
        update=update
        | {
            "succeeded": worked,
            "task_completed": reached,
            "confidence": round(sure if worked is not None else min(sure, LEAST_TRUST), 3),
            "reason": _choose_reason(verdict, opinion, limits, worked),
            "contradicted": verdict.contradicted
            or _is_contradiction(verdict, succeeded, opinion, limits),
        }
    )


def _combine_outcomes(verdict: Verdict, opinion: bool | None, limits: OpinionLimits) -> bool | None:
    """Whether the chain worked, according to both.

    A "no" against an effect seen by tier 1 is a contradiction. A "no" to a submit needs new text on
    the page: it may just be slow, and must not be repeated.
    """
    if opinion is None:
        return verdict.succeeded
    if opinion:
        return (
            None
            if verdict.succeeded is None and limits.objection and not limits.reports_success
            else True
        )
    return (
        None if verdict.succeeded or (limits.may_have_submitted and not limits.has_news) else False
    )


def _is_contradiction(
    verdict: Verdict, succeeded: bool | None, opinion: ModelOpinion, limits: OpinionLimits
) -> bool:
    if succeeded is None:
        return False
    differs = verdict.succeeded is not None and succeeded != verdict.succeeded
    ended = verdict.task_completed and opinion.completed is False
    return differs or ended or bool(succeeded and limits.objection)


def _choose_reason(
    verdict: Verdict, opinion: ModelOpinion, limits: OpinionLimits, worked: bool | None
) -> str:
    if limits.objection and opinion.succeeded is not False:
        return limits.objection
    if worked is None and verdict.succeeded and opinion.reason not in ("", verdict.reason):
        return f"{verdict.reason}. But: {opinion.reason}"
    return opinion.reason or verdict.reason


def _lacks_next(chain: Chain, page: Observation) -> bool:
    goal = chain.expected.next_goal
    return goal is not None and goal.required and not meets_goal(goal, page)


def _may_submit(chain: Chain, before: Observation) -> bool:
    """Whether the last action may have submitted something, as any key or point may."""
    last = chain.actions[-1].action if chain.actions else None
    if last is None or last.name not in PRESSES:
        return last is not None and last.name in POINT_ACTIONS | {"pressKey", "dragTo"}
    node = before.tree.get(last.target or "")
    return node is None or is_submit(node, before)
