"""The rows of a run: the task, its actions and the session's messages."""

from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import NAMESPACE_URL, uuid5

from app.agent.persistence.report import (
    confidence_metrics,
    count_conflicts,
    run_times,
    task_counters,
)
from app.agent.persistence.response import (
    expected_view,
    plan_view,
    provenance_view,
    replanning_view,
    usage_view,
)
from app.agent.persistence.run_result import RunResult
from app.agent.request import line_id
from app.agent.state import AgentState
from app.domain.access import site_of
from app.domain.action import Chain
from app.domain.memory import SiteChoice
from app.domain.redaction import masked
from app.domain.task import Message, Session, Task, TaskAction, TaskStatus
from app.page import dom_hash, page_outline
from app.plans import is_reusable

USAGE_SUMS = ("inputTokens", "outputTokens", "costUsd", "modelCalls")


def choice_row(done: RunResult) -> SiteChoice | None:
    """The choice that this run made, if it may be remembered for the site."""
    choice = _new_choice(done)
    domain = site_of(done.call.page.url)
    if choice is None or not domain or not is_reusable(choice):
        return None
    key = f"{done.tenant}/{domain}/{choice.phrase}"
    return choice.model_copy(
        update={
            "choice_id": str(uuid5(NAMESPACE_URL, key)),
            "tenant": done.tenant,
            "domain": domain,
            "last_used": done.now,
        }
    )


def _new_choice(done: RunResult) -> SiteChoice | None:
    choices = done.state["background"].choices
    newest = choices[-1] if choices and not choices[-1].choice_id else None
    if done.state_before is None:  # repeated after a crash: which are new is unknown
        answer = done.call.answer
        return newest if answer is not None and answer.kind == "element_choice" else None
    return None if newest in done.state_before["background"].choices else newest


def _answer_text(done: RunResult, text: str) -> str:
    """The answer's text; selected options by their labels."""
    reply = done.state["reply"]
    is_own = reply is not None and reply.key == done.call.request_id
    return reply.text if reply is not None and is_own and reply.selected else text


def task_row(done: RunResult) -> Task:
    state, old = done.state, done.task
    outcome, chain, searches = state["outcome"], done.chain, state["background"].searches
    question = state["question"] if outcome is None else None
    status: TaskStatus = "awaiting_user" if state["question"] else "executing"
    if outcome:
        status = "awaiting_user" if done.paused else outcome.status
    return Task(
        task_id=done.task_id,
        tenant=done.tenant,
        user=old.user if old else done.call.principal.user,
        session_id=done.session_id,
        url=done.call.page.url,
        sites=_sites_of(done),
        query=masked(state["goal"], done.secrets),
        status=status,
        step_index=max(0, state["steps"] - 1),
        complexity=state["complexity"].level if state["complexity"] else None,
        plan=masked_view(plan_view(state["plan"]), done.secrets),
        metrics=task_metrics(done),
        last_chain={"actionIds": [a.action_id for a in chain.actions]} if chain else None,
        result=masked(outcome.message, done.secrets) if outcome and not done.paused else None,
        web_search_result=masked_view(searches[-1].model_dump(), done.secrets)
        if searches
        else None,
        waits_until=datetime.fromisoformat(question.expires_at) if question else None,
        pass_ms=run_times(done),
        created_at=old.created_at if old else done.now,
        updated_at=done.now,
    )


def _sites_of(done: RunResult) -> tuple[str, ...]:
    """The sites that the task has been on, and those that its chain opens."""
    known = done.task.sites if done.task else ()
    actions = done.chain.actions if done.chain else ()
    urls = (str(one.action.args.get("url", "")) for one in actions)
    sites = (*known, site_of(done.call.page.url), *map(site_of, urls))
    return tuple(dict.fromkeys(filter(None, sites)))


def task_metrics(done: RunResult) -> dict[str, float]:
    """The task's counters and sums including this run."""
    metrics = dict(done.task.metrics) if done.task else {}
    more = {"roundTrips": 1.0, "serverMs": done.server_ms}
    if done.spent.calls:
        more |= {name: float(usage_view(done.spent)[name]) for name in USAGE_SUMS}
    if done.statuses:
        more |= _verification_metrics(done.state)
    if conflicts := count_conflicts(done):
        more["conflicts"] = conflicts
    for name, amount in (more | task_counters(done)).items():
        metrics[name] = metrics.get(name, 0.0) + amount
    if done.state["misclassified"]:
        metrics["misclassified"] = 1.0
    return metrics | confidence_metrics(done) | {"steps": float(done.state["steps"])}


