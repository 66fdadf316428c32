"""Expands an instruction to the steps of a plan: a create is reaching, filling and saving a form."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from app.domain.directive import (
    Directive,
    FieldValue,
    Instruction,
    Target,
    Verb,
    describe_directive,
)
from app.domain.plan import Plan, PlanStep
from app.text.lexicon import speaks_of

SETTING: frozenset[Verb] = frozenset({"fill", "select", "check", "uncheck"})


def merge_steps(steps: Iterable[Directive]) -> Iterator[Directive]:
    """Merge consecutive plain settings of one verb into one directive."""
    pending: Directive | None = None
    for step in steps:
        joined = _merge_settings(pending, step) if pending is not None else None
        if joined is None and pending is not None:
            yield pending
        pending = joined or step
    if pending is not None:
        yield pending


def _merge_settings(first: Directive, second: Directive) -> Directive | None:
    if first.verb != second.verb or first.verb not in SETTING:
        return None
    one, two = _settings(first), _settings(second)
    if one is None or two is None or one[0] != two[0]:
        return None
    source = ", ".join(part for part in (first.source, second.source) if part)
    return Directive(verb=first.verb, target=one[0], fields=(*one[1], *two[1]), source=source)


def _settings(directive: Directive) -> tuple[Target | None, tuple[FieldValue, ...]] | None:
    """Return (field, value) pairs and their common list; None if the directive sets nothing plainly."""
    target = directive.target
    if target is not None and not _is_plain(target):
        return None
    if directive.fields:
        return target, directive.fields
    if directive.value is None:
        if directive.verb in {"fill", "select"} or target is None or not target.phrase:
            return None
        return None, (FieldValue(field="", value=target.phrase, quoted=target.quoted),)
    if directive.verb == "select":
        return target, (FieldValue(field="", value=directive.value),)
    if target is None or not target.phrase:
        return None
    return None, (FieldValue(field=target.phrase, value=directive.value),)


def _is_plain(target: Target) -> bool:
    qualifiers = (target.ordinal, target.within, target.near)
    return not target.all and not target.excluding and all(part is None for part in qualifiers)


OF_A_RECORD = frozenset({"click", "delete", "edit", "check", "uncheck"})


def scope_directives(directives: Sequence[Directive]) -> list[Directive]:
    """Scope X to R in "find R and press X"; finding R is part of finding X."""
    made: list[Directive] = []
    scope: tuple[str, str] | None = None
    for directive, following in zip_longest(directives, directives[1:]):
        target = directive.target
        record = _record(directive)
        if record is not None and following is not None and _takes_scope(following):
            scope = record
        elif scope is None or target is None or not _takes_scope(directive):
            scope = None
            made.append(directive)
        else:
            kind, name = scope
            own = target.within if target.within not in {None, kind} else name
            within = target.model_copy(update={"within": own})
            made.append(directive.model_copy(update={"target": within}))
    return made


def _record(directive: Directive) -> tuple[str, str] | None:
    """Return the kind and name of the record to find: ("email", "Ann")."""
    target = directive.target
    if directive.verb != "find" or target is None or target.ordinal is not None or target.all:
        return None
    if target.within:
        return target.phrase, target.within
    return ("", target.phrase) if target.phrase else None


def _takes_scope(directive: Directive) -> bool:
    target: Target | None = directive.target
    if directive.verb not in OF_A_RECORD or target is None:
        return False
    return bool(target.phrase) and target.ordinal is None and not target.all


SAVING: frozenset[Verb] = frozenset({"create", "edit", "login"})


def expand(instruction: Instruction) -> tuple[Directive, ...]:
    """Return the instruction's directives as single steps, in order.

    A create, edit or login ends with a submit unless the person forbade it or says next how to end
    it. Consecutive settings of one form become one directive.
    """
    left = scope_directives(instruction.directives)
    forbidden = instruction.forbidden_verbs
    steps: list[Directive] = []
    while left:
        own, left = _with_settings(left)
        steps.extend(_parts(own, left[0] if left else None, forbidden))
    return tuple(merge_steps(steps))


def _with_settings(directives: list[Directive]) -> tuple[list[Directive], list[Directive]]:
    """Return the first directive with the settings that follow a create or edit, and the rest."""
    count = 1
    if directives[0].verb in {"create", "edit", "login"}:
        while count < len(directives) and (
            directives[count].verb in {*SETTING, "clear"}
            or (directives[count].verb == "edit" and directives[count].target is None)
        ):
            count += 1
    settings = (
        one.model_copy(update={"verb": "fill"}) if one.verb == "edit" else one
        for one in directives[1:count]
    )
    return [directives[0], *settings], directives[count:]


def _parts(
    own: Sequence[Directive], following: Directive | None, forbidden: Sequence[Verb]
) -> Iterator[Directive]:
    directive, *settings = own
    verb = directive.verb
    yield directive
    if verb in {"create", "edit"} and directive.fields:
        yield directive.model_copy(update={"verb": "fill", "target": None, "value": None})
    yield from settings
    put = verb == "create" and directive.destination is not None and not directive.fields
    sends = (verb in SAVING and not put) or (verb == "search" and directive.value is not None)
    if sends and "submit" not in forbidden and not _ends_form(following):
        yield Directive(verb="submit", value=verb, source=directive.source)


def _ends_form(following: Directive | None) -> bool:
    """Whether the next directive says how the form is left."""
    if following is None:
        return False
    if following.verb in {"submit", "press"}:
        return True
    if following.verb != "click" or following.target is None:
        return False
    phrase = following.target.phrase
    return any(speaks_of(kind, phrase) for kind in ("submit", "sign_in", "dismiss"))


def plan_instruction(instruction: Instruction) -> Plan:
    """Return a plan with one step per directive."""
    steps = tuple(
        PlanStep(
            id=str(number),
            description=describe_directive(directive),
            status="current" if number == 1 else "pending",
            directive=directive,
        )
        for number, directive in enumerate(expand(instruction), start=1)
    )
    return Plan(steps=steps, instruction=instruction)
