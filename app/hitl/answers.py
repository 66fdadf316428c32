"""Interprets a person's answer to a question, strictly."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.access import Principal
from app.domain.hitl import AnswerChannel, HitlResult, Question
from app.errors import Forbidden, Invalid
from app.plans import select_options
from app.text import patterns

CANCEL = "cancel"


@dataclass(frozen=True, slots=True, kw_only=True)
class HitlAnswer:
    """An answer of a `kind`. `text` is None for a cancellation; `chosen` are option ids sent as a list."""

    hitl_id: str
    kind: str
    text: str | None
    chosen: tuple[str, ...] = ()


def result_of(
    question: Question,
    answer: HitlAnswer,
    *,
    by: str,
    via: AnswerChannel,
    key: str,
    now: datetime,
) -> HitlResult:
    """Interpret the answer for the run. Raises `Invalid` for a wrong kind or an unknown option."""
    base = HitlResult(
        hitl_id=question.hitl_id,
        decision="cancelled",
        return_to=question.return_to,
        by=by,
        via=via,
        key=key,
        at=now,
    )
    if answer.text is None:
        return base
    if answer.kind != question.interrupt_type:
        raise Invalid(f"hitlResponse.type: this question takes {question.interrupt_type} or cancel")
    if question.kind == "approval":
        return base.model_copy(update=_decided(_meant(question, answer.text)))
    if question.source == "budget":
        return base.model_copy(update=decided_on_spending(question, answer.text, answer.chosen))
    if question.action_id:
        return base.model_copy(update={"decision": "answered", "text": _yes_or_no(answer.text)})
    if not question.takes_any_words:
        return base.model_copy(update=_selected(question, answer))
    said = _meant(question, answer.text)
    return base.model_copy(update={"decision": "answered", "text": said})


_YES_WORDS = (
    "yes y yeah yep ok okay sure agreed true approve approved confirm confirmed accept accepted "
    "ja oui si sí sim כן מאשר מאשרת"
)


_YES = frozenset(_YES_WORDS.split())


_COURTESY = frozenset({"please", "bitte", "בבקשה"})


_NO = frozenset({"no", "n", "nope", "false", "nein", "non", "não", "nao", "לא"})


def _meant(question: Question, text: str) -> str:
    """The id of the option with exactly this label; otherwise the text as is."""
    return next((one.id for one in question.options if one.label == text.strip()), text)


def _decided(text: str) -> dict[str, object]:
    """Only a plain yes, or one with a courtesy word, is a yes; a no is any text that begins with one.

    Anything else is neither: the run interprets it, and it never permits an action.
    """
    said = _words(text)
    if said[:1] and said[0] in _YES and _COURTESY.issuperset(said[1:]):
        return {"decision": "approved", "text": "yes"}
    if said[:1] and said[0] in _NO:
        return {"decision": "refused", "text": "no" if len(said) == 1 else text}
    return {"decision": "answered", "text": text}


def _words(text: str) -> list[str]:
    return patterns.sub(r"[^\w\s]", " ", text.casefold()).split()


def _yes_or_no(text: str) -> str:
    """'yes' or 'no' for a question of fact; nothing else answers it."""
    said = _words(text)
    if len(said) != 1 or said[0] not in _YES | _NO:
        raise Invalid("hitlResponse.value: this question takes yes or no")
    return "yes" if said[0] in _YES else "no"


def _selected(question: Question, answer: HitlAnswer) -> dict[str, object]:
    """The selected options, or a refusal if none is wanted."""
    said = answer.text or ""
    found = select_options(question, said, answer.chosen)
    if found.outcome == "unfit":
        raise Invalid(f"hitlResponse.value: {found.reason}")
    if found.outcome == "none":
        return {"decision": "refused", "text": said}
    ids = tuple(option.id for option in found.options)
    named = "; ".join(option.label for option in found.options)
    return {"decision": "answered", "text": named, "selected": ids}


def needs_person(question: Question) -> bool:
    """Whether a yes has consequences that a program may not decide on: an action that needs approval,
    whether such an action happened, or spending beyond the limit.
    """
    return question.kind == "approval" or bool(question.action_id) or question.source == "budget"


def refuse_unentitled(who: Principal, question: Question, result: HitlResult) -> None:
    """Raise `ConsentNeedsBrowser` for consent given with a key other than a browser's.

    Anyone who sees the question may answer no. Only an operator may raise a user's or tenant's monthly
    limit; others get `Forbidden`.
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


MORE, RULES, STOP = "more", "rules", "stop"


def decided_on_spending(
    question: Question, text: str, chosen: tuple[str, ...]
) -> dict[str, object]:
    """The option chosen by id, label or number; a no stops the task.

    Any other text raises `Invalid`, so that money is never spent on a guess.
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
