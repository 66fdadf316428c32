"""What was learned: which action helped where another failed, and what was chosen where two fit."""

from datetime import datetime

from app.domain.advice import Judged
from app.domain.base import Value


class ElementRef(Value):
    """A control by what stays the same when a page is drawn anew; never by its id."""

    role: str
    name: str = ""
    group: str = ""

    @classmethod
    def of(cls, signature: tuple[str, str, str]) -> "ElementRef":
        """That of the control with this (role, name, group)."""
        role, name, group = signature
        return cls(role=role, name=name, group=group)

    @property
    def text(self) -> str:
        """In words: 'btn "Save" in form: New patient'."""
        place = f" in {self.group}" if self.group else ""
        return f'{self.role} "{self.name}"{place}'


class FailedState(Value):
    """What failed. `action` is the call as it was sent, without what was typed; `error_type` is the
    client's code, or `VERIFICATION_FAILED`.
    """

    action: str
    element_description: str = ""
    error_type: str = "VERIFICATION_FAILED"
    element: ElementRef | None = None


class SuccessfulAction(Value):
    """What helped instead; `strategy` is the name it was tried under."""

    action: str
    element_description: str = ""
    strategy: str = ""
    element: ElementRef | None = None


class Lesson(Value):
    """What one verified correction taught, before it is stored. `goal` holds no values."""

    goal: str
    failed_state: FailedState
    successful_action: SuccessfulAction


class SkillUse(Value):
    """A stored skill that was used, and whether it helped."""

    skill_id: str
    worked: bool


class Skill(Value):
    """A lesson as it is kept, for one tenant and one site (`domain`: host, and port where it is not
    the scheme's own). Counts move with use, and with what operators decide: `judged` is the last of that.
    """

    skill_id: str
    tenant: str
    domain: str
    goal: str
    failed_state: FailedState
    successful_action: SuccessfulAction
    success_count: int = 1
    failure_count: int = 0
    judged: Judged | None = None
    last_used: datetime
    created_at: datetime

    @property
    def success_rate(self) -> float:
        """Of all uses, in 0..1; 1 for one that was never used."""
        uses = self.success_count + self.failure_count
        return self.success_count / uses if uses else 1.0


class SiteChoice(Value):
    """Which element a person meant by `phrase` (in lower case) on a site, where several fit.

    Without a `choice_id` it was made in this run, and not kept yet.
    """

    choice_id: str
    tenant: str
    domain: str
    phrase: str
    element: ElementRef
    count: int = 1
    last_used: datetime | None = None
