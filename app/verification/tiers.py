"""Which tier is to judge a look at the page, and what a model's opinion changes of tier 1's verdict.

| tier 1 found                      | on the way    | last, plain goal | last, large goal        |
|-----------------------------------|---------------|------------------|-------------------------|
| it failed, 0.70 and surer         | 1             | 1                | 1                       |
| cannot tell, the page is at work  | 1, look again | 1, look again    | 1, look again           |
| cannot tell, nothing has changed  | 1, look again | 1, look again    | 1, look again, then 3   |
| cannot tell                       | 2             | 2                | 3                       |
| it worked, not surely completed   | 1             | 2                | 3                       |
| completed, not as a model told    | -             | 2                | 3                       |
| completed, and more was set       | -             | 2                | 3                       |
| completed                         | -             | 1                | 1                       |

"As told": the page shows the texts that the model said would come. An opinion that the goal is
reached counts with a quote of the page that was not there before.

A model raises or lowers what tier 1 left open. Against what code can see on the page it weighs
nothing: an error message that came, a record that is still listed, a next goal that is required and
absent keep the confidence at 0.5 or less, so that such a task is not completed by any tier.
"""

from dataclasses import dataclass
from typing import Literal

from app.domain.action import POINT_ACTIONS, PRESSES, Chain
from app.domain.directive import Instruction
from app.domain.page import Observation
from app.domain.verdict import GOAL_CONFIDENCE, ModelOpinion, Verdict
from app.page.controls import is_submit
from app.page.difference import compare_pages
from app.page.difference_text import NOTHING
from app.page.messages import GOING_ON
from app.planning.expectation import has_unmet_text, meets_goal
from app.verification.failures import find_objection
from app.verification.records import explain_still_listed
from app.verification.verdict import ABSENT_GOAL, TIER_2_TOKENS, TIER_3_TOKENS

Tier = Literal[2, 3]

BELIEVED = 0.5  # an opinion that is less sure says nothing
TRUST: dict[Tier, float] = {2: 0.9, 3: 0.95}
"""What is left of the sureness a model states, which is higher than its share of right answers: a
short question shows it less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """What hangs on a verdict.

    `ends`: the chain, done, ends the goal or the sub-task. `large`: the goal takes more than one
    step. `by_model`: a model planned it, and it is no part that others follow. `recorded`: a recipe is
    replayed, without a model.
    """

    ends: bool
    large: bool
    by_model: bool = False
    recorded: bool = False

    @property
    def tier(self) -> Tier:
        """Which tier would be asked."""
        return 3 if self.ends and self.large else 2


@dataclass(frozen=True, slots=True, kw_only=True)
class OpinionLimits:
    """What code can see that an opinion has to agree with.

    `against`: why the page speaks against a success, "" where it does not. `capped`: the required
    next goal is absent. `said`: the page told something new, on which a "no" can rest. `praised`: it
    told of a success. `may_be_sent`: the chain handed something in, and doing it again could do it
    twice.
    """

    against: str = ""
    capped: bool = False
    said: bool = True
    praised: bool = False
    may_be_sent: bool = False


def required_tier(
    found: Verdict,
    stake: Stake,
    chain: Chain,
    page: Observation,
    *,
    waited: bool = False,
    beside: bool = False,
) -> Tier | None:
    """The tier to ask where there is a model; None where tier 1's verdict stands.

    `waited`: this is not the first look since the chain was done. `beside`: something was set that the
    chain did not set.
    """
    if stake.recorded or (found.succeeded is False and found.confidence >= GOAL_CONFIDENCE):
        return None
    if found.succeeded is not True:
        looks_again = NOTHING in found.observations and not (waited and stake.tier == 3)
        return None if looks_again or found.reason.startswith(GOING_ON) else stake.tier
    if not stake.ends or _lacks_next(chain, page):
        return None
    told = bool(chain.expected.elements) and not has_unmet_text(chain.expected, page)
    as_told = told and not beside
    return None if found.task_completed and (as_told or not stake.by_model) else stake.tier


def tokens_saved(found: Verdict, stake: Stake) -> int:
    """Tokens that the tier which was not needed would have cost; none where tier 1 cannot tell."""
    if found.succeeded is None:
        return 0
    return TIER_3_TOKENS if stake.tier == 3 else TIER_2_TOKENS


def find_opinion_limits(
    found: Verdict,
    before: Observation,
    after: Observation,
    chain: Chain,
    goal: Instruction | None,
    stake: Stake,
) -> OpinionLimits:
    """What of the page's difference an opinion cannot talk away."""
    diff = compare_pages(before, after)
    shown = find_objection(before, after, diff)
    shown = shown or explain_still_listed(goal if stake.ends else None, before, after, diff)
    why = found.reason if found.doubted else shown
    told = any(not message.again for message in diff.messages)
    return OpinionLimits(
        against=why,
        capped=_lacks_next(chain, after),
        said=told or bool(diff.text_added or why),
        praised=bool(diff.successes),
        may_be_sent=_hands_in(chain, before),
    )


