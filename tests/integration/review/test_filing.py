"""What is filed for an operator when tasks and answers end: each that must be, once, whatever dies when."""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.agent import request
from app.agent.persistence.escalation import opinion_on_task
from app.chat.output.escalation import opinion_on_answer
from app.domain.access import Principal
from app.domain.review import LOCATIONS, Record, Submission
from app.errors import Invalid, NotFound
from app.review.effects import DecisionEffects
from app.review.service import ReviewService
from app.review.submission import deliver, id_of_answer, id_of_task
from app.runs import lease
from app.settings import Settings
from app.store import open as opening
from app.store.batch import StoreBatch
from app.store.open import Opened
from app.store.reviews.files import FileReviews
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import INTERACT, begin, to_the_end
from tests.integration.chat.conversations import LEAVE, TRAVEL, Talk, shelved
from tests.integration.conftest import running
from tests.integration.desk import Screen, node

JAS, ANN = "row: Jas Patel, 1990", "row: Ann Lee, 1985"
PATIENTS = Screen(
    (
        node(1, "link", "Home", g="nav: Main"),
        node(2, "txt", "Jas Patel", g=JAS),
        node(3, "btn", "Delete", g=JAS),
        node(4, "txt", "Ann Lee", g=ANN),
        node(5, "btn", "Delete", g=ANN),
    ),
    url="https://clinic.example/patients",
    title="Patients",
)
GONE = replace(PATIENTS, nodes=(PATIENTS.nodes[0], *PATIENTS.nodes[3:]))
ANN_ = Principal(tenant="one", user="ann")
HIGH = 0.85
RULES = "# Rules\n\nInvoices must be paid within 14 days. Cash must never be accepted.\n"
BREACH = 'Check this: "Invoices must be paid within 60 days."'
HOTEL = "What may a hotel in London cost a night?"
LIBRARY = {"Travel policy": TRAVEL, "Leave policy": LEAVE}

Json = dict[str, Any]


class Refusing(ClinicPage):
    """Its save is answered with an error, every time."""

    def _click(self, element: str) -> None:
        if element == "22":
            self.error = "The server could not save this"
        else:
            super()._click(element)


async def deleting(client: httpx.AsyncClient) -> Json:
    """A patient is to be deleted, and a person agreed: the request that ends the task."""
    asked = (await client.post(INTERACT, json=PATIENTS.body(query="Delete Jas Patel"))).json()
    said = {"hitlId": asked["hitlId"], "type": "yes_no", "value": "yes"}
    told = PATIENTS.body(taskId=asked["taskId"], hitlResponse=said)
    sent = (await client.post(INTERACT, json=told)).json()
    assert [one["action"] for one in sent["actions"]] == ['click("3")'], sent
    seen = {"didDomMutate": True, "didNetworkOccur": True}
    last = {"lastActionId": sent["actions"][0]["actionId"], "lastActionStatus": "success"}
    return GONE.body(taskId=sent["taskId"], clientObservations=seen, **last)


async def deleted(client: httpx.AsyncClient) -> Json:
    done: Json = (await client.post(INTERACT, json=await deleting(client))).json()
    assert done["status"] == "completed", done
    return done


async def played(client: httpx.AsyncClient, page: ClinicPage, name: str = "Jas") -> Json:
    goal = f"Add a new patient with name '{name}'"
    answer, _ = await to_the_end(client, page, await begin(client, page, goal), most=40)
    return answer


async def every(opened: Opened) -> list[Record]:
    """All records of the tenant."""
    found = [await opened.reviews.listed("one", place, limit=100) for place in LOCATIONS]
    return [record for records in found for record in records]


def wanted_of_task(task: Any, actions: list[Json]) -> bool:
    """Whether the rows of a task that ended speak for a record, by themselves."""
    judged = [one["verification"] for one in actions if one.get("verification")]
    sure = judged[-1]["confidence"] if judged and judged[-1]["actionSucceeded"] else 0.0
    heavy = any("Delete" in one["description"] for one in actions)
    return bool(task["status"] == "failed" or sure < HIGH or heavy)


