"""Targets whose words mean a control by what is done to it: a box to type into, a box to tick."""

from app.domain.directive import Target
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import target_of


def boxed(span: Span) -> Target:
    """A target something is typed into: there, "box" and "bar" mean a text field."""
    target = target_of(span)
    if target.role is None and span.low(len(span) - 1) in {"box", "bar"} and not target.quoted:
        phrase = "" if target.phrase.lower() in {"box", "bar"} else target.phrase
        return target.model_copy(update={"role": "inp", "phrase": phrase})
    return target


def ticked(span: Span) -> Target:
    """A target something is ticked in: there, "box" means a checkbox."""
    target = target_of(span)
    if target.role is None and target.phrase.lower() in {"box", "boxes"}:
        served = span.first(lambda token: token.low == "for") is not None
        named = {"phrase": target.within, "within": None} if served and target.within else {}
        return target.model_copy(update={"role": "chk", "phrase": "", **named})
    last = span.low(len(span) - 1)
    return (
        target.model_copy(update={"role": "chk"}) if last == "box" and not target.role else target
    )
