"""Entering values: the fields of one form in one chain, a suggestion, a calendar's day."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.action import action
from app.domain.directive import FieldValue, Target
from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.domain.plan import Proposal, Refinement
from app.engines.grounding.label import label
from app.engines.refinement.absence import absent
from app.engines.refinement.browser import upload
from app.engines.refinement.case import (
    ENTERING,
    Case,
    act,
    ambiguous,
    done,
    last_filled,
    missing,
    one,
    same,
)
from app.engines.refinement.dates import counts_from_today, pick_day
from app.engines.refinement.match import answered_prompt, created_kind, edited_record, in_record
from app.engines.refinement.messages import called
from app.engines.refinement.values import holds, option_for, setting
from app.engines.risk.controls import ENTRIES, container, is_submit

POPUP = frozenset({"haspopup", "expanded", "collapsed"})


def suggests(node: Node) -> bool:
    """Whether typing into it brings up a list to choose from."""
    return node.role == "inp" and (bool(node.states & POPUP) or node.input_type == "combobox")


def pick_suggestion(case: Case) -> Refinement | None:
    """The suggestion that is what was typed last for this step, while its list is open."""
    last = case.work[-1] if case.work else None
    if last is None or last is not case.last or last.action.name != "setValue":
        return None
    typed = str(last.action.args["text"])
    offered = [node for node in case.tree if node.role == "opt" and node.enabled]
    chosen = option_for(tuple(node.name for node in offered), typed)
    if chosen is None:
        return None
    node = next(node for node in offered if node.name == chosen)
    return one(action("click", node.id), f"Choose {called(node)}")


IN_FORM = 0.9  # confidence in the button of the form just filled in


def form_alike(case: Case, nodes: Sequence[Node]) -> Grounding | None:
    """The first of the fields in each form that has them all, by the same names; None where there is
    one such form, where something was said or done that tells which, or where a dialog is open.
    """
    forms = {container(node) for node in nodes}
    own = forms.pop() if len(forms) == 1 else None
    if own is None or not _is_plain(own) or _began(case, own):
        return None
    twins = [own, *(form for form in _others(case, own) if _has(case, form, nodes))]
    if len(twins) < 2 or any(_is_said(case, form) for form in twins):
        return None
    shown = [n for n in case.tree if container(n) in twins and _alike(n, nodes[0])]
    found = tuple(
        Candidate(id=n.id, role=n.role, name=n.name or n.hint, group=n.group, score=0.6)
        for n in shown
    )
    reason = f"{len(found)} forms here have such fields"
    return Grounding(
        outcome="ambiguous", candidates=found, reason=reason, about=nodes[0].name or nodes[0].hint
    )


def of_form_filled(case: Case, found: Grounding) -> Grounding:
    """Of buttons that hand in, one in each form, that of the form which was filled in last."""
    filled = last_filled(case)
    form = container(filled) if filled is not None else None
    nodes = [n for one in found.candidates if (n := case.tree.get(one.id)) is not None]
    own = [node for node in nodes if form and container(node) == form]
    if len(own) != 1 or not all(is_submit(node, case.page) for node in nodes):
        return found
    return found.model_copy(
        update={"outcome": "found", "chosen": (own[0].id,), "confidence": IN_FORM}
    )


def _others(case: Case, own: str) -> list[str]:
    forms = dict.fromkeys(container(n) for n in case.tree.of_roles(ENTRIES))
    return [form for form in forms if form and form != own and _is_plain(form)]


def _is_plain(form: str) -> bool:
    """Whether it is a form with a name, side by side with others; a dialog stands before them."""
    kind, _, named = form.split(" > ")[-1].partition(":")
    return kind.strip() == "form" and bool(named.strip()) and "dialog:" not in form


def _has(case: Case, form: str, nodes: Sequence[Node]) -> bool:
    inside = [n for n in case.tree if container(n) == form and n.enabled]
    return all(any(_alike(n, one) for n in inside) for one in nodes)


def _alike(node: Node, other: Node) -> bool:
    return (node.role, label(node.name or node.hint).folded) == (
        other.role,
        label(other.name or other.hint).folded,
    )


def _is_said(case: Case, form: str) -> bool:
    """Whether the goal has a word of the form's name that is not one for any form."""
    named = label(form.split(" > ")[-1].partition(":")[2]).meaning_set
    return bool(named & label(case.situation.told).meaning_set)


