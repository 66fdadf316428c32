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
    """Whose the task is and how it stands; written when it begins and by `finalize`.

    `tenant`, `user` and `session_id` prove whom a thread belongs to before it has a task row;
    `in_browser`: it was begun in a person's browser. `request_id` is the request whose run wrote this
    state, which answers a repeat of it; `goal_request_id` is the one that brought the goal. `recipe` is
    what the task replays, if anything. `executed` is the ledger of effects, by
    stepIndex.attempt.chainIndex. `spending` is the task's known cost and what a person allowed.
    """

    goal: str
    request_id: str
    trace_id: str
    tenant: str
    user: str
    session_id: str
    in_browser: bool
    goal_request_id: str
    recipe: RecipeCall | None
    steps: int
    executed: dict[str, OperationStatus]
    spending: TaskBudget
    outcome: Outcome | None


class PlanKeys(TypedDict, total=False):
    """What to do; written by the nodes of `context_analysis`, and when steps end.

    `analysis_count` counts the analyses of this goal. The actions of the current sub-task are those
    from index `subtask_start` on; `subtask_completed` tells whether the last verification ended one.
    `replanning` is the result of comparing the plan with the page, `reconsidered` the fingerprints of
    the pages it was compared with.
    """

    complexity: Complexity | None
    misclassified: bool
    instruction: Instruction | None
    analysis_count: int
    analysis: Analysis | None
    plan: Plan
    subtask_start: int
    subtask_completed: bool | None
    replanning: RePlan | None
    reconsidered: list[str]


class TurnKeys(TypedDict, total=False):
    """The choice for the current page, and what the browser is doing; written by the nodes of
    `step_refinement`, and by `outcome_prediction`.

    `lookups` counts lookups and other views of the page since the last action. For the current page:
    `refusal_reason` says why the last choice was refused, `refusal_count` how many were, and
    `needs_critique` whether the choice must be criticised first. `notice` tells the person that a model
    was unavailable.

    `chain` is in the browser. `unverified_chain` is what the next verification judges: an earlier chain
    if `chain` only waits for its effect. `page_before` is the packed observation on which it was chosen
    (`app.page.snapshot`); `page_before_effect` that of the last chain that submitted something or
    led to another page, where the end of the task was not yet visible.
    """

    refinement: Decision | None
    lookups: int
    refusal_reason: str | None
    refusal_count: int
    needs_critique: bool
    notice: str | None
    chain: Chain | None
    unverified_chain: Chain | None
    report: ClientReport | None
    page_before: bytes
    page_before_effect: bytes


class EvidenceKeys(TypedDict, total=False):
    """What is known and was observed; written by `verification`, and by lookups.

    `background` is loaded once and extended by what was searched, read and answered. `repair` is the
    correction being tried; `lessons`, `skill_uses` and `score` (of the last prediction) are what the
    last verification taught, stored by the same run.
    """

    background: Background
    action_records: list[ActionRecord]
    verdict: Verdict | None
    correction: Correction | None
    similarity: float | None
    repair: Repair | None
    lessons: list[Lesson]
    skill_uses: list[SkillUse]
    score: PredictionScore | None


class PeopleKeys(TypedDict, total=False):
    """Questions to people. `question` waits for an answer, which is `reply` until `take_answer` handles
    it; `hitl_results` holds all answers, by question.
    """

    question: Question | None
    reply: HitlResult | None
    hitl_results: dict[str, HitlResult]
    question_count: int


class Patch(TaskKeys, PlanKeys, TurnKeys, EvidenceKeys, PeopleKeys, total=False):
    """What a node returns: only the keys it changed."""


class AgentState(Patch):
    """Everything a node may read. `new_state` sets every key."""


def new_state(goal: str, /, **known: Unpack[Patch]) -> AgentState:
    """A run that has done nothing yet, with what is `known`: at least `request_id` and `trace_id`.

    `steps` goes on counting when a goal is replaced. `background` and `action_records` are kept when the
    same goal starts over, the records without their steps.
    """
    state = AgentState(
        goal=goal,
        tenant="",
        user="",
        session_id="",
        in_browser=False,
        goal_request_id=known["request_id"],
        complexity=None,
        misclassified=False,
        instruction=None,
        background=Background(),
        question=None,
        reply=None,
        hitl_results={},
        question_count=0,
        analysis_count=0,
        analysis=None,
        plan=Plan(),
        refinement=None,
        lookups=0,
        refusal_reason=None,
        refusal_count=0,
        needs_critique=False,
        notice=None,
        chain=None,
        unverified_chain=None,
        report=None,
        page_before=b"",
        page_before_effect=b"",
        action_records=[],
        subtask_start=0,
        subtask_completed=None,
        verdict=None,
        correction=None,
        similarity=None,
        replanning=None,
        reconsidered=[],
        repair=None,
        lessons=[],
        skill_uses=[],
        score=None,
        recipe=None,
        steps=0,
        executed={},
        spending=TaskBudget(),
        outcome=None,
    )
    state.update(known)
    state["action_records"] = [without_step(record) for record in state["action_records"]]
    return state


NO_STEP = -1  # of a record whose plan was replaced


def without_step(record: ActionRecord) -> ActionRecord:
    """The record, detached from any plan step."""
    return record.model_copy(update={"step": NO_STEP})


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
