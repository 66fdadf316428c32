"""Which skills are for this goal, and which of them for this failure."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from app.domain.directive import Instruction
from app.domain.page import Node, Tree
from app.domain.plan import Deed
from app.domain.sites import site_of
from app.domain.skill import ElementRef, Skill
from app.engines.grounding.label import label
from app.engines.grounding.similarity import similarity
from app.engines.lessons.goals import goal_likeness, values
from app.engines.reasoner import Situation
from app.engines.verification.snapshot import steady

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
    own = tuple(sorted(values(instruction)))
    scored = []
    for skill in skills:
        if skill.domain != site or not site or skill.success_rate < LEAST_SUCCESS:
            continue
        like = _likeness(skill.goal, goal, own)
        if like >= LIKE_ENOUGH:
            scored.append((like * decay(skill.last_used, now) * skill.success_rate, skill))
    scored.sort(key=lambda one: (-one[0], one[1].skill_id))
    return tuple(skill for _, skill in scored[:MOST])


def decay(last_used: datetime, now: datetime) -> float:
    """1 for what was used just now (or, by another clock, later), half of it each half-life."""
    days = max(0.0, (now - last_used).total_seconds() / _DAY_S)
    return float(0.5 ** (days / HALF_LIFE_DAYS))


@lru_cache(maxsize=1_024)
def _likeness(stored: str, goal: str, own: tuple[str, ...]) -> float:
    return goal_likeness(stored, goal, own)


def usable(situation: Situation) -> tuple[Skill, ...]:
    """The skills that were recalled for the page's own site and did not disappoint in this step.

    They are in rank already; each is used once in a step.
    """
    known = situation.background
    if not known.skills or known.site != site_of(situation.page.url):
        return ()
    step = situation.plan.current
    spent = {d.skill for d in situation.deeds if d.skill and (d.step == step or _failed(d))}
    return tuple(
        skill
        for skill in known.skills
        if skill.skill_id not in spent
        and skill.domain == known.site
        and skill.success_rate >= LEAST_SUCCESS
    )


def _failed(deed: Deed) -> bool:
    return deed.status in ("failure", "unknown")


def fits(skill: Skill, name: str, node: Node | None) -> float:
    """How far the skill is about that action on that control, in 0..1; 0 below `ALIKE`."""
    element = skill.failed_state.element
    if element is None or node is None or not skill.failed_state.action.startswith(f"{name}("):
        return 0.0
    like = likeness(element, node)
    return like if like >= ALIKE else 0.0


ALIKE = 0.8  # of `likeness`: the same role, and a name that is the same thing said otherwise
_SAME_NAME = 0.9  # of the grounder's scale: above it two labels say the same
_ELSEWHERE = 0.85  # what a control of that name is worth in another place
_RECORDS = frozenset({"row", "item"})  # their labels are a record's own


def place(group: str) -> str:
    """The containers without the labels of records: "row: Jas Patel" is a row."""
    parts = (part.partition(":") for part in group.split(" > ") if part)
    return " > ".join(
        kind.strip() if kind.strip() in _RECORDS else f"{kind}:{text}" if text else kind
        for kind, _, text in parts
    )


def ref_of(signature: tuple[str, str, str]) -> ElementRef:
    """The control of this (role, name, group)."""
    role, name, group = signature
    return ElementRef(role=role, name=steady(name), group=place(group))


def likeness(ref: ElementRef, node: Node) -> float:
    """How surely the node is what the lesson names, in 0..1; 0 for another role."""
    if ref.role != node.role:
        return 0.0
    here = place(node.group)
    if not ref.name or not node.name:
        return 1.0 if ref.name == node.name and ref.group == here else 0.0
    name = _names(ref.name, steady(node.name))
    if name < _SAME_NAME:
        return 0.0
    return name if ref.group == here else name * _ELSEWHERE


@lru_cache(maxsize=4_096)
def _names(one: str, other: str) -> float:
    return 1.0 if one == other else similarity(label(one), label(other))


def same_name(one: str, other: str) -> bool:
    """Whether two names say the same."""
    return _names(one, other) >= _SAME_NAME


def found(ref: ElementRef | None, tree: Tree) -> Node | None:
    """The one enabled control that the lesson names; None where none is, or several are."""
    if ref is None:
        return None
    scored = [(likeness(ref, node), node) for node in tree if node.role == ref.role]
    best = max((score for score, _ in scored), default=0.0)
    if best < ALIKE:
        return None
    first = [node for score, node in scored if score == best]
    return first[0] if len(first) == 1 and first[0].enabled else None
