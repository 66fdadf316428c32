"""Checkpoints of earlier versions: their domain classes are found under their present names."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from app.domain.action import ActionRecord, Chain, ClientReport
from app.domain.chat import ChangeNote, ChatTurn, ComparedLine, ContestedClaim, Reply, TextRun
from app.domain.hitl import ChosenOption, HitlResult, Option, Question, UserAction
from app.domain.memory import Lesson, Repair
from app.domain.metrics.usage import BudgetIncrease, TaskBudget
from app.domain.plan import Analysis, Decision, Plan, Proposal
from app.domain.reasoner import Background, GivenAnswer
from app.domain.verdict import PredictionScore
from app.store.checkpoints import RENAMED, CheckpointSerializer, domain_classes

SAVED = Path(__file__).parents[2] / "data" / "checkpoints" / "2026-11-27.json"
"""Every key of a task's and a conversation's state, as version 0.1.0 of that day wrote them."""


@pytest.fixture(scope="module")
def saved() -> dict[str, dict[str, Any]]:
    serializer = CheckpointSerializer()
    threads = json.loads(SAVED.read_text())
    return {
        name: {
            key: serializer.loads_typed((kind, base64.b64decode(packed)))
            for key, (kind, packed) in state.items()
        }
        for name, state in threads.items()
    }


def test_a_task_is_read(saved: dict[str, dict[str, Any]]) -> None:
    state = saved["task"]
    (record,) = state["deeds"]
    assert isinstance(record, ActionRecord)
    assert (record.chain_number, record.previous_value) == (3, "old")
    assert (record.action.text, record.status) == ('setValue("30", "INV-0042")', "success")
    assert isinstance(state["refinement"], Decision)
    assert isinstance(state["refinement"].proposals[0], Proposal)
    assert isinstance(state["analysis"], Analysis)
    assert isinstance(state["plan"], Plan)
    chosen = state["plan"].steps[1].chosen
    assert isinstance(chosen, ChosenOption)
    assert isinstance(chosen.option, Option)
    assert isinstance(state["chain"], Chain)
    assert isinstance(state["report"], ClientReport)
    assert isinstance(state["question"], Question)
    assert state["question"].action_id == "a7"
    assert isinstance(state["repair"], Repair)
    assert isinstance(state["lessons"][0], Lesson)
    assert isinstance(state["score"], PredictionScore)
    assert isinstance(state["spending"], TaskBudget)
    assert isinstance(state["spending"].lifts[0], BudgetIncrease)


def test_what_a_run_knows_is_read(saved: dict[str, dict[str, Any]]) -> None:
    known = saved["task"]["background"]
    assert isinstance(known, Background)
    (answer,) = known.answers
    assert isinstance(answer, GivenAnswer)
    assert (answer.fields, answer.values, answer.left_empty) == (
        ("Phone",),
        {"Phone": "1"},
        ("Zip",),
    )
    assert known.subtask_outputs == {"number": "INV-0042"}
    assert known.extracts == {"who": "Ann"}
    assert known.acts == (
        UserAction(kind="click", role="btn", name="Save", at=datetime(2026, 11, 27, tzinfo=UTC)),
    )
    assert known.downloads[0].text == "a"
    assert known.skills[0].failed_state


def test_a_conversation_is_read(saved: dict[str, dict[str, Any]]) -> None:
    state = saved["conversation"]
    assert isinstance(state["messages"][0], ChatTurn)
    assert isinstance(state["reply"], HitlResult)
    answer = state["answer"]
    assert isinstance(answer, Reply)
    assert answer.unsupported == (ContestedClaim(text="c", reason="r"),)
    assert answer.comparison
    (section,) = answer.comparison.sections
    assert isinstance(section.rows[0][0], ComparedLine)
    assert section.rows[0][0].words == (TextRun(text="w", changed=True),)
    assert section.notes == (ChangeNote(kind="added", text="t"),)
    assert (answer.comparison.omitted, len(answer.searched)) == (2, 1)


def test_every_value_is_valid(saved: dict[str, dict[str, Any]]) -> None:
    """The stock serializer builds what does not validate all the same: nothing here is such a value."""
    for state in saved.values():
        for value in state.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, BaseModel):
                    assert type(one)(**one.model_dump()) == one


def test_domain_names_are_unique_and_current() -> None:
    names = [kind.__name__ for kind in domain_classes()]
    assert len(names) == len(set(names))
    assert set(RENAMED.values()) <= set(names)
    assert not set(RENAMED) & set(names)