def _verification_metrics(state: AgentState) -> dict[str, float]:
    """What a verification adds to the task's counters."""
    replanning, uses = state["replanning"], state["skill_uses"]
    counts = {
        "looks": 1,
        "rePlans": int(replanning is not None and replanning.decision != "continue"),
        "skillUses": len(uses),
        "skillsHelped": sum(use.worked for use in uses),
    }
    return {name: float(count) for name, count in counts.items() if count}


def masked_view(view: dict[str, Any] | None, hidden: frozenset[str]) -> dict[str, Any] | None:
    """The JSON with hidden values masked in all its strings."""
    if not view or not hidden:
        return view

    def mask(value: object) -> object:
        match value:
            case str():
                return masked(value, hidden)
            case dict():
                return {key: mask(item) for key, item in value.items()}
            case list():
                return [mask(item) for item in value]
            case _:
                return value

    return {key: mask(item) for key, item in view.items()}


def action_rows(done: RunResult, chain: Chain) -> list[TaskAction]:
    state, page = done.state, done.call.page
    before = {
        "url": page.url,
        "title": masked(page.title[:200], done.secrets),
        "domHash": dom_hash(page),
        "semanticSkeleton": page_outline(page),
    }
    expected = masked_view(expected_view(chain.expected), done.secrets) or {}
    decision, correction, replanning = state["refinement"], state["correction"], None
    if state["replanning"]:
        view = replanning_view(state["replanning"], state["similarity"])
        replanning = masked_view(view, done.secrets)
    metrics = {"serverMs": round(done.server_ms, 2)}
    if correction:
        metrics["attempt"] = float(correction.attempt)
    return [
        TaskAction(
            action_id=planned.action_id,
            task_id=done.task_id,
            tenant=done.tenant,
            step_index=state["steps"] - 1,
            chain_index=index,
            thought=masked(decision.thought if decision else "", done.secrets),
            action=planned.redacted.text,
            description=masked(planned.description, done.secrets),
            expected=expected if index == 0 else {},
            before=before if index == 0 else {},
            re_planning=replanning if index == 0 else None,
            metrics=metrics,
            provenance=masked_view(provenance_view(planned), done.secrets),
            created_at=done.now,
        )
        for index, planned in enumerate(chain.actions)
    ]


def message_rows(done: RunResult) -> list[Message]:
    """The person's goal or answer, and the agent's reply.

    Their ids are derived from the request's, so that a repeat adds nothing.
    """
    state, answer = done.state, done.call.answer
    outcome, chain, decision = state["outcome"], done.chain, state["refinement"]
    messages: list[Message] = []
    if answer is not None and answer.text is not None:
        messages.append(_message(done, "user", _answer_text(done, answer.text), None))
    elif done.starts_goal:
        messages.append(_message(done, "user", state["goal"], None))
    if outcome or not state["question"]:  # a question was stored when it was asked
        text = outcome.message if outcome else decision.thought if decision else ""
        actions = (
            " ".join(p.redacted.text for p in chain.actions) if chain and not outcome else None
        )
        messages.append(_message(done, "assistant", text, actions))
    return messages


def _message(
    done: RunResult, role: Literal["user", "assistant"], content: str, actions: str | None
) -> Message:
    return Message(
        message_id=line_id(done.call.request_id, role),
        tenant=done.tenant,
        session_id=done.session_id,
        task_id=done.task_id,
        role=role,
        content=masked(content, done.secrets),
        action_string=actions,
        dom_summary=done.call.page.title[:200] or None,
        created_at=_user_message_time(done) if role == "user" else done.now,
    )


def _user_message_time(done: RunResult) -> datetime:
    """Just before the question that this run asked, since that was stored first."""
    question = done.state["question"] if done.state["outcome"] is None else None
    if question is None:
        return done.now
    return datetime.fromisoformat(question.asked_at) - timedelta(milliseconds=1)


def session_row(done: RunResult) -> Session:
    """The run's session, titled by its first goal."""
    return Session(
        session_id=done.session_id,
        tenant=done.tenant,
        user=done.call.principal.user,
        title=masked(done.state["goal"], done.secrets)[:120],
        created_at=done.now,
        updated_at=done.now,
    )