def weigh_opinion(
    found: Verdict, opinion: ModelOpinion, stake: Stake, held: OpinionLimits
) -> Verdict:
    """The verdict once the opinion is in; tier 1's where no model could be asked."""
    if opinion.tier == 1:
        return found.model_copy(update={"tokens_saved": 0})
    trust = opinion.confidence * TRUST[opinion.tier]
    said, completed = (opinion.succeeded, opinion.completed) if trust >= BELIEVED else (None, None)
    asked: dict[str, object] = {"tokens_saved": 0, "tier": opinion.tier}
    if said is None and completed is None:
        return found.model_copy(update={"tokens_saved": 0} if found.succeeded else asked)
    if said is None and completed:
        said = True
    if completed is None:
        completed = found.task_completed and not stake.by_model
    worked = _worked(found, said, held)
    most = ABSENT_GOAL if held.capped or held.against else 1.0
    agrees = worked is not None and worked == found.succeeded
    sure = min(max(trust, found.confidence) if agrees else trust, most)
    reached = stake.ends and worked is True and completed and sure >= GOAL_CONFIDENCE
    return found.model_copy(
        update=asked
        | {
            "succeeded": worked,
            "task_completed": reached,
            "confidence": round(sure if worked is not None else min(sure, BELIEVED), 3),
            "reason": _reason(found, opinion, held, worked),
            "contradicted": found.contradicted or _contradicts(found, said, opinion, held),
        }
    )


def _worked(found: Verdict, said: bool | None, held: OpinionLimits) -> bool | None:
    """Whether the chain worked, by both.

    A "no" against what tier 1 saw happen is a contradiction. A "no" of something handed in needs the
    page to have said something: what looks undone may be slow, and is not to be done twice.
    """
    if said is None:
        return found.succeeded
    if said:
        return None if found.succeeded is None and held.against and not held.praised else True
    return None if found.succeeded or (held.may_be_sent and not held.said) else False


def _contradicts(
    found: Verdict, said: bool | None, told: ModelOpinion, held: OpinionLimits
) -> bool:
    """Whether the opinion is another than tier 1's, or than what the page shows."""
    if said is None:
        return False
    other = found.succeeded is not None and said != found.succeeded
    return (
        other or (found.task_completed and told.completed is False) or bool(said and held.against)
    )


def _reason(found: Verdict, told: ModelOpinion, held: OpinionLimits, worked: bool | None) -> str:
    if held.against and told.succeeded is not False:
        return held.against
    if worked is None and found.succeeded and told.reason not in ("", found.reason):
        return f"{found.reason}. But: {told.reason}"
    return told.reason or found.reason


def _lacks_next(chain: Chain, page: Observation) -> bool:
    goal = chain.expected.next_goal
    return goal is not None and goal.required and not meets_goal(goal, page)


def _hands_in(chain: Chain, before: Observation) -> bool:
    """Whether the last action may have handed something in; of a key or a point nobody knows."""
    last = chain.actions[-1].action if chain.actions else None
    if last is None or last.name not in PRESSES:
        return last is not None and last.name in POINT_ACTIONS | {"pressKey", "dragTo"}
    node = before.tree.get(last.target or "")
    return node is None or is_submit(node, before)
