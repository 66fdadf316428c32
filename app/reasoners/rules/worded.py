"""Steps that somebody worded, read by rules: what a model planned and rules go on with."""

from app.domain.directive import Directive, FieldValue, Instruction
from app.domain.plan import Plan, PlanStep
from app.engines.planning.steps import plan_of
from app.engines.reasoner import Situation
from app.reasoners.commands import parse


def read_step(situation: Situation) -> Plan:
    """The plan with its current step read, and split where its words ask for several things.

    It is the same plan where the step was read from an instruction already, or cannot be read.
    """
    plan = situation.plan
    step = plan.step
    if step is None or step.directive is not None:
        return plan
    read = parse(step.description)
    if read.unread is not None:
        return plan
    parts = plan_of(read).steps
    named = [_named(step, part, at if len(parts) > 1 else None) for at, part in enumerate(parts)]
    steps = (*plan.steps[: plan.current], *named, *plan.steps[plan.current + 1 :])
    return plan.model_copy(update={"steps": steps}) if named else plan


def _named(step: PlanStep, part: PlanStep, at: int | None) -> PlanStep:
    """The part as a step of the plan; a step that is not split keeps its words."""
    if at is None:
        return step.model_copy(update={"directive": part.directive})
    status = "pending" if at else step.status
    return part.model_copy(update={"id": f"{step.id}.{at + 1}", "status": status})


def unsourced(step: PlanStep, situation: Situation) -> str | None:
    """A value that the step would enter and nobody gave: such a step's words are a model's own.

    What the person said, answered, or an earlier sub-task handed on was given.
    """
    if step.directive is None:
        return None
    known = situation.background
    texts = [situation.said, *(answer.text for answer in known.answers)]
    texts += [*known.handed.values(), *known.read.values()]
    said = [_folded(text) for text in texts]
    values = _values(step.directive)
    return next((v for v in values if not any(_folded(v) in text for text in said)), None)


_ENTERING = frozenset({"fill", "create", "edit", "login", "search", "navigate"})


def _values(directive: Directive) -> list[str]:
    pairs: tuple[FieldValue, ...] = directive.fields
    values = [pair.value for pair in pairs]
    if directive.value and directive.verb in _ENTERING:
        values.append(directive.value)
    return [value for value in values if value.strip()]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def read_goal(situation: Situation) -> Instruction:
    """The goal as it was read; that of a sub-task, which is in a model's words, is read now."""
    if situation.instruction is None or situation.plan.subtasks:
        return parse(situation.goal)
    return situation.instruction
