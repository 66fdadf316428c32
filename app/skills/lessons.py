"""Extracts the lesson of a verified correction: which action failed, and what helped."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from app.domain.access import site_of
from app.domain.action import Action, ActionRecord, Chain, action
from app.domain.directive import Instruction
from app.domain.memory import FailedState, Lesson, Skill, SkillUse, SuccessfulAction
from app.domain.page import MASK, ElementRef, Node
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.page import RECORDS, drop_volatile
from app.plans import may_submit, parse_action
from app.skills.goals import contains_value, goal_likeness, personal_values, strip_values
from app.skills.recipe_values import join_group, split_group
from app.skills.replay import list_same_controls
from app.text.lexicon import is_risky, speaks_of


def list_used_skills(
    records: Iterable[ActionRecord], judged: Chain, verdict: Verdict
) -> tuple[SkillUse, ...]:
    """Return the skills used in the `judged` chain, each once.

    `records` are those before the verdict, oldest first. Settled ones are not counted again;
    unknown ones wait until another correction has done the step.
    """
    if verdict.succeeded is None:
        return ()
    ids = {planned.action_id for planned in judged.actions}
    chain = [record for record in records if record.action_id in ids]
    tried = [d.skill for d in chain if d.skill and d.status in ("pending", "unknown")]
    uses = {one: SkillUse(skill_id=one, worked=verdict.succeeded) for one in tried}
    if verdict.succeeded and judged.purpose == "correct" and judged.completes_step:
        steps = {record.step for record in chain}
        for one in list_unresolved_skills(
            record for record in records if record.step in steps and record not in chain
        ):
            uses.setdefault(one.skill_id, one)
    return tuple(uses.values())


def list_unresolved_skills(records: Iterable[ActionRecord]) -> tuple[SkillUse, ...]:
    """Return the skills of actions with unknown results after the task failed: they did not help."""
    open_ends = (record for record in records if record.status == "unknown" and record.step >= 0)
    vain = dict.fromkeys(record.skill for record in open_ends if record.skill)
    return tuple(SkillUse(skill_id=one, worked=False) for one in vain)


MOST_HINTS = 3  # interact_flow.md injects "relevant hints"; more would bury the task


def skill_hints(skills: Iterable[Skill]) -> tuple[str, ...]:
    sentences = dict.fromkeys(_describe_skill(skill) for skill in skills)
    return tuple(sentences)[:MOST_HINTS]


def _describe_skill(skill: Skill) -> str:
    called, element = skill.failed_state.action.partition("(")[0], skill.failed_state.element
    failed = f"'{called} {_element_name(element)}'" if element is not None else f"'{called}'"
    helped = skill.successful_action
    name = f"'{_element_name(helped.element)}'" if helped.element is not None else "Escape"
    remedy = {
        ALTERNATIVE: f"; {name} worked",
        FILL: f" until {name} was filled in",
        DISMISS: f" until {name} was pressed",
        WAIT: "; after a wait it worked",
    }.get(helped.strategy, f"; '{helped.strategy}' worked")
    return f"Note: {failed} failed here before{remedy}."


def _element_name(element: ElementRef) -> str:
    return element.name or element.role


SURE = 0.7  # confidence of the verdict; DESIGN's bound for a goal
UNVERIFIED = "VERIFICATION_FAILED"
LONGEST_NAME = 120  # characters; a longer name is page text and not a control's name
SHORT_WAIT, LONGEST_WAIT = 1_000, 8_000  # ms; the first and the longest wait of a correction
ALTERNATIVE = "alternative element"
WAIT = "wait and retry"
DISMISS = "dismiss overlay"
FILL = "fill what is missing"
_NO_LESSON = frozenset({"re-plan", "answer the dialog", "answer the page"})
"""Strategies after which the task or the answer was different, so that no better way was learned."""
_VALUES = ("text", "label", "name", "query", "url")
_ENTERS = frozenset({"setValue", "selectOption", "setChecked"})


def extract_lessons(
    records: Sequence[ActionRecord],
    judged: Chain,
    verdict: Verdict,
    *,
    goal: str,
    instruction: Instruction | None = None,
    hidden: Iterable[str] = (),
) -> tuple[Lesson, ...]:
    """Return the lessons of the `judged` chain; `records` are settled, oldest first.

    Only a certain fix of a failure in the same step is learned. A skill's own proposal counts as a
    use of it. Nothing is learned about a control whose name contains one of the person's values.
    """
    ids = {planned.action_id for planned in judged.actions}
    chain = [record for record in records if record.action_id in ids]
    if not verdict.succeeded or verdict.confidence < SURE or not chain:
        return ()
    failed, between = _find_failure(records[: records.index(chain[0])], chain[0].step)
    since = [*between, *chain]
    if failed is None or failed.signature is None or any(record.skill for record in since):
        return ()
    if any(record.strategy in _NO_LESSON for record in since):
        return ()
    helped = _find_fix(failed, between, chain, judged)
    if helped is None:
        return ()
    own, was = personal_values(instruction, records, hidden), element_ref(failed.signature)
    controls = [was, helped.element or was]
    if any(
        len(one.name) > LONGEST_NAME or contains_value(f"{one.name} {one.group}", own)
        for one in controls
    ):
        return ()
    state = FailedState(
        action=generalize_call(failed.action),
        element_description=was.text,
        error_type=failed.error or UNVERIFIED,
        element=was,
    )
    plain_goal = strip_values(goal, own, named=[one.name for one in controls])
    return (Lesson(goal=plain_goal, failed_state=state, successful_action=helped),)


def _find_failure(
    earlier: Sequence[ActionRecord], step: int
) -> tuple[ActionRecord | None, list[ActionRecord]]:
    """Return the step's last own action if it failed, and the working corrections since."""
    between: list[ActionRecord] = []
    for record in reversed(earlier):
        if record.step != step:
            break
        if record.purpose != "correct":
            return (record if record.status in ("failure", "unknown") else None), between[::-1]
        if record.status != "failure":
            between.append(record)
    return None, []


