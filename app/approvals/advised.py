"""An operator's no to the same goal on the same site: said to the person before anything is done."""

from app.approvals.approval import consent
from app.domain.access import Policy, site_matches, site_of
from app.domain.background import Background
from app.domain.directive_wording import quoted
from app.domain.hitl import Approval, Question
from app.domain.memory import Advice
from app.domain.page import Observation
from app.domain.plan import Outcome
from app.domain.reasoner import Situation
from app.domain.redaction import masked, secrets_in
from app.planning.goal_gate import TURNED
from app.planning.question_limits import plain

_SHOWN = 120  # characters of the goal
_ACTION = "advice"


def objection(background: Background, page: Observation, policy: Policy) -> Advice | None:
    """The no of an operator that the person is still to hear of; None for none.

    The nearest decision on this site counts. Nobody is asked on sites where the policy says so, and one
    who answered with another wish was heard. A no of the person's is for `given_up`.
    """
    site = site_of(page.url)
    nearest = next((one for one in background.advice if site and one.site == site), None)
    if nearest is None or nearest.decision != "rejected":
        return None
    if site_matches(site, policy.approvals.never_for) or _is_among(nearest, background.approved):
        return None
    turned = any(answer.about == TURNED for answer in background.answers)
    return None if turned and _is_among(nearest, background.refused) else nearest


def given_up(background: Background, page: Observation, policy: Policy) -> Outcome | None:
    """The end of a goal where the person agreed with the operator; None elsewhere."""
    no = objection(background, page, policy)
    if no is None or not _is_among(no, background.refused):
        return None
    return Outcome(status="failed", message=f"You said no, so nothing more was done. {no.line}")


def questioned(asked: Question | None, situation: Situation, policy: Policy) -> Question | None:
    """The question with the operator's no, or one of its own where nothing else is asked."""
    no = objection(situation.background, situation.page, policy)
    if no is None:
        return asked
    approval = Approval(action=_action(no), description=no.line, site=site_of(situation.page.url))
    if asked is not None:
        return asked.model_copy(
            update={"fields": (no.line, *asked.fields), "also": (*asked.also, approval)}
        )
    goal = situation.instruction.text if situation.instruction else situation.goal
    said = quoted(plain(masked(goal, secrets_in(goal)), _SHOWN))
    text = f"Do {said}, although an operator decided against it?"
    return consent(text, (no.line,), "do it all the same", approval)


def _is_among(no: Advice, answered: tuple[Approval, ...]) -> bool:
    return any(one.action == _action(no) for one in answered)


def _action(no: Advice) -> str:
    return f"{_ACTION}({no.record_id})"
