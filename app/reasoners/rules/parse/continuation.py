"""A clause without a verb goes on with the one before: more fields, or more of the same."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse.fields import pairs_of
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import target_of

_HOLDS_FIELDS = frozenset({"create", "edit", "fill", "login"})
_ACCUMULATES = frozenset({"click", "open", "check", "uncheck", "select", "close", "delete"})


def continued(directives: list[Directive], span: Span) -> list[Directive] | None:
    """The directives with `span` added to the last one; None when it does not go on."""
    if not directives:
        return None
    last = directives[-1]
    last = _with_fields(last)
    if last.verb in _HOLDS_FIELDS and (last.fields or last.value is None):
        fields = pairs_of(span)
        if fields and all(field.field for field in fields):
            return [*directives[:-1], last.model_copy(update={"fields": (*last.fields, *fields)})]
    if last.verb in _ACCUMULATES and len(span) <= 4:
        return [*directives, _again(last, span)]
    return None


def _with_fields(last: Directive) -> Directive:
    """A fill of one named field as a pair, so that others can join it."""
    plain = last.verb == "fill" and last.value is not None and last.target is not None
    if not plain or last.target is None or last.value is None or not last.target.phrase:
        return last
    field = FieldValue(field=last.target.phrase, value=last.value)
    return last.model_copy(update={"fields": (field,), "value": None, "target": None})


def _again(last: Directive, span: Span) -> Directive:
    target = target_of(span)
    shared = last.target or Target()
    merged = target.model_copy(
        update={"role": target.role or shared.role, "within": target.within or shared.within}
    )
    if last.verb == "select":
        plain = last.target is None or last.value is None
        return last.model_copy(
            update={
                "value": target.phrase,
                "target": None if plain else last.target,
                "source": span.text,
            }
        )
    return last.model_copy(update={"target": merged, "source": span.text})
