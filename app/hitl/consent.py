"""Which answers are a person's to give, and from where."""

from app.domain.access import Principal
from app.domain.hitl import HitlResult, Question
from app.errors import Forbidden
from app.hitl.spending import MORE


def needs_person(question: Question) -> bool:
    """Whether a yes to it has consequences that a program may not decide on: an act that needs approval,
    whether such an act happened, and money beyond what was allowed.
    """
    return question.kind == "approval" or bool(question.action_id) or question.source == "budget"


def refuse_unentitled(who: Principal, question: Question, result: HitlResult) -> None:
    """Raises `ConsentNeedsBrowser` for consent from any other key than a browser's. A no is taken from
    whoever sees the question. A month's limit of a user or of the tenant is lifted by an operator alone:
    else `Forbidden`.
    """
    approves = question.kind == "approval" and result.decision == "approved"
    tells = bool(question.action_id) and result.decision == "answered"
    if approves or tells:
        who.require("browser")
    if question.lift is None or MORE not in result.selected:
        return
    if question.lift.scope == "task":
        who.require("browser", "operator")
    elif not who.has_scope("operator"):
        raise Forbidden(
            "Only an operator or an admin may let a task spend more than the month's limit"
        )
