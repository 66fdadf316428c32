"""Tier 1, action kind by action kind: what worked, what failed silently, what cannot be told."""

import pytest

from app.domain.action import Chain, ClientReport, PlannedAction, action
from app.domain.directive import Directive, Instruction, Target
from app.domain.page import MASK, Node, Observation, Tree
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.verification import verify
from tests.unit.verification.cases import FAILED, FILLED, LIST, LOGIN, MENU_SHUT, OPEN, WORKED
from tests.unit.verification.looks import (
    CLICK_SAVE,
    SET_NAME,
    alter,
    form,
    having,
    judge,
    n,
    page,
    saw,
    toast,
)


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED.keys())
def test_what_worked_is_seen_and_completes_a_last_step(case):
    verdict = judge(*case)
    assert verdict.succeeded is True, verdict
    assert verdict.goal_achieved
    assert verdict.tokens_saved == 900


@pytest.mark.parametrize("case", FAILED.values(), ids=FAILED.keys())
def test_what_failed_is_seen_and_never_completes(case):
    verdict = judge(*case)
    assert verdict.succeeded is False, verdict
    assert not verdict.task_completed
    assert verdict.confidence >= 0.7


@pytest.mark.parametrize("case", OPEN.values(), ids=OPEN.keys())
def test_what_cannot_be_told_is_not_decided(case):
    verdict = judge(*case)
    assert verdict.succeeded is None, verdict
    assert not verdict.task_completed
    assert verdict.tokens_saved == 0


def test_a_reported_failure_names_its_reason():
    report = ClientReport(
        status="failure", error_code="ELEMENT_NOT_FOUND", error_message="no element 31"
    )
    verdict = judge(LIST, LIST, action("click", "31"), report=report)
    assert verdict.succeeded is False
    assert "no element 31" in verdict.reason


def test_a_reported_failure_is_outweighed_by_the_value_on_the_page():
    verdict = judge(
        form(), FILLED, SET_NAME, report=ClientReport(status="failure", error_code="TIMEOUT")
    )
    assert verdict.succeeded is True


def test_nothing_after_the_failed_action_of_a_chain_is_judged():
    report = ClientReport(status="failure", error_code="ELEMENT_NOT_FOUND", executed_index=0)
    verdict = judge(
        form(), FILLED, SET_NAME, action("setValue", "11", "1990-01-05"), CLICK_SAVE, report=report
    )
    assert verdict.succeeded is False
    assert "setValue" in verdict.reason
    assert "11" in verdict.reason


def test_a_failure_without_an_index_is_found_on_the_page():
    date = action("setValue", "11", "1990-01-05")
    verdict = judge(
        form(), FILLED, SET_NAME, date, report=ClientReport(status="failure", error_code="TIMEOUT")
    )
    assert verdict.succeeded is False
    assert date.text in verdict.reason


def test_an_action_allowed_to_fail_does_not_fail_the_chain():
    banner = PlannedAction(
        action_id="0", description="d", action=action("click", "13"), can_fail=True
    )
    name = PlannedAction(action_id="1", description="d", action=SET_NAME)
    sent = Chain(actions=(banner, name))
    verdict = verify(form(), FILLED, sent, ClientReport(), last_step=True, completes_step=True)
    assert verdict.goal_achieved


def test_a_form_handed_in_needs_no_value_read_back():
    after = page(n("30", "row", "Jas Patel"), n("90", "txt", "Patient created", "status"))
    verdict = judge(form(), after, SET_NAME, CLICK_SAVE)
    assert verdict.goal_achieved


def test_a_form_emptied_by_its_submit_counts_for_its_values():
    assert judge(form(), having(form(), toast("Saved")), SET_NAME, CLICK_SAVE).goal_achieved


UNKNOWN = ClientReport(status="unknown")


@pytest.mark.parametrize(
    ("after", "succeeded"),
    [
        (having(FILLED, toast("Patient created")), True),
        (having(form(), n("30", "row", "Jas Patel")), True),
        (having(FILLED, toast("Name is invalid", kind="alert")), False),
        (form(), None),
        (page(n("2", "btn", "New"), url="https://app.example.org/"), None),
        (FILLED, None),
    ],
    ids=["message", "record", "refused", "emptied or reloaded", "elsewhere", "unchanged"],
)
def test_an_unknown_submit_is_decided_by_the_page_alone(after, succeeded):
    verdict = judge(FILLED, after, CLICK_SAVE, report=UNKNOWN)
    assert verdict.succeeded is succeeded
    assert verdict.goal_achieved is (succeeded is True)


def test_an_unknown_entry_is_read_back():
    assert judge(form(), FILLED, SET_NAME, report=UNKNOWN).succeeded is True
    assert judge(form(), form(), SET_NAME, report=UNKNOWN).succeeded is False


def test_a_click_seen_only_by_the_client_goes_on_but_completes_nothing():
    verdict = judge(LIST, saw(LIST, mutated=True), action("click", "31"))
    assert verdict.succeeded is True
    assert not verdict.task_completed


def test_a_ticking_number_is_no_proof_of_a_click():
    before, after = page(*LIST.tree, summary="Queue 4"), page(*LIST.tree, summary="Queue 5")
    verdict = judge(before, after, action("click", "31"))
    assert not verdict.task_completed


