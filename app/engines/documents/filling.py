"""Steps whose values the documents hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.background import Passage
from app.domain.directive import Directive, FieldValue, Instruction
from app.domain.plan import Plan
from app.engines.documents.facts import USUAL, facts
from app.engines.documents.wanted import wanted
from app.engines.planning.wording import quoted

MOST_NAMED = 4  # of the values that do not agree
MOST_LOOKED_UP = 4  # values of one goal


@dataclass(frozen=True, slots=True)
class Filled:
    """A directive with its values; `lacking` says what the documents do not tell, if anything."""

    directive: Directive
    lacking: str | None = None


def to_look_up(instruction: Instruction | None) -> tuple[str, ...]:
    """What the person wants taken from the documents, by its likeliest names; see `wanted`."""
    found: list[str] = []
    for directive in instruction.directives if instruction else ():
        target = directive.target.phrase if directive.target else ""
        said = [(directive.value or "", target)]
        said += [(pair.value, pair.field) for pair in directive.fields if not pair.quoted]
        found += [" ".join(names[:2]) for value, field in said if (names := wanted(value, field))]
    return tuple(dict.fromkeys(found))[:MOST_LOOKED_UP]


def documented(plan: Plan, passages: Sequence[Passage]) -> Plan:
    """The plan with the values that it was told to take from the documents, as far as they are there."""
    steps = tuple(
        step
        if step.directive is None
        else step.model_copy(update={"directive": filled_in(step.directive, passages).directive})
        for step in plan.steps
    )
    return plan if steps == plan.steps else plan.model_copy(update={"steps": steps})


def filled_in(directive: Directive, passages: Sequence[Passage]) -> Filled:
    """The directive with the one value that the documents give for each that was described so."""
    if directive.verb not in ("fill", "create", "edit", "select"):
        return Filled(directive)
    target = directive.target.phrase if directive.target else ""
    lacking: str | None = None
    changes: dict[str, object] = {}
    if directive.value is not None:
        told, lacking = _told(directive, directive.value, target, passages)
        changes = {} if told is None else {"value": told}
    pairs: list[FieldValue] = []
    for pair in directive.fields:
        told, without = (
            (None, None) if pair.quoted else _told(directive, pair.value, pair.field, passages)
        )
        lacking = lacking or without
        # "The default name from the handbook" is for the field "name".
        field = USUAL.sub("", pair.field)
        given = {"value": told, "field": field}
        pairs.append(pair if told is None else pair.model_copy(update=given))
    if tuple(pairs) != directive.fields:
        changes["fields"] = tuple(pairs)
    return Filled(directive.model_copy(update=changes) if changes else directive, lacking)


def _told(
    directive: Directive, said: str, field: str, passages: Sequence[Passage]
) -> tuple[str | None, str | None]:
    """What the documents give instead of what was said, or why they do not; neither for a value."""
    names = wanted(said, field)
    if names is None or f"'{said}'" in directive.source or f'"{said}"' in directive.source:
        return None, None
    given = next((found for name in names if (found := facts(passages, name))), [])
    if len(given) == 1:
        return given[0].value, None
    about = quoted(field or names[0])
    if given:
        several = ", ".join(quoted(one.value) for one in given[:MOST_NAMED])
        return None, f"The documents give more than one value for {about}: {several}."
    return None, f"I looked in the documents for {about}, and they do not say."
