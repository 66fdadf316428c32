"""Every method of the store's port, called once on each of its paths: for the queries that they make."""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.access import Policy, Principal
from app.domain.chat import Rating
from app.domain.hitl import AuditEntry, ExecutedOperation, HitlStatus
from app.domain.memory import OperatorJudgement, SkillUse
from app.domain.metrics.usage import Budgets, UsageFilter
from app.domain.review import Submission
from app.domain.task import Message, Session, Task, TaskAction
from app.store.knowledge import Visit
from app.store.repositories import Store
from app.store.reviews.port import Reviews
from app.store.tasks.leases import PAUSER
from tests.contract.store.test_choices import choice
from tests.contract.store.test_conversations import conversation, line
from tests.contract.store.test_corrections import correction
from tests.contract.store.test_delegations import consent_of, delegation
from tests.contract.store.test_hitl import question, result
from tests.contract.store.test_knowledge import chunk, document, manifest
from tests.contract.store.test_knowledge_jobs import job
from tests.contract.store.test_recipes import recipe
from tests.contract.store.test_reviews import record as reviewed_later
from tests.contract.store.test_reviews import review
from tests.contract.store.test_skills import episode, skill
from tests.contract.store.test_usage import spent
from tests.knowledge import pieces
from tests.unit.review.test_records import RECORD

NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)


def spans(user: str | None) -> UsageFilter:
    return UsageFilter(since=NOW - HOUR, until=NOW + HOUR, user=user)


async def use_outbox(store: Store) -> None:
    """What waits to be filed for review."""
    waiting = Submission.model_validate(RECORD)
    await store.outbox.add(waiting)
    await store.outbox.find(waiting.tenant_id, waiting.id)
    assert await store.outbox.list_waiting(limit=5) == [waiting]
    await store.outbox.remove(waiting.tenant_id, waiting.id)


async def use_reviews(reviews: Reviews) -> None:
    """Those of the review queue, where it is kept in the database."""
    one = reviewed_later()
    await reviews.submit(one)
    await reviews.submit(one)
    await reviews.decide("a", one.id, review())
    for user in (None, "ann"):
        await reviews.listed("a", "pending", limit=5, user=user)
        await reviews.listed("a", "approved", limit=5, user=user, after=(9_000, one.id))
    await reviews.depths("a")
    await reviews.tenants()
    await reviews.timed("a", 0, 9_000)
    await reviews.refused("a", 1)
    await reviews.refusals("a", 0, 9)
    await reviews.damaged()
    await reviews.damaged("a")
    await reviews.delete_tenant("a")


async def use_conversations(store: Store) -> None:
    """Those of the chat."""
    talks = store.conversations
    await talks.create(conversation())
    await talks.add_lines("a", "t", [line("one")], at=NOW)
    await talks.find("a", "t")
    await talks.lines("a", "t", limit=5)
    await talks.set_documents("a", "t", [])
    await talks.rename("a", "t", "Another")
    await talks.supersede("a", "t", "r")
    await talks.add_lines("a", "t", [line("two", role="assistant")], at=NOW)
    await talks.rate("a", "t", "two", Rating(satisfied=True), at=NOW)
    await talks.list_rated("a", NOW - HOUR, NOW + HOUR, limit=5)
    for after in (None, (NOW, "t")):
        await talks.recent("a", "ann", limit=5, after=after)
    await talks.delete("a", "t")


async def use_delegations(store: Store) -> None:
    """Those of what other assistants ask for."""
    asked, rows = delegation(), store.delegations
    await rows.add(asked)
    await rows.find("one", asked.delegation_id)
    await rows.of_task("one", "t")
    await rows.list_open("one", "ann", limit=5)
    await rows.move("one", asked.delegation_id, ("waiting",), "taken", now=NOW, taker="b", note="n")
    await rows.link("one", asked.delegation_id, "t", now=NOW, goal="g")
    consent = await rows.consent(consent_of(asked))
    await rows.has_consent("one", "ann", asked.client)
    await rows.consents("one", "ann")
    await rows.withdraw("one", "ann", consent.consent_id)


