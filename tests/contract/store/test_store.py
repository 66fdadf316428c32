"""What every implementation of the store's port must do. `store` is the implementation under test."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.access import Principal
from app.domain.task import Message, Session, Task, TaskAction
from app.errors import Invalid, NotFound, RequestIdReused
from app.store.repositories import Store
from app.store.tasks.operations import OperationStart

NOW = datetime(2026, 11, 21, 12, 0, 0, 123_000, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HALF_HOUR_AGO = NOW - 30 * MINUTE


def task(task_id: str = "t1", **over: Any) -> Task:
    fields = {
        "task_id": task_id,
        "tenant": "a",
        "user": "u",
        "session_id": "s",
        "url": "https://clinic.test/patients?page=2",
        "query": "add a patient",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Task.model_validate(fields | over)


def action(action_id: str, **over: Any) -> TaskAction:
    fields = {
        "action_id": action_id,
        "task_id": "t1",
        "tenant": "a",
        "step_index": 0,
        "thought": "why",
        "action": 'click("14")',
        "created_at": NOW,
    }
    return TaskAction.model_validate(fields | over)


def message(message_id: str, **over: Any) -> Message:
    fields = {
        "message_id": message_id,
        "tenant": "a",
        "session_id": "s",
        "role": "user",
        "content": "hello",
        "created_at": NOW,
    }
    return Message.model_validate(fields | over)


def session(session_id: str = "s", **over: Any) -> Session:
    fields = {
        "session_id": session_id,
        "tenant": "a",
        "user": "u",
        "title": "first words",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Session.model_validate(fields | over)


class TestTasks:
    async def test_a_saved_task_comes_back_equal(self, store: Store) -> None:
        whole = task(
            status="executing",
            step_index=3,
            complexity="COMPLEX",
            plan={"steps": [{"id": "1", "description": "open", "status": "current"}]},
            metrics={"tokens.in": 0.0, "ms": 12.5},
            last_chain={"$odd": {"a.b": [1, None, True]}},
            result="done",
        )
        await store.tasks.save(whole)
        assert await store.tasks.get("a", "t1") == whole
        assert await store.tasks.find("a", "t1") == whole

    async def test_saving_again_replaces(self, store: Store) -> None:
        await store.tasks.save(task(result="old", metrics={"x": 1.0}))
        await store.tasks.save(task(status="completed"))
        assert await store.tasks.get("a", "t1") == task(status="completed")

    async def test_saving_at_once_makes_one_row(self, store: Store) -> None:
        await asyncio.gather(*(store.tasks.save(task(step_index=n)) for n in range(20)))
        assert (await store.tasks.get("a", "t1")).step_index in range(20)

    async def test_unknown_is_not_found(self, store: Store) -> None:
        assert await store.tasks.find("a", "nope") is None
        with pytest.raises(NotFound):
            await store.tasks.get("a", "nope")

    async def test_a_tenant_sees_only_its_own(self, store: Store) -> None:
        await store.tasks.save(task())
        await store.tasks.save(task(tenant="b", query="of b"))
        assert (await store.tasks.get("a", "t1")).query == "add a patient"
        assert (await store.tasks.get("b", "t1")).query == "of b"
        assert await store.tasks.find("c", "t1") is None
        assert await store.tasks.find_active("c", "s", None, idle_since=HALF_HOUR_AGO) is None


class TestActiveTask:
    async def active(self, store: Store, url: str | None = None, tenant: str = "a") -> str | None:
        found = await store.tasks.find_active(tenant, "s", url, idle_since=HALF_HOUR_AGO)
        return found.task_id if found else None

    async def test_the_newest_under_way(self, store: Store) -> None:
        await store.tasks.save(task("old", created_at=NOW - MINUTE))
        await store.tasks.save(task("new", status="awaiting_user"))
        for status in ("completed", "failed", "interrupted"):
            await store.tasks.save(task(status, status=status, created_at=NOW + MINUTE))
        await store.tasks.save(task("other", session_id="s2", created_at=NOW + MINUTE))
        assert await self.active(store) == "new"

    @pytest.mark.parametrize(
        ("url", "same"),
        [
            ("https://clinic.test/patients", True),
            ("https://CLINIC.test:443/patients?x=1#row-3", True),
            ("https://clinic.test/patients/7", True),
            ("https://led.test/pay", True),
            ("https://clinic.test:8443/patients", False),
            ("https://other.test/patients", False),
            ("not a url", False),
            ("https://[::1", False),
        ],
    )
    async def test_on_a_site_that_it_has_been_on(self, store: Store, url: str, same: bool) -> None:
        await store.tasks.save(task(sites=("led.test",)))
        assert await self.active(store, url) == ("t1" if same else None)

    async def test_untouched_for_long_becomes_interrupted(self, store: Store) -> None:
        await store.tasks.save(task("idle", updated_at=HALF_HOUR_AGO - MINUTE))
        await store.tasks.save(task("ended", status="completed", updated_at=NOW - 60 * MINUTE))
        await store.tasks.save(task("b's", tenant="b", updated_at=NOW - 60 * MINUTE))
        assert await self.active(store) is None
        assert (await store.tasks.get("a", "idle")).status == "interrupted"
        assert (await store.tasks.get("a", "ended")).status == "completed"
        assert (await store.tasks.get("b", "b's")).status == "active"

    async def test_a_task_touched_meanwhile_is_not_interrupted(self, store: Store) -> None:
        await store.tasks.save(task(updated_at=HALF_HOUR_AGO - MINUTE))
        looks = [self.active(store) for _ in range(10)]
        await asyncio.gather(store.tasks.save(task(status="executing")), *looks)
        assert (await store.tasks.get("a", "t1")).status == "executing"
        assert await self.active(store) == "t1"


class TestTaskActions:
    async def test_come_back_equal_and_in_the_order_they_were_made(self, store: Store) -> None:
        first = action("x", expected={"values": {"14": "Jas"}}, before={"url": "u"})
        chain = [
            action(f"c{n}", step_index=1, chain_index=n, created_at=NOW + MINUTE) for n in (0, 1, 2)
        ]
        await store.actions.add([chain[2], chain[0], chain[1]])
        await store.actions.add([first])
        await store.actions.add([])
        assert await store.actions.of_task("a", "t1") == [first, *chain]

    async def test_adding_again_changes_nothing(self, store: Store) -> None:
        await store.actions.add([action("x")])
        await store.actions.settle("a", {"x": "success"}, None)
        await store.actions.add([action("x"), action("y", chain_index=1)])
        found = await store.actions.of_task("a", "t1")
        assert [(a.action_id, a.status) for a in found] == [("x", "success"), ("y", "pending")]

    async def test_settle_writes_all_statuses_and_one_verification(self, store: Store) -> None:
        await store.actions.add([action("x"), action("y", chain_index=1)])
        await store.actions.settle("a", {"x": "success", "y": "failure"}, {"confidence": 0.4})
        await store.actions.settle("a", {}, {"confidence": 1.0})
        await store.actions.settle("a", {"unknown": "success"}, None)
        x, y = await store.actions.of_task("a", "t1")
        assert (x.status, x.verification) == ("success", None)
        assert (y.status, y.verification) == ("failure", {"confidence": 0.4})

    async def test_a_tenant_sees_and_settles_only_its_own(self, store: Store) -> None:
        await store.actions.add([action("x")])
        await store.actions.add([action("x", tenant="b")])
        await store.actions.settle("b", {"x": "failure"}, None)
        assert [a.status for a in await store.actions.of_task("a", "t1")] == ["pending"]
        assert await store.actions.of_task("c", "t1") == []


class TestSessions:
    async def test_made_once_then_moved_on_and_counted(self, store: Store) -> None:
        await store.sessions.touch(session(), new_task=True)
        later = session(title="other words", created_at=NOW + MINUTE, updated_at=NOW + MINUTE)
        await store.sessions.touch(later, new_task=True)
        await store.sessions.touch(session(), new_task=False)
        found = await store.sessions.get("a", "s")
        assert found == session(task_count=2, updated_at=NOW + MINUTE)

    async def test_touching_at_once_counts_each(self, store: Store) -> None:
        await asyncio.gather(*(store.sessions.touch(session(), new_task=True) for _ in range(10)))
        assert (await store.sessions.get("a", "s")).task_count == 10

    async def test_recent_is_the_persons_newest_first_and_goes_on_before(
        self, store: Store
    ) -> None:
        for n in range(4):
            await store.sessions.touch(session(f"s{n}", updated_at=NOW + n * MINUTE), new_task=True)
        await store.sessions.touch(session("other", user="v"), new_task=True)
        first = await store.sessions.recent("a", "u", limit=3)
        assert [s.session_id for s in first] == ["s3", "s2", "s1"]
        rest = await store.sessions.recent("a", "u", limit=3, before=first[-1].updated_at)
        assert [s.session_id for s in rest] == ["s0"]

    async def test_a_tenant_sees_only_its_own(self, store: Store) -> None:
        await store.sessions.touch(session(), new_task=True)
        await store.sessions.touch(session(tenant="b", title="of b"), new_task=False)
        assert (await store.sessions.get("a", "s")).task_count == 1
        assert (await store.sessions.get("b", "s")).title == "of b"
        assert await store.sessions.recent("c", "u", limit=5) == []
        with pytest.raises(NotFound):
            await store.sessions.get("c", "s")


class TestMessages:
    async def test_the_newest_oldest_first(self, store: Store) -> None:
        lines = [message(f"m{n}", created_at=NOW + n * MINUTE) for n in range(5)]
        await store.messages.add([lines[4], *lines[:4]])
        assert await store.messages.of_session("a", "s", limit=3) == lines[2:]

    async def test_of_one_moment_keep_their_order(self, store: Store) -> None:
        lines = [message(f"m{n}") for n in range(5)]
        await store.messages.add(lines[:3])
        await store.messages.add(lines[3:])
        assert await store.messages.of_session("a", "s", limit=50) == lines

    async def test_adding_again_changes_nothing(self, store: Store) -> None:
        await store.messages.add([message("m")])
        await store.messages.add([message("m", content="other"), message("n", content="next")])
        found = await store.messages.of_session("a", "s", limit=9)
        assert [m.content for m in found] == ["hello", "next"]

    async def test_a_tenant_sees_only_its_own(self, store: Store) -> None:
        await store.messages.add([message("m")])
        await store.messages.add([message("m", tenant="b", content="of b")])
        assert [m.content for m in await store.messages.of_session("a", "s", limit=9)] == ["hello"]
        assert await store.messages.of_session("c", "s", limit=9) == []

    async def test_text_that_cannot_be_stored_loses_no_write(self, store: Store) -> None:
        await store.messages.add([message("m", content="a\ud800b\0c")])
        (found,) = await store.messages.of_session("a", "s", limit=9)
        assert found.content == "a\ufffdb\0c"

    async def test_a_name_that_cannot_be_stored_is_refused(self, store: Store) -> None:
        with pytest.raises((Invalid, NotFound)):
            await store.tasks.get("a", "\ud800")


class TestKeys:
    me = Principal(tenant="a", user="u", scopes=("admin",))

    async def test_the_secret_opens_and_is_stored_nowhere(self, store: Store) -> None:
        key, secret = await store.keys.create(self.me)
        assert secret.startswith("tw_")
        assert secret not in key.model_dump_json()
        assert await store.keys.principal(secret) == self.me.model_copy(
            update={"key_id": key.key_id}
        )
        assert await store.keys.principal(secret + "x") is None
        assert await store.keys.principal("\ud800") is None

    async def test_use_is_noted(self, store: Store) -> None:
        _, secret = await store.keys.create(self.me)
        (before,) = await store.keys.all("a")
        await store.keys.principal(secret)
        (after,) = await store.keys.all("a")
        assert before.last_used_at is None
        assert after.last_used_at is not None

    async def test_a_revoked_key_opens_nothing(self, store: Store) -> None:
        key, secret = await store.keys.create(self.me)
        await store.keys.principal(secret)
        await store.keys.revoke("a", key.key_id)
        (first,) = await store.keys.all("a")
        await store.keys.revoke("a", key.key_id)
        assert await store.keys.principal(secret) is None
        assert await store.keys.all("a") == [first]
        assert first.revoked_at is not None

    async def test_the_bootstrap_secret_always_opens(self, store: Store) -> None:
        await asyncio.gather(*(store.keys.ensure(self.me, "boot") for _ in range(10)))
        (key,) = await store.keys.all("a")
        await store.keys.revoke("a", key.key_id)
        other = Principal(tenant="a", user="v")
        await store.keys.ensure(other, "boot")
        assert await store.keys.principal("boot") == other.model_copy(update={"key_id": key.key_id})

    async def test_a_tenant_sees_and_ends_only_its_own(self, store: Store) -> None:
        key, secret = await store.keys.create(self.me)
        newer, _ = await store.keys.create(self.me)
        with pytest.raises(NotFound):
            await store.keys.revoke("b", key.key_id)
        assert await store.keys.all("b") == []
        assert [k.key_id for k in await store.keys.all("a")] == [newer.key_id, key.key_id]
        assert await store.keys.principal(secret) is not None


async def begin(store: Store, key: str = "k", **over: Any) -> OperationStart:
    fields = {"fingerprint": "f", "task_id": "t1", "ttl_s": 60.0, "tenant": "a"}
    fields |= over
    return await store.operations.begin(fields.pop("tenant"), key, **fields)


class TestOperations:
    async def test_new_then_running_then_done(self, store: Store) -> None:
        first = await begin(store)
        assert (first.state, first.task_id) == ("new", "t1")
        assert await begin(store, task_id="t2") == OperationStart("running", "t1")
        answer = {"type": "action", "$x": {"a.b": 1.5}, "list": [None, "שלום"]}
        await store.operations.complete("a", "k", answer, claim=first.claim)
        assert await begin(store, task_id="t2") == OperationStart("done", "t1", answer)

    async def test_twenty_at_once_are_one_new(self, store: Store) -> None:
        many = await asyncio.gather(*(begin(store, task_id=f"t{n}") for n in range(20)))
        assert sorted(b.state for b in many) == ["new"] + ["running"] * 19
        assert len({b.task_id for b in many}) == 1

    async def test_a_claim_that_ran_out_is_taken_over_once(self, store: Store) -> None:
        await begin(store, ttl_s=0.0)
        many = await asyncio.gather(*(begin(store, task_id=f"t{n}") for n in range(20)))
        assert sorted(b.state for b in many) == ["new"] + ["running"] * 19
        assert {b.task_id for b in many} == {"t1"}

    async def test_a_renewed_claim_is_kept(self, store: Store) -> None:
        claim = (await begin(store, ttl_s=0.0)).claim
        assert await store.operations.renew("a", "k", claim=claim, ttl_s=60.0)
        assert not await store.operations.renew("a", "k", claim="another", ttl_s=60.0)
        assert not await store.operations.renew("b", "k", claim=claim, ttl_s=60.0)
        assert (await begin(store)).state == "running"

    async def test_who_lost_its_claim_renews_keeps_and_gives_back_nothing(
        self, store: Store
    ) -> None:
        lost = (await begin(store, ttl_s=0.0)).claim
        won = (await begin(store)).claim
        assert not await store.operations.renew("a", "k", claim=lost, ttl_s=60.0)
        await store.operations.complete("a", "k", {"n": 1}, claim=lost)
        await store.operations.abandon("a", "k", claim=lost)
        assert (await begin(store)).state == "running"
        await store.operations.complete("a", "k", {"n": 2}, claim=won)
        assert (await begin(store)).result == {"n": 2}

    async def test_another_body_is_refused_in_every_state(self, store: Store) -> None:
        claim = (await begin(store, ttl_s=0.0)).claim
        with pytest.raises(RequestIdReused):
            await begin(store, fingerprint="g")
        await store.operations.complete("a", "k", {}, claim=claim)
        with pytest.raises(RequestIdReused):
            await begin(store, fingerprint="g")

    async def test_given_back_it_runs_anew_but_a_result_stays(self, store: Store) -> None:
        await store.operations.abandon("a", "k", claim=(await begin(store)).claim)
        again = await begin(store, task_id="t2")
        assert (again.state, again.task_id) == ("new", "t2")
        await store.operations.complete("a", "k", {"n": 1}, claim=again.claim)
        await store.operations.complete("a", "k", {"n": 2}, claim=again.claim)
        await store.operations.abandon("a", "k", claim=again.claim)
        assert await begin(store) == OperationStart("done", "t2", {"n": 1})

    async def test_who_takes_over_what_was_stopped_is_told(self, store: Store) -> None:
        first = await begin(store, ttl_s=0.0)
        assert not first.stopped
        await store.operations.stop("a", "k", claim="another")
        second = await begin(store, ttl_s=0.0)
        assert not second.stopped
        await store.operations.stop("a", "k", claim=second.claim)
        await store.operations.abandon("a", "k", claim=second.claim)
        assert (await begin(store)).stopped

    async def test_tenants_have_their_own_keys(self, store: Store) -> None:
        claim = (await begin(store)).claim
        other = await begin(store, tenant="b", fingerprint="g")
        assert other.state == "new"
        await store.operations.complete("b", "k", {}, claim=other.claim)
        await store.operations.abandon("c", "k", claim=claim)
        assert (await begin(store)).state == "running"
