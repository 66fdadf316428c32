"""A question as it is named, dated and told."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.access import Principal
from app.domain.hitl import Approval, HitlResult, Option, Question
from app.domain.page import MASK
from app.errors import HitlExpired, HitlNotPending, NotFound
from app.hitl import inbox
from app.hitl.inbox import end_result, only_answer, refuse_stranger
from app.hitl.questions import create_question, pending_row

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
ASKED = Question(text="Which?", options=(Option(id="1", label="Delete (row: Jas)"),))


def waiting(question=ASKED, request_id="r"):
    whose = {"tenant": "a", "user": "u", "task_id": "t", "thread_id": "s", "trace_id": "tr"}
    return pending_row(create_question(question, request_id, NOW), **whose, goal="g", url="u")


def over(row, **more):
    said = {"decision": "answered", "text": "x", "key": "k", "at": NOW} | more
    result = HitlResult(hitl_id=row.hitl_id, return_to=row.return_to, **said)
    status = said["decision"] if said["decision"] in ("cancelled", "expired") else "answered"
    return row.model_copy(update={"status": status, "result": result})


def test_the_same_asked_by_the_same_request_is_the_same_question():
    first, again = (
        create_question(ASKED, "r", NOW),
        create_question(ASKED, "r", NOW + timedelta(minutes=1)),
    )
    assert first.hitl_id == again.hitl_id
    assert create_question(ASKED, "r2").hitl_id != first.hitl_id


def test_another_thing_asked_by_the_same_request_is_not_taken_for_it():
    other = ASKED.model_copy(update={"text": "Press 'Delete'?"})
    assert create_question(other, "r").hitl_id != create_question(ASKED, "r").hitl_id


@pytest.mark.parametrize(
    ("after", "is_over"),
    [(timedelta(), False), (timedelta(minutes=4.9), False), (timedelta(minutes=5), True)],
)
def test_it_waits_five_minutes_by_its_dates(after, is_over):
    assert (waiting().status_at(NOW + after) == "expired") is is_over


def test_one_that_was_answered_in_time_does_not_lapse():
    assert over(waiting()).status_at(NOW + timedelta(days=1)) != "expired"
    assert over(waiting(), decision="expired").status_at(NOW) == "expired"


def test_the_answer_that_ended_it_is_known_by_its_request():
    row = over(waiting())
    mine = row.result
    assert only_answer(row, mine) is row
    with pytest.raises(HitlNotPending):
        only_answer(row, mine.model_copy(update={"key": "another"}))
    with pytest.raises(HitlExpired):
        only_answer(over(row, decision="expired"), mine)


def test_it_is_hidden_from_others_but_an_admin():
    refuse_stranger(Principal(tenant="a", user="u"), "u")
    refuse_stranger(Principal(tenant="a", user="boss", scopes=("admin",)), "u")
    with pytest.raises(NotFound):
        refuse_stranger(Principal(tenant="a", user="v"), "u")


def test_the_trail_says_what_was_shown():
    approval = Approval(action='click("4")', description="Press 'Delete'", site="crm.example")
    row = waiting(ASKED.model_copy(update={"kind": "approval", "approval": approval}))
    entry = inbox.asked_entry(row)
    assert (entry.kind, entry.by, entry.text) == ("asked", "u", "Which?")
    assert entry.shown["options"] == [{"id": "1", "label": "Delete (row: Jas)"}]
    assert entry.shown["approval"]["description"] == "Press 'Delete'"


def test_the_trail_says_who_answered_what_by_which_door_and_no_secret():
    asked = Question(text="What is the password?", fields=("password",))
    entry = inbox.ended_entry(over(waiting(asked), text="hunter2", by="boss", via="inbox"))
    assert (entry.kind, entry.by, entry.via, entry.text) == ("answered", "boss", "inbox", MASK)
    assert inbox.ended_entry(waiting()) is None
    assert inbox.ended_entry(over(waiting(), text="Jas")).text == "Jas"


def test_nobody_is_an_answer_too():
    row = waiting()
    assert end_result(row, "expired", now=NOW).decision == "expired"
    assert inbox.ended_entry(over(row, decision="expired", text="")).kind == "expired"


def consequences(executed, **more):
    result = over(waiting(), **({"decision": "approved"} | more)).result
    result = result.model_copy(update={"return_to": more.get("to", inbox.APPROVED)})
    entries = inbox.consequences(
        [result], executed, tenant="a", task_id="t", trace_id="tr", now=NOW
    )
    return [(entry.kind, entry.operations) for entry in entries]


def test_the_trail_says_what_was_then_done():
    steps, keys = ("0.0.0", "0.0.1"), ("tr:0.0.0", "tr:0.0.1")
    assert consequences({}, operations=steps) == [("done", keys)]
    worked = dict.fromkeys(steps, "success")
    assert consequences(worked, operations=steps) == [("done", keys), ("done", keys)]
    failed = worked | {"0.0.1": "failure"}
    assert consequences(failed, operations=steps) == [("done", keys), ("not_done", keys)]


@pytest.mark.parametrize("decision", ["approved", "refused", "cancelled", "expired"])
def test_the_trail_says_what_was_not_done(decision):
    assert consequences({}, decision=decision) == [("not_done", ())]
