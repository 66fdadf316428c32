"""Whether a skill that was used helped."""

from collections.abc import Iterable

from app.domain.action import ActionRecord, Chain
from app.domain.memory import Skill, SkillUse
from app.domain.page import ElementRef
from app.domain.verdict import Verdict
from app.skills.lessons.learned import ALTERNATIVE, DISMISS, FILL, WAIT


def used(deeds: Iterable[ActionRecord], judged: Chain, verdict: Verdict) -> tuple[SkillUse, ...]:
    """The skills whose actions are in the chain that was `judged`, each once.

    `deeds` are those before the verdict, oldest first: what was settled already counts no second
    time, and what cannot be told not yet. It is told where another correction then did the step.
    """
    if verdict.succeeded is None:
        return ()
    ids = {planned.action_id for planned in judged.actions}
    chain = [deed for deed in deeds if deed.action_id in ids]
    tried = [d.skill for d in chain if d.skill and d.status in ("pending", "unknown")]
    uses = {one: SkillUse(skill_id=one, worked=verdict.succeeded) for one in tried}
    if verdict.succeeded and judged.purpose == "correct" and judged.completes_step:
        steps = {deed.step for deed in chain}
        for one in unresolved(deed for deed in deeds if deed.step in steps and deed not in chain):
            uses.setdefault(one.skill_id, one)
    return tuple(uses.values())


def unresolved(deeds: Iterable[ActionRecord]) -> tuple[SkillUse, ...]:
    """The skills of actions that nobody can tell of, once the task has failed: they did not help."""
    open_ends = (deed for deed in deeds if deed.status == "unknown" and deed.step >= 0)
    vain = dict.fromkeys(deed.skill for deed in open_ends if deed.skill)
    return tuple(SkillUse(skill_id=one, worked=False) for one in vain)


MOST_HINTS = 3  # interact_flow.md injects "relevant hints": more would bury the task


def hints(skills: Iterable[Skill]) -> tuple[str, ...]:
    """A sentence for each of the best skills, the order kept."""
    told = dict.fromkeys(_hint(skill) for skill in skills)
    return tuple(told)[:MOST_HINTS]


def _hint(skill: Skill) -> str:
    called, element = skill.failed_state.action.partition("(")[0], skill.failed_state.element
    failed = f"'{called} {_name(element)}'" if element is not None else f"'{called}'"
    helped = skill.successful_action
    name = f"'{_name(helped.element)}'" if helped.element is not None else "Escape"
    way = {
        ALTERNATIVE: f"; {name} worked",
        FILL: f" until {name} was filled in",
        DISMISS: f" until {name} was pressed",
        WAIT: "; after a wait it worked",
    }.get(helped.strategy, f"; '{helped.strategy}' worked")
    return f"Note: {failed} failed here before{way}."


def _name(element: ElementRef) -> str:
    return element.name or element.role
