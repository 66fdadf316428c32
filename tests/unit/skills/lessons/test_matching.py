"""Which skills are for a goal, in what order, and how their uses are counted."""

from datetime import timedelta

import pytest

from app.domain.action import action
from app.domain.memory import SkillUse
from app.domain.verdict import Verdict
from app.skills.lessons import (
    ALTERNATIVE,
    DISMISS,
    FILL,
    MOST,
    WAIT,
    list_unresolved_skills,
    list_used_skills,
    rank_skills,
    recency_weight,
    skill_hints,
)
from tests.unit.skills.lessons.world import GOAL, NOW, PATIENT, SITE, WORKED, chain, record, skill

MONTH = timedelta(days=30)
BY_SKILL = record(action("click", "10"), PATIENT, "pending", skill="x")


def ids(*known, goal=GOAL, site=SITE):
    return [one.skill_id for one in rank_skills(known, goal, site, NOW)]


def test_the_newer_and_the_more_successful_come_first():
    old = skill(skill_id="old", last_used=NOW - MONTH)
    poor = skill(skill_id="poor", success_count=2, failure_count=2)
    older = skill(skill_id="older", last_used=NOW - 2 * MONTH)
    assert ids(older, poor, old, skill(skill_id="new")) == ["new", "old", "poor", "older"]


def test_a_goal_that_is_closer_comes_first():
    near = skill(skill_id="near")
    far = skill(skill_id="far", goal="Add a patient")
    assert ids(far, near) == ["near", "far"]


@pytest.mark.parametrize(
    "other",
    [
        skill(domain="other.example"),
        skill(domain=f"{SITE}:8443"),
        skill(goal="Delete patient …"),
        skill(success_count=1, failure_count=2),
    ],
)
def test_what_is_of_another_site_or_goal_or_fails_is_left_out(other):
    assert ids(other) == []


def test_half_of_all_uses_is_still_enough():
    assert ids(skill(success_count=1, failure_count=1)) == [ALTERNATIVE]


def test_without_a_site_there_is_none():
    assert ids(skill(domain=""), site="") == []


def test_a_run_carries_a_few():
    many = [skill(skill_id=str(at)) for at in range(30)]
    assert len(ids(*many)) == MOST


def test_decay_halves_each_month_and_a_clock_that_jumps_does_no_harm():
    assert recency_weight(NOW, NOW) == recency_weight(NOW + MONTH, NOW) == 1
    assert recency_weight(NOW - MONTH, NOW) == pytest.approx(0.5)
    assert recency_weight(NOW - 3 * MONTH, NOW) == pytest.approx(0.125)


def test_hints_say_what_failed_and_what_worked():
    known = [skill(), skill(WAIT), skill(DISMISS), skill(FILL)]
    told = skill_hints(known)
    assert len(told) == 3
    assert told[0] == "Note: 'click Patient' failed here before; 'New/Search' worked."


@pytest.mark.parametrize("worked", [True, False])
def test_a_use_counts_by_what_came_of_its_chain(worked):
    verdict = Verdict(succeeded=worked, confidence=0.9)
    known = list_used_skills([BY_SKILL], chain(BY_SKILL, purpose="work"), verdict)
    assert known == (SkillUse(skill_id="x", worked=worked),)


def test_a_use_is_counted_once():
    settled = BY_SKILL.model_copy(update={"status": "failure"})
    assert list_used_skills([settled], chain(settled), WORKED) == ()
    wait = record(action("wait", 1000), None, "pending", skill="x")
    both = list_used_skills([wait, BY_SKILL], chain(wait, BY_SKILL), WORKED)
    assert both == (SkillUse(skill_id="x", worked=True),)


def test_what_cannot_be_told_counts_once_it_can():
    open_end = BY_SKILL.model_copy(update={"status": "unknown"})
    assert list_used_skills([BY_SKILL], chain(BY_SKILL), Verdict(succeeded=None)) == ()
    assert list_unresolved_skills([open_end]) == (SkillUse(skill_id="x", worked=False),)
    retry = record(action("click", "2"), PATIENT, "pending", purpose="correct")
    known = list_used_skills([open_end, retry], chain(retry), WORKED)
    assert known == (SkillUse(skill_id="x", worked=False),)