def _began(case: Case, form: str) -> bool:
    """Whether something was entered or pressed in that form before."""
    return any(
        deed.signature is not None
        and deed.signature[2].startswith(form)
        and (deed.action.name in ENTERING or deed.action.name == "click")
        for deed in case.situation.deeds
    )


@dataclass(frozen=True)
class Placed:
    """A wanted value and where it goes."""

    target: Target
    value: str
    grounding: Grounding
    node: Node | None


def fill(case: Case) -> Refinement:
    """Give every field its value; those already holding it are left alone."""
    if case.directive.target is not None and case.directive.target.role == "file":
        return upload(case)
    if _told_prompt(case):
        return done("The page asked for it, and was told.")
    placed = _places(case)
    if not placed:
        return missing(f"It was not said what to enter for “{case.directive.source}”.")
    suggested = pick_suggestion(case)
    if suggested is not None:
        others = any(spot.node is None or not _set(case, spot) for spot in placed)
        return suggested.model_copy(update={"completes_step": not others})
    picked = _picked_day(case, placed)
    if picked is not None:
        return picked
    lost = [spot for spot in placed if spot.node is None]
    open_ = [spot for spot in placed if spot.node is not None and not _set(case, spot)]
    if open_ and (twins := form_alike(case, [one.node for one in open_ if one.node])) is not None:
        return ambiguous(twins, "the form to fill in")
    if open_:
        return _entered(case, open_, completes=not lost)
    if lost:
        return _unplaced(case, lost[0])
    return done("The values are there already.")


def _told_prompt(case: Case) -> bool:
    """Whether a prompt took the only value there is, and the page shows it."""
    values = [value for _, value in wanted_values(case)]
    shown = f"{case.page.summary} {' '.join(f'{n.name} {n.group}' for n in case.tree)}"
    return len(values) == 1 and answered_prompt(case) and values[0].casefold() in shown.casefold()


def clear(case: Case) -> Refinement:
    """Empty the field."""
    return fill(case.instead(verb="fill", value="", fields=()))


def wanted_values(case: Case) -> list[tuple[Target, str]]:
    """What the directive sets, as (target, value)."""
    directive = case.directive
    if directive.fields:
        base = directive.target or Target()
        return [(_field_target(base, field), field.value) for field in directive.fields]
    if directive.value is None:
        return []
    return [(directive.target or Target(), directive.value)]


def _field_target(base: Target, field: FieldValue) -> Target:
    within = base.within or (base.phrase if field.field else None)
    return Target(phrase=field.field or base.phrase, within=within or None, role=base.role)


def _places(case: Case) -> list[Placed]:
    wanted = wanted_values(case)
    plain = case.directive.fields and case.directive.target is None
    if not plain:
        return [spot for target, value in wanted for spot in _place(case, target, value)]
    fields = case.directive.fields
    found = case.fields(fields)
    return [_placed(case, field, grounding) for field, grounding in zip(fields, found, strict=True)]


def _placed(case: Case, field: FieldValue, grounding: Grounding) -> Placed:
    """Where a pair goes; what is not plain from its name, by the record or the kind it is of."""
    target = Target(phrase=field.field)
    if grounding.outcome != "found":
        grounding = _by_context(case, field) or grounding
    chosen = case.tree.get(grounding.chosen[0]) if grounding.chosen else None
    return Placed(target, field.value, grounding, chosen)


def _by_context(case: Case, field: FieldValue) -> Grounding | None:
    record, kind = edited_record(case), created_kind(case)
    if record and field.field:
        found = case.field(Target(phrase=field.field, within=record), field.value)
        node = case.tree.get(found.chosen[0]) if found.outcome == "found" else None
        if node is not None and in_record(record, node.group):
            return found
        held = [
            n
            for n in case.tree
            if n.role == "inp" and label(n.value or "").folded == label(record).folded
        ]
        if len(held) == 1 and field.field in {"name", "title"}:
            return Grounding(outcome="found", chosen=(held[0].id,), confidence=0.85)
    if kind and not field.field:
        found = case.field(Target(phrase=kind), field.value)
        return found if found.outcome == "found" else None
    return None


