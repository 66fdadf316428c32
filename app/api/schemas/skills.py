"""Skills on the wire."""

from datetime import datetime

from app.api.models import Reply
from app.domain.memory import Skill
from app.domain.page import ElementRef


class ElementView(Reply):
    """A control by what stays the same when a page is drawn anew."""

    role: str
    name: str
    group: str

    @staticmethod
    def of(element: ElementRef | None) -> "ElementView | None":
        """The wire form, None for none."""
        if element is None:
            return None
        return ElementView(role=element.role, name=element.name, group=element.group)


class FailedStateView(Reply):
    """What failed: the call, without what was typed, and why."""

    action: str
    element_description: str
    error_type: str
    element: ElementView | None = None


class SuccessfulActionView(Reply):
    """What helped instead, under the name of its strategy."""

    action: str
    element_description: str
    strategy: str
    element: ElementView | None = None


class SkillView(Reply):
    """One skill. `goal` has "…" where a value of the person's stood; the counts move with each use."""

    id: str
    domain: str
    goal: str
    failed_state: FailedStateView
    successful_action: SuccessfulActionView
    success_count: int
    failure_count: int
    last_used: datetime
    created_at: datetime

    @staticmethod
    def of(skill: Skill) -> "SkillView":
        """The wire form of a skill."""
        failed, helped = skill.failed_state, skill.successful_action
        return SkillView(
            id=skill.skill_id,
            domain=skill.domain,
            goal=skill.goal,
            failed_state=FailedStateView(
                action=failed.action,
                element_description=failed.element_description,
                error_type=failed.error_type,
                element=ElementView.of(failed.element),
            ),
            successful_action=SuccessfulActionView(
                action=helped.action,
                element_description=helped.element_description,
                strategy=helped.strategy,
                element=ElementView.of(helped.element),
            ),
            success_count=skill.success_count,
            failure_count=skill.failure_count,
            last_used=skill.last_used,
            created_at=skill.created_at,
        )


class SkillsPage(Reply):
    """Skills, the last used first; `nextCursor` where there are more."""

    skills: list[SkillView]
    next_cursor: str | None = None