def test_only_the_last_step_completes_the_task():
    verdict = judge(form(), FILLED, SET_NAME, last=False)
    assert verdict.succeeded is True
    assert not verdict.task_completed
    assert verdict.tokens_saved == 100


@pytest.mark.parametrize(("required", "most"), [(True, 0.5), (False, 1.0)])
def test_an_absent_next_goal_caps_the_confidence_only_when_required(required, most):
    expected = ExpectedOutcome(
        next_goal=NextGoal(description="click Export", text="Export", required=required)
    )
    after = having(MENU_SHUT, n("5", "menu", "New"))
    verdict = judge(MENU_SHUT, after, action("click", "1"), expected=expected)
    assert verdict.confidence <= most
    assert any("Export" in line for line in verdict.observations)
    assert verdict.goal_achieved is not required


def test_a_heading_is_what_the_next_step_needs_unless_a_control_is_meant():
    after = having(
        MENU_SHUT, n("5", "menu", "New"), summary="Shop\n# Export of orders\nAll of them"
    )
    for role, goes_on in ((None, True), ("btn", False)):
        goal = NextGoal(description="Export", role=role, text="Export", required=True)
        expected = ExpectedOutcome(next_goal=goal)
        verdict = judge(MENU_SHUT, after, action("click", "1"), expected=expected)
        assert ("not there" not in verdict.reason) is goes_on


def test_a_tree_of_another_site_decides_nothing():
    verdict = judge(form(), page(url="https://elsewhere.example.net/"), SET_NAME)
    assert verdict.succeeded is not True


def test_observations_put_the_control_acted_on_first():
    verdict = judge(form(), having(FILLED, n("30", "row", "Other")), SET_NAME)
    assert verdict.observations[0] == "Name now holds 'Jas Patel'"


def test_a_password_is_never_told():
    after = alter(LOGIN, "61", value=MASK)
    verdict = judge(LOGIN, after, action("setValue", "61", "s3cret"))
    assert "s3cret" not in verdict.model_dump_json()


def test_cancel_in_a_dialog_is_no_submit():
    before = page(
        n("1", "inp", "Name", value="Jas", group="dialog: New"),
        n("2", "btn", "Cancel", group="dialog: New"),
    )
    verdict = judge(before, page(), action("click", "2"))
    assert verdict.succeeded is True
    assert "closed" in verdict.reason


def asked_to_delete(name="Jas Patel"):
    target = Target(phrase="patient", within=name)
    return Instruction(text="x", directives=(Directive(verb="delete", target=target),))


def listing(*names, dialog=False, **more):
    rows = [Node(id=str(i), role="btn", name="Delete", group=f"row: {n}, 1990")
            for i, n in enumerate(names)]  # fmt: skip
    confirm = Node(id="90", role="btn", name="Delete patient", group="dialog: Delete Jas Patel?")
    nodes = [confirm] if dialog else rows
    return Observation(url="https://a.example/", tree=Tree.of(nodes), **more)


CONFIRM = Chain(
    actions=(PlannedAction(action_id="a", action=action("click", "90"), description="Confirm"),)
)


@pytest.mark.parametrize(
    ("after", "completed"),
    [
        (listing("Jas Patel", "Ann Lee"), False),
        (listing("Ann Lee"), True),
        (listing("Jas Patel", "Ann Lee", successes=("Patient deleted",)), False),
        (listing("Ann Lee", successes=("Patient deleted",)), True),
    ],
)
def test_a_closed_dialog_is_no_proof_that_a_record_is_gone(after, completed):
    before = listing("Jas Patel", "Ann Lee", dialog=True)
    verdict = verify(
        before, after, CONFIRM, ClientReport(), last_step=True, completes_step=True,
        goal=asked_to_delete(),
    )  # fmt: skip
    assert verdict.task_completed is completed
    assert verdict.succeeded is (True if completed else None)


@pytest.mark.parametrize(
    ("after", "completed"),
    [
        (Observation(url="https://a.example/faq", tree=Tree.of([]), title="Jas Patel: questions"), False),
        (Observation(url="https://a.example/ask", tree=Tree.of([]), summary="Delete Jas Patel?"), False),
        (listing("Jas Patel", dialog=True), False),
        (Observation(url="https://a.example/", tree=Tree.of([]), summary="No patients yet"), True),
    ],
)  # fmt: skip
def test_another_page_or_a_question_is_no_proof_that_a_record_is_gone(after, completed):
    press = PlannedAction(action_id="a", action=action("click", "0"), description="Delete")
    verdict = verify(
        listing("Jas Patel"), after, Chain(actions=(press,)), ClientReport(), last_step=True,
        completes_step=True, goal=asked_to_delete(),
    )  # fmt: skip
    assert verdict.task_completed is completed


def test_what_was_to_stay_is_looked_for_after_all_others_were_deleted():
    target = Target(phrase="patients", all=True, excluding=("Ann Lee",))
    goal = Instruction(text="x", directives=(Directive(verb="delete", target=target),))
    press = PlannedAction(action_id="a", action=action("click", "0"), description="Delete")
    for left, completed in ((("Ann Lee",), True), (("Bo Chen",), False)):
        verdict = verify(
            listing("Jas Patel", *(("Ann Lee",) if completed else ("Ann Lee", "Bo Chen"))),
            listing(*left), Chain(actions=(press,)), ClientReport(), last_step=True,
            completes_step=True, goal=goal,
        )  # fmt: skip
        assert verdict.task_completed is completed
