"""Differences between OpenAI-compatible endpoints."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.errors import ModelMisconfigured, ModelRefused
from app.llm.providers.openai_compatible import OpenAITransport
from tests.contract.llm.model_questions import Desk, ask_for, desk_of, model_on
from tests.fakes.hooks import unheard
from tests.fakes.steps import Raw, Say, refusal, status

GOOD = {"verdict": "yes"}
NO_SCHEMA = "'response_format.type' : value is not one of the allowed values ['text','json_object']"
NO_FORMAT = "response_format is not supported by this server"
NO_GRAMMAR = "Failed to initialize samplers: failed to parse grammar"
NO_EFFORT = "Unrecognized request argument supplied: reasoning_effort"
ONLY_MINIMAL = "Unsupported value: 'reasoning_effort' does not support 'none' with this model."
NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0 with this model."
NEWER_LIMIT = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
NO_SIGHT = "This model does not support image input."
TOO_LONG = "This model's maximum context length is 4096 tokens; 2000 were asked for in max_tokens."


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with desk_of("openai") as opened:
        yield opened


async def bodies(desk: Desk, *refusals: tuple[int, str], **more: Any) -> list[dict[str, Any]]:
    """Ask twice after these refusals; all that was sent."""
    desk.fake.script(*(status(code, message=said) for code, said in refusals), GOOD, GOOD)
    for _ in range(2):
        assert (await desk.ask(**more)).verdict == "yes"
    assert [used.ok for used in desk.used] == [False] * len(refusals) + [True, True]
    assert not sum(used.input_tokens for used in desk.used[: len(refusals)])  # nothing was billed
    return [call.body for call in desk.fake.calls]


def formats(sent: list[dict[str, Any]]) -> list[str]:
    return [body.get("response_format", {}).get("type", "text") for body in sent]


async def test_a_schema_is_asked_for_first(desk: Desk) -> None:
    sent = await bodies(desk)
    assert formats(sent) == ["json_schema", "json_schema"]
    assert "verdict" not in sent[0]["messages"][0]["content"]


@pytest.mark.parametrize(("code", "said"), [(400, NO_SCHEMA), (422, NO_FORMAT), (500, NO_GRAMMAR)])
async def test_a_refused_schema_goes_into_the_prompt_from_then_on(
    desk: Desk, code: int, said: str
) -> None:
    sent = await bodies(desk, (code, said))
    assert formats(sent) == ["json_schema", "json_object", "json_object"]
    assert '"enum":["yes","no"]' in sent[1]["messages"][0]["content"]
    assert sent[1]["messages"] == sent[2]["messages"]


async def test_plain_text_is_the_last_resort(desk: Desk) -> None:
    sent = await bodies(desk, (400, NO_SCHEMA), (400, NO_FORMAT))
    assert formats(sent) == ["json_schema", "json_object", "text", "text"]


@pytest.mark.parametrize(
    ("said", "key", "values"),
    [
        (NO_EFFORT, "reasoning_effort", ["none", "minimal"]),
        (ONLY_MINIMAL, "reasoning_effort", ["none", "minimal"]),
        (NO_TEMPERATURE, "temperature", [0, None]),
        (NEWER_LIMIT, "max_tokens", [2_000, None]),
    ],
    ids=["effort", "minimal", "temperature", "limit"],
)
async def test_what_is_refused_is_not_sent_a_second_time(
    desk: Desk, said: str, key: str, values: list[Any]
) -> None:
    sent = await bodies(desk, (400, said))
    assert [body.get(key) for body in sent] == [*values, values[-1]]


async def test_a_model_that_cannot_see_goes_on_without_the_picture(desk: Desk) -> None:
    sent = await bodies(desk, (400, NO_SIGHT), images=(b"jpeg",))
    assert [isinstance(body["messages"][1]["content"], str) for body in sent] == [False, True, True]


async def test_no_effort_at_all_where_none_is_taken(desk: Desk) -> None:
    sent = await bodies(desk, *[(400, NO_EFFORT)] * 3)
    assert [body.get("reasoning_effort") for body in sent] == ["none", "minimal", "low", None, None]


async def test_thinking_is_asked_for_by_effort_and_given_room(desk: Desk) -> None:
    sent = await bodies(desk, thinking_tokens=6_000, max_output_tokens=300)
    assert (sent[0]["reasoning_effort"], sent[0]["max_tokens"]) == ("medium", 300 + 8_192)


async def test_a_prompt_that_is_too_long_is_not_taken_for_a_habit(desk: Desk) -> None:
    desk.fake.script(status(400, message=TOO_LONG), GOOD)
    with pytest.raises(ModelMisconfigured, match="maximum context length"):
        await desk.ask()
    await desk.ask()
    assert ["max_tokens" in call.body for call in desk.fake.calls] == [True, True]


async def test_an_endpoint_that_refuses_everything_is_not_asked_for_ever(desk: Desk) -> None:
    desk.fake.always(status(400, message="max_tokens and max_completion_tokens are unknown"))
    with pytest.raises(ModelMisconfigured):
        await desk.ask()
    assert len(desk.fake.calls) == 2


@pytest.mark.parametrize(
    "text",
    [
        '<think>\nIs {"verdict": "no"} right?\n</think>\n\n{"verdict": "yes"}',
        'Hm, {"verdict": "no"}?</think>{"verdict": "yes"}',
        '<thinking>no</thinking>```json\n{"verdict": "yes"}\n```',
        '{"verdict": "yes", "note": "the page says </think>"}',
    ],
)
async def test_thoughts_are_not_part_of_the_reply(desk: Desk, text: str) -> None:
    desk.fake.script(text)
    assert (await desk.ask()).verdict == "yes"


async def test_nothing_but_thoughts_is_no_reply(desk: Desk) -> None:
    desk.fake.script(Say('<think>{"verdict": "no"}', finish="length"), GOOD)
    assert (await desk.ask()).verdict == "yes"


async def test_a_refusal_is_one(desk: Desk) -> None:
    desk.fake.script(refusal())
    with pytest.raises(ModelRefused):
        await desk.ask()


async def test_no_credit_is_for_a_person_and_not_tried_again(desk: Desk) -> None:
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    desk.fake.script(status(429, body))
    with pytest.raises(ModelMisconfigured, match="credit"):
        await desk.ask()
    assert len(desk.fake.calls) == 1


async def test_usage_in_other_shapes(desk: Desk) -> None:
    """Ollama counts no details, llama.cpp may count nothing."""
    choice = {"message": {"content": json.dumps(GOOD)}, "finish_reason": "stop"}
    for usage in ({"prompt_tokens": 7, "completion_tokens": 2}, None):
        whole = {"choices": [choice], "usage": usage}
        desk.fake.script(Raw(json.dumps(whole), "application/json"))
        await desk.ask()
    assert [(one.input_tokens, one.output_tokens) for one in desk.used] == [(7, 2), (0, 0)]
    assert [one.counted for one in desk.used] == [True, False]


async def test_a_server_of_ones_own_needs_no_key_and_no_environment(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-elsewhere")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    transport = OpenAITransport(None, desk.fake.base_url)
    desk.fake.script(GOOD)
    await model_on(transport, unheard).ask(ask_for())
    await transport.close()
    assert "from-elsewhere" not in str(desk.fake.calls[0].headers)
