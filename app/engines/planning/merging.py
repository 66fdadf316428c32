"""Settings that follow each other, made one directive: they are one round trip."""

from collections.abc import Iterable, Iterator

from app.domain.directive import Directive, FieldValue, Target, Verb

SETTING: frozenset[Verb] = frozenset({"fill", "select", "check", "uncheck"})


def merged(steps: Iterable[Directive]) -> Iterator[Directive]:
    """The steps with each run of plain settings of one verb as a single directive."""
    held: Directive | None = None
    for step in steps:
        joined = _joined(held, step) if held is not None else None
        if joined is None and held is not None:
            yield held
        held = joined or step
    if held is not None:
        yield held


def _joined(first: Directive, second: Directive) -> Directive | None:
    if first.verb != second.verb or first.verb not in SETTING:
        return None
    one, two = _settings(first), _settings(second)
    if one is None or two is None or one[0] != two[0]:
        return None
    source = ", ".join(part for part in (first.source, second.source) if part)
    return Directive(verb=first.verb, target=one[0], fields=(*one[1], *two[1]), source=source)


def _settings(directive: Directive) -> tuple[Target | None, tuple[FieldValue, ...]] | None:
    """What the directive sets as (field, value) pairs, and the list they are all chosen from.

    What is checked or chosen without a list is a value in no field. None for what cannot be told so.
    """
    target = directive.target
    if target is not None and not _plain(target):
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


def _plain(target: Target) -> bool:
    said = (target.ordinal, target.within, target.near, target.color, target.position)
    return not target.all and not target.excluding and all(part is None for part in said)
