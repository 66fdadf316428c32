"""Acts, pages and recipes for these tests."""

from datetime import UTC, datetime

from app.domain.action import Action, ActionRecord, action
from app.domain.memory import Recipe
from app.domain.page import ElementRef, Node, Observation, Tree
from app.domain.task import TaskAction
from app.skills.distillation import Act, Draft, distil_recipe

SITE = "https://crm.example"
NOW = datetime(2026, 11, 22, tzinfo=UTC)
FORM = "form: New patient"


def node(i: int, role: str, name: str, group: str = "", **more: object) -> Node:
    return Node(id=str(i), role=role, name=name, group=group, **more)  # type: ignore[arg-type]


def page(*nodes: Node, path: str = "/", **more: object) -> Observation:
    return Observation(url=SITE + path, tree=Tree.of(nodes), **more)  # type: ignore[arg-type]


def act(
    made: Action, role: str = "", name: str = "", group: str = "", *, trip: int, **more: object
) -> Act:
    """An act on `path` (default "/")."""
    path = more.pop("path", "/")
    element = ElementRef(role=role, name=name, group=group) if role else None
    told = {"url": f"{SITE}{path}", "origin": "goal"}
    described = {"description": f"{made.name} {name}"}
    return Act(action=made, element=element, trip=trip, **(told | described | more))  # type: ignore[arg-type]


def click(role: str, name: str, group: str = "", **more: object) -> Act:
    return act(action("click", "9"), role, name, group, **more)  # type: ignore[arg-type]


def enter(text: str, name: str, group: str = FORM, **more: object) -> Act:
    return act(action("setValue", "9", text), "inp", name, group, **more)  # type: ignore[arg-type]


SHOWN = f"{FORM}: inp Name, inp Phone, btn Save"
GOAL = "Add the patient Jas Patel with phone 555 1234"


def adding(**more: object) -> list[Act]:
    """A patient is added: a menu, a form on a page of its own, one field a trip."""
    there = {"path": "/patients/new", "skeleton": SHOWN}
    return [
        click("btn", "Patient", "nav", trip=0, skeleton="nav: btn Patient"),
        click(
            "menu", "New", "nav > menu: Patient", trip=1, skeleton="nav > menu: Patient: menu New"
        ),
        enter("Jas Patel", "Name", trip=2, **there),
        enter("555 1234", "Phone", trip=3, **there),
        click("btn", "Save", FORM, trip=4, ended_well=True, **there),
    ]


def draft(acts: list[Act], goal: str = GOAL, **more: object) -> Draft:
    told = {"end_url": f"{SITE}/"} | more
    return distil_recipe(acts, goal=goal, **told)  # type: ignore[arg-type]


def recipe(acts: list[Act] | None = None, goal: str = GOAL, **more: object) -> Recipe:
    made = draft(acts or adding(), goal, **more)
    return Recipe(
        recipe_id="r1",
        tenant="t",
        user="u",
        title=made.goal,
        task_id="task",
        created_at=NOW,
        updated_at=NOW,
        **{name: getattr(made, name) for name in Draft.model_fields},
    )


def record(name: str, *values: object, i: int = 0, **more: object) -> ActionRecord:
    told = {"action_id": f"a{i}", "status": "success", "url": f"{SITE}/"}
    return ActionRecord(action=action(name, *values), **(told | more))  # type: ignore[arg-type]


def row(i: int, trip: int, **more: object) -> TaskAction:
    told = {"before": {"url": f"{SITE}/", "semanticSkeleton": ""}, "action": "", "thought": ""}
    return TaskAction(
        action_id=f"a{i}",
        task_id="task",
        tenant="t",
        step_index=trip,
        created_at=NOW,
        **(told | more),  # type: ignore[arg-type]
    )
