"""What a person's answer changes in a run."""

from collections.abc import Sequence
from typing import NamedTuple

from app.agent.context import AgentContext, ask, situation_of
from app.agent.state import (
    AgentState,
    Patch,
    add_to_background,
    is_by_rules,
    secrets_of,
    without_step,
)
from app.approvals import (
    NOTHING,
    AnswerValues,
    describe_not_done,
    is_cancel,
    is_redirection,
    list_approvals,
    read_answer,
    release_chain,
    skip_declined_step,
)
from app.domain.action import ActionRecord, ActionStatus
from app.domain.hitl import HitlResult, PendingHitl, Question
from app.domain.plan import Outcome, Plan
from app.domain.reasoner import Background, GivenAnswer
from app.domain.redaction import masked
from app.domain.verdict import AnswerMeaning
from app.hitl import MORE, RULES, pending_row, question_text
from app.page import pack
from app.plans import MOST_QUESTIONS, TURNED, make_choice, replace_remaining, with_choice
from app.recovery import HAPPENED, failed_outcome, outcome_question

STOPPED = "Stopped, since the budget is used up; what was done so far stays."
WENT_ON = "The person went on after it"
SAID_YES = "The person says that it happened"
SAID_NO = "The person says that it did not happen"
CANCELLED = "You cancelled this; nothing more was done."
YOU_ASKED = "You asked: "
NOT_SHOWN = "the page does not say"
YES_OR_NO = "Please answer yes or no, or say what to do instead"
GO_ON = "Do not try it in another way. Go on with what does not depend on it, or end and say so."
UNCLEAR = "unclear"  # of an answer that says neither yes nor no
LAPSED = "Nobody answered in time; nothing more was done."
NONE_MEANT = "You said that none of these is meant, so nothing was done"


class InterpretedAnswer(NamedTuple):
    """What a free answer means; `answer` is what the page says to a question back, "" for nothing."""

    meaning: AnswerMeaning
    answer: str = ""


def add_answer(
    background: Background, question: Question, text: str, facts: AnswerValues = NOTHING
) -> Background:
    """The background with the person's answer in it, and what it says for the fields asked for."""
    said = GivenAnswer(
        question=question_text(question),
        text=text,
        hitl_id=question.hitl_id,
        about=TURNED if facts.says == "turned" else question.about,
        fields=() if question.kind == "approval" else question.fields,
        values=facts.given,
        left_empty=facts.left,
    )
    return add_to_background(background, answers=(said,))


def close_question(state: AgentState, reply: HitlResult) -> Patch:
    """The question waits no more, and its answer is kept."""
    results = {**state["hitl_results"], reply.hitl_id: reply}
    return {"question": None, "notice": None, "hitl_results": results}


def apply_reply(
    state: AgentState, context: AgentContext, heard: InterpretedAnswer | None = None
) -> Patch:
    """Take up what was said; `heard` is what an answer means that is neither yes nor no.

    A cancel ends the run; a yes lets what was asked about happen, where it is still the same; a no never
    does; new facts end the plan, unless they were asked for within it.
    """
    question, reply = state["question"], state["reply"]
    assert question is not None
    assert reply is not None
    patch = close_question(state, reply)
    if reply.decision in ("cancelled", "expired"):
        message = CANCELLED if reply.decision == "cancelled" else LAPSED
        outcome = Outcome(status="interrupted", message=message)
        return patch | withdraw_chain(state) | Patch(outcome=outcome)
    if question.source == "budget":
        return patch | apply_budget_answer(state, question, reply)
    if question.kind == "approval":
        return patch | _apply_approval(state, question, reply, context, heard)
    if question.kind == "disambiguation":
        return patch | _apply_selection(state, question, reply)
    if question.action_id:
        told = add_answer(state["background"], question, reply.text)
        return (
            patch
            | apply_outcome_answer(state, question.action_id, reply.text)
            | Patch(background=told)
        )
    return patch | _apply_facts(state, question, reply.text, context)


def _apply_facts(state: AgentState, question: Question, text: str, context: AgentContext) -> Patch:
    """New facts go to planning, and so does an answer that asks for something else; what was missing
    within a step goes back to it.
    """
    facts = read_answer(question.fields, text, context.page)
    if facts.says == "cancelled" or is_cancel(text):
        return {"outcome": Outcome(status="interrupted", message=CANCELLED)}
    patch: Patch = {"background": add_answer(state["background"], question, text, facts)}
    replans = question.return_to == "planning/replan" or facts.says == "turned"
    return patch | (_discard_plan(state) if replans else {})


