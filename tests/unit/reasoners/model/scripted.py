"""A model that answers from a script, and the page and situations the tests share."""

from collections.abc import Mapping
from typing import Any

from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.llm.port import ModelRequest, Reply, Tier
from app.reasoners.model import ModelReasoner

GOAL = (
    "Add the customer 'Jas Patel', email jas@a.example, phone 555 1234, city Lyon, country France"
)
FORM = "form: New customer"
TAG = "data-0123abcd"


class ScriptedModel:
    """Gives its replies in order; a question too many fails the test, and so does a reply unasked for."""

    def __init__(self, *replies: Mapping[str, Any] | Exception) -> None:
        self.left = list(replies)
        self.asked: list[ModelRequest[Any]] = []

    @property
    def names(self) -> dict[Tier, str]:
        return {"fast": "scripted", "strong": "scripted"}

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        self.asked.append(request)
        assert self.left, f"nothing is scripted for this:\n{request.prompt}"
        reply = self.left.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return request.reply.model_validate(reply)


def reasoner(*replies: Mapping[str, Any] | Exception) -> tuple[ModelReasoner, ScriptedModel]:
    """A reasoner whose model has these replies, with a tag that is known."""
    model = ScriptedModel(*replies)
    return ModelReasoner(model, tags=lambda: TAG), model


def acting(*calls: str, **more: Any) -> dict[str, Any]:
    """A reply with these actions."""
    return {"thought": "On it.", "do": list(calls), "ends": True, "sure": 0.9} | more


def opening(*calls: str, **more: Any) -> dict[str, Any]:
    """A reply that opens a goal."""
    return acting(*calls, intent="operation") | more


def node(y: float, **fields: Any) -> Node:
    return Node(box=(10, y, 80, 20), **fields)


def customer_form() -> Observation:
    """Five fields, as many links as a site's head has, and two buttons."""
    links = ["Home", "Customers", "Orders", "Invoices", "Reports", "Settings", "Help"]
    labels = ["Name", "Email", "Phone", "City"]
    nodes = [
        *(node(10, id=str(at), role="link", name=name, group="nav: Main")
          for at, name in enumerate(links, 1)),
        *(node(100 + 30 * at, id=str(20 + at), role="inp", name=name, value="", group=FORM)
          for at, name in enumerate(labels)),
        node(300, id="24", role="sel", name="Country", value="",
             options=("Germany", "France", "Spain"), group=FORM),
        node(330, id="25", role="btn", name="Save", group=FORM),
        node(330, id="26", role="btn", name="Cancel", states=frozenset({"disabled"}), group=FORM),
    ]  # fmt: skip
    return Observation(
        url="https://crm.example/customers/new",
        title="New customer",
        tree=Tree(tuple(nodes)),
        summary="New customer. Fields with a star are needed.",
        viewport=(1280.0, 800.0),
    )


FILLS = (
    'setValue(20, "Jas Patel")',
    'setValue(21, "jas@a.example")',
    'setValue(22, "555 1234")',
    'setValue(23, "Lyon")',
    'selectOption(24, "France")',
    "click(25)",
)


def plan(*steps: str, current: int = 0) -> Plan:
    """A model's plan that stands at its `current`-th step."""
    made = Plan(
        maker="model",
        steps=tuple(
            PlanStep(id=str(at), description=text, status="pending")
            for at, text in enumerate(steps, 1)
        ),
    )
    for _ in range(current):
        made = made.advanced()
    return made


def standing(**fields: Any) -> Situation:
    """A situation on the form, with a plan of one step."""
    known: dict[str, Any] = {
        "goal": GOAL,
        "page": customer_form(),
        "plan": plan("Fill in and save"),
    }
    return Situation(**known | fields)
