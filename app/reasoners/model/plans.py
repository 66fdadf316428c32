"""A model's opening as an analysis: what the goal needs, the plan, and the first actions."""

from collections.abc import Sequence
from dataclasses import replace

from app.domain.plan import Analysis, Contingency, Plan, PlanStep, Source, SubTask
from app.domain.reasoner import Situation
from app.errors import InvalidAction
from app.page import is_quoted
from app.plans import INTENT_UNCLEAR, owed_outputs, replace_remaining
from app.reasoners.model.decisions import parse_decision, parse_outputs, parse_question
from app.reasoners.model.limits import (
    LONGEST_ANSWER,
    LONGEST_TEXT,
    MOST_LISTED,
    cut_line,
    find_plan_flaw,
    meaningful_text,
    parse_confidence,
    tidy_plan,
)
from app.reasoners.model.reply_schemas import Opening, Step
from app.reasoners.model.writer import Veil
from app.text import patterns

_UNCLEAR = patterns.compile(r"\W*intent[ _-]unclear\W*", patterns.IGNORECASE)


def parse_analysis(reply: Opening, situation: Situation, veil: Veil) -> Analysis:
    """The reply as an analysis. Raises `InvalidAction` if it says nothing to do.

    Without actions the first decision is asked for later; only outputs owed by earlier sub-tasks
    are taken.
    """
    question = parse_question(reply.ask)
    search = meaningful_text(reply.search, LONGEST_TEXT) or None
    sources: list[Source] = ["PAGE"]
    sources += ["WEB_SEARCH"] if search else []
    sources += ["ASK_USER"] if question else []
    fields = question.fields if question else ()
    base = Analysis(
        required_sources=tuple(sources),
        intent_type=reply.intent,
        confidence=parse_confidence(reply.sure),
        effect=reply.effect,
        # Some models write the name for an unclear goal as words.
        missing_fields=tuple(INTENT_UNCLEAR if _UNCLEAR.fullmatch(one) else one for one in fields),
    )
    if _is_answer(reply):
        return base.model_copy(update={"answer": _answer(reply, situation)})
    if question is not None:
        return base.model_copy(update={"question": question, "search": search})
    plan = _opened(reply, situation)
    if plan is None and search is None and reply.mode is None:
        raise InvalidAction("steps and do are empty, and neither say, ask nor search says why")
    first = None
    if not search and (_acts(reply) or reply.mode is not None):
        opened_on = replace(situation, plan=plan or situation.plan)
        now = reply.model_copy(update={"outputs": [], "effect": None})
        first = parse_decision(now, opened_on, veil)
    wanted = owed_outputs(situation.plan, situation.background.subtask_outputs)
    outputs = {name: text for name, text in parse_outputs(reply.outputs).items() if name in wanted}
    told = {"search": search, "plan": plan, "first": first, "outputs": outputs}
    return base.model_copy(update=told)


def _acts(reply: Opening) -> bool:
    return any(call.strip() for call in reply.do)


def _is_answer(reply: Opening) -> bool:
    """Whether there is nothing to do: conversation, or an answered question."""
    has_words, has_work = (
        bool(meaningful_text(reply.say, LONGEST_TEXT)),
        bool(reply.do or reply.steps),
    )
    if reply.intent == "operation":
        return has_words and not has_work
    return has_words or not has_work


def _answer(reply: Opening, situation: Situation) -> str:
    said_to_person = reply.say.strip()[:LONGEST_ANSWER]
    if not meaningful_text(said_to_person, LONGEST_TEXT):
        raise InvalidAction(f"say is empty, and {reply.intent} needs an answer")
    if reply.intent == "operation" and not is_quoted(reply.quote, situation):
        raise InvalidAction("say ends the goal, and quote is no text of the page or the material")
    return said_to_person


def _opened(reply: Opening, situation: Situation) -> Plan | None:
    """The plan of an opening; existing sub-tasks stay. None without steps.

    Actions without steps make one step, since small models leave the obvious out. Raises
    `InvalidAction` for a plan beyond all limits.
    """
    before = situation.plan
    steps = _steps(reply.steps)
    if not steps and _acts(reply):
        steps = _steps([Step(text=situation.goal)])
    if not steps:
        return None
    # What has only one of the two is dropped by `tidied`.
    ifs = (meaningful_text(one, LONGEST_TEXT).partition(":") for one in reply.ifs[:MOST_LISTED])
    plan = Plan(
        steps=steps,
        instruction=before.instruction or situation.instruction,
        maker="model",
        contingencies=tuple(
            Contingency(trigger=when.strip(), steps=(then.strip(),)) for when, _, then in ifs
        ),
        subtasks=() if before.subtasks else _subtasks(reply),
    )
    kept = {"subtasks": before.subtasks, "subtask": before.subtask} if before.subtasks else {}
    return _sound(plan).model_copy(update=kept)


def replan_steps(steps: Sequence[Step], before: Plan) -> Plan | None:
    """The plan with its remaining steps replaced; None without steps."""
    fresh = _steps(steps)
    return replace_remaining(before, _sound(Plan(steps=fresh, maker="model"))) if fresh else None


def _sound(plan: Plan) -> Plan:
    if (reason := find_plan_flaw(plan)) is not None:
        raise InvalidAction(reason)
    return tidy_plan(plan)


def _steps(steps: Sequence[Step]) -> tuple[PlanStep, ...]:
    """The numbered steps, the first one current."""
    return tuple(
        PlanStep(
            id=str(number),
            description=cut_line(step.text, LONGEST_TEXT),
            status="current" if number == 1 else "pending",
            expected=cut_line(step.shows, LONGEST_TEXT),
        )
        for number, step in enumerate(steps, start=1)
        if step.text.strip()
    )


def _subtasks(reply: Opening) -> tuple[SubTask, ...]:
    return tuple(
        SubTask(
            id=str(number),
            goal=meaningful_text(part.goal, LONGEST_TEXT),
            inputs=_names(part.needs),
            outputs=_names(part.gives),
            status="current" if number == 1 else "pending",
        )
        for number, part in enumerate(reply.parts, start=1)
    )


def _names(names: str) -> tuple[str, ...]:
    worded = (meaningful_text(name, LONGEST_TEXT) for name in names.split(",")[:MOST_LISTED])
    return tuple(dict.fromkeys(filter(None, worded)))
