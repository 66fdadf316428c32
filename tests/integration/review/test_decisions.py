"""What a decision does: over HTTP, on the real store, once whatever dies when."""

import copy
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, cast

import httpx

from app.domain.access import Principal
from app.domain.memory import Skill
from app.domain.review import ReviewedRecord, Submission, new_record_id
from app.errors import StoreUnavailable
from app.review.effects import WEIGHT, DecisionEffects, Follower, effects_of
from app.review.service import ReviewService
from app.store.open import Opened
from app.store.repositories import Store
from tests.contract.store.test_recipes import recipe
from tests.contract.store.test_skills import skill
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import INTERACT, begin, to_the_end
from tests.integration.chat.conversations import LIBRARY, Talk, shelved
from tests.integration.review.test_filing import PATIENTS, Refusing, deleted, played

SITE = "clinic.example"
WHY = "Ask the ward first:\nit keeps its own list"
OPERATOR = Principal(tenant="one", user="olga", scopes=("operator",))
Json = dict[str, Any]


async def decide(operator: httpx.AsyncClient, answer: Json, outcome: str, notes: str = WHY) -> str:
    """The operator decides the record of what was answered."""
    record_id: str = answer["review"]["id"]
    said = {"outcome": outcome, "notes": notes}
    reply = await operator.post(f"/api/review/{record_id}/decision", json=said)
    assert reply.status_code == 200, reply.text
    return record_id


async def say(client: httpx.AsyncClient, page: ClinicPage, asked: Json, value: str) -> Json:
    said = {"hitlId": asked["hitlId"], "type": "yes_no", "value": value}
    told = page.observation() | {"taskId": asked["taskId"], "hitlResponse": said}
    return cast("Json", (await client.post(INTERACT, json=told)).json())


async def test_what_was_rejected_is_asked_about_first_the_next_time(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, opened: Opened
):
    failed = await played(client, Refusing(), "Ann")
    record_id = await decide(operator, failed, "rejected")
    (memory,) = await opened.store.episodes.of_site("one", SITE, limit=5)
    assert memory.judged is not None
    assert (memory.judged.record_id, memory.judged.notes) == (record_id, WHY)

    page = ClinicPage()
    asked = await begin(client, page, "Add a new patient with name 'Bo'")
    assert (asked["type"], asked["kind"]) == ("interrupt", "approval"), asked
    for part in ("An operator decided", "rejected", "Ask the ward first", record_id):
        assert part in asked["message"]
    assert "Ann" not in asked["message"], "another person's value"
    (told,) = asked["advice"]
    assert (told["recordId"], told["decision"], told["notes"]) == (record_id, "rejected", WHY)

    left = await say(client, page, asked, "no")
    assert (left["type"], left["status"]) == ("done", "failed"), left
    assert page.saved == []

    again = await begin(client, page, "Add a new patient with name 'Bo'")
    answer, _ = await to_the_end(client, page, await say(client, page, again, "yes"), most=40)
    assert answer["status"] == "completed", answer
    assert page.saved == ["Bo"], "and nobody is asked twice"


async def test_the_asker_is_told_in_the_history_and_in_the_trail(
    client: httpx.AsyncClient, operator: httpx.AsyncClient
):
    failed = await played(client, Refusing(), "Ann")
    record_id = await decide(operator, failed, "approved")
    line = f"An operator approved this: {WHY} ({record_id})"
    found = await client.get(f"/api/session/{failed['sessionId']}/messages")
    assert [one["content"] for one in found.json()["messages"]].count(line) == 1
    story = (await client.get(f"/api/task/{failed['taskId']}")).json()
    (seen,) = [one for one in story["people"] if one["kind"] == "review_approved"]
    assert (seen["by"], record_id in seen["text"]) == ("olga", True)
    assert story["review"]["status"] == "approved"


