"""Large goals in parts: which is on, what it is given, what it hands on, what a person sees."""

from app.domain.page import MASK, Node, Observation, Tree
from app.domain.plan import Contingency, Plan, PlanStep, SubTask
from app.plans import hierarchy

PARTS = (
    SubTask(id="1", goal="Look up the total", outputs=("total", "currency")),
    SubTask(id="2", goal="Enter it", inputs=("total",), outputs=("receipt",)),
    SubTask(id="3", goal="Send it", inputs=("receipt",)),
)
STEPS = (PlanStep(id="1", description="Open the invoice", status="completed"),)
PLAN = Plan(steps=STEPS, current=1, maker="model", subtasks=PARTS)


def test_the_next_part_is_opened_afresh():
    plan = PLAN.model_copy(update={"contingencies": (Contingency(trigger="x", steps=("y",)),)})
    opened = hierarchy.start_next_subtask(plan)
    assert hierarchy.is_subtask_unplanned(opened)
    assert (opened.subtask, opened.steps, opened.current, opened.contingencies) == (1, (), 0, ())
    assert [part.status for part in opened.subtasks] == ["completed", "current", "pending"]


def test_after_the_last_part_none_follows():
    last = hierarchy.start_next_subtask(hierarchy.start_next_subtask(PLAN))
    assert (hierarchy.has_next_subtask(PLAN), hierarchy.has_next_subtask(last)) == (True, False)
    assert not hierarchy.has_next_subtask(Plan(steps=STEPS))
    assert not hierarchy.is_subtask_unplanned(Plan())


def test_what_an_ended_part_owes_is_asked_for_until_it_is_there():
    opened = hierarchy.start_next_subtask(PLAN)
    assert hierarchy.owed_outputs(PLAN, {}) == ()
    assert hierarchy.owed_outputs(opened, {"total": "12.50"}) == ("currency",)
    assert hierarchy.promised_outputs(PLAN) == ("total", "currency")


def test_only_what_was_promised_and_can_be_seen_is_handed_on():
    page = Observation(
        url="https://a.example/",
        summary="Invoice 7\nTotal: 12.50  EUR",
        tree=Tree.of([Node(id="1", role="inp", name="Password", value=MASK)]),
    )
    said = {"total": "12.50 eur", "currency": "USD", "receipt": "Invoice 7", "other": "Invoice"}
    assert hierarchy.accept_outputs(PLAN, said, page) == {"total": "12.50 eur"}
    assert hierarchy.accept_outputs(
        PLAN, {"currency": "USD", "total": MASK}, page, ["pay in USD"]
    ) == {"currency": "USD"}


def test_a_part_cannot_rewrite_the_whole():
    planned = Plan(steps=STEPS, maker="model", subtasks=PARTS[:1])
    kept = hierarchy.insert_subtask_plan(hierarchy.start_next_subtask(PLAN), planned)
    assert (kept.steps, kept.subtask, len(kept.subtasks)) == (STEPS, 1, 3)


def test_a_new_plan_keeps_what_was_done():
    old = Plan(
        steps=(*STEPS, PlanStep(id="2", description="Pay", status="current")),
        current=1, contingencies=(Contingency(trigger="x", steps=("y",)),), subtasks=PARTS,
    )  # fmt: skip
    new = Plan(
        maker="model",
        steps=(
            PlanStep(id="1", description="Look again"),
            PlanStep(id="2", description="Pay", depends_on=("1",)),
        ),
    )
    joined = hierarchy.replace_remaining(old, new)
    assert [(s.id, s.description, s.status) for s in joined.steps] == [
        ("1", "Open the invoice", "completed"),
        ("2", "Look again", "current"),
        ("3", "Pay", "pending"),
    ]
    assert (joined.current, joined.maker, joined.subtasks) == (1, "model", PARTS)
    assert joined.steps[2].depends_on == ("2",)
    assert joined.contingencies == old.contingencies
    assert hierarchy.replace_remaining(old, joined) == joined


def test_a_person_sees_the_parts():
    lines = hierarchy.subtask_view(hierarchy.start_next_subtask(PLAN))
    assert [line["status"] for line in lines] == ["completed", "current", "pending"]
    assert lines[0] == {"id": "1", "goal": "Look up the total", "status": "completed"}
    assert hierarchy.subtask_view(PLAN)[0]["status"] == "current"


def test_what_a_later_part_needs_is_owed_and_nothing_else():
    opened = hierarchy.start_next_subtask(PLAN)
    assert hierarchy.find_missing_input(PLAN, {}) is None
    assert hierarchy.find_missing_input(opened, {}) == (0, ("total",))
    assert hierarchy.find_missing_input(opened, {"total": "12.50"}) is None
    assert hierarchy.find_missing_input(hierarchy.start_next_subtask(opened), {"total": "1"}) == (
        1,
        ("receipt",),
    )


def test_a_part_is_opened_once_more_and_then_no_more():
    opened = hierarchy.start_next_subtask(PLAN)
    again = hierarchy.reopen_subtask(opened, 0, "no total")
    assert again is not None
    assert hierarchy.is_subtask_unplanned(again)
    assert (again.subtask, again.subtasks[0].reason) == (0, "no total")
    assert [part.status for part in again.subtasks] == ["current", "pending", "pending"]
    assert hierarchy.reopen_subtask(hierarchy.start_next_subtask(again), 0, "still none") is None


def test_a_failed_part_is_named_and_can_be_taken_up_again():
    failed = hierarchy.fail_subtask(hierarchy.start_next_subtask(PLAN), "no total", 0)
    assert [part.status for part in failed.subtasks] == ["failed", "pending", "pending"]
    assert hierarchy.fail_subtask(failed, "and then this") == failed
    assert hierarchy.failure_message(failed, "It is not there.") == (
        "Part 1 of 3 ('Look up the total') was not done. It is not there."
    )
    assert hierarchy.subtask_view(failed)[0]["status"] == "failed"
    assert hierarchy.subtask_view(hierarchy.resume_plan(failed))[0]["status"] == "current"


def test_a_goal_without_parts_fails_in_its_own_words():
    plan = Plan(steps=STEPS)
    assert hierarchy.fail_subtask(plan, "x") == plan
    assert hierarchy.resume_plan(plan) == plan
    assert hierarchy.failure_message(plan, "It is not there.") == "It is not there."
