"""Which tier is asked, and what an opinion changes of tier 1's verdict."""

import pytest

from app.domain.action import Chain, PlannedAction, action
from app.domain.directive import Directive, Instruction, Target
from app.domain.page import Node, Observation, Tree
from app.domain.verdict import ExpectedOutcome, ModelOpinion, NextGoal, Verdict
from app.verification.tiers import (
    OpinionLimits,
    Stake,
    find_opinion_limits,
    required_tier,
    tokens_saved,
    weigh_opinion,
)

SAVE = PlannedAction(action_id="a", action=action("click", "1"), description="Press Save")
SENT = Chain(actions=(SAVE,))
PAGE = Observation(url="https://a.example/", tree=Tree((Node(id="1", role="btn", name="Save"),)))
ON_THE_WAY = Stake(ends=False, large=True, by_model=True)
PLAIN_END = Stake(ends=True, large=False, by_model=True)
LARGE_END = Stake(ends=True, large=True, by_model=True)
NOTHING = ("Nothing changed",)


def found(succeeded, confidence=0.5, *, completed=False, **more):
    return Verdict(
        succeeded=succeeded,
        confidence=confidence,
        task_completed=completed,
        **{"reason": "?"} | more,
    )


@pytest.mark.parametrize(
    ("verdict", "way", "plain", "large"),
    [
        (found(False, 0.9), None, None, None),
        (found(None), 2, 2, 3),
        (found(None, reason="Still going on: 'Saving'"), None, None, None),
        (found(None, observations=NOTHING), None, None, None),
        (found(True, 0.95, completed=True), None, 2, 3),
        (found(True, 0.66), None, 2, 3),
    ],
)
def test_the_table_of_tiers(verdict, way, plain, large):
    asked = [
        required_tier(verdict, stake, SENT, PAGE) for stake in (ON_THE_WAY, PLAIN_END, LARGE_END)
    ]
    assert asked == [way, plain, large]


def test_where_nothing_changed_the_whole_page_is_asked_about_after_a_wait():
    silent = found(None, observations=NOTHING)
    asked = [
        required_tier(silent, stake, SENT, PAGE, waited=True)
        for stake in (ON_THE_WAY, PLAIN_END, LARGE_END)
    ]
    assert asked == [None, None, 3]


def test_the_end_of_a_command_needs_no_model():
    by_rules = Stake(ends=True, large=True)
    assert required_tier(found(True, 0.75, completed=True), by_rules, SENT, PAGE) is None


def test_what_came_as_the_model_said_bears_its_end_out():
    told = SENT.model_copy(update={"expected": ExpectedOutcome(elements=("Saved: Jas",))})
    shown = Observation(url="https://a.example/", successes=("Saved: Jas",))
    other = Observation(url="https://a.example/", successes=("Welcome",))
    slight = found(True, 0.75, completed=True)
    assert required_tier(slight, LARGE_END, told, shown) is None
    assert required_tier(slight, LARGE_END, told, other) == 3


def test_a_recipe_asks_no_model():
    replayed = Stake(ends=True, large=True, recorded=True)
    assert required_tier(found(None), replayed, SENT, PAGE) is None


def test_a_next_goal_that_is_absent_settles_the_end_without_a_call():
    wanted = ExpectedOutcome(next_goal=NextGoal(description="Pay", text="Pay", required=True))
    chain = SENT.model_copy(update={"expected": wanted})
    assert required_tier(found(True, 0.5), LARGE_END, chain, PAGE) is None


def test_what_the_tier_that_was_not_needed_would_have_cost():
    worked = found(True, 0.95)
    assert [tokens_saved(worked, stake) for stake in (ON_THE_WAY, PLAIN_END, LARGE_END)] == [
        100,
        100,
        900,
    ]
    assert tokens_saved(found(None), LARGE_END) == 0


def says(worked=None, reached=None, sure=0.95, tier=3, why="So it is"):
    return ModelOpinion(succeeded=worked, completed=reached, confidence=sure, reason=why, tier=tier)


def test_a_yes_completes_what_was_open():
    verdict = weigh_opinion(found(None), says(True, True), LARGE_END, OpinionLimits())
    assert (verdict.succeeded, verdict.goal_achieved, verdict.tier) == (True, True, 3)
    assert (verdict.reason, verdict.tokens_saved) == ("So it is", 0)


def test_worked_and_reached_are_two_answers():
    verdict = weigh_opinion(found(True, 0.66), says(True, False), LARGE_END, OpinionLimits())
    assert (verdict.succeeded, verdict.task_completed) == (True, False)


def test_a_step_on_the_way_completes_no_task():
    verdict = weigh_opinion(found(None), says(True, True, tier=2), ON_THE_WAY, OpinionLimits())
    assert (verdict.succeeded, verdict.task_completed) == (True, False)


def test_an_opinion_that_is_not_sure_completes_nothing():
    assert not weigh_opinion(
        found(None), says(True, True, sure=0.7, tier=2), PLAIN_END, OpinionLimits()
    ).task_completed
    unsure = weigh_opinion(found(None), says(True, True, sure=0.4), LARGE_END, OpinionLimits())
    assert (unsure.succeeded, unsure.tier) == (None, 3)