async def test_what_was_approved_is_mentioned_and_nobody_is_asked(
    client: httpx.AsyncClient, operator: httpx.AsyncClient
):
    record_id = await decide(operator, await played(client, Refusing(), "Ann"), "approved")
    body = ClinicPage().observation() | {"query": "Add a new patient with name 'Bo'"}
    headers = {"Accept": "text/event-stream"}
    told = (await client.post(INTERACT, json=body, headers=headers)).text
    assert told.count('"node":"advice"') == 1
    answer = (await client.post(INTERACT, json=body)).json()
    assert answer["type"] == "action"
    assert answer["advice"][0]["recordId"] == record_id
    other = await begin(client, ClinicPage(), "Open the calendar")
    assert "advice" not in other


async def test_a_question_that_is_asked_anyway_says_it_with_it(
    client: httpx.AsyncClient, operator: httpx.AsyncClient
):
    record_id = await decide(operator, await deleted(client), "rejected")
    asked = (await client.post(INTERACT, json=PATIENTS.body(query="Delete Jas Patel"))).json()
    assert asked["message"].startswith("Press 'Delete' for Jas Patel, 1990?")
    assert record_id in asked["message"]
    said = {"hitlId": asked["hitlId"], "type": "yes_no", "value": "yes"}
    told = PATIENTS.body(taskId=asked["taskId"], hitlResponse=said)
    sent = (await client.post(INTERACT, json=told)).json()
    assert [one["action"] for one in sent["actions"]] == ['click("3")'], sent


async def test_an_answer_of_the_chat_that_was_rejected_is_not_repeated_unsaid(
    client: httpx.AsyncClient, operator: httpx.AsyncClient
):
    await shelved(client, LIBRARY)
    talk = Talk(client)
    answer = (await talk.say("What may a hotel in London cost a night?"))[-1]
    assert answer["type"] == "response"
    assert "advice" not in answer
    asked = {"threadId": talk.thread_id, "messageId": answer["message_id"], "note": "Still?"}
    filed = await client.post("/api/review", json=asked)
    record_id = await decide(operator, {"review": filed.json()["record"]}, "rejected", "Old prices")
    (line,) = [one for one in (await talk.history())["messages"] if one["kind"] == "decision"]
    assert (line["role"], line["content"]) == (
        "system",
        f"An operator rejected this: Old prices ({record_id})",
    )
    again = (await Talk(client).say("What may a hotel cost in London a night?"))[-1]
    assert again["advice"][0]["record_id"] == record_id
    assert again["notices"][0] == again["advice"][0]["line"]
    other = (await Talk(client).say("How many days of annual leave are there?"))[-1]
    assert "advice" not in other


def record_of(task_id: str, **origin: Any) -> Submission:
    """One of a task, as the routing files it."""
    about = {"reported_symptom": "It failed", "goal": "Add a patient", "site": SITE}
    return Submission.model_validate(
        {
            "id": new_record_id(),
            "tenant_id": "one",
            "submitted_at_ms": int(datetime.now(UTC).timestamp() * 1000),
            "issue": about | {"task_id": task_id},
            "investigation": {"confidence": "low", "impact": "normal"},
            "recommendation": {"proposed_next_action": "Look"},
            "why_escalated": "The confidence is not high",
            "submitter": {"name": "Tabwright", "role": "agent"},
            "origin": {"kind": "task", "user": "ann"} | origin,
        }
    )


async def decided_of(opened: Opened, task_id: str, outcome: str, **origin: Any) -> ReviewedRecord:
    """A decision of which nothing was carried out: the process died right after it."""
    record = record_of(task_id, **origin)
    await opened.reviews.submit(record)

    async def died(_: ReviewedRecord) -> None:
        raise StoreUnavailable("gone")

    return await ReviewService(opened.reviews, died).decide(
        OPERATOR, record.id, outcome=outcome, notes="No", operator={"name": "Olga", "role": "lead"}
    )