async def test_all_that_ended_unsure_or_grave_has_a_record_and_nothing_else_has(
    client: httpx.AsyncClient, opened: Opened
):
    await deleted(client)
    sure = await played(client, ClinicPage())
    refused = await played(client, Refusing(), "Ann")
    assert [sure["status"], refused["status"]] == ["completed", "failed"]
    await begin(client, ClinicPage(), "hello there")  # never acts
    await begin(client, ClinicPage())  # has not ended
    await shelved(client, LIBRARY)
    talk = Talk(client)
    for said in (HOTEL, "Summarize the Leave policy"):
        assert (await talk.say(said))[-1]["type"] == "response"
    unread = await talked(client)
    assert unread["review"] is None, "to be without a model is no reason"
    records = {one.id: one for one in await every(opened)}
    expected = set()
    rows = [row async for row in opened.database["tasks"].find({"tenantId": "one"})]
    assert {row["status"] for row in rows} == {"completed", "failed", "executing"}
    for row in rows:
        found = opened.database["task_actions"].find({"taskId": row["taskId"]}, sort=[("_id", 1)])
        actions = [one async for one in found]
        if row["status"] in ("completed", "failed") and wanted_of_task(row, actions):
            expected.add(id_of_task("one", row["taskId"]))
        record = records.get(id_of_task("one", row["taskId"]))
        story = (await client.get(f"/api/task/{row['taskId']}")).json()
        assert (story["review"] or {}).get("id") == (record.id if record else None)
    assert len(expected) == 2, "one that failed and one that deletes"
    lines = [row async for row in opened.database["conversation_lines"].find()]
    told = [row["metadata"] for row in lines if row["metadata"].get("type") == "response"]
    assert len(told) == 3
    assert [event["review"] for event in told] == [None] * 3
    assert set(records) == expected
    assert refused["review"]["reasons"] == ["low_confidence"]
    assert "review" not in sure
    failed = records[refused["review"]["id"]]
    assert "could not save" in failed.investigation.model_dump_json()
    assert failed.origin.told == refused["result"]


async def test_what_cites_a_document_of_a_set_that_the_policy_names_is_filed_once(
    client: httpx.AsyncClient, admin: httpx.AsyncClient, opened: Opened
):
    await shelved(client, {"Travel policy": TRAVEL}, set="Travel, EU")
    await shelved(client, {"Leave policy": LEAVE}, set="hr")
    wanted = {"reviewedSets": ["Travel, EU", "no such set"]}
    (await admin.put("/api/policy", json=wanted)).raise_for_status()
    told = {}
    for said in (HOTEL, "How many days of annual leave do full-time staff have?"):
        (*_, told[said]) = await Talk(client).say(said)
        assert told[said]["citations"], told[said]
    hotel, leave = told.values()
    assert leave["review"] is None
    (record,) = await every(opened)
    assert "high_impact" in hotel["review"]["reasons"]
    assert record.id == hotel["review"]["id"]
    assert record.investigation.impact == "high"
    (await admin.put("/api/policy", json={})).raise_for_status()
    assert (await Talk(client).say(HOTEL))[-1]["review"] is None
    assert len(await every(opened)) == 1


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FileReviews:
    """The queue as files, as it is without an outside store."""
    reviews = FileReviews(tmp_path / "review")
    monkeypatch.setattr(opening, "reviews_of", lambda *_: reviews)
    return reviews


def block(folder: Path) -> None:
    """Put something where the queue's folder should be: nothing can be written or read there."""
    if folder.exists():
        folder.rename(folder.with_name("aside"))
    folder.write_text("not a folder")


def unblock(folder: Path) -> None:
    folder.unlink()
    if folder.with_name("aside").exists():
        folder.with_name("aside").rename(folder)


