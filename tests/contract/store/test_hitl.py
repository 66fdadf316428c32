"""What every store must do for questions to people, their audit trail, and what was then done."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from app.domain.access import Approvals, Policy
from app.domain.hitl import (
    Approval,
    AuditEntry,
    ExecutedOperation,
    HitlResult,
    Option,
    PendingHitl,
    Question,
)
from app.domain.page import ElementRef
from app.errors import NotFound
from app.hitl.questions import create_question, pending_row
from app.store.people.questions import Audit
from app.store.repositories import Store
from tests.contract.store.test_store import MINUTE, NOW

ELEMENT = ElementRef(role="btn", name="Delete", group="row: Jas Patel")
APPROVAL = Approval(
    action='click("4")', description="Press 'Delete'", element_id="4", element=ELEMENT,
    site="crm.example", effects=("deletes",), undo="It is gone then",
)  # fmt: skip


def question(number: int = 1, **more: Any) -> PendingHitl:
    """A question as it is written: of tenant `a`, task `t`, one a minute."""
    about: dict[str, Any] = {
        "kind": "approval",
        "source": "risk",
        "return_to": "execution/approved",
    }
    asked = Question(
        text="Press 'Delete'?", approval=APPROVAL, options=(Option(id="yes", label="Yes"),), **about
    )
    whose = {"tenant": "a", "user": "u", "task_id": "t", "thread_id": "s", "trace_id": "tr"}
    at = NOW + number * MINUTE
    return pending_row(
        create_question(asked, f"r{number}", at), **(whose | {"goal": "g", "url": "u"} | more)
    )


def result(asked: PendingHitl, **more: Any) -> HitlResult:
    said: dict[str, Any] = {
        "decision": "approved",
        "text": "yes",
        "key": "k",
        "at": asked.created_at,
    }
    return HitlResult(hitl_id=asked.hitl_id, return_to=asked.return_to, **(said | more))


class TestQuestions:
    async def test_a_question_comes_back_as_it_was(self, store: Store) -> None:
        asked = question()
        assert await store.hitl.put(asked) == asked
        assert await store.hitl.get("a", asked.hitl_id) == asked
        with pytest.raises(NotFound):
            await store.hitl.get("b", asked.hitl_id)

    async def test_written_again_it_stands_as_it_was_written_first(self, store: Store) -> None:
        asked = question()
        await store.hitl.put(asked)
        later = asked.model_copy(update={"created_at": NOW + 2 * MINUTE})
        assert await store.hitl.put(later) == asked
        await store.hitl.conclude("a", asked.hitl_id, "answered", result(asked))
        assert (await store.hitl.put(asked)).status == "answered"

    async def test_while_one_waits_no_other_is_written(self, store: Store) -> None:
        first = question().model_copy(update={"expires_at": NOW + timedelta(days=9_000)})
        await store.hitl.put(first)
        assert await store.hitl.put(question(2)) == first
        assert await store.hitl.of_task("a", "t") == [first]
        elsewhere = question(2, task_id="t2")
        assert await store.hitl.put(elsewhere) == elsewhere

    async def test_one_that_has_lapsed_makes_room(self, store: Store) -> None:
        first, second = question(1), question(2)
        await store.hitl.put(first)
        assert await store.hitl.put(second) == second
        assert await store.hitl.latest("a", "t") == second
        assert await store.hitl.latest("b", "t") is None

    async def test_of_many_answers_at_once_one_stands(self, store: Store) -> None:
        asked = question()
        await store.hitl.put(asked)
        keys = [f"k{n}" for n in range(4)]
        found = await asyncio.gather(
            *(
                store.hitl.conclude("a", asked.hitl_id, "answered", result(asked, key=key))
                for key in keys
            )
        )
        (winner,) = {row.result.key for row in found if row.result}
        kept = await store.hitl.get("a", asked.hitl_id)
        assert (kept.status, kept.result) == ("answered", result(asked, key=winner))

    async def test_an_answer_is_taken_before_its_time_is_over_and_a_cancel_always(
        self, store: Store
    ) -> None:
        asked = question()
        await store.hitl.put(asked)
        late = result(asked, at=asked.expires_at)
        assert (await store.hitl.conclude("a", asked.hitl_id, "answered", late)).status == "pending"
        gone = result(asked, decision="cancelled", text="", at=asked.expires_at)
        ended = await store.hitl.conclude("a", asked.hitl_id, "cancelled", gone)
        assert (ended.status, ended.result) == ("cancelled", gone)
        again = await store.hitl.conclude("a", asked.hitl_id, "answered", result(asked))
        assert again == ended

    async def test_nobody_of_another_tenant_ends_it(self, store: Store) -> None:
        asked = question()
        await store.hitl.put(asked)
        with pytest.raises(NotFound):
            await store.hitl.conclude("b", asked.hitl_id, "answered", result(asked))
        assert (await store.hitl.get("a", asked.hitl_id)).status == "pending"

    async def test_what_was_answered_can_be_forgotten(self, store: Store) -> None:
        asked = question()
        await store.hitl.put(asked)
        await store.hitl.conclude("a", asked.hitl_id, "answered", result(asked, text="hunter2"))
        await store.hitl.redact_answer("b", asked.hitl_id, "…")
        await store.hitl.redact_answer("a", asked.hitl_id, "•••")
        kept = await store.hitl.get("a", asked.hitl_id)
        assert kept.result == result(asked, text="•••")


class TestTrail:
    def entry(self, number: int, **more: Any) -> AuditEntry:
        about: dict[str, Any] = {"tenant": "a", "task_id": "t", "kind": "asked", "by": "u"}
        seen = {"message": "Which?", "options": [{"id": "1", "label": "One"}]}
        at = NOW + number * MINUTE
        return AuditEntry(entry_id=str(number), shown=seen, at=at, **(about | more))

    async def test_it_is_added_to_and_nothing_in_it_changes(self, store: Store) -> None:
        first, second = self.entry(1), self.entry(2)
        await store.audit.add([second])
        await store.audit.add([first, second.model_copy(update={"text": "another"})])
        assert await store.audit.of_task("a", "t") == [first, second]
        assert await store.audit.of_task("b", "t") == []

    def test_nothing_of_the_repository_changes_or_removes(self) -> None:
        public = {name for name in vars(Audit) if not name.startswith("_")}
        assert public == {"add", "of_task", "collection", "kind"}


class TestLedger:
    def effect(self, step: str, **more: Any) -> ExecutedOperation:
        about: dict[str, Any] = {"tenant": "a", "task_id": "t", "trace_id": "tr", "name": "click"}
        return ExecutedOperation(key=f"tr:{step}", step_id=step, at=NOW, **(about | more))

    async def test_effects_are_kept_with_the_request_and_each_once(self, store: Store) -> None:
        begun = {"fingerprint": "f", "task_id": "t", "ttl_s": 5.0}
        claims = {
            key: (await store.operations.begin("a", key, **begun)).claim for key in ("r1", "r2")
        }
        one, two = self.effect("0.0.0"), self.effect("0.0.1")
        await store.operations.complete("a", "r1", {"n": 1}, claim=claims["r1"], effects=[one, two])
        came = one.model_copy(update={"status": "success", "name": "another"})
        await store.operations.complete("a", "r2", {"n": 2}, claim=claims["r2"], effects=[came])
        kept = one.model_copy(update={"status": "success"})
        assert await store.ledger.of_task("a", "t") == [kept, two]
        assert await store.ledger.of_task("b", "t") == []
        assert (await store.operations.begin("a", "r2", **begun)).result == {"n": 2}

    async def test_what_was_learned_of_an_effect_that_was_never_written_is_kept(
        self, store: Store
    ) -> None:
        seen = self.effect("1.0.0", status="failure")
        await store.operations.complete("a", "r1", {}, claim="c", effects=[seen])
        assert await store.ledger.of_task("a", "t") == [seen]


async def test_a_policy_is_the_tenants_and_the_default_without(store: Store) -> None:
    given = Policy(
        tenant="a",
        action_domains=("crm.example",),
        approvals=Approvals(mode="always", never_for=("*.dev.example",)),
        reviewed_sets=("contracts",),
    )
    await store.policies.put(given)
    await store.policies.put(given)
    assert await store.policies.get("a") == given
    assert await store.policies.get("b") == Policy(tenant="b")
