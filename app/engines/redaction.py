"""Keeping what a person typed as a secret out of everything that is stored."""

import re
from collections.abc import Iterable

from app.domain.directive import Instruction
from app.domain.page import MASK
from app.domain.plan import Deed, Outcome, Plan

SECRET_FIELD = re.compile(
    r"\b(pass(word|code|phrase)?|pwd|pin|secret|token|api[ -]?key|cvv|cvc|otp)\b", re.IGNORECASE
)


def secrets(instruction: Instruction | None) -> frozenset[str]:
    """The values of an instruction that are meant for a field with a secret's name."""
    if instruction is None:
        return frozenset()
    found: set[str] = set()
    for directive in instruction.directives:
        found.update(f.value for f in directive.fields if SECRET_FIELD.search(f.field))
        target = directive.target
        if directive.value and target and SECRET_FIELD.search(target.phrase):
            found.add(directive.value)
    return frozenset(filter(None, found))


def masked(text: str, hidden: Iterable[str]) -> str:
    """The text with each hidden value replaced by the mask."""
    for value in sorted(hidden, key=len, reverse=True):
        text = text.replace(value, MASK)
    return text


def forget_deeds(deeds: Iterable[Deed], hidden: frozenset[str]) -> list[Deed]:
    """The deeds without the secrets that were typed."""
    return [
        deed.model_copy(
            update={
                "action": deed.action.masked
                if deed.action.args.get("text") in hidden
                else deed.action,
                "description": masked(deed.description, hidden),
                "note": masked(deed.note, hidden),
            }
        )
        for deed in deeds
    ]


def forget_plan(plan: Plan, hidden: frozenset[str]) -> Plan:
    """The plan's lines alone, without what they were read from, where that holds a secret."""
    if not hidden:
        return plan
    steps = tuple(
        step.model_copy(
            update={
                "directive": None,
                "description": masked(step.description, hidden),
                "expected": masked(step.expected, hidden),
            }
        )
        for step in plan.steps
    )
    parts = tuple(
        part.model_copy(update={"goal": masked(part.goal, hidden)}) for part in plan.subtasks
    )
    # Contingencies are of no use to a plan that has ended, and may quote what they enter.
    forgotten = {"steps": steps, "subtasks": parts, "contingencies": (), "instruction": None}
    return plan.model_copy(update=forgotten)


def forget_outcome(outcome: Outcome, hidden: frozenset[str]) -> Outcome:
    """The outcome without the secrets its message may quote."""
    return outcome.model_copy(update={"message": masked(outcome.message, hidden)})
