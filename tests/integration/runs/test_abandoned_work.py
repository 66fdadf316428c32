"""Work whose process ended twice in the middle is not tried a third time: requests, turns, and documents."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import orjson
import pytest

from app.agent.request import body_hash
from app.domain.knowledge import IngestRequest, Job
from app.store.repositories import Store
from app.store.tasks.operations import MOST_ATTEMPTS
from tests.integration.desk import FORM, INTERACT
from tests.integration.knowledge.test_jobs import ANN, EAGER, ended, opened_knowledge

CHAT = "/api/chat"
PREFIX = {INTERACT: "request", CHAT: "chat"}  # of the claim of a request


async def died(store: Store, path: str, body: dict[str, Any], times: int) -> None:
    """So many processes took the request on, and never came back."""
    body_id = body["request_id" if path == CHAT else "requestId"]
    fingerprint = body_hash(orjson.dumps(body), "ann")
    for _ in range(times):
        begun = await store.operations.begin(
            "one", f"{PREFIX[path]}:{body_id}", fingerprint=fingerprint, task_id="t", ttl_s=0.0
        )
        assert begun.state == "new"


def bodies() -> list[tuple[str, dict[str, Any]]]:
    said = {"message": "How many days of vacation are there?", "request_id": str(uuid4())}
    return [(INTERACT, FORM.body(query="Click Save")), (CHAT, said)]


@pytest.mark.parametrize(("path", "body"), bodies())
async def test_a_request_that_ended_the_server_twice_is_refused_by_name(
    client: httpx.AsyncClient, store: Store, path: str, body: dict[str, Any]
) -> None:
    await died(store, path, body, MOST_ATTEMPTS)
    refused = await client.post(path, content=orjson.dumps(body))
    assert refused.status_code == httpx.codes.CONFLICT
    assert refused.json()["code"] == "WORK_ABANDONED"
    assert "ended 2 times" in refused.json()["detail"]


@pytest.mark.parametrize(("path", "body"), bodies())
async def test_a_request_that_ended_it_once_is_tried_again(
    client: httpx.AsyncClient, store: Store, path: str, body: dict[str, Any]
) -> None:
    await died(store, path, body, MOST_ATTEMPTS - 1)
    assert (await client.post(path, content=orjson.dumps(body))).status_code == httpx.codes.OK


async def test_a_document_that_ended_the_server_twice_is_given_up_with_its_reason(
    store: Store,
) -> None:
    now = datetime.now(UTC)
    request = IngestRequest(kind="text", title="Rules", file_id="f1")
    given = {"job_id": uuid4().hex, "tenant": "a", "user": "ann", "request": request}
    await store.knowledge.jobs.add(
        Job.model_validate(given | {"created_at": now, "updated_at": now})
    )
    for owner in ("first", "second"):
        taken = await store.knowledge.jobs.claim(
            "a", given["job_id"], owner=owner, now=now, until=now
        )
        assert taken is not None
    async with opened_knowledge(store, EAGER) as knowledge:
        job = await ended(knowledge, ANN, await knowledge.job(ANN, given["job_id"]))
    assert (job.status, job.errors[0].code) == ("failed", "JOB_GIVEN_UP")
    assert job.reason == "The server crashed 2 times while processing it"
