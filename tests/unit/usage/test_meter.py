"""The meter of one request, and the rows of its calls."""

import asyncio

import pytest

from app.domain.metrics.usage import UsageTotals
from app.usage.meter import NOBODY, Meter, meter_calls
from tests.unit.usage.observer import ME, search, usage


def test_nothing_was_asked_of_a_model():
    with meter_calls(ME) as meter:
        pass
    assert meter.spent == UsageTotals()


async def test_sums_over_calls_with_thinking_as_output(service):
    with meter_calls(ME) as meter:
        service.record(usage())
        service.record(usage(outcome="unusable", thinking_tokens=0))
    spent = meter.spent
    assert (spent.model_calls, spent.input_tokens, spent.output_tokens) == (2, 2_000, 250)
    assert round(spent.cost_usd, 6) == round(2 * (800 * 0.5 + 200 * 0.05) / 1e6 + 250 * 3 / 1e6, 6)
    assert spent.cost_known


async def test_a_search_costs_and_is_no_call_of_a_model(service, watching):
    with meter_calls(ME) as meter:
        service.record(usage())
        service.record(search(credits=2.0))
    assert (meter.spent.calls, meter.spent.model_calls) == (2, 1)
    assert meter.spent.model == "gemini-3-flash-preview"
    model, searched = watching.rows
    assert (searched.kind, searched.action_type, searched.credits) == ("search", "WEB_SEARCH", 2.0)
    assert searched.cost_usd == pytest.approx(0.016)
    assert meter.spent.cost_usd == pytest.approx(model.cost_usd + 0.016)


async def test_a_model_of_unknown_price_counts_nothing_and_says_so(service, watching):
    with meter_calls(ME) as meter:
        service.record(usage())
        service.record(usage(model="someones-model"))
    assert not meter.spent.cost_known
    known, unknown = watching.rows
    assert known.priced
    assert known.cost_usd == meter.spent.cost_usd > 0
    assert not unknown.priced
    assert unknown.cost_usd == 0
    assert unknown.total_tokens == 1_150


async def test_what_a_provider_did_not_count_is_paid_as_far_as_it_is_sure(service, watching):
    with meter_calls(ME) as meter:
        service.record(usage(counted=False))
        service.record(usage(counted=False, provider="local", model="qwen3:8b"))
    assert not meter.spent.cost_known
    flagged, free = watching.rows
    assert flagged.cost_usd > 0
    assert (flagged.priced, flagged.counted) == (False, False)
    assert (free.priced, free.counted, free.cost_usd) == (True, False, 0.0)


async def test_tasks_started_within_a_request_count_on_its_meter_alone(service):
    async def call(tokens):
        await asyncio.sleep(0)
        service.record(usage(input_tokens=tokens))

    async def request(tokens):
        with meter_calls(ME) as meter:
            await asyncio.gather(*(asyncio.create_task(call(tokens)) for _ in range(3)))
        return meter.spent.input_tokens

    assert await asyncio.gather(request(1), request(10), request(100)) == [3, 30, 300]


async def test_a_call_outside_of_a_request_is_nobodys_and_is_kept(service, watching):
    service.record(usage())
    with meter_calls(ME) as meter:
        assert meter.calls == []
    [row] = watching.rows
    assert (row.tenant, row.user, row.cost_usd > 0) == (NOBODY.tenant, NOBODY.user, True)


async def test_a_row_says_for_whom_and_what(service, watching):
    with meter_calls(ME):
        service.record(usage(purpose="dreaming"))
        service.record(usage(outcome="refused"))
    first, second = watching.rows
    assert (first.tenant, first.user, first.session_id, first.task_id) == ("a", "u", "s", "t")
    assert (first.trace_id, first.request_id, first.duration_ms) == ("tr", "r", 12.5)
    assert (first.message_id, first.step_index) == ("m", 3)
    assert (first.purpose, first.action_type, first.ok) == ("dreaming", "DREAMING", True)
    assert (second.action_type, second.ok, second.outcome) == ("PLANNING", False, "refused")
    assert first.usage_id != second.usage_id
    assert (first.input_tokens, first.output_tokens, first.thinking_tokens) == (1_000, 150, 50)


def test_calls_belong_to_the_chain_that_the_task_keeps():
    meter = Meter(ME)
    meter.set_chain("c0ffee")
    assert (meter.by.trace_id, meter.by.request_id) == ("c0ffee", "r")
