"""Proposes what helped after the same failure before."""

from collections.abc import Iterable
from datetime import datetime

from app.domain.access import site_of
from app.domain.action import Action, ActionRecord, action
from app.domain.memory import Skill
from app.domain.page import ElementRef, Node
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.plans import may_submit, parse_action
from app.skills.goals import goal_likeness
from app.skills.lessons import ALTERNATIVE, DISMISS, UNVERIFIED, WAIT, element_ref, skill_hints
from app.skills.replay import list_same_controls
from app.text.lexicon import is_risky

LEAST_SUCCESS = 0.5  # interact_flow.md, "Min success rate": a skill below it is never used
LIKE_ENOUGH = 0.6  # similarity of goals: "click Save" and "click Cancel" score 0.5
HALF_LIFE_DAYS = 30.0  # a skill unused for a month has half the weight; after 90 days it is deleted
MOST = 8  # skills per run
_DAY_S = 86_400.0


def rank_skills(
    skills: Iterable[Skill],
    goal: str,
    site: str,
    now: datetime,
    own: frozenset[str] = frozenset(),
) -> tuple[Skill, ...]:
    """Return at most `MOST` of the site's skills for the goal, best first.

    Rank: similarity of goals x recency x success rate. Skills that fail more often than they help,
    and skills of other goals, are left out. `own` are the person's values.
    """
    scored = []
    for skill in skills:
        if skill.domain != site or not site or skill.success_rate < LEAST_SUCCESS:
            continue
        like = goal_likeness(skill.goal, goal, own)
        if like >= LIKE_ENOUGH:
            scored.append((like * recency_weight(skill.last_used, now) * skill.success_rate, skill))
    scored.sort(key=lambda one: (-one[0], one[1].skill_id))
    return tuple(skill for _, skill in scored[:MOST])


def recency_weight(last_used: datetime, now: datetime) -> float:
    """Return 1 for a use just now or in the future, halved every half-life."""
    days = max(0.0, (now - last_used).total_seconds() / _DAY_S)
    return float(0.5 ** (days / HALF_LIFE_DAYS))


def usable_skills(situation: Situation) -> tuple[Skill, ...]:
    """Return the recalled skills of the page's site, in rank order.

    Each is used once per step and not after it failed in this task.
    """
    known = situation.background
    if not known.skills or known.site != site_of(situation.page.url):
        return ()
    step = situation.plan.current
    spent = {
        record.skill
        for record in situation.records
        if record.step == step or record.status in ("failure", "unknown")
    }
    return tuple(skill for skill in known.skills if skill.skill_id not in spent)


_SURE = 0.8  # confidence of a decision proposed by a skill, which helped once


def propose_remedy(situation: Situation, failed: ActionRecord) -> Decision | None:
    """Return the best skill's fix for this failure; None if none is known.

    Nothing that may have been submitted or is irreversible is pressed again, and no action is
    repeated in a step.
    """
    node = situation.page.tree.get(failed.action.target or "")
    if failed.signature is None:
        return None
    if node is None or node.signature[:2] != failed.signature[:2]:
        node = _find_only_control(element_ref(failed.signature), situation)
    if node is None:
        return None
    again = failed.action.model_copy(update={"args": {**failed.action.args, "id": node.id}})
    if not _is_harmless(again, node, situation):
        return None
    done = {d.action.text for d in situation.records if d.step == situation.plan.current}
    for skill in _skills_for(failed, situation):
        way = _fix_actions(skill, again, node, situation)
        if way and (way[0].name == "wait" or way[0].text not in done):
            return _fix_decision(skill, way, failed, situation)
    return None


def _find_only_control(element: ElementRef | None, situation: Situation) -> Node | None:
    """Return the only enabled control that a skill names; None if none or several match."""
    alike = list_same_controls(element, situation.page) if element is not None else []
    return alike[0] if len(alike) == 1 and alike[0].enabled else None


def _is_harmless(doing: Action, node: Node, situation: Situation) -> bool:
    return not is_risky(node.name) and not may_submit(doing, situation.page)


def _skills_for(failed: ActionRecord, situation: Situation) -> list[Skill]:
    """Return the skills for this action on this control: same error first, then by rank."""
    assert failed.signature is not None
    was, error = element_ref(failed.signature), failed.error or UNVERIFIED
    known = [
        skill
        for skill in usable_skills(situation)
        if (state := skill.failed_state).action.startswith(f"{failed.action.name}(")
        and state.element is not None
        and (state.element.role, state.element.name) == (was.role, was.name)
    ]
    return sorted(known, key=lambda skill: skill.failed_state.error_type != error)


def _fix_actions(skill: Skill, again: Action, node: Node, situation: Situation) -> list[Action]:
    """Return the skill's fix on this page; empty if it does not apply."""
    helped = skill.successful_action
    if helped.strategy == WAIT:
        return [parse_action(helped.action)[0], again]
    if helped.strategy == DISMISS and helped.element is None:
        return [action("pressKey", "Escape")] if node.occluded else []
    other = _find_only_control(helped.element, situation)
    instead = helped.strategy == ALTERNATIVE and again.name == "click"  # no value is redirected
    if other is None or other == node or not (instead or helped.strategy == DISMISS):
        return []
    press = action("click", other.id)
    return [press] if _is_harmless(press, other, situation) else []


def _fix_decision(
    skill: Skill, way: list[Action], failed: ActionRecord, situation: Situation
) -> Decision:
    strategy, proposals = skill.successful_action.strategy, []
    for doing in way:
        node = situation.page.tree.get(doing.target or "")
        words = failed.description if doing is way[-1] and strategy != DISMISS else strategy
        if node is not None and doing.name == "click":
            words = f"Click {node.name}"
        proposals.append(
            Proposal(action=doing, description=words, purpose="correct", skill=skill.skill_id)
        )
    return Decision(
        outcome="act",
        thought=skill_hints([skill])[0],
        proposals=tuple(proposals),
        completes_step=strategy != DISMISS,
        confidence=_SURE,
        strategy=strategy,
        source="skill",
    )
