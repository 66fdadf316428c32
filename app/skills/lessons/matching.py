"""Which skills are for this goal, and which of them for this failure."""

from collections.abc import Iterable
from datetime import datetime

from app.domain.access import site_of
from app.domain.directive import Instruction
from app.domain.memory import Skill
from app.domain.reasoner import Situation
from app.skills.lessons.goals import goal_likeness, values

LEAST_SUCCESS = 0.5  # interact_flow.md, "Min success rate": below it a skill is never used
LIKE_ENOUGH = 0.6  # of two goals: "click Save" and "click Cancel" are 0.5 alike
HALF_LIFE_DAYS = 30.0  # a skill that was not used for a month weighs half; after 90 days it is gone
MOST = 8  # that a run carries with it
_DAY_S = 86_400.0


def ranked(
    skills: Iterable[Skill],
    goal: str,
    site: str,
    now: datetime,
    *,
    instruction: Instruction | None = None,
) -> tuple[Skill, ...]:
    """The skills of this site that may help with the goal, best first, at most `MOST`.

    The rank is likeness of the goals x decay x success rate. What fails more often than it helps is
    left out, and so is what is of another goal.
    """
    own = values(instruction)
    scored = []
    for skill in skills:
        if skill.domain != site or not site or skill.success_rate < LEAST_SUCCESS:
            continue
        like = goal_likeness(skill.goal, goal, own)
        if like >= LIKE_ENOUGH:
            scored.append((like * decay(skill.last_used, now) * skill.success_rate, skill))
    scored.sort(key=lambda one: (-one[0], one[1].skill_id))
    return tuple(skill for _, skill in scored[:MOST])


def decay(last_used: datetime, now: datetime) -> float:
    """1 for what was used just now (or, by another clock, later), half of it each half-life."""
    days = max(0.0, (now - last_used).total_seconds() / _DAY_S)
    return float(0.5 ** (days / HALF_LIFE_DAYS))


def usable(situation: Situation) -> tuple[Skill, ...]:
    """The skills that were recalled for the page's own site, each used once in a step and no more in
    the task once it disappointed. They are in rank already.
    """
    known = situation.background
    if not known.skills or known.site != site_of(situation.page.url):
        return ()
    step = situation.plan.current
    spent = {
        deed.skill
        for deed in situation.deeds
        if deed.step == step or deed.status in ("failure", "unknown")
    }
    return tuple(skill for skill in known.skills if skill.skill_id not in spent)
