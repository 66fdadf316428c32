"""What a call costs, and what is said when that is not known."""

from datetime import date

import pytest

from app.llm.locality import is_own
from app.llm.port import ModelUsage
from app.settings import Settings
from app.usage import pricing
from app.usage.pricing import PRICES

TODAY = date(2026, 11, 22)


def cost(taken):
    return pricing.cost(taken, TODAY)


def price_of(provider, model):
    return pricing.price_of(provider, model, TODAY)


def usage(**over):
    given = {"provider": "gemini", "model": "gemini-3-flash", "purpose": "opening"}
    return ModelUsage(**(given | over))


def test_each_kind_of_token_at_its_own_price():
    taken = usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000)
    assert cost(taken) == pytest.approx(0.6 * 0.50 + 0.4 * 0.05 + 0.1 * 3.00)


def test_thinking_is_paid_as_output():
    assert cost(usage(thinking_tokens=1_000_000)) == cost(usage(output_tokens=1_000_000)) == 3.00


def test_more_cached_than_sent_is_no_credit():
    taken = usage(input_tokens=100, cached_tokens=1_000_000)
    assert cost(taken) == pytest.approx(100 * 0.05 / 1_000_000)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("gemini-3-flash-preview", "gemini-3-flash"),
        ("models/gemini-3.1-pro-preview", "gemini-3.1-pro"),
        ("gemini-2.5-flash-lite-preview-09-2025", "gemini-2.5-flash-lite"),
        ("gemini-2.5-flash-001", "gemini-2.5-flash"),
        ("Gemini-3.5-Flash-latest", "gemini-3.5-flash"),
        ("openai/gpt-5.4-mini-2026-03-01", "gpt-5.4-mini"),
    ],
)
def test_an_edition_costs_what_its_model_costs(name, model):
    assert price_of("gemini", name) == PRICES[model]


@pytest.mark.parametrize(
    "name", ["gpt-5.5-pro", "gemini-3-pro-image-preview", "gemini-4-pro", "llama-4", "", "-preview"]
)
def test_another_model_has_no_known_price(name):
    assert price_of("openai", name) is None
    assert cost(usage(provider="openai", model=name, input_tokens=1_000)) is None


def test_a_model_on_ones_own_machine_sends_no_bill():
    assert cost(usage(provider="local", model="qwen3:8b", input_tokens=10**9)) == 0


def test_what_a_proxy_on_ones_own_machine_sells_has_its_price():
    assert price_of("local", "openai/gpt-5.4") == PRICES["gpt-5.4"]


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://192.168.1.9/v1", True),
        ("http://box.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("https://models.example.com/v1", False),
        ("", False),
    ],
)
def test_which_endpoints_are_ones_own(address, own):
    assert is_own(address) is own


def test_the_models_that_are_used_unless_told_otherwise_have_a_price():
    settings = Settings(_env_file=None)
    for name in (settings.gemini_model, settings.gemini_fast_model):
        assert price_of("gemini", name) is not None


def test_a_price_that_was_announced_with_an_end_ends():
    for name in ("gemini-3.8-flash", "gemini-3.8-flash-001"):
        assert pricing.price_of("gemini", name, date(2026, 12, 31)).output == 3.75
        assert pricing.price_of("gemini", name, date(2027, 1, 1)).output == 7.50
    assert pricing.price_of("gemini", "gemini-4-argon", date(2026, 11, 30)).output == 10.00
    assert pricing.price_of("gemini", "gemini-4-argon", date(2026, 12, 1)).output == 20.00