async def use_everything(store: Store) -> None:
    """Call every method of the port, on each of its paths."""
    base: dict[str, Any] = {"tenant": "a", "session_id": "s", "created_at": NOW}
    task = Task(**base, task_id="t", user="u", url="http://x.test", query="q", updated_at=NOW)
    await store.tasks.save(task)
    await store.tasks.get("a", "t")
    await store.tasks.find_active("a", "s", "http://x.test", idle_since=NOW + HOUR)
    await store.tasks.latest_status("a", ["s", "t"])
    for user in (None, "u"):
        for status in (None, task.status):
            await store.tasks.listed("a", user=user, status=status, limit=5)
            bounds = {"since": NOW - HOUR, "until": NOW + HOUR, "after": (NOW, "t")}
            await store.tasks.listed("a", user=user, status=status, limit=5, **bounds)
    action = TaskAction(
        action_id="x",
        task_id="t",
        tenant="a",
        step_index=0,
        thought="",
        action="finish()",
        created_at=NOW,
    )
    await store.actions.add([action])
    await store.actions.settle("a", {"x": "success"}, {})
    await store.actions.of_task("a", "t")
    await use_conversations(store)
    await use_outbox(store)
    await use_delegations(store)
    await store.sessions.touch(Session(**base, user="u", updated_at=NOW), new_task=True)
    await store.sessions.get("a", "s")
    await store.sessions.recent("a", "u", limit=5)
    await store.sessions.recent("a", "u", limit=5, before=NOW)
    await store.messages.add([Message(**base, message_id="m", role="user", content="")])
    await store.messages.of_session("a", "s", limit=5)
    key, secret = await store.keys.create(Principal(tenant="a", user="u"))
    await store.keys.ensure(Principal(tenant="a", user="u"), "boot")
    await store.keys.principal(secret)
    await store.keys.all("a")
    await store.keys.get("a", key.key_id)
    await store.keys.is_valid("a", key.key_id)
    await store.keys.rotate("a", key.key_id, grace_s=1)
    await store.keys.revoke("a", key.key_id)
    _, code = await store.pairings.create(Principal(tenant="a", user="u"), "https://x.example")
    await store.pairings.prove("00")
    pairing = await store.pairings.claim(code)
    assert pairing is not None
    made_by = pairing.model_copy(update={"made_by": key.key_id})
    await store.keys.pair(made_by)
    await store.keys.find_closed({key.key_id, "another"})
    await store.secrets.get("a")
    for _ in range(2):
        await store.operations.begin("a", "k", fingerprint="f", task_id="t", ttl_s=0)
    await store.operations.renew("a", "k", claim="c", ttl_s=1)
    await store.operations.stop("a", "k", claim="c")
    await store.operations.complete("a", "k", {}, claim="c")
    await store.operations.abandon("a", "k", claim="c")
    lease = await store.leases.acquire("a", "t", claim="c", ttl_s=1)
    assert lease is not None
    await store.leases.renew(lease, ttl_s=1)
    await store.leases.guard(lease)
    await store.leases.settle(lease)
    await store.leases.release(lease)
    await store.leases.take_over("a", "t", by=PAUSER, ttl_s=1)
    await store.leases.find_pause("a", "t")
    await store.leases.inherit(lease)
    await store.leases.find_holder("a", "t")
    await store.tasks.move("a", "t", "interrupted", at=NOW)
    await store.leases.find_user("a", "t")
    await store.tenants.is_busy("a")
    await store.tasks.list_executing("a", since=NOW, limit=5)
    await store.sessions.find("a", "s")
    await store.choices.record(choice())
    await store.choices.of_site("a", "crm.example", limit=5)
    await store.corrections.settle("a", {"r1": "success"}, then=[correction()])
    await store.corrections.of_task("a", "t")
    await store.recipes.save(recipe())
    await store.recipes.count_run("a", "1", task_id="t", worked=True, now=NOW)
    await store.recipes.recent("a", limit=5)
    await store.recipes.recent("a", limit=5, before=NOW)
    await store.recipes.recent("a", domain="crm.example", limit=5)
    await store.recipes.recent("a", domain="crm.example", limit=5, before=NOW)
    await store.recipes.delete("a", "1")
    await store.usage.add([spent("1")])
    await store.usage.of_task("a", "t")
    await store.usage.spent_by_task("a", ["t", "u"])
    place = (NOW, "1")
    for span in spans(user=None), spans(user="u"):
        await store.usage.sum_by("a", span, "day")
        await store.usage.sum_by_model_and_day("a", span)
        await store.usage.sum_spent("a", span)
        for task_id in (None, "t"):
            page = span.model_copy(update={"task_id": task_id})
            await store.usage.page("a", page, limit=2, after=place)
    await store.usage.sum_spent("a", task_id="t")
    await store.usage.recent_tasks("a", limit=9)
    await store.budgets.put(Budgets(tenant="a"))
    await store.budgets.get("a")
    await use_what_was_learned(store)
    await store.kpis.tallies("a", NOW - HOUR, NOW + HOUR)
    await store.kpis.series("a", NOW - HOUR, NOW + HOUR, "day")
    await store.kpis.find_uncertain("a", NOW - HOUR, NOW + HOUR, below=0.85, limit=9)
    await store.skills.count_all("a")
    await store.keys.tenants()
    await use_what_people_are_asked(store)
    await use_what_documents_say(store)
    await use_what_brings_documents(store)


