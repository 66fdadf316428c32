"""What the browser reports as failed and the page shows as done is not done over."""

from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, action
from app.domain.page import Observation
from app.domain.verdict import ExpectedOutcome, Verdict
from app.reasoners.model.prompt_sections import done_lines
from app.recovery.chain_outcome import is_whole, last_begun_index, normalize_report, records_after
from app.verification.verdict import explain_not_reached

BOX = PlannedAction(action_id="a", action=action("setChecked", "13", True), description="Tick it")
SAVE = PlannedAction(action_id="b", action=action("click", "14"), description="Save")
CHAIN = Chain(actions=(BOX, SAVE), expected=ExpectedOutcome())
DEEDS = tuple(ActionRecord(action=one.action, action_id=one.action_id) for one in CHAIN.actions)
STOPPED = ClientReport(status="failure", executed_index=None, error_code="TIMEOUT")


def settled(reason):
    verdict = Verdict(succeeded=False, confidence=0.9, tier=1, reason=reason)
    return records_after(DEEDS, CHAIN, verdict, STOPPED, reached=0)


def test_what_the_page_shows_as_done_is_done_and_only_the_rest_is_left():
    assert [record.status for record in settled(explain_not_reached(SAVE))] == ["success"]


def test_what_failed_is_a_failure():
    (box,) = settled("Tick it failed")
    assert (box.status, box.error) == ("failure", "TIMEOUT")


def test_what_was_allowed_to_fail_and_did_is_not_told_as_done():
    wait = PlannedAction(
        action_id="a", action=action("wait", 1000), description="Wait", can_fail=True
    )
    chain = Chain(actions=(wait, SAVE))
    records = tuple(
        ActionRecord(action=one.action, action_id=one.action_id) for one in chain.actions
    )
    report = ClientReport(executed_index=1, executed=(SAVE.action.text,))
    verdict = Verdict(succeeded=True, confidence=0.9, tier=1, reason="Saved")
    told = done_lines(records_after(records, chain, verdict, report, reached=1))
    assert list(told) == ["wait(1000) failed, as it may", 'click("14") done']


def test_a_chain_of_what_may_fail_was_gone_through_though_all_of_it_failed():
    may = Chain(actions=tuple(one.model_copy(update={"can_fail": True}) for one in CHAIN.actions))
    report = ClientReport(status="failure", executed_index=-1, error_code="NOT_INTERACTABLE")
    page = Observation(url="")
    assert last_begun_index(may, report, page, page, worked=False) == 1
    assert is_whole(may, report)
    verdict = Verdict(succeeded=False, confidence=0.9, tier=1, reason="Save failed")
    records = records_after(DEEDS, may, verdict, report, reached=1)
    assert [record.status for record in records] == ["failure", "failure"]


def test_what_nobody_knows_of_stopped_the_chain_though_it_may_fail():
    note = PlannedAction(action_id="0", action=action("setValue", "10", "x"), description="Note")
    may = Chain(actions=(note, BOX.model_copy(update={"can_fail": True}), SAVE))
    report = normalize_report(ClientReport(status="unknown", executed_index=0), may)
    page = Observation(url="")
    assert last_begun_index(may, report, page, page, worked=False) == 1
