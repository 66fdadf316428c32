"""What a run accumulates and the checkpointer saves."""

from typing import TypedDict, Unpack

from app.domain.action import ActionRecord, Chain, ClientReport
from app.domain.base import Value
from app.domain.directive import Instruction
from app.domain.hitl import HitlResult, OperationStatus, Question
from app.domain.memory import Lesson, RecipeCall, Repair, SkillUse
from app.domain.metrics.usage import TaskBudget
from app.domain.plan import Analysis, Complexity, Correction, Decision, Outcome, Plan
from app.domain.reasoner import Background
from app.domain.redaction import secrets_in, secrets_told
from app.domain.verdict import PredictionScore, RePlan, Verdict


class TaskKeys(TypedDict, total=False):
    """Whose the task is, and how it stands; written as it begins and by `finalize`.

    A thread proves by `tenant`, `user` and `session_id` whom it belongs to, before it has a task row;
    `in_browser`: a person's browser began it. `request_id` is the request whose run wrote this state: a
    repeat of it is answered from here; `began` is the request that brought the goal. `recipe` is what the
    task replays, if it does. `executed` is the ledger of effects of this trace: by
    stepIndex.attempt.chainIndex, what is known of each. `spending` is what is known of the task's cost, and
    what a person said of it.
    """

    goal: str
    request_id: str
    trace_id: str
    tenant: str
    user: str
    session_id: str
    in_browser: bool
    began: str
    recipe: RecipeCall | None
    steps: int
    executed: dict[str, OperationStatus]
    spending: TaskBudget
    outcome: Outcome | None


class PlanKeys(TypedDict, total=False):
    """What is to be done; written by the nodes of `context_analysis`, and as steps end.

    `analyses` counts looks at this opening. The deeds of the current sub-task are those from `since` on;
    `sub_task_completed` is said of the look at the page that ended one. `replanning` says whether the plan
    was held against that page, `reconsidered` are fingerprints of the pages it was held against before.
    """

    complexity: Complexity | None
    misclassified: bool
    instruction: Instruction | None
    analyses: int
    analysis: Analysis | None
    plan: Plan
    since: int
    sub_task_completed: bool | None
    replanning: RePlan | None
    reconsidered: list[str]


class TurnKeys(TypedDict, total=False):
    """The choice for the current page, and what waits in the browser; written by the nodes of
    `step_refinement`, and by `outcome_prediction`.

    Since the last action, how many `lookups` were made (looks at another form of the page included); for
    the current page, why the last choice was `refused`, how many `refusals` there were, and whether the
    choice is `doubted` and must be criticised first. `notice` tells the person that a model was away.

    `chain` waits in the browser; `judged` is what the next verification judges, which is an earlier chain
    when `chain` only waits for its effect. `before` is the packed observation that `judged` was chosen on
    (`app.page.snapshot`); `shown_before` is that of the last chain that handed something in or led to
    another page: what shows an end was not there.
    """

    refinement: Decision | None
    lookups: int
    refused: str | None
    refusals: int
    doubted: bool
    notice: str | None
    chain: Chain | None
    judged: Chain | None
    report: ClientReport | None
    before: bytes
    shown_before: bytes


class EvidenceKeys(TypedDict, total=False):
    """What is known and was seen; written by `verification`, and by what is looked up.

    `background` is read once, and added to by what was searched, read and answered. `repair` is the
    correction that is tried; `lessons`, `uses` (of skills) and `score` (of the last prediction) are what
    the last look at the page taught, to be stored by the same run.
    """

    background: Background
    deeds: list[ActionRecord]
    verdict: Verdict | None
    correction: Correction | None
    similarity: float | None
    repair: Repair | None
    lessons: list[Lesson]
    uses: list[SkillUse]
    score: PredictionScore | None


class PeopleKeys(TypedDict, total=False):
    """What a person is asked. `question` waits for them, `reply` is what they said until `take_answer` takes
    it up; `hitl_results` keeps every one, by its question. `asked` counts questions put.
    """

    question: Question | None
    reply: HitlResult | None
    hitl_results: dict[str, HitlResult]
    asked: int


class Patch(TaskKeys, PlanKeys, TurnKeys, EvidenceKeys, PeopleKeys, total=False):
    """What a node returns: only the keys it changed."""


class AgentState(Patch):
    """Everything a node may read. `new_state` writes every key, so no node has to guess."""


def new_state(goal: str, /, **known: Unpack[Patch]) -> AgentState:
    """A run that has done nothing yet, of what is `known` (`request_id` and `trace_id` at least).

    `steps` goes on counting when a goal is replaced; `background` and `deeds` are kept when the same goal is
    taken up afresh, the latter counted to no step of a plan.
    """
    state = AgentState(
        goal=goal,
        tenant="",
        user="",
        session_id="",
        in_browser=False,
        began=known["request_id"],
        complexity=None,
        misclassified=False,
        instruction=None,
        background=Background(),
        question=None,
        reply=None,
        hitl_results={},
        asked=0,
        analyses=0,
        analysis=None,
        plan=Plan(),
        refinement=None,
        lookups=0,
        refused=None,
        refusals=0,
        doubted=False,
        notice=None,
        chain=None,
        judged=None,
        report=None,
        before=b"",
        shown_before=b"",
        deeds=[],
        since=0,
        sub_task_completed=None,
        verdict=None,
        correction=None,
        similarity=None,
        replanning=None,
        reconsidered=[],
        repair=None,
        lessons=[],
        uses=[],
        score=None,
        recipe=None,
        steps=0,
        executed={},
        spending=TaskBudget(),
        outcome=None,
    )
    state.update(known)
    state["deeds"] = [without_step(deed) for deed in state["deeds"]]
    return state


NO_STEP = -1  # the step of a deed that served a plan which is no more


def without_step(deed: ActionRecord) -> ActionRecord:
    """The deed, counted to no step of the plan that follows."""
    return deed.model_copy(update={"step": NO_STEP})


def add_to_background(background: Background, **more: tuple[Value, ...]) -> Background:
    """The background with these values at the end of its fields."""
    known = {name: (*getattr(background, name), *values) for name, values in more.items()}
    return background.model_copy(update=known)


def is_by_rules(state: AgentState) -> bool:
    """Whether no model made the plan or the last choice: then there is no other way to do it."""
    refinement = state["refinement"]
    return "model" not in (state["plan"].maker, refinement.maker if refinement else "rules")


def secrets_of(state: AgentState) -> frozenset[str]:
    """The secrets in the goal, and what a person answered when asked for one."""
    return secrets_told(state["instruction"], state["background"]) | secrets_in(state["goal"])