@asynccontextmanager
async def asking(settings: Settings, key: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as made,
    ):
        yield made


async def test_a_queue_that_is_away_holds_no_end_up_and_loses_nothing(
    server_settings: Settings, key: str, queue: FileReviews, tmp_path: Path, opened: Opened
):
    folder = tmp_path / "review"
    async with asking(server_settings, key) as client:
        block(folder)
        done = await deleted(client)
        assert done["review"]["status"] == "pending"
        story = (await client.get(f"/api/task/{done['taskId']}")).json()
        assert story["review"]["reasons"] == ["high_impact"]
        waiting = await opened.store.outbox.list_waiting(limit=9)
        assert [one.id for one in waiting] == [done["review"]["id"]]
        service = ReviewService(queue, DecisionEffects(opened.together))
        assert await deliver(opened.store.outbox, service) == 0
        asked = await opinion_on_task(opened.together, ANN_, done["taskId"], "Sure?")
        assert asked == waiting[0]
        unblock(folder)
    async with asking(server_settings, key) as client:  # a start takes up what waits
        while await opened.store.outbox.list_waiting(limit=9):
            pass
        story = (await client.get(f"/api/task/{done['taskId']}")).json()
        assert story["review"]["id"] == done["review"]["id"]
    kept = await queue.listed("one", "pending", limit=9)
    assert [one.id for one in kept] == [done["review"]["id"]]


async def talked(client: httpx.AsyncClient) -> Json:
    """What an audit without a model says."""
    ids = await shelved(client, {"Rules": RULES})
    said = {"action": "audit", "tagged_doc_ids": list(ids.values())}
    told = (await Talk(client).say(BREACH, **said))[-1]
    assert told["type"] == "response", told
    return told


class Died(Exception):
    """The process is gone. No error of ours, so that nobody tidies up after it as after those."""