def _place(case: Case, target: Target, value: str) -> list[Placed]:
    grounding = case.field(target, value)
    if grounding.outcome == "absent" and target.within and target.phrase and case.directive.fields:
        plain = case.field(Target(phrase=target.phrase), value)  # where they are is no label here
        grounding = plain if plain.outcome == "found" else grounding
    if grounding.outcome != "found" or _given_before(case, target, grounding):
        return [Placed(target, value, grounding, None)]
    ids = _every(case, target, grounding.chosen) if target.all else grounding.chosen
    return [Placed(target, value, grounding, case.tree.get(node_id)) for node_id in ids]


def _given_before(case: Case, target: Target, grounding: Grounding) -> bool:
    """Whether a value of no named field would replace one that an earlier step put there."""
    node = case.tree.get(grounding.chosen[0])
    if target.phrase or target.within or target.ordinal is not None or node is None:
        return False
    current = case.situation.plan.current
    put = (d.action.args.get("text") for d in case.situation.deeds
           if d.step != current and d.action.name == "setValue" and same(d, node))  # fmt: skip
    return bool(node.value) and node.value in put


def _every(case: Case, target: Target, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Each field that says the phrase; of a password, its repetition too, whatever it is called."""
    wanted = label(target.phrase).meaning_set
    secret = any(case.tree.by_id[one].input_type == "password" for one in chosen)
    return tuple(
        node.id
        for node in case.tree
        if node.id in chosen
        or (node.role == "inp" and secret and node.input_type == "password")
        or (node.role == "inp" and wanted and wanted <= label(node.name).meaning_set)
    )


def _set(case: Case, spot: Placed) -> bool:
    """Whether the field holds its value, or was given it in this step (the page may reformat it)."""
    node = spot.node
    assert node is not None
    name = "selectOption" if node.role == "sel" else "setValue"
    return holds(node, spot.value) or (case.did(name, node) and bool(node.value))


def _entered(case: Case, spots: list[Placed], *, completes: bool) -> Refinement:
    asking = [spot for spot in spots if spot.node is not None and suggests(spot.node)]
    if asking:  # what it suggests is chosen before anything else takes its list away
        spots = [*(spot for spot in spots if spot not in asking), asking[0]]
    proposals: list[Proposal] = []
    for spot in spots:
        node = spot.node
        assert node is not None
        made = setting(node, spot.value)
        if made is None:
            return missing(_refused(node, spot.value))
        if counts_from_today(node, spot.value) and not _literally(case, spot.value):
            return missing(f"{called(node)} needs a day: which one is “{spot.value}”?")
        proposals.append(Proposal(action=made[0], description=made[1]))
    return act(
        proposals,
        "; ".join(proposal.description for proposal in proposals) + ".",
        confidence=min(spot.grounding.confidence for spot in spots),
        completes=completes and not asking,
        candidates=spots[0].grounding.candidates,
    )


def _literally(case: Case, value: str) -> bool:
    """Whether the person put the value in quotes: it is to be entered as it is."""
    return any(f"{mark}{value}" in case.directive.source for mark in ('"', "'", "\u201c", "\u2018"))


def _refused(node: Node, value: str) -> str:
    if node.options:
        return f"{called(node)} offers no “{value}”; it offers {', '.join(node.options[:8])}."
    return f"{called(node)} does not take “{value}”."


def _unplaced(case: Case, spot: Placed) -> Refinement:
    if spot.grounding.outcome == "ambiguous":
        return ambiguous(spot.grounding, f"the field for “{spot.value}”")
    target = spot.target.model_copy(update={"role": spot.target.role or "inp"})
    if not target.phrase:
        return absent(case, target.model_copy(update={"phrase": ""}), spot.grounding)
    return absent(case, target, spot.grounding)


def _picked_day(case: Case, placed: list[Placed]) -> Refinement | None:
    """Where a date field cannot be typed into, its calendar is used."""
    for spot in placed:
        if (
            spot.node is not None
            and "readonly" in spot.node.states
            and not holds(spot.node, spot.value)
        ):
            return pick_day(case, spot.node, spot.value)
    return None
