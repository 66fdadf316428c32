"""What the browser reports as failed and the page shows as done is not done over."""

from app.domain.action import PlannedAction, action
from app.domain.plan import Chain, Deed, Report
from app.domain.verdict import ExpectedOutcome, Verdict
from app.engines.recovery.chains import deeds_after
from app.engines.verification.chains import not_reached
from app.reasoners.model.material import done_so_far

BOX = PlannedAction(action_id="a", action=action("setChecked", "13", True), description="Tick it")
SAVE = PlannedAction(action_id="b", action=action("click", "14"), description="Save")
CHAIN = Chain(actions=(BOX, SAVE), expected=ExpectedOutcome())
DEEDS = tuple(Deed(action=one.action, action_id=one.action_id) for one in CHAIN.actions)
STOPPED = Report(status="failure", executed_index=None, error_code="TIMEOUT")


def settled(reason):
    verdict = Verdict(succeeded=False, confidence=0.9, tier=1, reason=reason)
    return deeds_after(DEEDS, CHAIN, verdict, STOPPED, reached=0)


def test_what_the_page_shows_as_done_is_done_and_only_the_rest_is_left():
    assert [deed.status for deed in settled(not_reached(SAVE))] == ["success"]


def test_what_failed_is_a_failure():
    (box,) = settled("Tick it failed")
    assert (box.status, box.error) == ("failure", "TIMEOUT")


def test_what_was_allowed_to_fail_and_did_is_not_told_as_done():
    wait = PlannedAction(
        action_id="a", action=action("wait", 1000), description="Wait", can_fail=True
    )
    chain = Chain(actions=(wait, SAVE))
    deeds = tuple(Deed(action=one.action, action_id=one.action_id) for one in chain.actions)
    report = Report(executed_index=1, executed=(SAVE.action.text,))
    verdict = Verdict(succeeded=True, confidence=0.9, tier=1, reason="Saved")
    told = done_so_far(deeds_after(deeds, chain, verdict, report, reached=1))
    assert list(told) == ["wait(1000) failed, as it may", 'click("14") done']
