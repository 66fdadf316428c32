"""Parsing the providers' token counts."""

import json
import math
from typing import Any

import pytest

from app.llm.providers.transport import MOST_TOKENS, Counts, parse_counts
from tests.contract.llm.model_questions import desk_of
from tests.fakes.steps import Raw

GOOD = {"verdict": "yes"}


@pytest.mark.parametrize(
    "odd", [-1, math.nan, math.inf, -math.inf, "1000", True, [], {}, 0.5, MOST_TOKENS + 1, 10**400]
)
def test_what_is_no_number_of_tokens_counts_nothing_and_is_flagged(odd: object) -> None:
    assert parse_counts(odd, output=5) == Counts(output=5, known=False)
    assert parse_counts(10, output=odd) == Counts(input=10, known=False)
    assert parse_counts(10, cached=odd, thinking=odd) == Counts(input=10, known=False)


def test_counts_that_can_be_are_taken() -> None:
    assert parse_counts(10, cached=4, output=2.0, thinking=1) == Counts(
        input=10, cached=4, output=2, thinking=1
    )
    assert parse_counts(10) == Counts(input=10)


def test_more_cached_than_sent_is_all_of_it() -> None:
    assert parse_counts(10, cached=11) == Counts(input=10, cached=10, known=False)


def test_nothing_sent_cannot_be() -> None:
    assert not parse_counts(None, output=3).known
    assert not parse_counts(0, output=3).known


@pytest.fixture
def said() -> dict[str, Any]:
    """A whole body of an OpenAI-compatible endpoint, without its counts."""
    return {"choices": [{"message": {"content": json.dumps(GOOD)}, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("usage", "output", "thinking", "counted"),
    [
        ({"completion_tokens": 50, "total_tokens": 150}, 10, 40, True),
        ({"completion_tokens": 50, "total_tokens": 190}, 50, 40, True),  # reasoning apart
        ({"completion_tokens": 50}, 10, 40, True),
        ({"completion_tokens": 30, "total_tokens": 130}, 0, 30, False),  # more than was said
        ({"completion_tokens": -5, "total_tokens": 95}, 0, 0, False),
    ],
)
async def test_reasoning_is_counted_once(
    said: dict[str, Any], usage: dict[str, int], output: int, thinking: int, counted: bool
) -> None:
    told = {"prompt_tokens": 100, "completion_tokens_details": {"reasoning_tokens": 40}}
    async with desk_of("openai") as desk:
        desk.fake.script(Raw(json.dumps(said | {"usage": told | usage}), "application/json"))
        await desk.ask()
    [used] = desk.used
    assert (used.output_tokens, used.thinking_tokens, used.counted) == (output, thinking, counted)


@pytest.mark.parametrize(
    "usage",
    [{"promptTokenCount": -3}, {"promptTokenCount": "many"}, {"promptTokenCount": 1e30}, 7, None],
)
async def test_a_reply_with_impossible_counts_is_a_reply(usage: object) -> None:
    candidate = {"content": {"parts": [{"text": json.dumps(GOOD)}]}, "finishReason": "STOP"}
    whole = {"candidates": [candidate], "usageMetadata": usage}
    async with desk_of("gemini") as desk:
        desk.fake.script(Raw(json.dumps(whole), "application/json"))
        assert (await desk.ask()).verdict == "yes"
    [used] = desk.used
    assert (used.ok, used.counted, used.input_tokens) == (True, False, 0)


async def test_nan_in_a_body_is_a_count_like_any_other() -> None:
    body = json.dumps({"candidates": [{"content": {"parts": [{"text": json.dumps(GOOD)}]}}]})
    odd = body[:-1] + ', "usageMetadata": {"promptTokenCount": NaN}}'
    async with desk_of("gemini") as desk:
        desk.fake.script(Raw(odd, "application/json"))
        assert (await desk.ask()).verdict == "yes"
    assert not desk.used[0].counted
