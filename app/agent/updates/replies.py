"""What a person's answer changes in a run."""

from datetime import datetime
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from app.agent.context import AgentContext, situation_of
from app.agent.persistence.redaction import mask_question, secrets_of
from app.agent.state import AgentState, Patch, without_step
from app.agent.updates.budget import apply_budget_answer
from app.agent.updates.unknown_outcome import apply_outcome_answer
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
from app.domain.action import ActionRecord
from app.domain.background import Background, GivenAnswer
from app.domain.hitl import HitlResult, Option, PendingHitl, Question
from app.domain.plan import Outcome, Plan
from app.domain.redaction import masked
from app.domain.task import Message
from app.domain.verdict import AnswerMeaning
from app.errors import BudgetReached
from app.hitl.questions import create_question, pending_row, question_text
from app.page import pack
from app.plans import (
    LONGEST_FIELD,
    TURNED,
    make_choice,
    plain_text,
    replace_remaining,
    with_choice,
)

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


async def interpret_answer(state: AgentState, context: AgentContext) -> InterpretedAnswer | None:
    """What the answer to an approval means where it is neither yes nor no; None for any other answer."""
    question, reply = state["question"], state["reply"]
    if question is None or reply is None or question.kind != "approval":
        return None
    if reply.decision != "answered":
        return None
    situation = situation_of(state, context)
    meaning = await context.reasoner.hear(situation, question_text(question), reply.text)
    if meaning != "question":
        return InterpretedAnswer(meaning)
    try:
        found = await context.reasoner.answer(situation, reply.text)
    except BudgetReached:
        found = None
    return InterpretedAnswer(meaning, plain_text(found or "", LONGEST_FIELD))


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
    return background.model_copy(update={"answers": (*background.answers, said)})


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
    deeds = withdrawn_deeds(state)
    return {"chain": None, "repair": None, "deeds": deeds, "refinement": None}


def withdrawn_deeds(state: AgentState) -> list[ActionRecord]:
    """The deeds without those of a chain that waits for a yes."""
    chain = state["chain"] if state["question"] is not None else None
    held = {planned.action_id for planned in chain.actions} if chain else set()
    return [deed for deed in state["deeds"] if deed.action_id not in held]


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
        known = (*background.approved, *list_approvals(question))
        return sent | Patch(background=background.model_copy(update={"approved": known}))
    known = (*background.refused, *list_approvals(question))
    turned = is_redirection(reply.text.partition(",")[2].strip())
    said = AnswerValues(says="turned") if turned else NOTHING
    told = add_answer(background, question, reply.text, said).model_copy(update={"refused": known})
    patch = withdraw_chain(state) | Patch(background=told)
    refinement, plan = state["refinement"], state["plan"]
    if turned:
        return patch | _discard_plan(state | patch)
    why, plan = describe_not_done(question, reply.text), skip_declined_step(plan)
    patch |= Patch(plan=plan)
    if "model" in (plan.maker, refinement.maker if refinement else "rules"):
        return patch | Patch(refused=f"{why} {GO_ON}")
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
        return patch | _discard_plan(state | patch)
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
        known = (*background.answers, said)
        patch = Patch(background=background.model_copy(update={"answers": known}))
    first = f"{YOU_ASKED}{heard.answer or NOT_SHOWN}" if heard.meaning == "question" else YES_OR_NO
    kept = (one for one in question.fields if not one.startswith((YOU_ASKED, YES_OR_NO)))
    fields = (first, *kept)
    asked = question.model_copy(update={"fields": fields})
    return patch | Patch(
        question=create_question(asked, context.request_id), asked=state["asked"] + 1
    )


def _release_chain(state: AgentState, question: Question, context: AgentContext) -> Patch | None:
    """The chain that was agreed to, with the page it is sent on; None where that is another now."""
    chain = state["chain"]
    if question.return_to != "execution/approved":
        return {}
    if chain is None:
        return None
    sent = release_chain(question, situation_of(state, context), chain, state["before"])
    if sent is None:
        return None
    acts = {planned.action_id: planned.action for planned in sent.actions}
    deeds = [
        deed.model_copy(update={"action": acts[deed.action_id]}) if deed.action_id in acts else deed
        for deed in state["deeds"]
    ]
    return {"chain": sent, "judged": sent, "deeds": deeds, "before": pack(context.page)}


def _discard_plan(state: AgentState) -> Patch:
    plan = state["plan"]
    return {
        "analyses": 0,
        "analysis": None,
        "plan": Plan(subtasks=plan.subtasks, subtask=plan.subtask),
        "deeds": [without_step(deed) for deed in state["deeds"]],
    }


def _apply_selection(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    if reply.decision != "refused":
        return select_options(state, question, reply)
    refinement, plan = state["refinement"], state["plan"]
    if "model" not in (plan.maker, refinement.maker if refinement else "rules"):
        return none_selected(question)
    told = add_answer(state["background"], question, reply.text)
    return Patch(background=told) | _discard_plan(state)


def select_options(state: AgentState, question: Question, reply: HitlResult) -> Patch:
    """The step held to what was chosen, a step for each of several."""
    known = (*question.options, *question.further)
    options = tuple(one for one in known if one.id in reply.selected)
    background = state["background"]
    if len(options) == 1:
        background = _remember_choice(background, question, options[0])
    return Patch(
        plan=with_choice(_plan_of_decision(state), question, options),
        background=background,
        refinement=None,
    )


def none_selected(question: Question) -> Patch:
    """Without a model there is no other way to find what is meant: an honest end."""
    about = f": {question.about}" if question.about else ""
    return Patch(outcome=Outcome(status="failed", message=f"{NONE_MEANT}{about}."))


def _plan_of_decision(state: AgentState) -> Plan:
    """The plan as the choice was made in it: a step in words was perhaps read only then."""
    refinement = state["refinement"]
    read = refinement.plan if refinement is not None else None
    return replace_remaining(state["plan"], read) if read is not None else state["plan"]


def _remember_choice(background: Background, question: Question, option: Option) -> Background:
    """The background with the choice in it, for where it may be remembered."""
    choice = make_choice(question, option, background.site)
    if choice is None:
        return background
    return background.model_copy(update={"choices": (*background.choices, choice)})


def question_row(state: AgentState, context: AgentContext) -> PendingHitl:
    """The question of this state, as another inbox sees it."""
    return question_row_on(state, context.task_id, context.page.url)


def question_row_on(state: AgentState, task_id: str, url: str) -> PendingHitl:
    """The question that this state waits with, asked on the page with that address."""
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


def question_message(state: AgentState, context: AgentContext) -> Message:
    """Its line in the history of the session, keyed by the question."""
    question = state["question"]
    assert question is not None
    return Message(
        message_id=str(uuid5(NAMESPACE_URL, f"{question.hitl_id}/asked")),
        tenant=state["tenant"],
        session_id=state["session_id"],
        task_id=context.task_id,
        role="assistant",
        content=masked(question_text(question), secrets_of(state)),
        dom_summary=context.page.title[:200] or None,
        created_at=datetime.fromisoformat(question.asked_at),
    )
