"""Documents over HTTP on the real store: ingested, found with their place, and deleted."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from app.domain.access import Principal
from app.settings import Settings
from app.store.repositories import Store

KNOWLEDGE = "/api/knowledge"
RETURNS = """# Returns

Goods come back within thirty days of delivery, in their own box.

## Zebra scanners

A zebra scanner is returned to the depot in Lyon, together with its cradle and its charger.
"""
MANUAL = """# Front desk

## Registering someone new

Open Patients in the bar on the left, and press Create New Patient.

## Fees

| Service | Fee |
| --- | --- |
| First visit | EUR 54 |
| Follow-up | EUR 31 |
"""
QUESTION = "Where is a zebra scanner returned to?"


@pytest.fixture
async def colleague(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    """Another user of the tenant."""
    _, secret = await store.keys.create(Principal(tenant="one", user="carl"))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def hanging_site() -> AsyncIterator[str]:
    """A site that takes a connection and never answers."""
    held: list[asyncio.StreamWriter] = []

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held.append(writer)

    async with await asyncio.start_server(hold, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for writer in held:
            writer.close()


@pytest.fixture
def server_settings(server_settings: Settings, hanging_site: str) -> Settings:
    """That site may be fetched, and nothing else of this machine."""
    place = urlsplit(hanging_site).netloc
    return server_settings.model_copy(update={"fetch_allowed": (place,)})


async def ended(client: httpx.AsyncClient, reply: httpx.Response) -> dict[str, Any]:
    """The job of an accepted request, once it has ended."""
    assert reply.status_code == 202, reply.text
    assert reply.json()["status"] == "queued"
    seen = await events(client, reply.json()["jobId"])
    return seen[-1]


async def events(client: httpx.AsyncClient, job_id: str) -> list[dict[str, Any]]:
    found = []
    async with client.stream("GET", f"{KNOWLEDGE}/jobs/{job_id}/events") as stream:
        assert stream.status_code == 200, await stream.aread()
        assert stream.headers["content-type"].startswith("text/event-stream")
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                found.append(json.loads(line[6:]))
    return found


async def upload(
    client: httpx.AsyncClient, body: bytes, name: str = "returns.md", **fields: str
) -> dict[str, Any]:
    files = {"file": (name, body)}
    return await ended(client, await client.post(f"{KNOWLEDGE}/ingest", data=fields, files=files))


async def resolve(client: httpx.AsyncClient, query: str = QUESTION, **more: Any) -> dict[str, Any]:
    reply = await client.get(f"{KNOWLEDGE}/resolve", params={"query": query, **more})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def listed(client: httpx.AsyncClient, **more: Any) -> list[dict[str, Any]]:
    reply = await client.get(f"{KNOWLEDGE}/documents", params=more)
    assert reply.status_code == 200, reply.text
    found: list[dict[str, Any]] = reply.json()["documents"]
    return found


async def test_an_upload_is_found_with_its_place_and_forgotten_with_all_of_it(
    client, other, operator, database
):
    job = await upload(client, RETURNS.encode(), set="manuals")
    assert (job["type"], job["status"], job["errors"]) == ("done", "completed", [])
    assert job["progress"]["documents"] == 1
    assert job["progress"]["chunks"] >= 1

    (document,) = await listed(client, set="manuals")
    assert document["id"] == job["documents"][0]
    assert (document["source"], document["type"], document["scope"]) == (
        "returns.md", "md", "organization",
    )  # fmt: skip
    whole = (await client.get(f"{KNOWLEDGE}/documents/{document['id']}")).json()
    assert "cradle" in " ".join(part["text"] for part in whole["parts"])

    found = await resolve(client)
    assert (found["allowed"], found["hasOrgKnowledge"]) == (True, True)
    best = found["chunks"][0]
    assert "Lyon" in best["content"]
    assert best["metadata"]["documentId"] == document["id"]
    assert best["metadata"]["set"] == "manuals"
    place = best["citation"]
    assert place["headingPath"][0] == "Returns"
    assert 0 <= place["start"] < place["end"]
    assert 0 < best["score"] <= 1
    assert (await resolve(other))["chunks"] == []
    assert (await resolve(client, set="contracts"))["chunks"] == []

    again = await upload(client, RETURNS.encode(), set="manuals")
    assert (again["progress"]["unchanged"], len(await listed(client))) == (1, 1)

    gone = await operator.delete(f"{KNOWLEDGE}/documents/{document['id']}")
    assert gone.status_code == 204
    assert (await listed(client), (await resolve(client))["chunks"]) == ([], [])
    assert (await client.get(f"{KNOWLEDGE}/documents/{document['id']}")).status_code == 404
    derived = ("documents", "chunks", "manifests", "files", "locks")
    left = {name: database[f"knowledge_{name}"].count_documents({}) for name in derived}
    assert left == dict.fromkeys(derived, 0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how do I add a patient", "press Create New Patient"),
        ("what does a follow-up cost", "| Follow-up | EUR 31 |"),
        ("When do you open?", "Create New Patient"),
    ],
)
async def test_one_short_manual_answers_in_other_words_than_its_own(client, question, answer):
    """Its only passage is the best there is to any question; the score says how good that is."""
    await upload(client, MANUAL.encode(), "manual.md")
    best = (await resolve(client, question))["chunks"][0]
    assert answer in best["content"]
    assert 0 < best["score"] < 1


async def test_the_same_file_twice_at_once_is_one_document(client):
    jobs = await asyncio.gather(*(upload(client, RETURNS.encode()) for _ in range(2)))
    assert [job["status"] for job in jobs] == ["completed", "completed"]
    assert sum(job["progress"]["unchanged"] for job in jobs) == 1
    assert len(await listed(client)) == 1


async def test_what_cannot_be_read_says_so_and_is_not_there(client):
    job = await upload(client, b"", "empty.pdf")
    assert (job["status"], [one["code"] for one in job["errors"]]) == ("failed", ["DOCUMENT_EMPTY"])
    assert await listed(client) == []
    kept = (await client.get(f"{KNOWLEDGE}/jobs", params={"status": "failed"})).json()["jobs"]
    assert [one["jobId"] for one in kept] == [job["jobId"]]


async def test_a_job_is_its_users_and_a_document_its_tenants(client, operator, colleague):
    job = await upload(client, RETURNS.encode())
    (document,) = job["documents"]
    assert (await colleague.get(f"{KNOWLEDGE}/jobs/{job['jobId']}")).status_code == 404
    assert (await colleague.get(f"{KNOWLEDGE}/jobs")).json() == {"jobs": []}
    assert (await colleague.post(f"{KNOWLEDGE}/jobs/{job['jobId']}/cancel")).status_code == 404
    assert (await colleague.delete(f"{KNOWLEDGE}/documents/{document}")).status_code == 403
    assert [one["id"] for one in await listed(colleague)] == [document]
    assert (await operator.get(f"{KNOWLEDGE}/jobs/{job['jobId']}")).status_code == 200


async def test_of_another_tenant_nothing_is_told_apart_from_what_never_was(client, other):
    (document,) = (job := await upload(client, RETURNS.encode(), "a.md", set="manuals"))[
        "documents"
    ]
    await upload(client, RETURNS.encode(), "b.md")
    cursor = (await client.get(f"{KNOWLEDGE}/documents", params={"limit": 1})).json()["nextCursor"]
    assert cursor
    for way in ("jobs", "documents"):
        known, unknown = (job["jobId"] if way == "jobs" else document), "0" * 24
        replies = [await other.get(f"{KNOWLEDGE}/{way}/{one}") for one in (known, unknown)]
        assert [reply.status_code for reply in replies] == [404, 404]
        details = [reply.json()["detail"] for reply in replies]
        assert details[0].replace(known, unknown) == details[1]
    assert (await other.get(f"{KNOWLEDGE}/jobs/{job['jobId']}/events")).status_code == 404
    assert (await other.post(f"{KNOWLEDGE}/jobs/{job['jobId']}/cancel")).status_code == 404
    assert (await other.delete(f"{KNOWLEDGE}/documents/{document}")).status_code == 404
    assert await listed(other, cursor=cursor) == []
    assert await listed(other, set="manuals") == []
    for more in ({"documentId": document}, {"set": "manuals"}, {"url": "https://a.example/"}):
        found = await resolve(other, **more)
        assert (found["chunks"], found["hasOrgKnowledge"]) == ([], False)
    assert len(await listed(client)) == 2


async def test_a_job_that_is_cancelled_ends_and_what_has_ended_stays(client, hanging_site):
    link = {"url": hanging_site, "strategy": "single"}
    reply = await client.post(f"{KNOWLEDGE}/index-link", json=link)
    assert reply.status_code == 202, reply.text
    path = f"{KNOWLEDGE}/jobs/{reply.json()['jobId']}"
    watching = asyncio.create_task(events(client, reply.json()["jobId"]))
    assert (await client.post(f"{path}/cancel")).status_code == 200
    last = (await watching)[-1]
    assert (last["type"], last["status"]) == ("done", "cancelled")
    assert (await client.post(f"{path}/cancel")).json()["status"] == "cancelled"


async def test_an_address_within_is_not_fetched(client):
    links = [
        ("ingest", {"url": "http://169.254.169.254/latest/meta-data"}),
        ("index-link", {"url": "http://10.0.0.1/", "strategy": "sitemap"}),
        ("index-link", {"url": "http://127.0.0.1:1/", "strategy": "spider"}),
    ]
    sent = [await client.post(f"{KNOWLEDGE}/{path}", json=body) for path, body in links]
    assert {(one.status_code, one.json()["code"]) for one in sent} == {(422, "ADDRESS_REFUSED")}
    assert (await client.get(f"{KNOWLEDGE}/jobs")).json() == {"jobs": []}


async def test_documents_come_in_pages(client):
    bodies = [f"# Page {number}\n\nText of {number}.".encode() for number in range(3)]
    await asyncio.gather(*(upload(client, one, f"{n}.md") for n, one in enumerate(bodies)))
    first = (await client.get(f"{KNOWLEDGE}/documents", params={"limit": 2})).json()
    rest = {"limit": 2, "cursor": first["nextCursor"]}
    second = (await client.get(f"{KNOWLEDGE}/documents", params=rest)).json()
    found = [*first["documents"], *second["documents"]]
    assert sorted(one["source"] for one in found) == ["0.md", "1.md", "2.md"]
    moments = [one["ingestedAt"] for one in found]
    assert (sorted(moments, reverse=True), second["nextCursor"]) == (moments, None)
    assert [one["source"] for one in await listed(client, q="1.MD")] == ["1.md"]


async def test_500_mb_are_refused_early_and_a_lie_leaves_nothing(client, database):
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

    async def sent() -> AsyncIterator[bytes]:
        yield head
        for _ in range(1_000):
            yield b"x" * 500_000

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    for more in ({"Content-Length": str(len(head) + 500_000_000)}, {}):
        reply = await client.post(
            f"{KNOWLEDGE}/ingest", content=sent(), headers=headers | more, timeout=60
        )
        assert (reply.status_code, reply.json()["code"]) == (413, "TOO_LARGE")
    assert (await client.get(f"{KNOWLEDGE}/jobs")).json() == {"jobs": []}
    assert database["knowledge_files"].count_documents({}) == 0
