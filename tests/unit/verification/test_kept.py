"""A message that something was saved is held against what the page shows of it."""

import pytest

from app.domain.action import Chain, ClientReport, PlannedAction, action
from app.domain.page import Node, Observation, Tree
from app.domain.verdict import Verdict
from app.verification import verify
from app.verification.evidence import EnteredValue, TaskHistory

FORM, ROW = "form: User", "row: Bob Stone, {}, active"
SAVE = Node(id="s", role="btn", name="Save user", group=FORM, input_type="submit")
NAME = Node(id="n", role="inp", name="Name", value="Bob Stone", group=FORM)
ROLE = ("sel", "Role", FORM)


def role(value: str) -> Node:
    return Node(id="r", role="sel", name="Role", value=value, group=FORM)


def listed(value: str) -> Node:
    return Node(id="v", role="link", name="View", group=ROW.format(value))


def saved(*after: Node, summary: str = "", old: str = "Reader", new: str = "Admin") -> Verdict:
    before = Observation(url="http://t.test/user", tree=Tree.of([NAME, role(new), SAVE]))
    now = Observation(
        url="http://t.test/user", tree=Tree.of(after), summary=summary, successes=("It was saved",)
    )
    save = PlannedAction(action=action("click", "s"), action_id="1", description="Save")
    past = TaskHistory(entered=(EnteredValue(signature=ROLE, value=new, old_value=old),))
    chain = Chain(actions=(save,))
    return verify(
        before, now, chain, ClientReport(), last_step=True, completes_step=True, history=past
    )


@pytest.mark.parametrize(
    ("after", "summary", "holds"),
    [
        ((NAME, role("Reader"), SAVE), "", False),  # the form has the old one again
        ((NAME, role("Admin"), SAVE), "", True),
        ((listed("Reader"),), "", False),
        ((listed("Admin"),), "", True),
        ((NAME, role("Admin"), SAVE), "Role: Reader. State: active", False),
        ((NAME, role("Admin"), SAVE), "Role: Admin. State: active", True),
        ((NAME, role("Admin"), SAVE), "Every Reader may look", True),  # no word of this field
        ((), "", True),
    ],
)
def test_what_the_page_shows_of_a_saved_value(after: tuple[Node, ...], summary: str, holds: bool):
    found = saved(*after, summary=summary)
    assert found.task_completed is holds
    assert ("Reader" in found.reason) is not holds


def test_a_text_of_several_words_needs_no_name_beside_it():
    told = {"old": "Ask Priya for a laptop", "new": "Ask Tom"}
    assert not saved(summary="Preview: Ask Priya for a laptop", **told).task_completed
    assert saved(summary="Preview: Ask Tom", **told).task_completed


def test_a_form_emptied_for_the_next_entry_shows_nothing():
    before = Observation(url="http://t.test/", tree=Tree.of([NAME, role("Admin"), SAVE]))
    empty = Node(id="n", role="inp", name="Name", value="", group=FORM)
    after = Observation(
        url="http://t.test/", tree=Tree.of([empty, role("Reader"), SAVE]), successes=("Added",)
    )
    save = PlannedAction(action=action("click", "s"), action_id="1", description="Save")
    entered = (
        EnteredValue(signature=NAME.signature, value="Bob Stone"),
        EnteredValue(signature=ROLE, value="Admin", old_value="Reader"),
    )
    verdict = verify(
        before, after, Chain(actions=(save,)), ClientReport(), last_step=True, completes_step=True,
        history=TaskHistory(entered=entered),
    )  # fmt: skip
    assert verdict.task_completed


@pytest.mark.parametrize(
    ("says", "holds"), [("Ticket 501 was closed", True), ("Ticket 502 was closed", False)]
)
def test_a_message_about_another_line_of_the_list_is_none_about_this_one(says: str, holds: bool):
    rows = [
        Node(id=number, role="btn", name="Close", group=f"row: {number}, {subject}")
        for number, subject in (("501", "Printer"), ("502", "Cannot log in"))
    ]
    before = Observation(url="http://t.test/", tree=Tree.of(rows))
    after = Observation(url="http://t.test/", tree=Tree.of(rows), successes=(says,))
    close = PlannedAction(action=action("click", "501"), action_id="1", description="Close")
    chain = Chain(actions=(close,))
    verdict = verify(before, after, chain, ClientReport(), last_step=True, completes_step=True)
    assert verdict.task_completed is holds
