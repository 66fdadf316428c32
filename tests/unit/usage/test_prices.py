"""What a call costs, and what is said when that is not known."""

from datetime import date

import pytest

from app.domain.metrics.usage import CallUsage
from app.errors import PricesUnusable
from app.llm.port import is_own
from app.settings import Settings
from app.usage.prices import OURS, bundled_prices, open_prices, read_price_file

TODAY = date(2026, 11, 22)
MODELS = bundled_prices().models


def charge(taken, on=TODAY):
    return open_prices().charge(taken, on)


def cost(taken):
    return charge(taken).usd


def price_of(provider, model, on=TODAY):
    return open_prices().rate(provider, model, on)


def usage(**over):
    given = {"provider": "gemini", "model": "gemini-3-flash", "purpose": "opening"}
    return CallUsage(**(given | over))


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
    assert price_of("gemini", name) == MODELS[model]


@pytest.mark.parametrize(
    "name", ["gpt-5.5-pro", "gemini-3-pro-image-preview", "gemini-4-pro", "llama-4", "", "-preview"]
)
def test_another_model_has_no_known_price(name):
    assert price_of("openai", name) is None
    assert not charge(usage(provider="openai", model=name, input_tokens=1_000)).known


def test_a_model_on_ones_own_machine_sends_no_bill():
    sent = charge(usage(provider="local", model="qwen3:8b", input_tokens=10**9))
    assert (sent.usd, sent.known) == (0.0, True)


def test_what_a_proxy_on_ones_own_machine_sells_has_its_price():
    assert price_of("local", "openai/gpt-5.4") == MODELS["gpt-5.4"]


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
        assert price_of("gemini", name, date(2026, 12, 31)).output == 3.75
        assert price_of("gemini", name, date(2027, 1, 1)).output == 7.50
    assert price_of("gemini", "gemini-4-argon", date(2026, 11, 30)).output == 10.00
    assert price_of("gemini", "gemini-4-argon", date(2026, 12, 1)).output == 20.00


def test_an_embedding_costs_what_was_sent():
    taken = usage(kind="embedding", model="gemini-embedding-001", input_tokens=2_000_000)
    assert cost(taken) == pytest.approx(0.30)
    assert price_of("gemini", "gemini-embedding-2-preview").input == 0.20


def test_a_search_costs_its_credits_and_one_elsewhere_is_not_known():
    searched = usage(kind="search", provider="tavily", model="search", credits=3.0)
    assert (cost(searched), charge(searched).known) == (pytest.approx(0.024), True)
    assert not charge(usage(kind="search", provider="elsewhere", credits=3.0)).known


@pytest.fixture
def laid_over(tmp_path):
    """Prices with a file of one's own, by its text."""

    def made(text):
        path = tmp_path / "prices.toml"
        path.write_text(text)
        return open_prices(path)

    return made


def test_a_file_of_ones_own_is_laid_over_ours(laid_over):
    prices = laid_over(
        'as_of = 2026-11-01\n[models]\n"GPT-5.4" = { input = 1, output = 2 }\n'
        '"ours-7b" = { input = 0, output = 0 }\n[searches]\ntavily = { credit = 0.005 }\n'
    )
    taken = usage(model="gpt-5.4", input_tokens=1_000_000, cached_tokens=500_000)
    assert prices.charge(taken, TODAY).usd == 1.0  # nothing was said of what is cached
    assert prices.charge(usage(model="ours-7b", counted=False), TODAY).known
    assert prices.rate("gemini", "gemini-3-flash", TODAY) == MODELS["gemini-3-flash"]
    assert (prices.file.as_of, prices.file.over) == (bundled_prices().as_of, date(2026, 11, 1))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[models]\n", "as_of"),
        ('as_of = 2026-11-01\n[models]\n"m" = { output = 2.0 }\n', "models.m.input"),
        ('as_of = 2026-11-01\n[models]\n"m" = { input = -1.0 }\n', "greater than or equal to 0"),
        ('as_of = 2026-11-01\n[models]\n"m" = { input = nan }\n', "finite"),
        ('as_of = 2026-11-01\n[models]\n"m" = { input = true }\n', "models.m.input"),
        ('as_of = 2026-11-01\n[models]\n"m" = { input = "secret" }\n', "models.m.input"),
        ('as_of = 2026-11-01\n[model]\n"m" = { input = 1.0 }\n', "model"),
        ("as_of = ", "not valid TOML"),
        ("#" * 1_000_001, "over 1000000 bytes"),
        ("as_of = 2026-11-01\nmodels = 7\n", "models"),
    ],
)
def test_a_broken_file_is_said_at_the_start_and_never_a_silent_zero(laid_over, text, told):
    with pytest.raises(PricesUnusable) as raised:
        laid_over(text)
    assert told in raised.value.detail
    assert "secret" not in raised.value.detail


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(PricesUnusable, match="No such file"):
        open_prices(tmp_path / "none.toml")


def test_our_own_file_is_dated_and_sound():
    assert read_price_file(OURS) == bundled_prices()
    assert bundled_prices().as_of <= TODAY
    assert bundled_prices().searches["tavily"].credit == 0.008
