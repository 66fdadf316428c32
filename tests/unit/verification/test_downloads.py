"""A file that the browser saved is what came of the press before it."""

from dataclasses import replace

from app.domain.action import ClientReport, action
from app.domain.page import ObservedDownload
from tests.unit.verification.looks import CLICK_SAVE, SET_NAME, form, having, judge, toast

SAVED = replace(form(), downloads=(ObservedDownload(name="report.csv"),))
SILENT = ClientReport(unanswered=True)


def test_a_press_that_nothing_on_the_page_answered_worked_where_a_file_came():
    assert judge(form(), form(), CLICK_SAVE, report=SILENT).succeeded is not True
    verdict = judge(form(), SAVED, CLICK_SAVE, report=SILENT)
    assert (verdict.succeeded, verdict.reason) == (True, "Downloaded report.csv")
    assert verdict.goal_achieved
    assert "Nothing changed" not in verdict.observations


def test_an_address_may_have_led_to_a_file():
    went = action("navigate", "https://a.example/report.csv")
    assert judge(form(), SAVED, went).succeeded is True


def test_what_is_entered_is_proved_by_no_file():
    assert judge(form(), SAVED, SET_NAME).succeeded is False


def test_a_file_beside_an_error_proves_nothing():
    failed = having(SAVED, toast("Could not be exported", kind="alert"))
    assert judge(form(), failed, CLICK_SAVE).succeeded is not True