class Mortal:
    """Kills at the `nth` of the calls that end a task, before or right after it; dead until it is armed
    anew. None of its calls is made while it is dead.
    """

    def __init__(self) -> None:
        self.left, self.after, self.dead = 0, False, False

    def arm(self, nth: int, *, after: bool) -> None:
        self.left, self.after, self.dead = nth, after, False

    async def once(self, call: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        if self.dead:
            raise Died
        self.left -= 1
        if self.left == 0 and not self.after:
            self.dead = True
            raise Died
        dies = self.left == 0
        try:
            return await call()
        finally:
            if dies:
                self.dead = True
                raise Died


@pytest.fixture
def mortal(monkeypatch: pytest.MonkeyPatch) -> Mortal:
    """Between the server and its store, and its queue."""
    made, write, submit = Mortal(), StoreBatch.write, FileReviews.submit

    def write_mortally(self: StoreBatch, calls: Any, **how: Any) -> Any:
        sent = partial(write, self, calls, **how)
        return made.once(sent) if how.get("releases") else sent()

    monkeypatch.setattr(StoreBatch, "write", write_mortally)
    monkeypatch.setattr(FileReviews, "submit", lambda self, r: made.once(lambda: submit(self, r)))
    monkeypatch.setattr(request, "CLAIM_TTL_S", 0.0)
    monkeypatch.setattr(lease, "RENEW_S", 60.0)
    return made


@pytest.mark.parametrize("away", [False, True])
async def test_whichever_process_dies_when_there_is_one_record(
    server_settings: Settings, key: str, queue: FileReviews, tmp_path: Path, mortal: Mortal,
    opened: Opened, away: bool,
):  # fmt: skip
    service = ReviewService(queue, DecisionEffects(opened.together))
    folder, ids = tmp_path / "review", []
    async with asking(server_settings, key) as client:
        for nth, after in ((1, False), (1, True), (2, False), (2, True)):
            mortal.arm(0, after=False)
            body = await deleting(client)
            if away:
                block(folder)
            mortal.arm(nth, after=after)
            reply = await client.post(INTERACT, json=body)
            assert reply.status_code == 500, reply.text
            assert mortal.dead
            mortal.arm(0, after=False)
            done = (await client.post(INTERACT, json=body)).json()
            assert done["status"] == "completed", done
            if away:
                unblock(folder)
                assert await deliver(opened.store.outbox, service) == 1
            assert not await opened.store.outbox.list_waiting(limit=9)
            ids.append(id_of_task("one", done["taskId"]))
            kept = await queue.listed("one", "pending", limit=9)
            assert sorted(one.id for one in kept) == sorted(ids)


async def test_what_is_delivered_twice_is_filed_once(
    client: httpx.AsyncClient, opened: Opened, operator: httpx.AsyncClient
):
    done = await deleted(client)
    service = ReviewService(opened.reviews, DecisionEffects(opened.together))
    (record,) = await opened.reviews.listed("one", "pending", limit=9)
    assert isinstance(record, Submission)
    await opened.store.outbox.add(record)  # a process died between the queue and the outbox
    assert await deliver(opened.store.outbox, service) == 1
    assert (await opened.reviews.depths("one")).pending == 1
    notes = "Jas asked for it in writing"
    said = {"outcome": "approved", "notes": notes, "operatorName": "Olga", "operatorRole": "Lead"}
    decided = await operator.post(f"/api/review/{record.id}/decision", json=said)
    assert decided.status_code == 200, decided.text
    await opened.store.outbox.add(record)
    assert await deliver(opened.store.outbox, service) == 1
    depths = await opened.reviews.depths("one")
    assert (depths.pending, depths.approved) == (0, 1)
    story = (await client.get(f"/api/task/{done['taskId']}")).json()
    assert (story["review"]["status"], story["review"]["notes"]) == ("approved", notes)
    assert story["review"]["operator"] == "Olga"


async def test_a_second_opinion_is_for_those_who_may_see_it_and_of_what_has_ended(
    client: httpx.AsyncClient, opened: Opened
):
    together = opened.together
    sure = await played(client, ClinicPage())
    under_way = await begin(client, ClinicPage())
    olga = Principal(tenant="one", user="olga", scopes=("operator",))
    for who in (ANN_, olga):
        record = await opinion_on_task(together, who, sure["taskId"], "Was it the right Jas?")
        assert record.origin.reasons == ("asked_for",)
        assert record.why_escalated.endswith("Was it the right Jas?")
        assert record.origin.user == "ann"
        assert record.origin.told == sure["result"]
        assert any("Save" in line for line in record.investigation.what_checked)
    for who in (Principal(tenant="one", user="bob"), Principal(tenant="two", user="ann")):
        with pytest.raises(NotFound):
            await opinion_on_task(together, who, sure["taskId"], "")
    with pytest.raises(NotFound):
        await opinion_on_task(together, ANN_, "no such task", "")
    with pytest.raises(Invalid):
        await opinion_on_task(together, ANN_, under_way["taskId"], "")


async def test_a_second_opinion_on_an_answer_is_the_record_that_stands(
    client: httpx.AsyncClient, opened: Opened
):
    together = opened.together
    told = await talked(client)
    record = await opinion_on_answer(together, ANN_, told["thread_id"], told["message_id"], "Sure?")
    assert record.id == id_of_answer("one", told["thread_id"], told["message_id"])
    assert "asked_for" in record.origin.reasons
    assert record.issue.reported_symptom == BREACH
    standing = await opened.reviews.submit(record)
    again = await opinion_on_answer(together, ANN_, told["thread_id"], told["message_id"], "Sure?")
    assert (await opened.reviews.submit(again)).id == standing.id
    for who in (Principal(tenant="one", user="bob"), Principal(tenant="two", user="ann")):
        with pytest.raises(NotFound):
            await opinion_on_answer(together, who, told["thread_id"], told["message_id"], "")
    with pytest.raises(NotFound):
        await opinion_on_answer(together, ANN_, told["thread_id"], "no such line", "")
