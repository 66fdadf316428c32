"""The meter of one request."""

import asyncio

from app.domain.usage import Spent
from app.llm.port import ModelUsage
from app.usage.meter import metered, record
from app.usage.rows import Spender, usage_rows

ME = Spender(tenant="a", user="u", session_id="s", task_id="t", trace_id="tr", request_id="r")


def usage(**over):
    given = {
        "provider": "gemini",
        "model": "gemini-3-flash-preview",
        "purpose": "opening",
        "input_tokens": 1_000,
        "cached_tokens": 200,
        "output_tokens": 100,
        "thinking_tokens": 50,
        "duration_ms": 12.5,
    }
    return ModelUsage(**(given | over))


def test_nothing_was_asked_of_a_model():
    with metered() as meter:
        pass
    assert meter.spent == Spent()
    assert usage_rows(meter.calls, ME) == []


def test_sums_over_calls_with_thinking_as_output():
    with metered() as meter:
        record(usage())
        record(usage(ok=False, thinking_tokens=0))
    spent = meter.spent
    assert (spent.model_calls, spent.input_tokens, spent.output_tokens) == (2, 2_000, 250)
    assert round(spent.cost_usd, 6) == round(2 * (800 * 0.5 + 200 * 0.05) / 1e6 + 250 * 3 / 1e6, 6)
    assert spent.cost_known


def test_a_model_of_unknown_price_counts_nothing_and_says_so():
    with metered() as meter:
        record(usage())
        record(usage(model="someones-model"))
    assert not meter.spent.cost_known
    known, unknown = usage_rows(meter.calls, ME)
    assert known.priced
    assert known.cost_usd == meter.spent.cost_usd > 0
    assert not unknown.priced
    assert unknown.cost_usd == 0
    assert unknown.total_tokens == 1_150


async def test_tasks_started_within_a_request_count_on_its_meter_alone():
    async def call(tokens):
        await asyncio.sleep(0)
        record(usage(input_tokens=tokens))

    async def request(tokens):
        with metered() as meter:
            await asyncio.gather(*(asyncio.create_task(call(tokens)) for _ in range(3)))
        return meter.spent.input_tokens

    assert await asyncio.gather(request(1), request(10), request(100)) == [3, 30, 300]


def test_a_call_outside_of_a_request_is_nobodys():
    record(usage())
    with metered() as meter:
        assert meter.calls == []


def test_a_row_says_for_whom_and_what():
    with metered() as meter:
        record(usage(purpose="weighing"))
        record(usage(ok=False))
    first, second = usage_rows(meter.calls, ME)
    assert (first.tenant, first.user, first.session_id, first.task_id) == ("a", "u", "s", "t")
    assert (first.trace_id, first.request_id, first.duration_ms) == ("tr", "r", 12.5)
    assert (first.purpose, first.action_type, first.ok) == ("weighing", "WEIGHING", True)
    assert (second.action_type, second.ok) == ("PLANNING", False)
    assert first.usage_id != second.usage_id
    assert usage_rows(meter.calls, ME) == [first, second]  # written again, they stay the same rows
    assert (first.input_tokens, first.output_tokens, first.thinking_tokens) == (1_000, 150, 50)
