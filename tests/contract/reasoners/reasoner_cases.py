"""A reasoner of each kind, models behind their fakes, and the page all of them are asked about."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from app.domain.page import Observation, Tree
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Reasoner, Situation
from app.reasoners.commands import parse
from app.reasoners.model import ModelReasoner
from app.reasoners.router import Router
from app.reasoners.rules import RuleReasoner
from tests.contract.llm.model_questions import Desk, desk_of
from tests.fakes.calls import Call
from tests.fakes.steps import status
from tests.unit.reasoners.commands.pages import node

KINDS = ("rules", "gemini", "openai", "router", "router, model away")
GOAL = "Enter 'Jas' in Name and click Save"
PAGE = Observation(
    url="https://a.example/new",
    title="New patient",
    summary="New patient\nPhone: 555 1234",
    tree=Tree.of(
        [
            node("2", "inp", "Name", group="form: Patient", value=""),
            node("1", "btn", "Save", group="form: Patient"),
            node("3", "link", "Patients", group="nav: Main"),
        ]
    ),
)


@dataclass
class Thinker:
    """A reasoner and, where there is one, the desk of its model."""

    kind: str
    reasoner: Reasoner
    desk: Desk | None = None

    @property
    def calls(self) -> list[Call]:
        """What its model was asked."""
        return self.desk.fake.calls if self.desk else []

    @property
    def has_model(self) -> bool:
        return self.kind in ("gemini", "openai", "router")

    def takes_down(self) -> None:
        """From here on its model refuses every call."""
        if self.desk is not None:
            self.desk.fake.clear()
            self.desk.fake.always(status(503))


@asynccontextmanager
async def thinker_of(kind: str) -> AsyncIterator[Thinker]:
    rules = RuleReasoner()
    if kind == "rules":
        yield Thinker(kind, rules)
        return
    async with desk_of("openai" if kind == "openai" else "gemini") as desk:
        model = ModelReasoner(desk.model)
        made = Router(rules, model) if kind.startswith("router") else model
        thinker = Thinker(kind, made, desk)
        if kind.endswith("away"):
            thinker.takes_down()
        else:
            _script(desk)
        yield thinker


def _script(desk: Desk) -> None:
    """What a sensible model says to each kind of question, on PAGE."""
    fills = [
        lambda c: f'setValue("{c.id_of("Name")}", "Jas")',
        lambda c: f"click({c.id_of('Save')})",
    ]

    def acting(call: Call, **more: Any) -> dict[str, Any]:
        do = [write(call) for write in fills]
        return {"thought": "Fill it in.", "do": do, "ends": True, "sure": 0.95} | more

    step = {"text": "Fill in the form and save it"}
    fake = desk.fake
    fake.when(
        lambda call: call.asks_for("intent"),
        lambda call: acting(call, intent="operation", steps=[step]),
        always=True,
    )
    fake.when(
        lambda call: call.asks_for("strategy"),
        lambda call: acting(call, strategy="try again"),
        always=True,
    )
    fake.when(lambda call: call.asks_for("do"), acting, always=True)
    fake.when(lambda call: call.asks_for("ok"), {"ok": False, "why": "a wrong field"}, always=True)
    fake.when(
        lambda call: call.asks_for("solved"),
        {"solved": True, "answer": "It is 51.", "query": ""},
        always=True,
    )
    fake.when(
        lambda call: call.asks_for("found"), {"found": True, "answer": "555 1234"}, always=True
    )


def standing(goal: str = GOAL, **more: Any) -> Situation:
    """Before anything was done, planned as far as `plan` says."""
    return Situation(**{"goal": goal, "page": PAGE, "instruction": parse(goal), **more})


def worded(*words: str, current: int = 0) -> Plan:
    """A model's plan that stands at that step."""
    steps = tuple(PlanStep(id=str(n), description=text) for n, text in enumerate(words, start=1))
    return Plan(steps=steps, current=current, maker="model")
