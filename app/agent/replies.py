"""Applies a person's answer to the state of a run."""

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
CONTINUED_AFTER = "The person went on after it"
SAID_YES = "The person says that it happened"
SAID_NO = "The person says that it did not happen"
CANCELLED = "You cancelled this; nothing more was done."
YOU_ASKED = "You asked: "
NOT_SHOWN = "the page does not say"
YES_OR_NO = "Please answer yes or no, or say what to do instead"
GO_ON = "Do not try it in another way. Go on with what does not depend on it, or end and say so."
UNCLEAR = "unclear"  # `about` of an answer that is neither yes nor no
LAPSED = "Nobody answered in time; nothing more was done."
NONE_MEANT = "You said that none of these is meant, so nothing was done"


class InterpretedAnswer(NamedTuple):
    """The meaning of a free answer; `answer` is the page's answer to a question in it, or ""."""

    meaning: AnswerMeaning
    answer: str = ""


def apply_reply(
    state: AgentState, context: AgentContext, interpreted: InterpretedAnswer | None = None
) -> Patch:
    """Apply the reply; `interpreted` is the meaning of an answer that is neither yes nor no.

    A cancel ends the run. A yes releases the chain if nothing about it has changed. A no skips the step.
    New facts discard the plan, unless they were asked for within it.
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
        return patch | _apply_budget_answer(state, question, reply)
    if question.kind == "approval":
        return patch | _apply_approval(state, question, reply, context, interpreted)
    if question.kind == "disambiguation":
        return patch | _apply_selection(state, question, reply)
    if question.action_id:
        patch |= _apply_outcome_answer(state, question.action_id, reply.text)
        return patch | _record_answer(state["background"], question, reply.text)
    return patch | _apply_facts(state, question, reply.text, context)


def close_question(state: AgentState, reply: HitlResult) -> Patch:
    results = {**state["hitl_results"], reply.hitl_id: reply}
    return {"question": None, "notice": None, "hitl_results": results}


def _record_answer(
    background: Background, question: Question, text: str, facts: AnswerValues = NOTHING
) -> Patch:
    """Add the answer and its field values to the background."""
    answer = GivenAnswer(
        question=question_text(question),
        text=text,
        hitl_id=question.hitl_id,
        about=TURNED if facts.says == "turned" else question.about,
        fields=() if question.kind == "approval" else question.fields,
        values=facts.given,
        left_empty=facts.left,
    )
    return {"background": add_to_background(background, answers=(answer,))}


def _apply_facts(state: AgentState, question: Question, text: str, context: AgentContext) -> Patch:
    """Answers to the planner, and answers that ask for something else, discard the plan; values that a
    step lacked do not.
    """
    facts = read_answer(question.fields, text, context.page)
    if facts.says == "cancelled" or is_cancel(text):
        return {"outcome": Outcome(status="interrupted", message=CANCELLED)}
    patch = _record_answer(state["background"], question, text, facts)
    replans = question.return_to == "planning/replan" or facts.says == "turned"
    return patch | (_discard_plan(state) if replans else {})


def withdraw_chain(state: AgentState) -> Patch:
    """Drop the chain that waits for approval, as if it was never chosen."""
    if state["chain"] is None:
        return {}
    records = records_without_withdrawn(state)
    return {"chain": None, "repair": None, "action_records": records, "refinement": None}


def records_without_withdrawn(state: AgentState) -> list[ActionRecord]:
    """The records without those of a chain that waits for approval."""
    chain = state["chain"] if state["question"] is not None else None
    withdrawn = {planned.action_id for planned in chain.actions} if chain else set()
    return [record for record in state["action_records"] if record.action_id not in withdrawn]


def _apply_approval(
    state: AgentState,
    question: Question,
    reply: HitlResult,
    context: AgentContext,
    interpreted: InterpretedAnswer | None,
) -> Patch:
    background = state["background"]
    if reply.decision == "answered" and interpreted is not None and interpreted.meaning != "no":
        return _apply_other_answer(state, question, reply, context, interpreted)
    if reply.decision == "approved":
        released = _release_chain(state, question, context)
        if released is None:
            return withdraw_chain(state)
        approved = add_to_background(background, approved=list_approvals(question))
        return released | Patch(background=approved)
    refused = add_to_background(background, refused=list_approvals(question))
    if is_redirection(reply.text.partition(",")[2].strip()):
        return _redirect(state, refused, question, reply)
    patch = withdraw_chain(state) | _record_answer(refused, question, reply.text)
    reason, plan = describe_not_done(question, reply.text), skip_declined_step(state["plan"])
    patch |= Patch(plan=plan)
    if not is_by_rules(state):
        return patch | Patch(refusal_reason=f"{reason} {GO_ON}")
    if plan.step is not None:
        return patch
    done = "; ".join(step.description for step in plan.steps if step.status == "completed")
    message = f"{reason} Done before: {done}." if done else reason
    return patch | Patch(outcome=Outcome(status="failed", message=message))


def _redirect(
    state: AgentState, background: Background, question: Question, reply: HitlResult
) -> Patch:
    """The person wants something else: the chain is withdrawn and the plan discarded."""
    patch = withdraw_chain(state)
    patch |= _record_answer(background, question, reply.text, AnswerValues(says="turned"))
    return patch | _discard_plan({**state, **patch})


def _apply_other_answer(
    state: AgentState,
    question: Question,
    reply: HitlResult,
    context: AgentContext,
    interpreted: InterpretedAnswer,
) -> Patch:
    """Apply an answer that is neither yes nor no.

    A question in it is answered, and the approval asked for again. An unclear answer is asked for again
    once; then the action is left undone.
    """
    background = state["background"]
    if interpreted.meaning == "instead":
        return _redirect(state, background, question, reply)
    repeated = any(
        one.about == UNCLEAR and one.question == question.text for one in background.answers
    )
    if interpreted.meaning == "unclear" and repeated:
        message = f"This was left open, and was not done: {question.text.removesuffix('?')}."
        return withdraw_chain(state) | Patch(outcome=Outcome(status="interrupted", message=message))
    patch = Patch()
    first = f"{YOU_ASKED}{interpreted.answer or NOT_SHOWN}"
    if interpreted.meaning == "unclear":
        first = YES_OR_NO
        answer = GivenAnswer(question=question.text, text=reply.text, about=UNCLEAR)
        patch = Patch(background=add_to_background(background, answers=(answer,)))
    rest = (one for one in question.fields if not one.startswith((YOU_ASKED, YES_OR_NO)))
    again = question.model_copy(update={"fields": (first, *rest)})
    return patch | ask(again, state, context.request_id)


def _release_chain(state: AgentState, question: Question, context: AgentContext) -> Patch | None:
    """Release the approved chain for the current page; None if the page has changed too much."""
    chain = state["chain"]
    if question.return_to != "execution/approved":
        return {}
    if chain is None:
        return None
    released = release_chain(question, situation_of(state, context), chain, state["page_before"])
    if released is None:
        return None
    actions = {planned.action_id: planned.action for planned in released.actions}
    records = [
        record.model_copy(update={"action": actions.get(record.action_id, record.action)})
        for record in state["action_records"]
    ]
    return {
        "chain": released,
        "unverified_chain": released,
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
    """Bind the step to the selected element, with one step for each of several."""
    background, plan, decision = state["background"], state["plan"], state["refinement"]
    if reply.decision == "refused" and is_by_rules(state):
        about = f": {question.about}" if question.about else ""
        return {"outcome": Outcome(status="failed", message=f"{NONE_MEANT}{about}.")}
    if reply.decision == "refused":
        return _record_answer(background, question, reply.text) | _discard_plan(state)
    known = (*question.options, *question.further)
    options = tuple(one for one in known if one.id in reply.selected)
    choice = make_choice(question, options[0], background.site) if len(options) == 1 else None
    if choice is not None:
        background = add_to_background(background, choices=(choice,))
    if decision is not None and decision.plan is not None:  # the decision's step, parsed with it
        plan = replace_remaining(plan, decision.plan)
    return Patch(plan=with_choice(plan, question, options), background=background, refinement=None)


def question_row(state: AgentState, task_id: str, url: str) -> PendingHitl:
    """The state's question as it is stored; `url` is the page on which it was asked."""
    question, hidden = state["question"], secrets_of(state)
    assert question is not None
    return pending_row(
        _mask_question(question, hidden),
        tenant=state["tenant"],
        user=state["user"],
        task_id=task_id,
        thread_id=state["session_id"],
        trace_id=state["trace_id"],
        goal=masked(state["goal"], hidden),
        url=url,
    )


