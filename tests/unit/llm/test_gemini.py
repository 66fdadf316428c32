"""Behavior specific to Gemini."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from app.errors import ModelRefused
from app.llm.providers.guarded_model import GuardedModel
from tests.contract.llm.model_questions import Desk, ask_for, desk_of, transport_of
from tests.fakes.hooks import Heard
from tests.fakes.steps import Raw, finished, status

GOOD = {"verdict": "yes"}
LEVEL = "Thinking level MINIMAL is not supported for this model."


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with desk_of("gemini") as opened:
        yield opened


async def sent(desk: Desk, model: str, **more: Any) -> list[dict[str, Any]]:
    """Ask that model; the generation config of each call that was made for it."""
    used, before = Heard(), len(desk.fake.calls)
    transport = transport_of("gemini", desk.fake.url)
    asked = GuardedModel(transport, {"strong": model, "fast": model}, used)
    await asked.ask(ask_for(**more))
    await asked.ask(ask_for(**more))
    await transport.close()
    refused = len(desk.fake.calls) - before - 2  # a form that the model does not take costs nothing
    assert [one.outcome for one in used] == ["rejected"] * refused + ["ok", "ok"]
    assert not sum(one.input_tokens for one in used[:refused])
    return [call.body["generationConfig"] for call in desk.fake.calls]


@pytest.mark.parametrize(
    ("model", "tokens", "thinking"),
    [
        ("gemini-3.8-flash", 0, {"thinking_level": "LOW"}),
        ("gemini-4-argon", 0, {"thinking_level": "LOW"}),
        ("gemini-3.5-flash-lite", 0, {"thinking_level": "MINIMAL"}),
        ("gemini-3.5-flash-lite", 4_000, {"thinking_level": "MEDIUM"}),
        ("gemini-3.8-flash", 20_000, {"thinking_level": "HIGH"}),
        ("gemini-3.8-flash", None, None),
        ("gemini-2.5-flash", 0, {"thinking_budget": 0}),
        ("gemini-2.5-flash", 500, {"thinking_budget": 500}),
    ],
)
async def test_thinking_is_asked_for_in_the_words_the_model_knows(
    desk: Desk, model: str, tokens: int | None, thinking: dict[str, Any] | None
) -> None:
    desk.fake.always(GOOD)
    configs = await sent(desk, model, thinking_tokens=tokens)
    assert [config.get("thinkingConfig") for config in configs] == [thinking, thinking]


async def test_a_budget_that_is_refused_is_not_tried_a_second_time(desk: Desk) -> None:
    desk.fake.always(GOOD)
    configs = await sent(desk, "gemini-2.5-pro")
    assert [config["thinkingConfig"]["thinking_budget"] for config in configs] == [0, 128, 128]


async def test_a_level_that_is_refused_is_not_tried_a_second_time(desk: Desk) -> None:
    desk.fake.script(status(400, message=LEVEL), GOOD, GOOD)
    configs = await sent(desk, "gemini-9-flash")
    levels = [config["thinkingConfig"]["thinking_level"] for config in configs]
    assert levels == ["MINIMAL", "LOW", "LOW"]


async def test_thoughts_take_no_room_from_the_reply(desk: Desk) -> None:
    desk.fake.always(GOOD)
    [first, _] = await sent(desk, "gemini-3.8-flash", max_output_tokens=300)
    assert first["maxOutputTokens"] == 300 + 4_096


async def test_the_temperature_is_left_to_models_that_ignore_it(desk: Desk) -> None:
    desk.fake.always(GOOD)
    assert ["temperature" in one for one in await sent(desk, "gemini-3.8-flash")] == [False, False]
    assert (await sent(desk, "gemini-2.5-flash"))[-1]["temperature"] == 0


async def test_the_schema_is_json_schema_and_the_page_is_the_users(desk: Desk) -> None:
    desk.fake.script(GOOD)
    await desk.ask()
    body = desk.fake.calls[0].body
    assert body["generationConfig"]["responseMimeType"] == "application/json"
    assert "responseJsonSchema" in body["generationConfig"]
    assert [content["role"] for content in body["contents"]] == ["user"]
    assert body["systemInstruction"]["parts"] == [{"text": "You judge."}]


async def test_the_provider_is_told_how_long_anyone_listens(desk: Desk) -> None:
    desk.fake.script(GOOD)
    await desk.ask(timeout_s=7)
    assert desk.fake.calls[0].headers["x-server-timeout"] == "7"


@pytest.mark.parametrize("reason", ["RECITATION", "PROHIBITED_CONTENT", "SPII", "BLOCKLIST"])
async def test_what_was_stopped_is_refused_even_where_there_is_text(
    desk: Desk, reason: str
) -> None:
    desk.fake.script(finished(reason, '{"verdict": "yes"}'))
    with pytest.raises(ModelRefused, match=reason):
        await desk.ask()


async def test_thoughts_and_words_unknown_to_us_do_no_harm(desk: Desk) -> None:
    desk.fake.script(
        Raw(
            '{"candidates": [{"finishReason": "A_NEW_REASON", "newField": {}, "content": {"parts":'
            ' [{"text": "Let me see {", "thought": true}, {"text": "{\\"verdict\\":"},'
            ' {"text": "\\"no\\"}"}]}}], "usageMetadata": null, "promptFeedback": {}}',
            "application/json",
        )
    )
    assert (await desk.ask()).verdict == "no"


async def test_malformed_calls_are_read_where_they_hold_a_reply(desk: Desk) -> None:
    desk.fake.script(finished("MALFORMED_FUNCTION_CALL", '{"verdict": "yes"}'))
    assert (await desk.ask()).verdict == "yes"


async def test_the_environment_of_the_sdk_changes_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "another-key")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    desk.fake.always(GOOD)
    await sent(desk, "gemini-3.8-flash")
    assert desk.fake.calls[0].headers["x-goog-api-key"] == desk.key


async def test_it_goes_by_the_client_it_is_given_whatever_else_is_installed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("the SDK took a client of its own")

    for made in (aiohttp.ClientSession, aiohttp.TCPConnector):
        monkeypatch.setattr(made, "__init__", refused)
    desk.fake.always(GOOD)
    assert await sent(desk, "gemini-3.8-flash")
