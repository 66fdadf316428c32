"""What tasks teach: corrections, skills, choices, episodes, recipes, and operators' advice."""

from datetime import UTC, datetime
from typing import Literal

from app.domain.action import ActionName, Arg
from app.domain.base import Value
from app.domain.page import DialogDecision, ElementRef


class OperatorJudgement(Value):
    """What an operator decided of the task that something was learned from; `at_ms` is when (epoch
    milliseconds).
    """

    record_id: str
    decision: Literal["approved", "rejected"]
    notes: str
    at_ms: int

    @property
    def line(self) -> str:
        """As it is told with what was learned, with its reference."""
        return f"An operator {self.decision} this: {self.notes} ({self.record_id})"


class Advice(Value):
    """One decision about something similar: of whom, when (epoch milliseconds), about what, and why."""

    record_id: str
    decision: Literal["approved", "rejected"]
    about: str
    notes: str
    operator: str
    decided_at_ms: int
    site: str = ""

    @property
    def line(self) -> str:
        """As a person reads it, with its reference."""
        day = datetime.fromtimestamp(self.decided_at_ms / 1000, UTC).date().isoformat()
        return (
            f"An operator decided: “{self.about}” was {self.decision} by {self.operator} on {day}: "
            f"{self.notes} ({self.record_id})"
        )


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
    judged: OperatorJudgement | None = None
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


CorrectionSource = Literal["contingency", "skill", "strategy", "model"]


RepairStatus = Literal["pending", "success", "failure", "unknown"]


class Repair(Value):
    """What failed, what is tried instead, and what came of it. `repair_id` is the id of the first
    action that is tried; `attempt` counts from 1 within the step; `skill` is the skill's id where
    one proposed it.
    """

    repair_id: str
    step: int
    attempt: int
    source: CorrectionSource
    strategy: str
    reason: str
    failed: FailedState
    tried: SuccessfulAction
    skill: str | None = None
    status: RepairStatus = "pending"


class CorrectionRecord(Repair):
    """A repair with whose it is and where it was tried."""

    tenant: str
    task_id: str
    domain: str
    created_at: datetime


EpisodeStatus = Literal["completed", "failed", "interrupted"]


class Episode(Value):
    """One ended task: what was wanted, tried and found to work, and what it showed of the site.

    `tried` and `worked` are sentences about actions, `facts` about the site ("A patient needs a
    birthday"); none of them holds a value of the person's. `vector` is the embedding of the goal by
    the model named `embedder`.
    """

    episode_id: str  # the task's id
    tenant: str
    user: str
    domain: str
    goal: str
    status: EpisodeStatus
    summary: str
    tried: tuple[str, ...] = ()
    worked: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    vector: tuple[float, ...] = ()
    embedder: str = ""
    judged: OperatorJudgement | None = None  # the last that an operator decided of the task
    created_at: datetime


class Recollection(Value):
    """An episode that is like the goal at hand; `score` in 0..1 says how much. Of one that an operator
    `judged`, the summary says so first.
    """

    goal: str
    status: EpisodeStatus
    summary: str
    worked: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    score: float = 0.0
    judged: OperatorJudgement | None = None


class RecipeParameter(Value):
    """A value that a run of the recipe is given. `label` is the field's, for a person; `secret`
    ones are asked for at each run and kept nowhere.
    """

    name: str
    label: str = ""
    secret: bool = False
    required: bool = True


class RecordedAction(Value):
    """One action, by what it acts on and not by its id. Where `args` held a value of the person's,
    it is `{name}` of a parameter.
    """

    name: ActionName
    element: ElementRef | None = None
    args: dict[str, Arg] = {}
    description: str = ""
    dialog: DialogDecision | None = None
    can_fail: bool = False


class StepCheck(Value):
    """How the page shows that a step is done, without values: what is there then and was not before.

    `path` is the address' path with what looks like an id as `*`; None where it stayed.
    """

    description: str = ""
    path: str | None = None
    appears: tuple[ElementRef, ...] = ()
    gone: tuple[ElementRef, ...] = ()
    says_success: bool = False


class RecordedStep(Value):
    """What was sent to the browser at once, on a page of that `path`, and its check."""

    description: str
    path: str
    actions: tuple[RecordedAction, ...]
    check: StepCheck = StepCheck()


class Recipe(Value):
    """A completed task without its values, bound to its site. `goal` names its parameters in braces:
    "Add a new patient with name {name}".
    """

    recipe_id: str
    tenant: str
    user: str
    title: str
    domain: str
    start_url: str
    goal: str
    parameters: tuple[RecipeParameter, ...] = ()
    steps: tuple[RecordedStep, ...]
    task_id: str
    runs: int = 0
    failures: int = 0
    created_at: datetime
    updated_at: datetime


class RecipeCall(Value):
    """That a task replays a recipe, with these values for its parameters."""

    recipe_id: str
    values: dict[str, str] = {}
