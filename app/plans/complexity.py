"""Classifies goals as simple or complex, and builds one-step plans."""

from app.domain.directive import Directive, Instruction, Target
from app.domain.page import Node, Observation
from app.domain.plan import Complexity, Decision, Plan, PlanStep
from app.text.lexicon import words

SURE = 0.8  # least confidence of a clear instruction
_ALONE = frozenset({"press", "scroll", "navigate", "back", "reload", "wait"})
_ON_ONE = frozenset(
    {"click", "open", "close", "fill", "clear", "select", "check"}
    | {"uncheck", "submit", "hover", "focus", "find"}
)

__all__ = ["SURE", "Complexity", "classify_complexity"]


def classify_complexity(instruction: Instruction, page: Observation) -> Complexity:
    """Return SIMPLE for one clear action on one identifiable element, otherwise COMPLEX."""
    reason = _why_not(instruction) or _why_not_directive(instruction.directives[0], page)
    if reason is not None:
        return Complexity(level="COMPLEX", reason=reason)
    return Complexity(level="SIMPLE", reason="one clear action on one element")


def _why_not(instruction: Instruction) -> str | None:
    if instruction.kind != "operation":
        return f"a {instruction.kind} is no action"
    if len(instruction.directives) != 1:
        return f"{len(instruction.directives)} things to do"
    if instruction.confidence < SURE:
        return "the words are not clear"
    if instruction.forbidden or instruction.forbidden_verbs:
        return "something is forbidden"
    return None


def _why_not_directive(directive: Directive, page: Observation) -> str | None:
    if directive.times != 1:
        return "the action is asked for more than once"
    if directive.verb in _ALONE:
        return None
    if directive.verb not in _ON_ONE or len(directive.fields) > 1:
        return f"'{directive.verb}' may take several actions"
    target = directive.target or _named_by(directive)
    if target is None:
        return "no control is named"
    if target.all:
        return "more than one control is meant"
    if target.within or target.near:
        return "the control is told by its surroundings"
    found = len(_called(target, page))
    if target.ordinal is not None:
        return None if abs(target.ordinal) <= found else f"there are only {found} of them"
    if found == 1:
        return None
    return f"{found or 'no'} controls go by the name '{target.phrase}'"


def _named_by(directive: Directive) -> Target | None:
    """Return the target that a directive names by its field or value."""
    field = directive.fields[0].field if directive.fields else ""
    phrase = field or (directive.value if directive.verb == "select" else None)
    return Target(phrase=phrase) if phrase else None


def _called(target: Target, page: Observation) -> list[Node]:
    """Return controls with exactly that name; otherwise those whose name has all its words."""
    wanted = words(target.phrase)
    nodes = [
        n for n in page.tree if n.enabled and n.role != "txt" and target.role in (None, n.role)
    ]
    exact = [n for n in nodes if wanted in (words(n.name), words(n.hint), words(n.value or ""))]
    return exact or [n for n in nodes if set(wanted.split()) <= set(words(n.name).split())]


GROUNDED = 0.85  # least confidence of a certain element


def single_step_plan(instruction: Instruction) -> Plan:
    """Plan the instruction's only directive as one step."""
    directive = instruction.directives[0]
    words = directive.source or instruction.text
    step = PlanStep(id="1", description=words[:1].upper() + words[1:], directive=directive)
    return Plan(steps=(step,), instruction=instruction)


def is_surely_grounded(refinement: Decision) -> bool:
    """Whether the decision is one action on one certain element."""
    return (
        refinement.outcome == "act"
        and refinement.confidence >= GROUNDED
        and len(refinement.proposals) == 1
        and refinement.proposals[0].purpose == "work"
    )
