"""What tasks teach: corrections, skills, choices, episodes, recipes, and operators' advice."""

from datetime import UTC, datetime
from typing import Literal

from app.domain.action import ActionName, Arg
from app.domain.base import Value
from app.domain.page import DialogDecision, ElementRef


class OperatorJudgement(Value):
    """An operator's decision on the task something was learned from; `at_ms` is in epoch milliseconds."""

    record_id: str
    decision: Literal["approved", "rejected"]
    notes: str
    at_ms: int

    @property
    def line(self) -> str:
        return f"An operator {self.decision} this: {self.notes} ({self.record_id})"


class AdviceFields(Value):
    """Who decided what, when (epoch milliseconds), about which task, and why."""

    record_id: str
    decision: Literal["approved", "rejected"]
    about: str
    notes: str
    operator: str
    decided_at_ms: int


class Advice(AdviceFields):
    """An operator's decision on a similar task."""

    site: str = ""

    @property
    def line(self) -> str:
        """The decision on one line for people, with its reference."""
        day = datetime.fromtimestamp(self.decided_at_ms / 1000, UTC).date().isoformat()
        return (
            f"An operator decided: “{self.about}” was {self.decision} by {self.operator} on {day}: "
            f"{self.notes} ({self.record_id})"
        )


class FailedState(Value):
    """The failure. `action` is the call as sent, without typed text; `error_type` is the client's code, or
    `VERIFICATION_FAILED`.
    """

    action: str
    element_description: str = ""
    error_type: str = "VERIFICATION_FAILED"
    element: ElementRef | None = None


class SuccessfulAction(Value):
    """The action that helped instead; `strategy` is its correction strategy."""

    action: str
    element_description: str = ""
    strategy: str = ""
    element: ElementRef | None = None


class Lesson(Value):
    """The lesson of one verified correction, before it is stored. `goal` contains no values."""

    goal: str
    failed_state: FailedState
    successful_action: SuccessfulAction


class SkillUse(Value):
    """A use of a stored skill, and whether it helped."""

    skill_id: str
    worked: bool


class Skill(Value):
    """A stored lesson for one tenant and one site (`domain`: host, with a non-default port).

    Counts change with use and with operators' decisions; `judged` is the latest decision.
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
        """The success rate over all uses, in 0..1; 1 if never used."""
        uses = self.success_count + self.failure_count
        return self.success_count / uses if uses else 1.0


class SiteChoice(Value):
    """The element a person chose for `phrase` (lower case) on a site where several match.

    Without a `choice_id` it was made in this run and is not stored yet.
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
    """A correction: the failure, the alternative, and its result.

    `repair_id` is the id of the first alternative action; `attempt` counts from 1 within the step; `skill`
    is the id of the skill that proposed it.
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
    """A repair with its owner and site."""

    tenant: str
    task_id: str
    domain: str
    created_at: datetime


EpisodeStatus = Literal["completed", "failed", "interrupted"]


class Episode(Value):
    """The memory of one finished task: the goal, what was tried and worked, and facts about the site.

    `tried` and `worked` are sentences about actions, `facts` about the site ("A patient needs a birthday");
    none contains a value of the person's. `vector` is the embedding of the goal by the model `embedder`.
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
    judged: OperatorJudgement | None = None  # the latest operator decision on the task
    created_at: datetime


class Recollection(Value):
    """An episode similar to the current goal; `score` is the similarity in 0..1.

    If an operator `judged` it, the summary begins with that.
    """

    goal: str
    status: EpisodeStatus
    summary: str
    worked: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    score: float = 0.0
    judged: OperatorJudgement | None = None


class RecipeParameter(Value):
    """A parameter of a recipe.

    `label` is the field's label for people; `secret` values are asked for at each run and never stored.
    """

    name: str
    label: str = ""
    secret: bool = False
    required: bool = True


class RecordedAction(Value):
    """One action, identified by its element's description instead of its id.

    Values in `args` are replaced by `{name}` of a parameter.
    """

    name: ActionName
    element: ElementRef | None = None
    args: dict[str, Arg] = {}
    description: str = ""
    dialog: DialogDecision | None = None
    can_fail: bool = False


class StepCheck(Value):
    """How the page shows that a step is done, without values: what is new on the page.

    `path` is the address path with `*` for anything like an id; None if it did not change.
    """

    description: str = ""
    path: str | None = None
    appears: tuple[ElementRef, ...] = ()
    gone: tuple[ElementRef, ...] = ()
    says_success: bool = False


class RecordedStep(Value):
    """Actions that were sent together on a page with that `path`, and their check."""

    description: str
    path: str
    actions: tuple[RecordedAction, ...]
    check: StepCheck = StepCheck()


class Recipe(Value):
    """A completed task without its values, bound to its site.

    `goal` has its parameters in braces: "Add a new patient with name {name}".
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
    """A replay of a recipe with these parameter values."""

    recipe_id: str
    values: dict[str, str] = {}