def _find_fix(
    failed: ActionRecord,
    between: Sequence[ActionRecord],
    chain: Sequence[ActionRecord],
    judged: Chain,
) -> SuccessfulAction | None:
    """Return what helped, if that is certain: another control, or what preceded the repetition."""
    acting = [record for record in chain if record.action.name != "wait"]
    if any(_is_same_action(failed, record) for record in acting):
        known = between or judged.purpose == "correct"
        return _find_preparation(failed, [*between, *chain]) if known else None
    if judged.purpose != "correct" or not judged.completes_step or len(acting) != 1:
        return None
    (record,) = acting
    if record.signature is None or record.action.name != failed.action.name:
        return None
    return _successful_action(record, ALTERNATIVE)


def _is_same_action(failed: ActionRecord, record: ActionRecord) -> bool:
    if record.action.name != failed.action.name or record.signature is None:
        return False
    assert failed.signature is not None
    (role, name, _), (was, known, _) = record.signature, failed.signature
    return role == was and drop_volatile(name) == drop_volatile(known)


def _find_preparation(
    failed: ActionRecord, since: Sequence[ActionRecord]
) -> SuccessfulAction | None:
    """Return what was needed first: a missing value, an obstacle removed, or time."""
    waits = (record.action.args["ms"] for record in since if record.action.name == "wait")
    waited = sum(ms for ms in waits if isinstance(ms, int))
    done = [d for d in since if d.action.name != "wait" and not _is_same_action(failed, d)]
    entered = next((d for d in done if d.action.name in _ENTERS and d.signature), None)
    if entered is not None:
        return _successful_action(entered, FILL)
    if done:
        return _successful_action(done[-1], DISMISS) if all(map(_removes_obstacle, done)) else None
    assert failed.signature is not None
    pause = f"wait({min(max(waited, SHORT_WAIT), LONGEST_WAIT)})"
    was = element_ref(failed.signature)
    return SuccessfulAction(action=pause, element_description=was.text, strategy=WAIT, element=was)


def _removes_obstacle(record: ActionRecord) -> bool:
    if record.action.name == "pressKey":
        return str(record.action.args["key"]).lower() == "escape"
    if record.action.name != "click" or record.signature is None:
        return False
    return record.strategy == DISMISS or speaks_of("dismiss", record.signature[1])


def _successful_action(record: ActionRecord, strategy: str) -> SuccessfulAction:
    element = element_ref(record.signature) if record.signature else None
    return SuccessfulAction(
        action=generalize_call(record.action),
        element_description=element.text if element else "",
        strategy=strategy,
        element=element,
    )


def generalize_call(action: Action) -> str:
    masked = {key: MASK for key in _VALUES if key in action.args}
    return action.model_copy(update={"args": {**action.args, **masked}}).text


def element_ref(signature: tuple[str, str, str]) -> ElementRef:
    """Return the control of this (role, name, group), without labels of records."""
    role, name, group = signature
    places = ((kind, "" if kind in RECORDS else label) for kind, label in split_group(group))
    return ElementRef(role=role, name=drop_volatile(name), group=join_group(places))


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
    """Return the skills of the page's site by rank, unless used in this step or failed in this task."""
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
        actions = _fix_actions(skill, again, node, situation)
        if actions and (actions[0].name == "wait" or actions[0].text not in done):
            return _fix_decision(skill, actions, failed, situation)
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
    skill: Skill, actions: list[Action], failed: ActionRecord, situation: Situation
) -> Decision:
    strategy, proposals = skill.successful_action.strategy, []
    for doing in actions:
        node = situation.page.tree.get(doing.target or "")
        words = failed.description if doing is actions[-1] and strategy != DISMISS else strategy
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
