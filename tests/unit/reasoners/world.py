"""A page, the situations on it, and a router whose model is scripted."""

from app.domain.page import Observation, Tree
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.errors import ModelUnavailable
from app.reasoners.commands import parse
from app.reasoners.commands.expansion import plan_instruction
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner
from tests.unit.reasoners.commands.pages import node
from tests.unit.reasoners.scripted import ScriptedReasoner

AWAY = ModelUnavailable("it is too busy")
NODES = (
    node("1", "btn", "Save", group="form: Patient"),
    node("2", "inp", "Name", group="form: Patient", value=""),
    node("3", "link", "Patients", group="nav: Main"),
    node("4", "btn", "Delete patient"),
    node("5", "btn", "Edit", group="row: Jas"),
    node("6", "btn", "Edit", group="row: Ann"),
)


def rules():
    return RuleReasoner()


def router(**says):
    model = ScriptedReasoner({method: list(answers) for method, answers in says.items()})
    return Router(rules(), model), model


def at(goal, *, nodes=NODES, planned=True, summary="", **more):
    read = parse(goal)
    plan = plan_instruction(read) if planned else Plan()
    page = Observation(url="https://a.example/", tree=Tree.of(nodes), summary=summary)
    return Situation(**{"goal": goal, "page": page, "instruction": read, "plan": plan, **more})


def worded(*words, current=0, **more):
    steps = tuple(PlanStep(id=str(n), description=w) for n, w in enumerate(words, start=1))
    return Plan(steps=steps, current=current, maker="model", **more)
