"""What an answer says of a model's work: whence a value is, what is to be looked at, what was found."""

import pytest

from app.domain.action import Provenance
from app.domain.plan import Analysis
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import INTERACT
from tests.integration.agent.test_questions import talking
from tests.unit.agent.reasoning import Scripted, act, chosen, plan

GOAL = "Register Jas, as the front desk would"
LOOKS = Analysis(plan=plan("Open the menu"), first=chosen("look", mode="skeleton"))


@pytest.fixture
def ask(server_settings, key):
    """Send requests to a server that reasons by this script."""

    async def send(script, *bodies):
        answers = []
        async with talking(server_settings, key, script) as client:
            for body in bodies:
                made = body(answers[-1]) if callable(body) else body
                reply = await client.post(INTERACT, json=made)
                assert reply.status_code == 200, reply.text
                answers.append(reply.json())
            story = await client.get(f"/api/task/{answers[0]['taskId']}")
        return answers, story.json()

    return send


async def test_a_typed_value_says_where_it_came_from(ask):
    page = ClinicPage(place="/patients/new")
    first = act('setValue(20, "Jas")')
    script = Scripted(("analyse", Analysis(plan=plan("Fill in the form", "Save"), first=first)))
    (answer,), story = await ask(script, page.observation() | {"query": GOAL})
    for told in (answer["actions"][0], story["actions"][0]):
        found = Provenance.model_validate(told["provenance"])
        assert found.origin == "goal"
        assert "Jas" in found.excerpt


async def test_another_view_is_asked_for_without_an_action(ask):
    page = ClinicPage()
    script = Scripted(("analyse", LOOKS), ("refine", act("click(2)")))

    def shown(answer):
        return page.observation() | {
            "taskId": answer["taskId"], "domMode": "skeleton",
            "skeletonDom": "<button id='2'>Patient</button>",
        }  # fmt: skip

    (looks, acts), story = await ask(script, page.observation() | {"query": GOAL}, shown)
    assert (looks["type"], looks["requestedDomMode"], looks["actions"]) == (
        "action",
        "skeleton",
        [],
    )
    assert (acts["requestedDomMode"], acts["action"]) == (None, 'click("2")')
    assert len(story["actions"]) == 1


async def test_a_model_that_is_away_is_told_to_the_person(ask):
    first = act("click(2)")
    away = Analysis(plan=plan("Open the menu"), first=first, notice="The model did not answer.")
    (answer,), _ = await ask(
        Scripted(("analyse", away)), ClinicPage().observation() | {"query": GOAL}
    )
    assert answer["notice"] == "The model did not answer."
    assert answer["thought"].startswith("The model did not answer.")


async def test_what_was_searched_is_kept_with_the_task(ask):
    found = Analysis(plan=plan("Open the menu"), first=act("click(2)"))
    script = Scripted(("analyse", Analysis(search="opening hours")), ("analyse", found))
    _, story = await ask(script, ClinicPage().observation() | {"query": GOAL})
    assert story["webSearchResult"]["need"] == "opening hours"
    assert story["webSearchResult"]["unavailable"]
