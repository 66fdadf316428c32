"""Events of an interact response."""

from typing import Literal

from pydantic import ConfigDict

from app.api.models import EXAMPLES, ResponseModel
from app.api.problems import HandOverView
from app.api.routes.interact.question import QuestionView
from app.domain.memory import AdviceFields
from app.domain.metrics.usage import BudgetScope, BudgetState
from app.domain.review import Location, Reason


class DocumentFound(ResponseModel):
    id: str
    title: str


class StatusEvent(ResponseModel):
    """A node of the graph has ended, or the run has started; that first event has the task's id. `element`
    is the control of the next action, `docsFound` the team's documents that were read.
    """

    type: Literal["status"] = "status"
    node: str
    message: str
    task_id: str | None = None
    web_query: str | None = None
    docs_found: list[DocumentFound] | None = None
    element: str | None = None


class DialogView(ResponseModel):
    """How to answer browser dialogs that the action opens. With `about`, only a dialog made of these words
    is accepted; any other is dismissed and reported as unforeseen.
    """

    accept: bool
    text: str | None = None
    about: list[str] | None = None


class ActionDetails(ResponseModel):
    """A parsed action. Dialogs that it does not mention are dismissed and reported."""

    name: str
    args: dict[str, str | int | bool]
    dialog: DialogView | None = None


class ProvenanceView(ResponseModel):
    """The origin of a typed or chosen value: the excerpt it was found in, and the source of the excerpt.

    `operation` says how the value was derived from the excerpt; empty if it was copied.
    """

    origin: Literal["goal", "answer", "page", "knowledge", "search", "memory", "subtask"]
    excerpt: str = ""
    ref: str | None = None
    operation: str = ""


class ActionView(ResponseModel):
    action_id: str
    action: str
    action_details: ActionDetails
    description: str
    element: str | None = None
    index: int
    can_fail: bool = False
    grave: bool = False
    provenance: ProvenanceView | None = None


class ChainMetadata(ResponseModel):
    """The chain as a whole; the duration is in ms."""

    total_actions: int
    estimated_duration: int
    safe_to_chain: bool


class PlanStepView(ResponseModel):
    id: str
    description: str
    status: Literal["completed", "current", "pending", "skipped"]


class SubTaskView(ResponseModel):
    id: str
    goal: str
    status: Literal["completed", "current", "pending", "skipped", "failed"]


class PlanView(ResponseModel):
    """The plan; for a goal with sub-tasks, the steps of the current one."""

    steps: list[PlanStepView]
    current_step_index: int
    sub_tasks: list[SubTaskView] | None = None


class NextGoalView(ResponseModel):
    """What the next step needs on the page."""

    description: str
    role: str | None = None
    text_content: str | None = None
    required: bool = False


class ExpectedOutcomeView(ResponseModel):
    """What can be checked after the action."""

    description: str
    url_should_change: bool | None = None
    elements: list[str] = []
    values: dict[str, str] = {}
    next_goal: NextGoalView | None = None


class VerificationView(ResponseModel):
    """The outcome of the previous action. `actionSucceeded` is null if unknown."""

    action_succeeded: bool | None
    task_completed: bool
    sub_task_completed: bool | None = None
    goal_achieved: bool
    confidence: float
    verification_tier: Literal[1, 2, 3]
    tokens_saved: int
    reason: str
    observations: list[str]


class CorrectionView(ResponseModel):
    strategy: str
    attempt: int
    source: Literal["contingency", "skill", "strategy", "model"] = "strategy"


class RePlanningView(ResponseModel):
    """Whether the plan was checked against a changed page, and the decision. `similarity` (0..1) compares the
    pages before and after.
    """

    triggered: bool
    similarity: float | None = None
    decision: Literal["continue", "modify", "regenerate"] | None = None
    reason: str | None = None


class EstimateView(ResponseModel):
    """Estimated model usage of the whole task; `basis` says what the estimate is based on."""

    calls: int
    cost_usd: float
    basis: str


class LimitStandingView(ResponseModel):
    """The limit closest to being reached: a task's for its lifetime, a user's or tenant's per month (UTC)."""

    scope: BudgetScope
    limit_usd: float
    spent_usd: float
    state: BudgetState


class UsageView(ResponseModel):
    """Cost of models. `costKnown` false: the price of some calls is unknown, they count as 0. `estimate` is
    set for a task that began with a model, `budget` if there is a limit.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    model_calls: int = 0
    cost_known: bool = True
    model: str | None = None
    estimate: EstimateView | None = None
    budget: LimitStandingView | None = None


class AnswerMetrics(ResponseModel):
    server_ms: float


class AdviceView(AdviceFields, ResponseModel):
    """An operator's decision on a similar case; `line` puts it in words, with its reference."""

    line: str


class _Terminal(ResponseModel):
    """Fields of all answers. `notice`: a model was unavailable and rules continued, or a budget is nearly
    used up. `advice`: decisions of operators on similar cases.
    """

    task_id: str
    session_id: str
    trace_id: str
    thought: str
    plan: PlanView | None = None
    verification: VerificationView | None = None
    complexity: Literal["SIMPLE", "COMPLEX"] | None = None
    usage: UsageView
    metrics: AnswerMetrics
    has_org_knowledge: bool = False
    notice: str | None = None
    advice: list[AdviceView] | None = None


class InterruptAnswer(_Terminal, QuestionView):
    """Ask the user, and post again with the same `taskId` and their answer as `hitlResponse`."""

    type: Literal["interrupt"]
    status: Literal["awaiting_user"]


class _Answer(_Terminal):
    """Fields of `action` and `done`. `action` and `actionDetails` repeat the first of `actions`."""

    step_index: int
    action: str | None
    action_details: ActionDetails | None
    actions: list[ActionView]
    chain_metadata: ChainMetadata
    expected_outcome: ExpectedOutcomeView | None = None
    correction: CorrectionView | None = None
    re_planning: RePlanningView
    requested_dom_mode: Literal["semantic", "skeleton", "hybrid", "full"] | None = None
    result: str | None = None


class ActionAnswer(_Answer):
    """Carry out the actions and post again with the same `taskId`."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["ActionAnswer"]]})

    type: Literal["action"]
    status: Literal["executing"]


class ReviewMark(ResponseModel):
    """Why an operator is to review the task, or their decision."""

    id: str
    reasons: list[Reason]
    status: Location
    notes: str | None = None
    operator: str | None = None


class DoneAnswer(_Answer):
    """The task has ended; `result` says how. `handOver` is the step of a failed task that a person may do;
    a new request with `continueFrom` resumes after it. `paused`: the user took over during the run, and
    the task continues when they hand it back.
    """

    type: Literal["done"]
    status: Literal["completed", "failed", "interrupted"]
    hand_over: HandOverView | None = None
    paused: bool = False
    review: ReviewMark | None = None
