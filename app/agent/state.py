"""The state of a task's thread, saved by the checkpointer.

Each group of keys says which modules write it; `tests/arch/test_state_writers.py` checks that.
"""

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


class ThreadKeys(TypedDict, total=False):
    """Whose the task is and how it began; no node writes them.

    `tenant`, `user` and `session_id` prove whom a thread belongs to before it has a task row.
    `in_browser`: the task was begun in a person's browser. `goal_request_id` is the request that brought
    the goal, `recipe` what the task replays, if anything.
    """

    trace_id: str
    tenant: str
    user: str
    session_id: str
    in_browser: bool
    goal_request_id: str
    recipe: RecipeCall | None


class GoalKeys(TypedDict, total=False):
    """The goal and how it is understood.

    Written by `complexity_check`, `direct_action` (misclassified), `context_analysis` (instruction) and
    `finalize`.
    """

    goal: str
    complexity: Complexity | None
    misclassified: bool
    instruction: Instruction | None


class WaitKeys(TypedDict, total=False):
    """What the run was resumed with: the request's id, and the person's reply until it is applied.

    A repeat of the request `request_id` is answered from this state. Written by `waits` and `finalize`.
    """

    request_id: str
    reply: HitlResult | None


class AnalysisKeys(TypedDict, total=False):
    """The analysis of the goal, or of the current sub-task; `analysis_count` counts them.

    Written by `context_analysis`, `step_refinement` (uses its first decision), `subtasks`, `replies`,
    `takeover` and `finalize`.
    """

    analysis: Analysis | None
    analysis_count: int


class PlanKeys(TypedDict, total=False):
    """The plan.

    Written by `direct_action`, `planning`, `step_refinement`, `correction`, `verification`, `subtasks`,
    `replies`, `takeover` and `finalize`.
    """

    plan: Plan


class SubtaskKeys(TypedDict, total=False):
    """`subtask_start` is the index of the current sub-task's first action record; `subtask_completed`
    tells whether the last verification ended one. Written by `subtasks` and `verification`.
    """

    subtask_start: int
    subtask_completed: bool | None


class ReplanningKeys(TypedDict, total=False):
    """Why to reconsider the plan, and the fingerprints of the pages on which it was.

    Written by `verification`, `takeover`, `replanning` and `step_refinement` (what a model changed).
    """

    replanning: RePlan | None
    reconsidered: list[str]


class DecisionKeys(TypedDict, total=False):
    """The decision for the current page.

    `refusal_reason` says why the last decision was rejected, `refusal_count` how many were, and
    `needs_critique` whether it must be reviewed first. `notice` tells the person that a model was
    unavailable. Written by `context_analysis`, `step_refinement`, `critic`, `outcome_prediction`,
    `verification`, `subtasks`, `replies`, `takeover` and `finalize`.
    """

    refinement: Decision | None
    refusal_reason: str | None
    refusal_count: int
    needs_critique: bool
    notice: str | None


class KnowledgeKeys(TypedDict, total=False):
    """`background` is loaded once and extended by searches, extracts, answers and outputs; `lookups` counts
    lookups and other views of the page since the last action.

    Written by `context_analysis`, `planning`, `step_refinement`, `reading`, `web_search`, `verification`,
    `subtasks`, `replies`, `takeover` and `finalize`.
    """

    background: Background
    lookups: int


class ChainKeys(TypedDict, total=False):
    """What is sent to the browser.

    `chain` is in the browser, or waits for approval. `unverified_chain` is what the next verification
    judges: an earlier chain if `chain` only waits for its effect. `page_before` is the packed observation
    on which it was chosen (`app.page.snapshot`). `executed` is the ledger of effects by
    stepIndex.attempt.chainIndex; `steps` counts chains. Written by `outcome_prediction`,
    `step_refinement` (renumbers records), `verification`, `replies`, `waits` (ledger) and `finalize`.
    """

    chain: Chain | None
    unverified_chain: Chain | None
    page_before: bytes
    steps: int
    executed: dict[str, OperationStatus]
    action_records: list[ActionRecord]


class VerificationKeys(TypedDict, total=False):
    """Results of the last verification, stored by the same run.

    `page_before_effect` is the packed observation before the last chain that submitted something or led to
    another page, where the end of the task was not yet visible. `score` is that of the last prediction.
    Written by `verification` and `finalize` (drops the page).
    """

    report: ClientReport | None
    similarity: float | None
    page_before_effect: bytes
    lessons: list[Lesson]
    skill_uses: list[SkillUse]
    score: PredictionScore | None


class CorrectionKeys(TypedDict, total=False):
    """The last verdict, the correction it led to, and the record of that attempt.

    Written by `verification`, `correction`, `step_refinement`, `outcome_prediction` (begins the repair),
    `replies` and `takeover`.
    """

    verdict: Verdict | None
    correction: Correction | None
    repair: Repair | None


class QuestionKeys(TypedDict, total=False):
    """The question that waits for an answer, and all answers by question.

    Written by `context` (counts them), `budget`, `outcome_prediction` (approvals), `waits`, `replies`,
    `takeover` and `finalize`.
    """

    question: Question | None
    question_count: int
    hitl_results: dict[str, HitlResult]


class OutcomeKeys(TypedDict, total=False):
    """How the task ended; None while it runs.

    Written by `context_analysis`, `planning`, `step_refinement`, `outcome_prediction`, `verification`,
    `replanning`, `correction`, `subtasks`, `waits`, `replies` and `finalize`.
    """

    outcome: Outcome | None


class BudgetKeys(TypedDict, total=False):
    """The task's known cost and what a person allowed. Written by `budget` and `replies`."""

    spending: TaskBudget


class Patch(
    GoalKeys,
    WaitKeys,
    AnalysisKeys,
    PlanKeys,
    SubtaskKeys,
    ReplanningKeys,
    DecisionKeys,
    KnowledgeKeys,
    ChainKeys,
    VerificationKeys,
    CorrectionKeys,
    QuestionKeys,
    OutcomeKeys,
    BudgetKeys,
    total=False,
):
    """What a node returns: only the keys it changed."""


class AgentState(ThreadKeys, Patch):
    """Everything a node may read. `new_state` sets every key."""


def new_state(goal: str, /, **known: Unpack[AgentState]) -> AgentState:
    """The state of a run that has done nothing yet. `known` has at least `request_id` and `trace_id`.

    `steps` continues counting when a goal is replaced. `background` and `action_records` are kept when the
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
    """Append the values to the background's fields."""
    fields = {name: (*getattr(background, name), *values) for name, values in more.items()}
    return background.model_copy(update=fields)


def is_by_rules(state: AgentState) -> bool:
    """Whether rules made the plan and the last decision, so that there is no alternative."""
    decision = state["refinement"]
    return "model" not in (state["plan"].maker, decision.maker if decision else "rules")


def secrets_of(state: AgentState) -> frozenset[str]:
    """The secrets in the goal and in the person's answers."""
    return secrets_told(state["instruction"], state["background"]) | secrets_in(state["goal"])
