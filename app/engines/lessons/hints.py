"""Skills as sentences for a prompt."""

from collections.abc import Iterable

from app.domain.skill import ElementRef, Skill
from app.engines.lessons import ways

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