class Dying:
    """Runs calls whose store dies before, or after, its `at`-th call."""

    def __init__(self, opened: Opened, at: int, *, after: bool) -> None:
        self._opened, self._left, self._after = opened, at, after

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
        async def run(store: Store) -> Any:
            dying = copy.copy(store)
            for name, repository in vars(store).items():
                setattr(dying, name, self._wrapped(repository))
            return await calls(dying)

        return await self._opened.together(run)

    def _wrapped(self, part: Any) -> Any:
        dying = self

        class Part:
            def __getattr__(self, name: str) -> Any:
                async def call(*args: Any, **more: Any) -> Any:
                    dying._left -= 1
                    if dying._left == 0 and not dying._after:
                        raise StoreUnavailable("died before")
                    done = await getattr(part, name)(*args, **more)
                    if dying._left == 0:
                        raise StoreUnavailable("died after")
                    return done

                return call

        return Part()


async def test_every_effect_happens_once_wherever_the_process_dies(
    client: httpx.AsyncClient, opened: Opened
):
    done = await played(client, ClinicPage())
    task_id = done["taskId"]
    store, reviews = opened.store, opened.reviews
    crashes = 0
    for at in range(1, 40):
        for after in (False, True):
            name = f"{at}{after}"
            await store.skills.learn([skill(name, tenant="one", success_count=2)])
            await store.recipes.save(recipe(name, tenant="one"))
            await store.recipes.count_run(
                "one", name, task_id="x", worked=True, now=datetime.now(UTC)
            )
            record = await decided_of(
                opened, task_id, "rejected", skill_ids=(name,), recipe_id=name
            )
            dying = Dying(opened, at, after=after)
            try:
                await DecisionEffects(cast("Any", dying))(record)
            except StoreUnavailable:
                crashes += 1
            await Follower(reviews, DecisionEffects(opened.together)).scan()
            await DecisionEffects(opened.together)(record)
            found = {one.skill_id: one for one in await store.skills.page("one", None, limit=99)}
            _is_lowered_once(found[name], record)
            ran = await store.recipes.get("one", name)
            assert (ran.runs, ran.failures) == (1, 1)
            assert (await store.effects.done("one", [record.id]))[record.id] == set(
                effects_of(record)
            )
            told = await store.messages.of_session("one", done["sessionId"], limit=500)
            assert sum(record.id in one.content for one in told) == 1
            trail = await store.audit.of_task("one", task_id)
            assert sum(record.id in one.text for one in trail) == 1
        if dying._left > 0:
            break
    assert crashes == 2 * (at - 1)
    assert crashes > 20, "each call of the store was one to die at"
    (memory,) = await store.episodes.of_site("one", SITE, limit=5)
    assert memory.judged is not None
    assert memory.judged.record_id == record.id


def _is_lowered_once(one: Skill, record: ReviewedRecord) -> None:
    assert (one.success_count, one.failure_count) == (2, WEIGHT)
    assert one.success_rate < 0.5, "it is never used again"
    assert one.judged is not None
    assert (one.judged.record_id, one.judged.notes) == (record.id, "No")


async def test_a_record_that_names_anothers_task_reaches_nobody(
    client: httpx.AsyncClient, opened: Opened
):
    done = await played(client, ClinicPage())
    await opened.store.skills.learn([skill("s", tenant="one")])
    foreign = await decided_of(opened, done["taskId"], "rejected", user="eve", skill_ids=("s",))
    await DecisionEffects(opened.together)(foreign)
    (kept,) = [s for s in await opened.store.skills.page("one", None, limit=9) if s.skill_id == "s"]
    assert (kept.failure_count, kept.judged) == (0, None)
    told = await opened.store.messages.of_session("one", done["sessionId"], limit=99)
    assert not any(foreign.id in one.content for one in told)
    assert await opened.store.effects.done("one", [foreign.id]) == {}
    mine = await decided_of(opened, done["taskId"], "approved", skill_ids=("s", "s", "gone"))
    for _ in range(2):
        await DecisionEffects(opened.together)(mine)
    (kept,) = [s for s in await opened.store.skills.page("one", None, limit=9) if s.skill_id == "s"]
    assert (kept.success_count, kept.failure_count) == (1 + WEIGHT, 0)
    assert "skill:gone" not in (await opened.store.effects.done("one", [mine.id]))[mine.id]
