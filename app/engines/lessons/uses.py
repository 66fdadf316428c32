"""Whether a skill that was used helped."""

from collections.abc import Iterable

from app.domain.plan import Chain, Deed
from app.domain.skill import ElementRef, Skill, SkillUse
from app.domain.verdict import Verdict
from app.engines.lessons import ways


def used(deeds: Iterable[Deed], judged: Chain, verdict: Verdict) -> tuple[SkillUse, ...]:
    """The skills whose actions are in the chain that was `judged`, each once.

    `deeds` are those before the verdict, oldest first: what was settled already counts no second
    time, and what cannot be told not yet. It is told where a correction then worked: the skill
    before it did not.
    """
    if verdict.succeeded is None:
        return ()
    ids = {planned.action_id for planned in judged.actions}
    tried = (
        deed.skill
        for deed in deeds
        if deed.skill and deed.action_id in ids and deed.status in ("pending", "unknown")
    )
    uses = {one: SkillUse(skill_id=one, worked=verdict.succeeded) for one in tried if one}
    if verdict.succeeded and judged.purpose == "correct":
        before = [deed for deed in deeds if deed.action_id not in ids]
        for one in _in_vain(before):
            uses.setdefault(one, SkillUse(skill_id=one, worked=False))
    return tuple(uses.values())


def _in_vain(before: list[Deed]) -> Iterable[str]:
    """The skill of the action that was put right, where it could not be told that it failed."""
    for deed in reversed(before):
        if deed.purpose == "correct" and deed.status == "success" and deed.action.name != "wait":
            return  # put right once already
        if deed.purpose != "correct":
            if deed.skill and deed.status == "unknown":
                yield deed.skill
            return


def unresolved(deeds: Iterable[Deed]) -> tuple[SkillUse, ...]:
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
    failed = _named(skill.failed_state.action, skill.failed_state.element)
    helped = skill.successful_action.element
    name = f"'{_name(helped)}'" if helped is not None else "it"
    match skill.successful_action.strategy:
        case ways.ALTERNATIVE:
            return f"Note: {failed} failed here before; {name} worked."
        case ways.FILL:
            return f"Note: {failed} failed here before until {name} was filled in."
        case ways.DISMISS:
            told = f"{name} was clicked" if helped is not None else "Escape was pressed"
            return f"Note: {failed} failed here before until {told}."
        case ways.WAIT | ways.REFIND:
            return f"Note: {failed} failed here before; after a wait it worked."
    return f"Note: {failed} failed here before; '{skill.successful_action.strategy}' worked."


def _named(action: str, element: ElementRef | None) -> str:
    verb = action.partition("(")[0]
    return f"'{verb} {_name(element)}'" if element is not None else f"'{verb}'"


def _name(element: ElementRef | None) -> str:
    if element is None:
        return ""
    return element.name or element.role
