"""Converts a model's opening to an analysis: what the goal needs, the plan, and the first actions."""

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
    MOST_CONTINGENCIES,
    MOST_LISTED,
    MOST_STEPS,
    MOST_SUBTASKS,
    cut_line,
    meaningful_text,
    parse_confidence,
)
from app.reasoners.model.reply_schemas import Opening, Part, Step
from app.reasoners.model.writer import Veil
from app.text import patterns

_UNCLEAR = patterns.compile(r"\W*intent[ _-]unclear\W*", patterns.IGNORECASE)


def parse_analysis(reply: Opening, situation: Situation, veil: Veil) -> Analysis:
    """Parse the reply. Raises `InvalidAction` if it gives nothing to do.

    Without actions, the first decision is requested later; only outputs owed by earlier sub-tasks
    are kept.
    """
    question = parse_question(reply.ask)
    search = meaningful_text(reply.search) or None
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
    plan = _parse_plan(reply, situation)
    if plan is None and search is None and reply.mode is None:
        raise InvalidAction("steps and do are empty, and neither say, ask nor search says why")
    first = None
    if not search and (any(map(str.strip, reply.do)) or reply.mode is not None):
        opened_on = replace(situation, plan=plan or situation.plan)
        first_reply = reply.model_copy(update={"outputs": [], "effect": None})
        first = parse_decision(first_reply, opened_on, veil)
    owed_names = owed_outputs(situation.plan, situation.background.subtask_outputs)
    outputs = {
        name: text for name, text in parse_outputs(reply.outputs).items() if name in owed_names
    }
    update = {"search": search, "plan": plan, "first": first, "outputs": outputs}
    return base.model_copy(update=update)


def _is_answer(reply: Opening) -> bool:
    """Whether there is nothing to do: conversation, or an answered question."""
    has_words = bool(meaningful_text(reply.say))
    has_work = bool(reply.do or reply.steps)
    if reply.intent == "operation":
        return has_words and not has_work
    return has_words or not has_work


def _answer(reply: Opening, situation: Situation) -> str:
    said_to_person = reply.say.strip()[:LONGEST_ANSWER]
    if not meaningful_text(said_to_person):
        raise InvalidAction(f"say is empty, and {reply.intent} needs an answer")
    if reply.intent == "operation" and not is_quoted(reply.quote, situation):
        raise InvalidAction("say ends the goal, and quote is no text of the page or the material")
    return said_to_person


def _parse_plan(reply: Opening, situation: Situation) -> Plan | None:
    """Return the plan of an opening; existing sub-tasks stay. None without steps.

    Actions without steps make one step, since small models omit the obvious. Raises `InvalidAction`
    for a plan beyond the limits.
    """
    old_plan = situation.plan
    steps = _steps(reply.steps)
    if not steps and any(map(str.strip, reply.do)):
        steps = _steps([Step(text=situation.goal)])
    if not steps:
        return None
    return Plan(
        steps=steps,
        instruction=old_plan.instruction or situation.instruction,
        maker="model",
        contingencies=_contingencies(reply.ifs),
        subtasks=old_plan.subtasks or _subtasks(reply.parts),
        subtask=old_plan.subtask if old_plan.subtasks else 0,
    )


def replan_steps(steps: Sequence[Step], old_plan: Plan) -> Plan | None:
    """Replace the plan's remaining steps; None without new steps."""
    fresh = _steps(steps)
    return replace_remaining(old_plan, Plan(steps=fresh, maker="model")) if fresh else None


def _steps(steps: Sequence[Step]) -> tuple[PlanStep, ...]:
    """Number the steps. Too many are refused: the end of a cut plan would look like the end of the work."""
    worded = [step for step in steps if step.text.strip()]
    if len(worded) > MOST_STEPS:
        raise InvalidAction(
            f"the plan has {len(worded)} steps; give at most {MOST_STEPS}, "
            "each of them all that one form or place takes"
        )
    return tuple(
        PlanStep(
            id=str(number),
            description=cut_line(step.text),
            status="current" if number == 1 else "pending",
            expected=cut_line(step.shows),
        )
        for number, step in enumerate(worded, start=1)
    )


def _contingencies(ifs: Sequence[str]) -> tuple[Contingency, ...]:
    """Parse "trigger: step" lines, each trigger once."""
    by_trigger: dict[str, Contingency] = {}
    for one in ifs[:MOST_LISTED]:
        when, _, step = (part.strip() for part in meaningful_text(one).partition(":"))
        if when and step:
            by_trigger.setdefault(when.casefold(), Contingency(trigger=when, steps=(step,)))
    return tuple(by_trigger.values())[:MOST_CONTINGENCIES]


def _subtasks(parts: Sequence[Part]) -> tuple[SubTask, ...]:
    """Return the sub-tasks, each needing only outputs of earlier ones; () if there is just one."""
    if len(parts) > MOST_SUBTASKS:
        raise InvalidAction(f"there are {len(parts)} sub-tasks; give at most {MOST_SUBTASKS}")
    subtasks: list[SubTask] = []
    handed: set[str] = set()
    for part in parts:
        outputs = _names(part.gives)
        if twice := sorted(handed.intersection(outputs)):
            raise InvalidAction(f"two sub-tasks hand on '{twice[0]}'; name each value once")
        if goal := meaningful_text(part.goal):
            subtasks.append(
                SubTask(
                    id=str(len(subtasks) + 1),
                    goal=goal,
                    inputs=tuple(name for name in _names(part.needs) if name in handed),
                    outputs=outputs,
                    status="pending" if subtasks else "current",
                )
            )
            handed |= set(outputs)
    return tuple(subtasks) if len(subtasks) > 1 else ()


def _names(names: str) -> tuple[str, ...]:
    worded = (meaningful_text(name) for name in names.split(",")[:MOST_LISTED])
    return tuple(dict.fromkeys(filter(None, worded)))
