"""Enters values: the fields of one form in one chain, and the suggestions of a field."""

from dataclasses import dataclass

from app.domain.directive import FieldValue, Grounding, Target
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding import (
    assign_fields,
    describe_control,
    has_value,
    is_relative_date,
    match_option,
    parse_date,
    value_action,
)
from app.page import is_opener, is_search_field
from app.reasoners.commands.actions import decisions
from app.reasoners.commands.actions.answers import explain_unclear, find_shown
from app.reasoners.commands.actions.case import StepCase
from app.reasoners.commands.actions.location import decide_absent, is_in_record, narrow_grounding
from app.reasoners.commands.actions.pointer import upload


@dataclass(frozen=True)
class FieldEntry:
    """A value and the field for it."""

    target: Target
    value: str
    grounding: Grounding
    node: Node | None


def fill(case: StepCase) -> Decision:
    """Enter every value that its field does not have yet."""
    if case.directive.target is not None and case.directive.target.role == "file":
        return upload(case)
    if case.answered_prompt:
        return decisions.done("The page asked for it and got it.")
    if case.directive.copied is not None:
        return _enter_copied(case, case.directive.copied)
    placed = _plan_entries(case)
    if not placed:
        return decisions.missing(
            f"The request does not say what to enter for “{case.directive.source}”."
        )
    unplaced = [entry for entry in placed if entry.node is None]
    unset = [
        (entry.node, entry)
        for entry in placed
        if entry.node and not _is_set(case, entry.node, entry)
    ]
    if (suggested := _suggestion(case)) is not None:
        return decisions.click_control(suggested, "Choose", completes=not unplaced and not unset)
    if unset:
        return _enter_all(unset, completes=not unplaced)
    if unplaced and unplaced[0].grounding.outcome == "ambiguous":
        return decisions.ambiguous(unplaced[0].grounding, f"the field for “{unplaced[0].value}”")
    if unplaced:
        target = unplaced[0].target
        field = target.model_copy(update={"role": target.role or "inp"})
        return decide_absent(case, field, unplaced[0].grounding)
    return decisions.done("The values are there already.")


def _enter_copied(case: StepCase, source: Target) -> Decision:
    """Enter the value that the page shows under a name, if unambiguous."""
    answers = find_shown(case, source)
    values = {value for _, value in answers}
    if len(values) != 1:
        return explain_unclear(case, source, answers)
    return fill(case.with_directive(value=values.pop(), copied=None))


def clear_field(case: StepCase) -> Decision:
    return fill(case.with_directive(verb="fill", value="", fields=()))


def has_all_fields(case: StepCase) -> bool:
    """Whether every named field is on the page, and not only as a search box."""
    pairs = ((Target(phrase=pair.field), pair.value) for pair in case.directive.fields)
    nodes = [case.chosen(case.field(*pair)) for pair in pairs]
    return all(node is not None and not is_search_field(node) for node in nodes)


def _suggestion(case: StepCase) -> Node | None:
    """Return the open suggestion that equals the step's last typed value."""
    last = case.work[-1] if case.work else None
    if last is None or last is not case.last or last.action.name != "setValue":
        return None
    offered = {n.name: n for n in case.tree if n.role == "opt" and n.enabled}
    chosen = match_option(tuple(offered), str(last.action.args["text"]))
    return offered[chosen] if chosen is not None else None


def _plan_entries(case: StepCase) -> list[FieldEntry]:
    directive, base = case.directive, case.directive.target
    if directive.fields and base is None:
        groundings = assign_fields(directive.fields, case.tree)
        alone = [case.field(Target(phrase=one.field), one.value) for one in directive.fields]
        if all(one.outcome == "ambiguous" for one in alone):  # similar forms
            groundings = tuple(alone)
        return [
            _assign_field(case, *pair) for pair in zip(directive.fields, groundings, strict=True)
        ]
    base = base or Target()
    if directive.fields:
        return [entry for pair in directive.fields for entry in _entries_of_pair(case, base, pair)]
    return _find_entries(case, base, directive.value) if directive.value is not None else []


def _assign_field(case: StepCase, pair: FieldValue, grounding: Grounding) -> FieldEntry:
    """Return the field of a pair; the edited record or the new kind decides between several."""
    target, earlier = Target(phrase=pair.field), case.previous_directive
    about = earlier.target if earlier and grounding.outcome != "found" else None
    if earlier and about and earlier.verb == "edit" and pair.field:
        record_name = about.within or about.phrase
        own = case.field(target.model_copy(update={"within": record_name}), pair.value)
        own = narrow_grounding(case, own, lambda node: is_in_record(record_name, node.group))
        grounding = own if own.outcome == "found" else grounding
    elif earlier and about and earlier.verb == "create" and not pair.field:
        grounding = case.field(Target(phrase=about.phrase), pair.value)
    return FieldEntry(target, pair.value, grounding, case.chosen(grounding))


def _entries_of_pair(case: StepCase, base: Target, pair: FieldValue) -> list[FieldEntry]:
    """Return the fields of a pair with a place; a place that labels nothing is ignored."""
    place = base.within or (base.phrase if pair.field else "") or None
    target = Target(phrase=pair.field or base.phrase, within=place, role=base.role)
    spots = _find_entries(case, target, pair.value)
    if place and pair.field and spots[0].grounding.outcome == "absent":
        unplaced = _find_entries(case, Target(phrase=pair.field), pair.value)
        return unplaced if unplaced[0].node else spots
    return spots


def _find_entries(case: StepCase, target: Target, value: str) -> list[FieldEntry]:
    grounding = case.field(target, value)
    nodes = (
        [case.tree.by_id[one] for one in grounding.chosen] if grounding.outcome == "found" else []
    )
    if target.all and any(node.input_type == "password" for node in nodes):  # with its repetition
        nodes = [node for node in case.tree if node.input_type == "password"]
    return [FieldEntry(target, value, grounding, node) for node in (*nodes,) or (None,)]


def _is_set(case: StepCase, node: Node, spot: FieldEntry) -> bool:
    """Whether the field has its value, or got it in this step (pages may reformat)."""
    name = "selectOption" if node.role == "sel" else "setValue"
    return has_value(node, spot.value) or (case.did(name, node) and bool(node.value))


def _enter_all(entries: list[tuple[Node, FieldEntry]], *, completes: bool) -> Decision:
    """Enter everything in one chain; a suggestion is chosen before anything closes its list."""
    typed = [pair for pair in entries if pair[0].role == "inp"]
    asking = [p for p in typed if is_opener(p[0]) or p[0].input_type == "combobox"]
    if asking:
        entries = [*(pair for pair in entries if pair not in asking), asking[0]]
    proposals: list[Proposal] = []
    for node, entry in entries:
        proposed = value_action(node, entry.value)
        if proposed is None:
            offers = f"; it offers {', '.join(node.options[:8])}" if node.options else ""
            return decisions.missing(
                f"{describe_control(node)} does not take “{entry.value}”{offers}."
            )
        if (
            "readonly" in node.states and parse_date(entry.value) is None
        ):  # unless it is a date picker
            return decisions.missing(f"{describe_control(node)} cannot be typed into.")
        if is_relative_date(node, entry.value):
            return decisions.missing(
                f"{describe_control(node)} needs a day: which one is “{entry.value}”?"
            )
        proposals.append(Proposal(action=proposed[0], description=proposed[1]))
    return decisions.act(
        proposals,
        confidence=min(entry.grounding.confidence for _, entry in entries),
        completes=completes and not asking,
        candidates=entries[0][1].grounding.candidates,
    )
