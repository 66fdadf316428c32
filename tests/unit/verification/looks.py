"""Short ways to write a page down, and the clinic-like form most tables are about."""

from dataclasses import replace
from typing import Any

from app.domain.action import Action, Chain, ClientReport, PlannedAction, action
from app.domain.page import ClientObservations, Node, Observation, Tree
from app.domain.verdict import ExpectedOutcome, Verdict
from app.verification import verify
from app.verification.evidence import NO_HISTORY, TaskHistory

URL = "https://app.example.org/patients"
FORM = "form: New patient"


def n(id: str, role: str, name: str = "", states: str = "", **more: Any) -> Node:
    return Node(id=id, role=role, name=name, states=frozenset(states.split()), **more)


def page(*nodes: Node, url: str = URL, **more: Any) -> Observation:
    return Observation(url=url, tree=Tree(nodes), **more)


def form(name: str | None = None, *extra: Node, note: str = "", **more: Any) -> Observation:
    """A form with a required name, a birth date, a list, a box and two buttons."""
    return page(
        n("1", "link", "Patients", group="nav: Main"),
        n("10", "inp", "Name", "required", value=name, group=FORM),
        n("11", "inp", "Date of birth", value=None, group=FORM, input_type="date"),
        n("12", "sel", "Sex", value=note or None, group=FORM, options=("Female", "Male")),
        n("13", "chk", "Consent", group=FORM),
        n("14", "btn", "Save", group=FORM, input_type="submit"),
        n("15", "btn", "Cancel", group=FORM),
        *extra,
        **more,
    )


def toast(text: str, id: str = "90", kind: str = "status") -> Node:
    return n(id, "txt", text, kind)


def alter(look: Observation, which: str, **changes: Any) -> Observation:
    nodes = tuple(replace(x, **changes) if x.id == which else x for x in look.tree)
    return replace(look, tree=Tree(nodes))


def without(look: Observation, *ids: str) -> Observation:
    return replace(look, tree=Tree.of(x for x in look.tree if x.id not in ids))


def having(look: Observation, *nodes: Node, **more: Any) -> Observation:
    return replace(look, tree=Tree((*look.tree.nodes, *nodes)), **more)


def saw(look: Observation, **client: bool) -> Observation:
    return replace(look, client=ClientObservations(**client))


def chain(*actions: Action, expected: ExpectedOutcome | None = None, **more: Any) -> Chain:
    sent = tuple(
        PlannedAction(action_id=str(i), action=a, description=a.text) for i, a in enumerate(actions)
    )
    return Chain(actions=sent, expected=expected or ExpectedOutcome(), **more)


def judge(
    before: Observation,
    after: Observation,
    *actions: Action,
    report: ClientReport | None = None,
    last: bool = True,
    history: TaskHistory = NO_HISTORY,
    **more: Any,
) -> Verdict:
    return verify(
        before,
        after,
        chain(*actions, **more),
        report or ClientReport(),
        last_step=last,
        completes_step=True,
        history=history,
    )


CLICK_SAVE = action("click", "14")
SET_NAME = action("setValue", "10", "Jas Patel")


def covered(look: Observation) -> Observation:
    """The page with everything on it behind something else."""
    return replace(look, tree=Tree.of(replace(x, occluded=True) for x in look.tree))
