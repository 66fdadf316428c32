"""All that a run with a model knows, through the real store, as it was."""

from collections.abc import Collection
from types import UnionType
from typing import Any, TypedDict, get_args, get_origin, get_type_hints

import pytest
from langgraph.graph import START, StateGraph
from pydantic import BaseModel

from app.agent.graph import build_graph
from app.agent.state import AgentState, new_state
from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, Provenance, action
from app.domain.hitl import ChosenOption, HitlResult, Option, Question
from app.domain.memory import Lesson, RecipeCall, Recollection, Repair, SiteChoice, SkillUse
from app.domain.metrics.usage import BudgetIncrease, Estimate, TaskBudget
from app.domain.page import DialogDecision, ElementRef
from app.domain.plan import (
    Analysis,
    Complexity,
    Contingency,
    Correction,
    Decision,
    Outcome,
    Plan,
    PlanStep,
    Proposal,
    SubTask,
)
from app.domain.reasoner import Background, GivenAnswer, MemoryLine, Passage, WebResult, WebSearch
from app.domain.verdict import ExpectedOutcome, NextGoal, PredictionScore, RePlan, Verdict
from app.reasoners.commands import parse
from app.runs.graph import thread_config
from app.settings import Settings
from app.store.checkpoints import RENAMED_KEYS
from app.store.open import open_all
from tests.contract.store.test_skills import PATIENT, skill
from tests.contract.store.test_store import NOW

SOURCE = Provenance(origin="subtask", excerpt="INV-0042", ref="number")
TYPES = action("setValue", "30", "INV-0042")
ASKS = Question(text="I need:", fields=("Phone", "Zip"), hitl_id="h", expires_at="2026-01-01")
JAS = Option(id="1", label="Jas", element_id="7", element=ElementRef(role="btn"), nth=1, alike=2)
PINNED = ChosenOption(option=JAS, others=(JAS,), hitl_id="h", origin="Fill in Jas", about="Jas")
SAID = HitlResult(
    hitl_id="h", decision="answered", return_to="planning/replan", selected=("1",), at=NOW
)
EXPECTED = ExpectedOutcome(
    description="It is there",
    url_should_change=True,
    elements=("Saved",),
    gone=("Save",),
    values={"30": "INV-0042"},
    next_goal=NextGoal(description="Save", role="btn", text="Save", required=True),
)
PLAN = Plan(
    steps=(
        PlanStep(id="1", description="Open it", status="completed", expected="a form"),
        PlanStep(
            id="2", description="Fill it in", status="current", depends_on=("1",), chosen=PINNED
        ),
    ),
    current=1,
    maker="model",
    contingencies=(Contingency(trigger="a banner", steps=("close it", "go on"), used=True),),
    subtasks=(
        SubTask(id="1", goal="Read it", outputs=("number",), status="completed"),
        SubTask(id="2", goal="Write it", inputs=("number",), status="current"),
    ),
    subtask=1,
)
PROPOSAL = Proposal(
    action=TYPES,
    description="Type it",
    can_fail=True,
    dialog=DialogDecision(accept=True, text="yes"),
    provenance=SOURCE,
)
CHOSEN = Decision(
    outcome="look",
    maker="model",
    plan=PLAN,
    expected=EXPECTED,
    outputs={"number": "INV-0042"},
    mode="hybrid",
    query="what it is",
    question=ASKS,
    notice="It was away.",
    proposals=(PROPOSAL,),
    strategy="wait",
)
CHAIN = Chain(
    actions=(PlannedAction(action_id="a", action=TYPES, description="Type", provenance=SOURCE),),
    expected=EXPECTED,
)
KNOWN = Background(
    memory=(MemoryLine(role="user", content="hello"),),
    knowledge=(Passage(text="t", title="T", url="https://x.example", score=0.5),),
    searches=(
        WebSearch(
            need="zip", query="zip", results=(WebResult(title="a", url="b", text="c"),), solved=True
        ),
    ),
    answers=(GivenAnswer(question="Which?", text="that", hitl_id="h"),),
    subtask_outputs={"number": "INV-0042"},
    extracts={"who": "Ann"},
    hints=("Save twice",),
    site="crm.example",
    skills=(skill(last_used=NOW, created_at=NOW),),
    choices=(
        SiteChoice(
            choice_id="1", tenant="one", domain="d", phrase="it", element=PATIENT, last_used=NOW
        ),
    ),
    episodes=(Recollection(goal="g", status="failed", summary="s", facts=("f",), score=0.5),),
)
LESSON = Lesson(goal="Book …", failed_state=skill().failed_state,
                successful_action=skill().successful_action)  # fmt: skip
