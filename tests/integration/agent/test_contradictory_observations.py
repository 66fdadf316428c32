"""Looks at the page that contradict themselves, or are of another page than the one acted on."""

import pytest

from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import INTERACT, begin


async def handed_in(client, page):
    """The look after the form was handed in, and what is sent for it."""
    answer = await begin(client, page)
    while not page.saved:
        body = page.step(answer)
        if page.saved:
            return body
        answer = (await client.post(INTERACT, json=body)).json()
    raise AssertionError


async def verdict_on(client, body):
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()


def unknown(answer):
    told = answer["verification"]
    assert (told["actionSucceeded"], told["taskCompleted"], told["goalAchieved"]) == (
        None,
        False,
        False,
    ), told
    assert [one["actionDetails"]["name"] for one in answer["actions"]] == ["wait"]
    return told


async def test_an_error_that_the_client_saw_without_its_words_contradicts_a_success(client):
    body = await handed_in(client, ClinicPage())
    told = unknown(await verdict_on(client, body | {"hasErrors": True}))
    assert "both a failure and a success" in told["reason"]


async def test_both_flags_without_any_words_tell_nothing(client):
    body = await handed_in(client, ClinicPage())
    tree = [node for node in body["interactiveTree"] if node["i"] != "90"]
    flags = {"hasErrors": True, "hasSuccess": True, "success_messages": []}
    unknown(await verdict_on(client, body | flags | {"interactiveTree": tree}))


async def test_a_success_on_another_site_than_the_client_saw_is_not_believed(client):
    page = ClinicPage()
    body = await handed_in(client, page)
    elsewhere = {
        "url": "https://news.example/",
        "pageTitle": "News",
        "pageSummary": "# News",
        "clientObservations": {"didDomMutate": True, "didUrlChange": False},
    }
    answer = await verdict_on(client, body | elsewhere)
    assert "another site" in unknown(answer)["reason"]
    back = page.observation() | {
        "taskId": answer["taskId"],
        "lastActionId": answer["actions"][-1]["actionId"],
    }
    assert (await verdict_on(client, back))["status"] == "completed"


@pytest.mark.parametrize("other", [{"r": "btn", "n": "Delete all"}, {"r": "inp", "n": "Search"}])
async def test_what_goes_by_the_same_id_on_another_page_is_left_alone(client, other):
    page = ClinicPage()
    answer = await begin(client, page, "Click 'Patient', then click 'New'")
    strange = [{"i": "2", **other}, {"i": "8", "r": "link", "n": "Stock"}]
    look = page.observation() | {"interactiveTree": strange, "pageTitle": "Stock"}
    for _ in range(4):
        last = answer["actions"][-1]["actionId"]
        sent = look | {"taskId": answer["taskId"], "lastActionId": last}
        sent |= {"requestId": last, "lastActionStatus": "failure"}
        sent |= {"lastActionError": {"code": "ELEMENT_NOT_FOUND", "message": "gone"}}
        answer = await verdict_on(client, sent)
        assert all(one["actionDetails"]["args"].get("id") != "2" for one in answer["actions"])
        if answer["type"] != "action":
            break
    assert answer["status"] == "failed"