def withdraw_chain(state: AgentState) -> Patch:
    """The chain that waited for a yes is not sent: what it was to do is as if never chosen."""
    if state["chain"] is None:
        return {}
    records = records_without_withdrawn(state)
    return {"chain": None, "repair": None, "action_records": records, "refinement": None}


def records_without_withdrawn(state: AgentState) -> list[ActionRecord]:
    """The records without those of a chain that waits for approval."""
    chain = state["chain"] if state["question"] is not None else None
    held = {planned.action_id for planned in chain.actions} if chain else set()
    return [record for record in state["action_records"] if record.action_id not in held]


def _apply_approval(
    state: AgentState,
    question: Question,
    reply: HitlResult,
    context: AgentContext,
    heard: InterpretedAnswer | None,
) -> Patch:
    background = state["background"]
    if reply.decision == "answered" and heard is not None and heard.meaning != "no":
        return _apply_other_answer(state, question, reply, context, heard)
    if reply.decision == "approved":
        sent = _release_chain(state, question, context)
        if sent is None:
            return withdraw_chain(state)
        known = add_to_background(background, approved=list_approvals(question))
        return sent | Patch(background=known)
    turned = is_redirection(reply.text.partition(",")[2].strip())
    said = AnswerValues(says="turned") if turned else NOTHING
    told = add_answer(background, question, reply.text, said)
    told = add_to_background(told, refused=list_approvals(question))
    patch = withdraw_chain(state) | Patch(background=told)
    if turned:
        return patch | _discard_plan({**state, **patch})
    why, plan = describe_not_done(question, reply.text), skip_declined_step(state["plan"])
    patch |= Patch(plan=plan)
    if not is_by_rules(state):
        return patch | Patch(refusal_reason=f"{why} {GO_ON}")
    if plan.step is not None:
        return patch
    done = "; ".join(step.description for step in plan.steps if step.status == "completed")
    message = f"{why} Done before: {done}." if done else why
    return patch | Patch(outcome=Outcome(status="failed", message=message))


def _apply_other_answer(
    state: AgentState,
    question: Question,
    reply: HitlResult,
    context: AgentContext,
    heard: InterpretedAnswer,
) -> Patch:
    """What comes of an answer that is neither yes nor no: another wish changes the plan, a question is
    answered and asked again, and so is, once, what cannot be told; after that it is left open.
    """
    background = state["background"]
    if heard.meaning == "instead":
        told = add_answer(background, question, reply.text, AnswerValues(says="turned"))
        patch = withdraw_chain(state) | Patch(background=told)
        return patch | _discard_plan({**state, **patch})
    again = any(
        one.about == UNCLEAR and one.question == question.text for one in background.answers
    )
    if heard.meaning == "unclear" and again:
        what = question.text.removesuffix("?")
        message = f"This was left open, and was not done: {what}."
        return withdraw_chain(state) | Patch(outcome=Outcome(status="interrupted", message=message))
    patch = Patch()
    if heard.meaning == "unclear":
        said = GivenAnswer(question=question.text, text=reply.text, about=UNCLEAR)
        patch = Patch(background=add_to_background(background, answers=(said,)))
    first = f"{YOU_ASKED}{heard.answer or NOT_SHOWN}" if heard.meaning == "question" else YES_OR_NO
    kept = (one for one in question.fields if not one.startswith((YOU_ASKED, YES_OR_NO)))
    fields = (first, *kept)
    asked = question.model_copy(update={"fields": fields})
    return patch | ask(asked, state, context.request_id)


def _release_chain(state: AgentState, question: Question, context: AgentContext) -> Patch | None:
    """The chain that was agreed to, with the page it is sent on; None where that is another now."""
    chain = state["chain"]
    if question.return_to != "execution/approved":
        return {}
    if chain is None:
        return None
    sent = release_chain(question, situation_of(state, context), chain, state["page_before"])
    if sent is None:
        return None
    acts = {planned.action_id: planned.action for planned in sent.actions}
    records = [
        record.model_copy(update={"action": acts[record.action_id]})
        if record.action_id in acts
        else record
        for record in state["action_records"]
    ]
    return {
        "chain": sent,
        "unverified_chain": sent,
        "action_records": records,
        "page_before": pack(context.page),
    }


