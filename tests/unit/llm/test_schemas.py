"""The JSON Schemas sent to providers."""

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from app.llm.providers.replies import UnsupportedSchema, reply_schema
from tests.fakes.gemini_schema import refused


class Step(BaseModel):
    """A docstring that no model needs to read."""

    name: str = Field(description="What to do", max_length=200)
    kind: Literal["act", "look"] = "act"
    after: tuple[int, ...] = ()


class Whole(BaseModel):
    """Another."""

    steps: list[Step] = Field(max_length=10)
    best: Step
    note: str | None = None
    sure: float = Field(ge=0, le=1)
    either: int | str
    asked: str | None


def test_references_are_written_out_and_what_no_model_reads_is_left_away() -> None:
    step = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "What to do"},
            "kind": {"type": "string", "enum": ["act", "look"]},
            "after": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["name"],
    }
    assert reply_schema(Whole) == {
        "type": "object",
        "properties": {
            "steps": {"type": "array", "items": step, "maxItems": 10},
            "best": step,
            "note": {"type": "string"},
            "sure": {"type": "number", "minimum": 0, "maximum": 1},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "asked": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["steps", "best", "sure", "either", "asked"],
    }


def test_gemini_takes_it() -> None:
    assert refused(reply_schema(Whole), proto=False) is None


def test_it_is_smaller_than_what_pydantic_writes() -> None:
    assert len(json.dumps(reply_schema(Whole))) < 0.85 * len(json.dumps(Whole.model_json_schema()))


def test_it_is_built_once() -> None:
    assert reply_schema(Whole) is reply_schema(Whole)


class _Nothing(BaseModel):
    pass


class _HoldsNothing(BaseModel):
    inner: _Nothing


class _Free(BaseModel):
    values: dict[str, str]


class _DeepFree(BaseModel):
    rows: list[dict[str, Any]] = []


class _Anything(BaseModel):
    value: Any


class _Itself(BaseModel):
    below: list["_Itself"] = []


class _Pair(BaseModel):
    pair: tuple[int, str]


class _Unworded(BaseModel):
    choice: Literal["", "a"]


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        (_Nothing, "_Nothing"),
        (_HoldsNothing, "_HoldsNothing.inner"),
        (_Free, "_Free.values"),
        (_DeepFree, "_DeepFree.rows"),
        (_Anything, "_Anything.value"),
        (_Itself, "_Itself"),
        (_Pair, "_Pair.pair"),
        (_Unworded, "_Unworded.choice"),
    ],
)
def test_what_no_provider_takes_is_told_when_it_is_built(
    reply: type[BaseModel], place: str
) -> None:
    with pytest.raises(UnsupportedSchema, match=place):
        reply_schema(reply)
