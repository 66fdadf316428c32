"""The agent knows the team's documents before it guesses, and says where it has a thing from."""

import json

import httpx
import pytest

from app.domain.access import Policy
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import INTERACT, begin, to_the_end
from tests.integration.knowledge.test_documents import ended

HANDBOOK = """# Front desk

## New patients

- Default name: Zelda Quill
- Insurance: Nordlicht Plus

Patients may cancel a visit until 24 hours before it begins.
"""


@pytest.fixture
async def knows(client: httpx.AsyncClient) -> str:
    """The handbook was taken in; its document's id."""
    body = {"text": HANDBOOK, "title": "Front desk handbook"}
    job = await ended(client, await client.post("/api/knowledge/ingest", json=body))
    assert job["status"] == "completed", job
    return str(job["documents"][0])


async def test_what_they_do_not_say_is_not_made_up(client):
    page = ClinicPage()
    answer, _ = await to_the_end(
        client, page, await begin(client, page, "Add a new patient with name from the handbook")
    )
    assert page.saved == []
    assert answer["type"] != "done" or answer["status"] == "failed"


@pytest.mark.parametrize(
    "asked", ["What is the insurance of new patients?", "Who pays when somebody is ill?"]
)
async def test_the_stream_names_what_was_found(client, knows, asked):
    """Also where the documents say it in other words."""
    headers = {"Accept": "text/event-stream"}
    body = ClinicPage().observation() | {"query": asked}
    async with client.stream("POST", INTERACT, json=body, headers=headers) as stream:
        lines = [line async for line in stream.aiter_lines()]
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    found = [one["docsFound"] for one in events if "docsFound" in one]
    assert found == [[{"id": knows, "title": "Front desk handbook"}]]


@pytest.mark.usefixtures("knows")
async def test_a_site_outside_the_policy_is_told_nothing(client, store):
    await store.policies.put(Policy(tenant="one", knowledge_domains=("crm.example",)))
    question = "How many hours before may patients cancel a visit?"
    answer = await begin(client, ClinicPage(), question)
    assert answer["hasOrgKnowledge"] is False
    assert "24 hours" not in json.dumps(answer)


async def test_what_is_deleted_is_known_no_more(client, knows):
    assert (await client.delete(f"/api/knowledge/documents/{knows}")).status_code == 204
    answer = await begin(client, ClinicPage(), "What is the insurance of new patients?")
    assert answer["hasOrgKnowledge"] is False
    assert "24 hours" not in json.dumps(answer)


async def test_a_user_cannot_make_a_site_the_teams_word(client):
    link = {"url": "https://docs.example/", "scope": "organization"}
    reply = await client.post("/api/knowledge/index-link", json=link)
    assert (reply.status_code, reply.json()["code"]) == (403, "FORBIDDEN")
    text = {"text": HANDBOOK, "title": "Handbook", "scope": "organization"}
    assert (await client.post("/api/knowledge/ingest", json=text)).status_code == 202