def _discard_plan(state: AgentState) -> Patch:
    plan = state["plan"]
    return {
        "analysis_count": 0,
        "analysis": None,
        "plan": Plan(subtasks=plan.subtasks, subtask=plan.subtask),
        "action_records": [without_step(record) for record in state["action_records"]],
    }


def _apply_selection(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    if reply.decision != "refused":
        return _hold_to_options(state, question, reply)
    if is_by_rules(state):
        about = f": {question.about}" if question.about else ""
        return Patch(outcome=Outcome(status="failed", message=f"{NONE_MEANT}{about}."))
    told = add_answer(state["background"], question, reply.text)
    return Patch(background=told) | _discard_plan(state)


def _hold_to_options(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    """The step held to what was chosen, a step for each of several."""
    known, refinement = (*question.options, *question.further), state["refinement"]
    options = tuple(one for one in known if one.id in reply.selected)
    background, plan = state["background"], state["plan"]
    choice = make_choice(question, options[0], background.site) if len(options) == 1 else None
    if choice is not None:  # it may be remembered there
        background = add_to_background(background, choices=(choice,))
    if refinement is not None and refinement.plan is not None:  # a step in words, read only then
        plan = replace_remaining(plan, refinement.plan)
    return Patch(plan=with_choice(plan, question, options), background=background, refinement=None)


def question_row(state: AgentState, task_id: str, url: str) -> PendingHitl:
    """The question of this state, as another inbox sees it, asked on the page with that address."""
    question, hidden = state["question"], secrets_of(state)
    assert question is not None
    return pending_row(
        mask_question(question, hidden),
        tenant=state["tenant"],
        user=state["user"],
        task_id=task_id,
        thread_id=state["session_id"],
        trace_id=state["trace_id"],
        goal=masked(state["goal"], hidden),
        url=url,
    )


def mask_question(question: Question, hidden: frozenset[str]) -> Question:
    """The question as it may be kept: its words without the secrets."""
    if not hidden:
        return question
    changed: dict[str, object] = {
        "text": masked(question.text, hidden),
        "fields": tuple(masked(field, hidden) for field in question.fields),
    }
    if (asked := question.approval) is not None:
        words = {name: masked(getattr(asked, name), hidden) for name in ("action", "description")}
        changed["approval"] = asked.model_copy(update=words)
    return question.model_copy(update=changed)


def apply_budget_answer(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    """Spend more on this task, go on by rules, or stop."""
    known = state["spending"]
    if MORE in reply.selected and question.lift is not None:
        lifts = (*known.lifts, question.lift)
        return {"spending": known.model_copy(update={"lifts": lifts})}
    if RULES in reply.selected:
        return {"spending": known.model_copy(update={"without_model": True})}
    return {"outcome": Outcome(status="interrupted", message=STOPPED)}


def ask_outcome(record: ActionRecord, state: AgentState, request_id: str) -> Patch:
    """The question whether it happened; after as many questions as make sense, an honest end."""
    if state["question_count"] >= MOST_QUESTIONS:
        what = record.description or record.action.masked.text
        why = f"It cannot be told whether '{what}' happened; it is not done again without knowing"
        return {"outcome": failed_outcome(why, tuple(state["action_records"]))}
    return ask(outcome_question(record), state, request_id) | Patch(correction=None)


def apply_outcome_answer(state: AgentState, action_id: str, text: str) -> Patch:
    """What the person's yes or no changes: what happened is done, what did not is chosen anew."""
    happened = text == HAPPENED
    status: ActionStatus = "success" if happened else "failure"
    records = _with_status(
        state["action_records"], action_id, status, SAID_YES if happened else SAID_NO
    )
    patch: Patch = {"refinement": None, "correction": None, "lookups": 0, "action_records": records}
    if happened and any(d.ends_step for d in state["action_records"] if d.action_id == action_id):
        patch |= {"plan": state["plan"].advanced(), "verdict": None}
    return patch


def assume_done(records: Sequence[ActionRecord], unsure: ActionRecord) -> Patch:
    """Mark the action as done that the person continued after."""
    return {"action_records": _with_status(records, unsure.action_id, "success", WENT_ON)}


def _with_status(
    records: Sequence[ActionRecord], action_id: str, status: ActionStatus, note: str
) -> list[ActionRecord]:
    change = {"status": status, "note": note}
    return [d.model_copy(update=change) if d.action_id == action_id else d for d in records]
