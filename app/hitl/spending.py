"""What a person may say of spending more than was allowed."""

from app.domain.hitl import Question
from app.errors import Invalid

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
