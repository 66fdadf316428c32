"""Compound requests taken apart: to create is to reach a form, to fill it and to save it."""

from collections.abc import Iterator, Sequence

from app.domain.directive import Directive, Instruction, Verb
from app.engines.planning.merging import SETTING, merged
from app.engines.planning.scoping import joined_ways, scoped, without_guides

SAVING: frozenset[Verb] = frozenset({"create", "edit", "login"})
SENDING_WORDS = frozenset(
    {
        "submit", "save", "send", "confirm", "apply", "ok", "okay", "done", "finish", "login", "log",
        "sign", "register", "add", "create", "update", "post", "publish", "go", "search", "continue",
        "next", "cancel",
    }
)  # fmt: skip


def expand(instruction: Instruction) -> tuple[Directive, ...]:
    """The instruction's directives as single steps, in order.

    A create, an edit and a login are submitted at the end unless the person forbade it or says next
    how it is to be ended. Settings of one form that follow each other become one directive.
    """
    left = scoped(without_guides(joined_ways(instruction.directives)))
    forbidden = instruction.forbidden_verbs
    steps: list[Directive] = []
    while left:
        own, left = _with_settings(left)
        steps.extend(_parts(own, left[0] if left else None, forbidden))
    return tuple(
        merged(step for step in steps if step.verb not in forbidden or _said(step, instruction))
    )


def _said(step: Directive, instruction: Instruction) -> bool:
    """Whether the person asked for that very way to hand in, and forbade another: "save, not send"."""
    ways = {target.phrase.lower() for target in instruction.forbidden}
    own = step.verb == "submit" and step.value not in SAVING and step.source != ""
    return own and bool(ways) and (step.value or "") not in ways


def _with_settings(directives: list[Directive]) -> tuple[list[Directive], list[Directive]]:
    """The first directive; a create or edit with the settings said after it, made before saving."""
    count = 1
    if directives[0].verb in {"create", "edit", "login"}:
        while count < len(directives) and _sets(directives[count]):
            count += 1
    settings = (
        one.model_copy(update={"verb": "fill"}) if one.verb == "edit" else one
        for one in directives[1:count]
    )
    return [directives[0], *settings], directives[count:]


def _sets(directive: Directive) -> bool:
    """Whether it sets something of the record that was named before."""
    return directive.verb in {*SETTING, "clear"} or (
        directive.verb == "edit" and directive.target is None
    )


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
    if sends and "submit" not in forbidden and not _ended_by(following):
        yield Directive(verb="submit", value=verb, source=directive.source)


def _ended_by(following: Directive | None) -> bool:
    """Whether the next directive already says how the form is left."""
    if following is None:
        return False
    if following.verb in {"submit", "press"}:
        return True
    if following.verb != "click" or following.target is None:
        return False
    words = following.target.phrase.lower().split()
    return bool(words) and words[0] in SENDING_WORDS
