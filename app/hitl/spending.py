"""What a person may say of spending more than was allowed, and who may say it."""

from app.domain.hitl import HitlResult
from app.domain.question import Question
from app.domain.task import Principal
from app.errors import Forbidden, Invalid

MORE, RULES, STOP = "more", "rules", "stop"


def decided_on_spending(
    question: Question, text: str, chosen: tuple[str, ...]
) -> dict[str, object]:
    """The option that was named by its id, its label or its number; a no stops. Money is spent upon
    nothing else: any other words are `Invalid`.
    """
    said = (chosen[0] if len(chosen) == 1 else text).strip()
    known = (*question.options, *question.further)
    by_number = {str(number): one for number, one in enumerate(question.options, 1)}
    named = by_number.get(said)
    named = named or next((one for one in known if said in (one.id, one.label)), None)
    if named is not None and len(chosen) < 2:
        return {"decision": "answered", "text": named.label, "selected": (named.id,)}
    if said.casefold().rstrip(".!") in ("no", STOP):
        return {"decision": "refused", "text": said}
    raise Invalid("hitlResponse.value: this question takes one of its options")


def refuse_unentitled(who: Principal, question: Question, result: HitlResult) -> None:
    """A month's limit of a user or of the tenant is lifted by an operator alone. Raises `Forbidden`."""
    lift = question.lift
    if lift is None or lift.scope == "task" or MORE not in result.selected:
        return
    if not who.has("operator"):
        raise Forbidden(
            "Only an operator or an admin may let a task spend more than the month's limit"
        )