def _mask_question(question: Question, hidden: frozenset[str]) -> Question:
    if not hidden:
        return question
    update: dict[str, object] = {
        "text": masked(question.text, hidden),
        "fields": tuple(masked(field, hidden) for field in question.fields),
    }
    if (approval := question.approval) is not None:
        texts = {
            name: masked(getattr(approval, name), hidden) for name in ("action", "description")
        }
        update["approval"] = approval.model_copy(update=texts)
    return question.model_copy(update=update)


def _apply_budget_answer(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    """Spend more on this task, continue by rules, or stop."""
    spending = state["spending"]
    if MORE in reply.selected and question.lift is not None:
        lifts = (*spending.lifts, question.lift)
        return {"spending": spending.model_copy(update={"lifts": lifts})}
    if RULES in reply.selected:
        return {"spending": spending.model_copy(update={"without_model": True})}
    return {"outcome": Outcome(status="interrupted", message=STOPPED)}


def ask_outcome(record: ActionRecord, state: AgentState, request_id: str) -> Patch:
    """Ask whether the action happened; fail if no question is left."""
    if state["question_count"] >= MOST_QUESTIONS:
        what = record.description or record.action.masked.text
        reason = (
            f"It cannot be told whether '{what}' happened; it is not done again without knowing"
        )
        return {"outcome": failed_outcome(reason, tuple(state["action_records"]))}
    return ask(outcome_question(record), state, request_id) | Patch(correction=None)


def _apply_outcome_answer(state: AgentState, action_id: str, text: str) -> Patch:
    """A yes completes the action's step; after a no it is decided again."""
    happened = text == HAPPENED
    status: ActionStatus = "success" if happened else "failure"
    note = SAID_YES if happened else SAID_NO
    records = _with_status(state["action_records"], action_id, status, note)
    patch: Patch = {
        "refinement": None,
        "correction": None,
        "lookups": 0,
        "action_records": records,
    }
    if happened and any(one.ends_step for one in records if one.action_id == action_id):
        patch |= {"plan": state["plan"].advanced(), "verdict": None}
    return patch


def assume_done(records: Sequence[ActionRecord], unsure: ActionRecord) -> Patch:
    """Mark the action as done that the person continued after."""
    return {"action_records": _with_status(records, unsure.action_id, "success", CONTINUED_AFTER)}


def _with_status(
    records: Sequence[ActionRecord], action_id: str, status: ActionStatus, note: str
) -> list[ActionRecord]:
    change = {"status": status, "note": note}
    return [one.model_copy(update=change) if one.action_id == action_id else one for one in records]
