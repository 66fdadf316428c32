"""Interprets a person's answer to a question, strictly."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import NAMESPACE_URL, uuid5

from app.domain.access import Principal
from app.domain.hitl import (
    CHAT_SOURCES,
    AnswerChannel,
    HitlResult,
    PendingHitl,
    Question,
)
from app.domain.redaction import masked, secrets_answered
from app.domain.task import Message
from app.errors import Forbidden, HitlExpired, HitlNotPending, Invalid
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox, only_answer
from app.hitl.questions import question_text
from app.plans import select_options
from app.store.repositories import Store
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
        return base.model_copy(update=_read_decision(_option_id_or_text(question, answer.text)))
    if question.source == "budget":
        return base.model_copy(update=_read_budget_choice(question, answer.text, answer.chosen))
    if question.action_id:
        return base.model_copy(update={"decision": "answered", "text": _yes_or_no(answer.text)})
    if not question.takes_any_words:
        return base.model_copy(update=_read_selection(question, answer))
    text = _option_id_or_text(question, answer.text)
    return base.model_copy(update={"decision": "answered", "text": text})


_YES_WORDS = (
    "yes y yeah yep ok okay sure agreed true approve approved confirm confirmed accept accepted "
    "ja oui si sí sim כן מאשר מאשרת"
)
_YES = frozenset(_YES_WORDS.split())
_COURTESY = frozenset({"please", "bitte", "בבקשה"})
_NO = frozenset({"no", "n", "nope", "false", "nein", "non", "não", "nao", "לא"})


def _option_id_or_text(question: Question, text: str) -> str:
    """The id of the option with exactly this label; otherwise the text as is."""
    return next((one.id for one in question.options if one.label == text.strip()), text)


def _read_decision(text: str) -> dict[str, object]:
    """Only a plain yes, or one with a courtesy word, is a yes; a no is any text that begins with one.

    Anything else is neither: the run interprets it, and it never permits an action.
    """
    words = _words(text)
    if words[:1] and words[0] in _YES and _COURTESY.issuperset(words[1:]):
        return {"decision": "approved", "text": "yes"}
    if words[:1] and words[0] in _NO:
        return {"decision": "refused", "text": "no" if len(words) == 1 else text}
    return {"decision": "answered", "text": text}


def _words(text: str) -> list[str]:
    return patterns.sub(r"[^\w\s]", " ", text.casefold()).split()


def _yes_or_no(text: str) -> str:
    """'yes' or 'no' for a question of fact; nothing else answers it."""
    words = _words(text)
    if len(words) != 1 or words[0] not in _YES | _NO:
        raise Invalid("hitlResponse.value: this question takes yes or no")
    return "yes" if words[0] in _YES else "no"


def _read_selection(question: Question, answer: HitlAnswer) -> dict[str, object]:
    """The selected options, or a refusal if none is wanted."""
    text = answer.text or ""
    selection = select_options(question, text, answer.chosen)
    if selection.outcome == "unfit":
        raise Invalid(f"hitlResponse.value: {selection.reason}")
    if selection.outcome == "none":
        return {"decision": "refused", "text": text}
    ids = tuple(option.id for option in selection.options)
    labels = "; ".join(option.label for option in selection.options)
    return {"decision": "answered", "text": labels, "selected": ids}


def needs_consent(question: Question) -> bool:
    """Whether a yes has consequences that a program may not decide on: an action that needs approval,
    whether such an action happened, or spending beyond the limit.
    """
    return question.kind == "approval" or bool(question.action_id) or question.source == "budget"


def resolve_answer(
    who: Principal, question: Question, answer: HitlAnswer, *, via: AnswerChannel, key: str
) -> HitlResult:
    """Interpret the answer of this person for the run; raises as `result_of` and `refuse_unentitled` do."""
    now = datetime.now(UTC)
    result = result_of(question, answer, by=who.user, via=via, key=key, now=now)
    refuse_unentitled(who, question, result)
    return result


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


def _read_budget_choice(
    question: Question, text: str, chosen: tuple[str, ...]
) -> dict[str, object]:
    """The option chosen by id, label or number; a no stops the task.

    Any other text raises `Invalid`, so that money is never spent on a guess.
    """
    choice = (chosen[0] if len(chosen) == 1 else text).strip()
    options = (*question.options, *question.further)
    by_number = {str(number): one for number, one in enumerate(question.options, 1)}
    option = by_number.get(choice)
    option = option or next((one for one in options if choice in (one.id, one.label)), None)
    if option is not None and len(chosen) < 2:
        return {"decision": "answered", "text": option.label, "selected": (option.id,)}
    if choice.casefold().rstrip(".!") in ("no", STOP):
        return {"decision": "refused", "text": choice}
    raise Invalid("hitlResponse.value: this question takes one of its options")


PLANNING = "planning/replan"


class ResumeRouter:
    """Maps `returnTo` as `node/mode` to the graph node that handles the answer."""

    def __init__(self, routes: Mapping[str, str], *, refused: str | None = PLANNING) -> None:
        self._routes = MappingProxyType(dict(routes))
        self._refused = refused

    def destination(self, result: HitlResult) -> str:
        """The node that handles the answer. All refusals go to one node, if one is configured.

        Raises `KeyError` for an unregistered `returnTo`.
        """
        if result.decision == "refused" and self._refused is not None:
            return self._routes[self._refused]
        return self._routes[result.return_to]

    @property
    def nodes(self) -> frozenset[str]:
        return frozenset(self._routes.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerService:
    """Records answers from every interface; `go_on` continues the chat after an answer to its question."""

    store: Store
    inbox: Inbox
    task_events: TaskEvents
    go_on: Callable[[PendingHitl], Awaitable[object]]

    async def answer(
        self,
        who: Principal,
        row: PendingHitl,
        answer: HitlAnswer,
        *,
        via: AnswerChannel,
        key: str,
        through: str = "",
    ) -> PendingHitl:
        """Record an answer and return the updated row.

        Raises `HitlNotPending` or `HitlExpired` if it is too late, `Invalid` if the question does not
        accept it, `Forbidden` if the caller may not give it. `through` names the client program.
        """
        await self.refuse_late(row)
        result = resolve_answer(who, row.question, answer, via=via, key=key)
        if through:
            result = result.model_copy(update={"by": f"{who.user}, through {through}"})
        return await self.conclude(row, result)

    async def refuse_late(self, row: PendingHitl) -> None:
        """Raise if the question has ended; an expiry is recorded first."""
        status = row.status_at(datetime.now(UTC))
        if status == "expired":
            await self.inbox.end(row, "expired")
            self.task_events.publish(row.tenant, row.task_id)
            raise HitlExpired
        if status != "pending":
            raise HitlNotPending(f"This question was {status} already")

    async def conclude(self, row: PendingHitl, result: HitlResult) -> PendingHitl:
        """End the question with this result, add a line to the session's history and notify the task's
        listeners. Returns the updated row; raises if another answer came first.
        """
        cancels = result.decision == "cancelled"
        concluded = only_answer(await self.inbox.conclude(row.tenant, result), result)
        if row.source in CHAT_SOURCES:  # no runner waits for it: the chat continues on its own
            await self.go_on(concluded)
            return concluded
        if not cancels:
            await self.store.messages.add([_answer_message(row, result)])
        self.task_events.publish(row.tenant, row.task_id)
        return concluded


def said_of(question: str, result: HitlResult) -> str:
    """The text of an answer, without secrets that were asked for."""
    return masked(result.text, secrets_answered(question, result.text))


def _answer_message(row: PendingHitl, result: HitlResult) -> Message:
    return Message(
        message_id=str(uuid5(NAMESPACE_URL, f"{row.hitl_id}/answered")),
        tenant=row.tenant,
        session_id=row.thread_id,
        task_id=row.task_id,
        role="user",
        content=said_of(question_text(row.question), result),
        created_at=result.at,
    )
