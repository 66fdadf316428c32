"""Two forms with the same fields: which of them is meant is for the person to say."""

from collections.abc import Sequence

from app.domain.grounding import Candidate, Grounding
from app.domain.page import Node
from app.engines.grounding.label import label
from app.engines.refinement.case import ENTERING, Case, last_filled
from app.engines.risk.controls import ENTRIES, container, is_submit

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