LEARNED: dict[str, Any] = {
    "repair": Repair(
        repair_id="a", step=1, attempt=2, source="skill", strategy="wait and retry", reason="r",
        failed=LESSON.failed_state, tried=LESSON.successful_action, skill="1",
    ),
    "lessons": [LESSON],
    "skill_uses": [SkillUse(skill_id="1", worked=True)],
    "score": PredictionScore(action_id="a", kind="click", predicted=0.8, met=False, unmet=("it is there",)),
    "replanning": RePlan(decision="modify", reason="another page", similarity=0.4),
    "reconsidered": ["f1"],
    "recipe": RecipeCall(recipe_id="1", values={"name": "Jas"}),
    "spending": TaskBudget(
        estimate=Estimate(calls=4, cost_usd=0.02, basis="b"), warned=("task",), without_model=True,
        lifts=(BudgetIncrease(scope="user", until_nano=2_000_000_000, month="2026-11"),),
    ),
}  # fmt: skip


def whole() -> AgentState:
    """A state in which nothing is left at what it begins with."""
    state = new_state("Book it", request_id="r", trace_id="t", tenant="one", user="ann")
    state["session_id"], state["in_browser"] = "s", True
    state["background"] = KNOWN
    state["instruction"] = parse("Add a new patient with name 'Jas'")
    state["complexity"] = Complexity(level="COMPLEX", reason="many")
    state["analysis"] = Analysis(
        required_sources=("MEMORY", "WEB_SEARCH", "ASK_USER"), question=ASKS, search="zip",
        intent_type="meta", confidence=0.5, effect="deletes",
        missing_fields=("Phone",), plan=PLAN, first=CHOSEN, outputs={"number": "1"}, notice="away",
    )  # fmt: skip
    state |= {
        "misclassified": True, "question": ASKS, "question_count": 1, "analysis_count": 2, "plan": PLAN,
        "refinement": CHOSEN, "lookups": 3, "refusal_reason": "no", "refusal_count": 2,
        "needs_critique": True, "notice": "away", "chain": CHAIN, "unverified_chain": CHAIN,
        "page_before": b"\x00\x01", "page_before_effect": b"\x01",
        "report": ClientReport(status="failure", error_code="X", executed_index=0),
        "action_records": [
            ActionRecord(action=TYPES, signature=("inp", "Invoice", "form: Payment"), step=-1)
        ],
        "subtask_start": 1, "subtask_completed": False, "similarity": 0.5, "steps": 4,
        "verdict": Verdict(succeeded=None, observations=("a", "b"), tier=2),
        "correction": Correction(strategy="foreseen: a banner", attempt=1),
        "outcome": Outcome(status="interrupted", message="m", code="X"),
        "reply": SAID, "hitl_results": {"h": SAID}, "executed": {"1.0.0": "sent"},
    }  # fmt: skip
    state |= LEARNED  # type: ignore[typeddict-item]
    return state


async def test_a_state_with_all_there_is_comes_back_equal(settings: Settings) -> None:
    state = whole()
    blank = new_state("", request_id="", trace_id="")
    assert [key for key in blank if state[key] == blank[key]] == []  # type: ignore[literal-required]
    config = thread_config("whole")
    async with open_all(settings) as opened:
        await build_graph(opened.checkpointer).aupdate_state(config, state, as_node="__start__")
    async with open_all(settings) as opened:
        found = (await build_graph(opened.checkpointer).aget_state(config)).values
    assert found == state
    for key, kind in get_type_hints(AgentState).items():
        _is_of(found[key], kind, key)


@pytest.mark.parametrize("renamed", [RENAMED_KEYS.keys(), {"deeds"}], ids=["all", "last"])
async def test_a_state_of_an_older_version_is_read_under_its_new_keys(
    settings: Settings, renamed: Collection[str]
) -> None:
    older = {new: old for old, new in RENAMED_KEYS.items() if old in renamed}
    kinds = {older.get(key, key): kind for key, kind in get_type_hints(AgentState).items()}
    graph = StateGraph(TypedDict("OlderState", kinds))  # type: ignore[operator]
    graph.add_node("finalize", lambda _: {})
    graph.add_edge(START, "finalize")
    state, config = whole(), thread_config("older")
    async with open_all(settings) as opened:
        saved = {older.get(key, key): value for key, value in state.items()}
        compiled = graph.compile(checkpointer=opened.checkpointer)
        await compiled.aupdate_state(config, saved, as_node="__start__")
    async with open_all(settings) as opened:
        found = (await build_graph(opened.checkpointer).aget_state(config)).values
    assert found == state


def _is_of(value: Any, kind: Any, where: str) -> None:
    """A value and all in it are of the classes that are annotated: equality takes a list for one."""
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            _is_of(getattr(value, name), field.annotation, f"{where}.{name}")
    elif isinstance(value, tuple):
        assert any(get_origin(one) is tuple for one in _kinds(kind)), where
        for one in value:
            _is_of(one, next(iter(get_args(_kinds(kind)[0]))), where)
    elif isinstance(value, list):
        assert any(get_origin(one) is list for one in _kinds(kind)), where


def _kinds(kind: Any) -> list[Any]:
    return list(get_args(kind)) if isinstance(kind, UnionType) else [kind]