def test_tier_1_stands_where_the_model_cannot_tell():
    slight, by_rules = found(True, 0.75, completed=True), Stake(ends=True, large=True)
    verdict = weigh_opinion(slight, says(), by_rules, OpinionLimits())
    assert (verdict.goal_achieved, verdict.tier, verdict.tokens_saved) == (True, 1, 0)
    assert not weigh_opinion(slight, says(True), LARGE_END, OpinionLimits()).task_completed
    assert weigh_opinion(found(None), says(), LARGE_END, OpinionLimits()).succeeded is None


def test_tier_1_stands_where_the_model_is_away():
    open_end = found(True, 0.66, tokens_saved=900)
    assert weigh_opinion(
        open_end, ModelOpinion(), LARGE_END, OpinionLimits()
    ) == open_end.model_copy(update={"tokens_saved": 0})


def test_a_no_against_what_was_seen_is_a_contradiction_and_no_failure():
    verdict = weigh_opinion(
        found(True, 0.75, completed=True), says(False, False), LARGE_END, OpinionLimits()
    )
    assert (verdict.succeeded, verdict.task_completed) == (None, False)


def test_a_no_fails_what_was_open():
    assert (
        weigh_opinion(found(None), says(False, False), LARGE_END, OpinionLimits()).succeeded
        is False
    )


def test_a_no_of_what_was_handed_in_needs_words_of_the_page():
    """It may be slow, and what is thought to have failed is done again."""
    silent = OpinionLimits(may_have_submitted=True, has_news=False)
    assert weigh_opinion(found(None), says(False), PLAIN_END, silent).succeeded is None
    told = OpinionLimits(may_have_submitted=True, has_news=True)
    assert weigh_opinion(found(None), says(False), PLAIN_END, told).succeeded is False


def test_no_opinion_talks_an_error_away():
    held = OpinionLimits(objection="The page says: Not saved")
    verdict = weigh_opinion(found(None), says(True, True, sure=1.0), LARGE_END, held)
    assert (verdict.succeeded, verdict.task_completed) == (None, False)
    assert verdict.reason == "The page says: Not saved"
    both = weigh_opinion(
        found(None),
        says(True, True, sure=1.0),
        LARGE_END,
        OpinionLimits(objection="x", reports_success=True),
    )
    assert (both.succeeded, both.task_completed, both.confidence <= 0.5) == (True, False, True)


def test_a_required_next_goal_that_is_absent_caps_every_tier():
    verdict = weigh_opinion(
        found(None), says(True, True, sure=1.0), LARGE_END, OpinionLimits(lacks_goal=True)
    )
    assert (verdict.succeeded, verdict.task_completed, verdict.confidence) == (True, False, 0.5)


def page(*nodes, **more):
    return Observation(url="https://a.example/", tree=Tree.of(nodes), **more)


BUTTON = Node(id="1", role="btn", name="Save", group="form: Patient")
FIELD = Node(id="2", role="inp", name="Name", value="Jas", group="form: Patient")


def seen(after, goal=None, before=None, stake=LARGE_END, verdict=None):
    return find_opinion_limits(
        verdict or found(None), before or page(BUTTON, FIELD), after, SENT, goal, stake
    )


def test_what_the_page_shows_against_a_success():
    assert seen(page(BUTTON, FIELD, errors=("Name is taken",))).objection == (
        "The page says: Name is taken"
    )
    marked = Node(id="2", role="inp", name="Name", value="Jas", group="form: Patient",
                  states=frozenset({"invalid"}))  # fmt: skip
    assert seen(page(BUTTON, marked)).objection == "Name is marked as invalid"
    assert seen(page(BUTTON, FIELD)).objection == ""


def test_what_tier_1_doubts_for_a_reason_stays_doubted():
    doubts = found(None, reason="Saved; but the list does not show 'Jas'", doubted=True)
    held = seen(page(BUTTON, FIELD), verdict=doubts)
    verdict = weigh_opinion(doubts, says(True, True, sure=1.0), LARGE_END, held)
    assert (verdict.succeeded, verdict.task_completed) == (None, False)
    assert verdict.reason == doubts.reason


def test_a_record_that_is_still_listed_speaks_against_its_deletion():
    row = Node(id="7", role="btn", name="Open", group="row: Jas Patel")
    asked = Directive(verb="delete", target=Target(phrase="Jas Patel"))
    goal = Instruction(text="delete Jas Patel", directives=(asked,))
    listed = page(row, Node(id="1", role="btn", name="Delete"))
    assert seen(page(row), goal, before=listed).objection == "'Jas Patel' is still there"
    assert seen(page(row), goal, before=listed, stake=ON_THE_WAY).objection == ""


def test_what_hands_a_form_in_may_have_been_sent():
    assert seen(page(BUTTON, FIELD)).may_have_submitted
    assert not seen(page(BUTTON, FIELD)).has_news
    lone = page(Node(id="1", role="btn", name="Sort"))
    assert not seen(lone, before=lone).may_have_submitted
