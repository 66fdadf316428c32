"""One resource of each kind that user ann of tenant one owns."""

from datetime import UTC, datetime

import httpx

from app.domain.access import Policy, Principal
from app.domain.metrics.usage import UsageRecord
from app.store.repositories import Store
from tests.contract.store.test_conversations import conversation, line
from tests.contract.store.test_delegations import consent_of, delegation
from tests.integration.api.test_hitl import PATIENTS, PRESS, ask
from tests.integration.skills.learning_page import OfficePage
from tests.integration.skills.test_recipes import saved
from tests.integration.skills.test_skills import run, skills

# What belongs to a user of a tenant: no colleague of role user may change it.
SEEN = (
    "tasks", "task_actions", "messages", "hitl", "audit", "recipes", "token_usage_logs",
    "conversations", "conversation_lines", "knowledge_jobs", "knowledge_documents", "knowledge_chunks",
    "delegations", "consents", "reviews",
)  # fmt: skip
ATTIC = "The attic key hangs behind the blue kettle"
BLUE = "Which kettle is the blue one"
MODEL, DOMAIN, KEY_NAME = "anns-own-model", "only.ann.example", "ann-in-the-attic"


async def furnished(client: httpx.AsyncClient, store: Store) -> tuple[dict[str, str], set[str]]:
    """Ids by the names that ask for them, and words that stand in what is stored."""
    recipe = await saved(client)
    _, way = await run(client, OfficePage(slow=True))
    (skill,) = await skills(client)
    asked = await ask(client, PATIENTS, PRESS)
    key, _ = await store.keys.create(Principal(tenant="one", user="ann"))
    job_id, document_id = await learned(client)
    talk = await talked(store)
    delegated = delegation("delegated-by-ann", goal=BLUE)
    await store.delegations.add(delegated)
    consent = await store.delegations.consent(consent_of(delegated))
    second = await client.post("/api/review", json={"taskId": recipe["taskId"], "note": BLUE})
    await store.policies.put(Policy(tenant="one", action_domains=(DOMAIN,)))
    await store.usage.add([spent(recipe["taskId"], way[0]["sessionId"])])
    known = {
        "taskid": recipe["taskId"],
        "continuefrom": recipe["taskId"],
        "sessionid": way[0]["sessionId"],
        "recipeid": recipe["id"],
        "skillid": skill["id"],
        "hitlid": asked["hitlId"],
        "keyid": key.key_id,
        "jobid": job_id,
        "documentid": document_id,
        "threadid": talk,
        "delegationid": delegated.delegation_id,
        "consentid": consent.consent_id,
        "recordid": second.json()["record"]["id"],
        "userid": "ann",
        "user": "ann",
    }
    return known, {MODEL, DOMAIN, ATTIC, BLUE, asked["taskId"], asked["message"], "office.example"}


async def talked(store: Store) -> str:
    """A conversation of ann's, by its thread."""
    thread_id = "ann-asks-about-the-attic"
    began = conversation(thread_id, tenant="one", title=BLUE)
    await store.conversations.create(began)
    said = line("said-by-ann", tenant="one", thread_id=thread_id, content=BLUE)
    await store.conversations.add_lines("one", thread_id, [said], at=datetime.now(UTC))
    return thread_id


async def learned(client: httpx.AsyncClient) -> tuple[str, str]:
    """The job and the document of a text that ann brought in."""
    said = {"text": f"# Keys\n\n{ATTIC}.", "title": ATTIC}
    reply = await client.post("/api/knowledge/ingest", json=said)
    path = f"/api/knowledge/jobs/{reply.json()['jobId']}"
    await client.get(f"{path}/events")  # ends with the job
    job = (await client.get(path)).json()
    (document_id,) = job["documents"]
    return job["jobId"], document_id


def spent(task_id: str, session_id: str) -> UsageRecord:
    """A call that ann paid for."""
    return UsageRecord(
        usage_id="u-of-ann",
        tenant="one",
        user="ann",
        session_id=session_id,
        task_id=task_id,
        trace_id="0" * 32,
        request_id="r",
        purpose="acting",
        action_type="REFINEMENT",
        provider="gemini",
        model=MODEL,
        input_tokens=1_000,
        cached_tokens=0,
        output_tokens=10,
        thinking_tokens=0,
        total_tokens=1_010,
        cost_usd=0.01,
        priced=True,
        duration_ms=1.0,
        ok=True,
        created_at=datetime.now(UTC),
    )
