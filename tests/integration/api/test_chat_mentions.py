"""Mentions in the chat, over HTTP."""

import httpx

from app.domain.access import Principal
from app.store.repositories import Store

KNOWLEDGE = "/api/knowledge"


async def ingest(client: httpx.AsyncClient, title: str, set_name: str) -> str:
    said = {"text": f"# {title}\n\nEverybody may travel.", "title": title, "set": set_name}
    reply = await client.post(f"{KNOWLEDGE}/ingest", json=said)
    path = f"{KNOWLEDGE}/jobs/{reply.json()['jobId']}"
    await client.get(f"{path}/events")  # ends with the job
    (document_id,) = (await client.get(path)).json()["documents"]
    return str(document_id)


async def test_suggests_documents_sets_and_actions(
    client: httpx.AsyncClient, base_url: str, store: Store
) -> None:
    travel = await ingest(client, "Travel policy 2024", "hr")
    await ingest(client, "Office rules", "hr")
    found = (await client.get("/api/chat/mentions", params={"query": "trav pol"})).json()
    assert found["documents"] == [{"id": travel, "title": "Travel policy 2024", "set": "hr"}]
    everything = (await client.get("/api/chat/mentions")).json()
    titles = [one["title"] for one in everything["documents"]]
    assert titles == ["Office rules", "Travel policy 2024"]
    assert everything["sets"] == [{"id": "hr", "label": "hr", "documents": 2}]
    assert [one["label"] for one in everything["actions"]] == [
        "Summarize", "Ask", "Compare", "Audit",
    ]  # fmt: skip
    assert everything["web"]["available"] is False
    assert everything["web"]["reason"]

    await client.delete(f"{KNOWLEDGE}/documents/{travel}")
    left = (await client.get("/api/chat/mentions", params={"query": "trav"})).json()
    assert left["documents"] == []

    _, secret = await store.keys.create(Principal(tenant="two", user="bob"))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers) as other:
        theirs = (await other.get("/api/chat/mentions")).json()
    assert (theirs["documents"], theirs["sets"]) == ([], [])