async def use_what_documents_say(store: Store) -> None:
    """The same for documents: published, replaced, listed, told of, deleted."""
    documents = store.knowledge.documents
    one = document(url="https://a.test/")
    await documents.put_chunks([chunk()])
    await documents.publish(one, manifest(), replaces="")
    again = one.model_copy(update={"revision": "r2"})
    await documents.publish(again, manifest(revision="r2"), replaces="r1")
    await documents.sweep("a", "d1")
    await documents.find_by_key("a", "default", one.key)
    await documents.list_by_url("a", "https://a.test/")
    for set_name in (None, "default"):
        for domain in (None, "a.test"):
            for after in (None, (NOW, "d1")):
                where = {"set_name": set_name, "domain": domain, "text": "x", "after": after}
                await documents.listed("a", limit=5, **where)
    await documents.titles("a", 5)
    await documents.find_models("a", ["c1", "c2"])
    await documents.chunks("a", ["c1", "c2"])
    await documents.manifests("a", [again])
    assert [batch async for batch in documents.vectors("a", ["d1", "d2"])]
    await documents.other_models("a", "n", limit=5)
    await documents.touch("a", "d1", now=NOW, etag=None, last_modified=None)
    await documents.version("a")
    for since in (0, 1):
        await documents.changes("a", since)
    await documents.delete("a", "d1")


async def use_what_brings_documents(store: Store) -> None:
    """The same for jobs, the addresses of crawls, uploaded bytes and locks."""
    jobs, frontiers = store.knowledge.jobs, store.knowledge.frontiers
    await jobs.add(job())
    for user in (None, "ann"):
        for status in (None, job().status):
            await jobs.listed("a", user=user, status=status, limit=5)
    await jobs.count_queued("a", limit=5)
    await jobs.list_due(now=NOW, limit=5)
    mine = await jobs.claim("a", "j1", owner="o", now=NOW, until=NOW + HOUR)
    assert mine is not None
    await jobs.advance(mine, owner="o", until=NOW + HOUR, progress=mine.progress)
    await jobs.finish(mine, owner="o", status="completed", reason=None, now=NOW)
    await jobs.cancel("a", "j1", now=NOW)
    await frontiers.add("a", "j1", [Visit(url="https://a.test/")])
    await frontiers.next("a", "j1", limit=5)
    await frontiers.settle("a", "j1", "https://a.test/", "done")
    await frontiers.counts("a", "j1")
    await frontiers.clear("a", "j1")
    await store.knowledge.files.put("a", "f", pieces(b"x"))
    assert [piece async for piece in store.knowledge.files.read("a", "f")]
    await store.knowledge.files.delete("a", "f")
    await store.knowledge.locks.acquire("a", "d1", owner="o", now=NOW, until=NOW + HOUR)
    await store.knowledge.locks.list_expired(now=NOW, limit=5)
    await store.knowledge.locks.release("a", "d1", owner="o")


async def use_what_people_are_asked(store: Store) -> None:
    """The same for questions, their trail and ledger, policies, and waits that are over."""
    asked = question()
    await store.hitl.put(asked)
    await store.hitl.get("a", asked.hitl_id)
    await store.hitl.conclude("a", asked.hitl_id, "answered", result(asked))
    await store.hitl.redact_answer("a", asked.hitl_id, "")
    await store.hitl.of_task("a", "t")
    status: HitlStatus | None
    for status in (None, "pending"):
        for user in (None, "u"):
            await store.hitl.listed("a", user=user, status=status, limit=5)
            await store.hitl.listed("a", user=user, status=status, limit=5, before=NOW)
            bounds = {"since": NOW - HOUR, "after": (NOW, "h")}
            await store.hitl.listed("a", user=user, status=status, limit=5, **bounds)
    at = {"tenant": "a", "task_id": "t", "at": NOW}
    await store.audit.add([AuditEntry(entry_id="e", kind="asked", **at)])
    await store.audit.of_task("a", "t")
    effect = ExecutedOperation(key="tr:0", trace_id="tr", step_id="0", name="click", **at)
    await store.operations.complete("a", "k", {}, claim="c", effects=[effect])
    await store.ledger.of_task("a", "t")
    await store.policies.put(Policy(tenant="a"))
    await store.policies.get("a")
    waited = await store.tasks.get("a", "t")
    over = {"status": "awaiting_user", "waits_until": NOW - HOUR}
    await store.tasks.save(waited.model_copy(update=over))
    assert (await store.tasks.get("a", "t")).status == "interrupted"


async def use_what_was_learned(store: Store) -> None:
    """The same for skills and episodes, one over the limit of each included."""
    await store.skills.learn([skill()])
    await store.skills.count("a", "crm.example", [SkillUse(skill_id="1", worked=True)], now=NOW)
    await store.skills.of_site("a", "crm.example", limit=5)
    for domain in (None, "crm.example"):
        await store.skills.page("a", domain, limit=5)
        await store.skills.page("a", domain, limit=5, after=(NOW, "1"))
    judged = OperatorJudgement(record_id="HITL-1", decision="approved", notes="", at_ms=1)
    await store.skills.judge("a", "1", judged, weight=3)
    await store.skills.delete("a", "1")
    await store.episodes.judge("a", "1", judged)
    await store.recipes.count_as_failure("a", "1", "HITL-1")
    await store.effects.add("a", "HITL-1", ["episode"], at=NOW)
    await store.effects.done("a", ["HITL-1"])
    for at in range(40):
        await store.episodes.save(episode(str(at)))
    await store.episodes.of_site("a", "crm.example", limit=5)
