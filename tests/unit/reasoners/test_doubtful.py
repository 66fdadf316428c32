"""Goals of which rules obey only a part are the model's; without it they are refused, never half done."""

import pytest

from app.domain.plan import Analysis
from app.reasoners.commands import parse
from tests.unit.reasoners.commands.pages import node
from tests.unit.reasoners.scripted import click
from tests.unit.reasoners.world import NODES, at, router, rules, worded

PLANNED = Analysis(plan=worded("Do what was asked"), first=click("1"))
PAGE = (
    *NODES,
    node("7", "inp", "Amount", value="3"),
    node("8", "inp", "Due date", input_type="date"),
)
PARTLY_READ = [
    "Increase the amount by 2",
    "Set the amount to twice the current value",
    "Click Save unless the name is empty",
    "Click Edit on every row except Ann's and the last one",
    "Delete the patients older than 40",
    "Click Edit on the row that has the highest number",
    "Set the due date to tomorrow",
    "Archive half of the patients",
]


@pytest.mark.parametrize("goal", PARTLY_READ)
async def test_the_model_is_asked(goal):
    routed, model = router(analyse=[PLANNED])
    await routed.analyse(at(goal, nodes=PAGE, planned=False))
    assert model.asked == ["analyse"]


@pytest.mark.parametrize("goal", PARTLY_READ)
async def test_rules_alone_touch_nothing(goal):
    found = await rules().analyse(at(goal, nodes=PAGE, planned=False))
    assert found.missing is not None or parse(goal).unread is None
    if found.missing is None:  # read whole, but nothing here can be told to be meant
        assert (await rules().refine(at(goal, nodes=PAGE))).outcome in {"missing", "ambiguous"}
