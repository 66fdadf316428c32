"""The model chosen by the settings."""

from typing import Any

import pytest
from pydantic import SecretStr

from app.errors import ModelFailed, ModelMisconfigured, ModelUnavailable
from app.llm.providers.choice import check_models, choose_provider, describe_provider, open_model
from app.settings import Settings
from tests.contract.llm.model_questions import Verdict, ask_for
from tests.fakes.gemini import FakeGemini
from tests.fakes.hooks import unheard
from tests.fakes.openai_api import FakeOpenAI

KEY = SecretStr("a-key-nobody-may-see")
LOCAL = "http://localhost:11434/v1"


def settings(**more: Any) -> Settings:
    plain: dict[str, Any] = {
        "gemini_api_key": None, "openai_api_key": None, "openai_base_url": None,
        "gemini_base_url": None, "openai_model": "", "openai_fast_model": "", "llm": "auto",
    }  # fmt: skip
    return Settings(_env_file=None, **{**plain, **more})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "rules (no model is configured)"),
        ({"llm": "rules", "gemini_api_key": KEY}, "rules alone, no model"),
        (
            {"gemini_api_key": KEY},
            "gemini: gemini-3.8-flash, fast gemini-3.5-flash-lite, at its default address",
        ),
        (
            {"gemini_api_key": KEY, "openai_base_url": LOCAL, "openai_model": "qwen3"},
            "gemini: gemini-3.8-flash, fast gemini-3.5-flash-lite, at its default address",
        ),
        (
            {"openai_base_url": LOCAL, "openai_model": "qwen3"},
            "openai: qwen3, fast qwen3, at http://localhost:11434/v1",
        ),
        (
            {"openai_api_key": KEY, "openai_model": "gpt-5.6", "openai_fast_model": "gpt-5.6-mini"},
            "openai: gpt-5.6, fast gpt-5.6-mini, at its default address",
        ),
        ({"openai_api_key": KEY}, "rules (no model is configured)"),
        ({"gemini_api_key": SecretStr(" ")}, "rules (no model is configured)"),
        (
            {
                "llm": "openai",
                "openai_base_url": "http://me:secret@box/v1?k=s",
                "openai_model": "q",
            },
            "openai: q, fast q, at http://box/v1",
        ),
    ],
)
def test_the_provider_is_the_one_that_is_named(given: dict[str, Any], said: str) -> None:
    assert describe_provider(settings(**given)) == said


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"llm": "gemini"}, "GEMINI_API_KEY is not set"),
        ({"llm": "openai"}, "neither TABWRIGHT_OPENAI_BASE_URL nor OPENAI_API_KEY"),
        ({"llm": "openai", "openai_api_key": KEY}, "TABWRIGHT_OPENAI_MODEL is not set"),
        ({"openai_base_url": LOCAL}, "TABWRIGHT_OPENAI_MODEL is not set"),
        ({"openai_base_url": "localhost:11434", "openai_model": "q"}, "TABWRIGHT_OPENAI_BASE_URL"),
        ({"openai_base_url": "http://:x/", "openai_model": "q"}, "TABWRIGHT_OPENAI_BASE_URL"),
        ({"gemini_api_key": KEY, "gemini_base_url": "ftp://x"}, "TABWRIGHT_GEMINI_BASE_URL"),
        ({"gemini_api_key": SecretStr("se\ncret")}, "GEMINI_API_KEY contains characters"),
        ({"gemini_api_key": SecretStr("sécret")}, "GEMINI_API_KEY contains characters"),
        ({"gemini_api_key": KEY, "gemini_model": ""}, "TABWRIGHT_GEMINI_MODEL is empty"),
    ],
)
def test_what_a_named_provider_lacks_is_said(given: dict[str, Any], missing: str) -> None:
    with pytest.raises(ModelMisconfigured, match=missing) as failed:
        choose_provider(settings(**given))
    assert "cret" not in failed.value.detail


async def test_by_rules_alone_nothing_is_opened() -> None:
    async with open_model(settings(), unheard) as model:
        assert model is None
    await check_models(settings())


async def test_gemini_is_opened_asked_and_reached() -> None:
    with FakeGemini().served() as fake:
        given = settings(gemini_api_key=KEY, gemini_base_url=fake.url, gemini_model="gemini-3-pro")
        fake.script({"verdict": "yes"})
        async with open_model(given, unheard) as model:
            assert model is not None
            assert model.names == {"strong": "gemini-3-pro", "fast": "gemini-3.5-flash-lite"}
            assert await model.ask(ask_for()) == Verdict(verdict="yes")
        await check_models(given)
        fake.api_key = "another"
        with pytest.raises(ModelMisconfigured, match="key"):
            await check_models(given)


async def test_an_endpoint_is_reached_when_it_lists_the_model() -> None:
    with FakeOpenAI().served() as fake:
        given = {"openai_base_url": fake.base_url, "openai_model": "gpt-5.6"}
        await check_models(settings(**given))
        with pytest.raises(ModelFailed, match="does not list gpt-1"):
            await check_models(settings(**given, openai_fast_model="gpt-1"))


async def test_nothing_is_reached_where_nothing_listens(unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/v1"
    for given in (
        {"openai_base_url": url, "openai_model": "q"},
        {"gemini_base_url": url, "gemini_api_key": KEY},
    ):
        with pytest.raises(ModelUnavailable):
            await check_models(settings(**given))
