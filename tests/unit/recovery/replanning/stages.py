"""Pages and situations of a small office, as a plan meets them."""

from dataclasses import replace

from app.domain.action import ActionRecord, action
from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import Situation
from app.domain.verdict import RePlan
from app.reasoners.commands import parse
from app.reasoners.commands.expansion import plan_instruction

NAV = [
    Node(id="1", role="link", name="Home", group="nav: Main"),
    Node(id="2", role="link", name="Patients", group="nav: Main"),
    Node(id="3", role="link", name="Reports", group="nav: Main"),
]
LISTED = [
    Node(id="10", role="btn", name="New patient"),
    Node(id="11", role="link", name="Ann Lee", group="row: Ann Lee"),
]
FORM = [
    Node(id="20", role="inp", name="Name", value="", group="form: New patient"),
    Node(id="21", role="inp", name="Phone", value="", group="form: New patient"),
    Node(id="22", role="btn", name="Save", group="form: New patient"),
]
SIGN_IN = [
    Node(id="30", role="inp", name="Email", value="", group="form: Sign in"),
    Node(id="31", role="inp", name="Password", value="", input_type="password", group="form: Sign in"),
    Node(id="32", role="btn", name="Sign in", group="form: Sign in"),
]  # fmt: skip


def page(*nodes, path="/", title="", summary=""):
    url = path if "://" in path else f"https://office.example{path}"
    return Observation(url=url, tree=Tree.of(nodes), title=title, summary=summary)


HOME = page(*NAV, path="/", title="Home")
LIST = page(*NAV, *LISTED, path="/patients", title="Patients")
NEW = page(*NAV, *FORM, path="/patients/new", title="New patient", summary="# New patient")
LOGIN = page(*SIGN_IN, path="/login", title="Please sign in")


def dialog(*names, label="News", of=LIST):
    """The page with a dialog over it: its buttons, and the rest covered."""
    shown = [
        Node(id=str(90 + at), role="btn", name=name, group=f"dialog: {label}", states=frozenset({"modal"}))
        for at, name in enumerate(names)
    ]  # fmt: skip
    rest = [replace(node, occluded=True) for node in of.tree]
    return replace(of, tree=Tree.of([*rest, *shown]))


def planned(goal, *, done=0):
    """The rules' plan with its first steps done."""
    plan = plan_instruction(parse(goal))
    for _ in range(done):
        plan = plan.advanced()
    return plan


def record(name, target, role, label, *, step=0, group="", status="success", on="/patients"):
    args = (target, "x") if name == "setValue" else (target,)
    return ActionRecord(
        action=action(name, *args),
        step=step,
        status=status,
        signature=(role, label, group),
        url=f"https://office.example{on}",
    )


def situation(goal, now, plan=None, records=(), **more):
    return Situation(
        goal=goal,
        page=now,
        instruction=parse(goal),
        plan=plan or planned(goal),
        records=records,
        **more,
    )


SEEN = RePlan(decision="continue", reason="The address is another", similarity=0.4)
