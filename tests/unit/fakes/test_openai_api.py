"""The OpenAI fake, seen through openai."""

import json
from typing import Any

import openai
import pytest
from pydantic import BaseModel, ConfigDict

from tests.fakes import steps
from tests.fakes.openai_api import FakeOpenAI
from tests.fakes.tokens import count


class Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    n: int


def described(schema: dict[str, Any], *, strict: bool = True) -> dict[str, Any]:
    named = {"name": "reply", "schema": schema, "strict": strict}
    return {"type": "json_schema", "json_schema": named}


async def ask(client: openai.AsyncOpenAI, prompt: Any = "Go on", **more: Any) -> Any:
    system = {"role": "system", "content": "You act on pages."}
    settings = {"response_format": described(Reply.model_json_schema()), **more}
    messages = [system, {"role": "user", "content": prompt}]
    return await client.chat.completions.create(model="qwen3:8b", messages=messages, **settings)


async def test_a_reply_and_what_it_cost(chat, openai_api):
    openai_api.script(Reply(n=1))
    answer = await ask(chat)
    assert json.loads(answer.choices[0].message.content) == {"n": 1}
    assert answer.choices[0].finish_reason == "stop"
    (call,) = openai_api.calls
    assert (call.system, call.prompt, call.model) == ("You act on pages.", "Go on", "qwen3:8b")
    assert call.asks_for("n")
    sent = count("\n".join(["You act on pages.", json.dumps(Reply.model_json_schema()), "Go on"]))
    assert answer.usage.prompt_tokens == call.input_tokens == sent
    assert answer.usage.completion_tokens == call.output_tokens == count('{"n":1}')


async def test_images_thinking_and_what_is_cached(chat, openai_api):
    openai_api.script({}, steps.thinking(40, {"n": 1}), {})
    rules = "Say what is on the page, and nothing else. " * 200
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,YWJj"}}
    text = {"type": "text", "text": rules}
    await ask(chat, [text])
    second = await ask(chat, [text, picture])
    assert openai_api.calls[1].images == (b"abc",)
    assert second.usage.prompt_tokens - openai_api.calls[0].input_tokens == 765
    assert second.usage.completion_tokens_details.reasoning_tokens == 40
    cached = second.usage.prompt_tokens_details.cached_tokens
    assert cached >= 1_024
    assert cached % 128 == 0


async def test_a_refusal_has_its_own_field(chat, openai_api):
    openai_api.script(steps.refusal("No."))
    message = (await ask(chat)).choices[0].message
    assert (message.refusal, message.content) == ("No.", None)


@pytest.mark.parametrize(
    ("step", "finish"),
    [
        (steps.finished("SAFETY"), "content_filter"),
        (steps.finished("MAX_TOKENS", '{"n":'), "length"),
        (steps.blocked(), "content_filter"),
        (steps.empty(candidate=True), "stop"),
    ],
)
async def test_it_stops_for_a_reason(chat, openai_api, step, finish):
    openai_api.script(step)
    assert (await ask(chat)).choices[0].finish_reason == finish


async def test_no_choice_at_all_and_a_reply_that_must_end(chat, openai_api):
    openai_api.script(steps.empty(), {"thought": "on and " * 50})
    assert (await ask(chat)).choices == []
    limited = await ask(chat, max_completion_tokens=20)
    assert (limited.choices[0].finish_reason, limited.usage.completion_tokens) == ("length", 20)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (404, openai.NotFoundError),
        (500, openai.InternalServerError),
        (529, openai.InternalServerError),
    ],
)
async def test_errors_have_the_vendors_shape(chat, openai_api, code, error):
    openai_api.script(steps.status(code, message="Because."))
    with pytest.raises(error, match="Because") as raised:
        await ask(chat)
    assert raised.value.status_code == code
    assert raised.value.type


async def test_a_rate_limit_says_when_to_come_back(chat, openai_api):
    openai_api.script(steps.rate_limit(1.5))
    with pytest.raises(openai.RateLimitError) as raised:
        await ask(chat)
    assert raised.value.response.headers["retry-after-ms"] == "1500"
    assert raised.value.code == "rate_limit_exceeded"


async def test_a_body_that_is_cut_off_late_or_no_json(chat, openai_api):
    openai_api.script(steps.cut({"n": 1}), steps.never(), steps.not_json())
    with pytest.raises(openai.APIConnectionError):
        await ask(chat)
    with pytest.raises(openai.APITimeoutError):
        await ask(chat, timeout=0.05)
    assert isinstance(await ask(chat), str)  # the SDK hands on what is no JSON


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (
            {"type": "object", "properties": {"n": {"type": "integer"}}},
            "'additionalProperties' is required",
        ),
        (Reply.model_json_schema() | {"required": []}, "Missing 'n'"),
    ],
)
async def test_a_strict_schema_is_refused_and_taken_by_a_compatible_server(
    chat, openai_api, refused, said
):
    openai_api.script({"n": 1}, {"n": 2})
    with pytest.raises(openai.BadRequestError, match=said) as raised:
        await ask(chat, response_format=described(refused))
    assert raised.value.param == "response_format"
    await ask(chat, response_format=described(refused, strict=False))
    openai_api.strict = False
    await ask(chat, response_format=described(refused))


async def test_json_mode_wants_the_word(chat, openai_api):
    openai_api.script({"n": 1})
    with pytest.raises(openai.BadRequestError, match="must contain the word 'json'"):
        await ask(chat, response_format={"type": "json_object"})
    await ask(chat, "Answer as JSON", response_format={"type": "json_object"})


async def test_a_wrong_key_and_the_models(chat, openai_api: FakeOpenAI):
    assert "qwen3:8b" in [model.id async for model in chat.models.list()]
    openai_api.api_key = "another"
    with pytest.raises(openai.AuthenticationError) as raised:
        await ask(chat)
    assert raised.value.code == "invalid_api_key"
