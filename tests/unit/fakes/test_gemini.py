"""The Gemini fake, seen through google-genai."""

import asyncio
import json
from typing import Any

import httpx2
import pytest
from google import genai
from google.genai import errors, types
from pydantic import BaseModel, Field

from app.domain.page import Node, Observation, Tree
from app.page.render import render_lines
from tests.fakes import steps
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.scripted import asks_for
from tests.fakes.tokens import count

MODEL = "gemini-3-flash"


class Step(BaseModel):
    do: str


class Reply(BaseModel):
    thought: str
    steps: list[Step] = Field(max_length=5)


async def ask(
    client: genai.Client, prompt: Any = "Go on", model: str = MODEL, **config: Any
) -> Any:
    settings: dict[str, Any] = {
        "system_instruction": "You act on pages.",
        "response_mime_type": "application/json",
        "response_json_schema": Reply.model_json_schema(),
        **config,
    }
    return await client.aio.models.generate_content(
        model=model, contents=prompt, config=types.GenerateContentConfig(**settings)
    )


async def test_a_reply_and_what_it_cost(google, gemini):
    gemini.script(Reply(thought="now", steps=[Step(do="click(1)")]))
    answer = await ask(google, "the page")
    assert Reply.model_validate_json(answer.text).steps[0].do == "click(1)"
    assert answer.candidates[0].finish_reason == types.FinishReason.STOP
    (call,) = gemini.calls
    assert (call.system, call.prompt, call.model) == ("You act on pages.", "the page", MODEL)
    schema = json.dumps(Reply.model_json_schema())
    sent = count("\n".join(["You act on pages.", schema, "the page"]))
    assert call.input_tokens == answer.usage_metadata.prompt_token_count == sent
    assert call.output_tokens == answer.usage_metadata.candidates_token_count == count(answer.text)


@pytest.mark.parametrize(
    ("model", "resolution", "tokens"),
    [
        ("gemini-3-flash", None, 1_120),
        ("gemini-3-flash", "MEDIA_RESOLUTION_LOW", 280),
        ("gemini-2.5-flash", None, 258),
    ],
)
async def test_images_are_billed_by_their_resolution(google, gemini, model, resolution, tokens):
    gemini.script({}, {})
    picture = types.Part.from_bytes(data=b"\xff\xd8jpeg", mime_type="image/jpeg")
    text = types.Part.from_text(text="Look")
    await ask(google, [text], model=model)
    await ask(google, [text, picture], model=model, media_resolution=resolution)
    without, having = gemini.calls
    assert having.images == (b"\xff\xd8jpeg",)
    assert having.input_tokens - without.input_tokens == tokens


async def test_a_long_common_beginning_is_cached(google, gemini):
    gemini.script({}, {})
    rules = "Say what is on the page, and nothing else. " * 500
    first = await ask(google, "one", system_instruction=rules)
    second = await ask(google, "two", system_instruction=rules)
    assert first.usage_metadata.cached_content_token_count is None
    assert second.usage_metadata.cached_content_token_count >= 4_096


async def test_a_short_one_is_not(google, gemini):
    gemini.script({}, {})
    await ask(google)
    assert (await ask(google)).usage_metadata.cached_content_token_count is None


def test_the_rows_are_read_as_the_product_writes_them():
    rows = [("Ann Lee", "1"), ("Jas", "3"), ("Jas Okafor", "5")]
    nodes = tuple(
        Node(id=str(int(first) + at), role="btn", name=name, group=f"row: {label}")
        for label, first in rows
        for at, name in enumerate(("Open", "Edit"))
    )
    page = Observation(url="https://a.example/", tree=Tree(nodes=nodes))
    call = Call("/", {}, {}, prompt=render_lines(page))
    assert [call.id_of("Edit", row=label) for label, _ in rows] == ["2", "4", "6"]
    alone = Call(
        "/", {}, {}, prompt=render_lines(Observation(url=page.url, tree=Tree(nodes=nodes[:2])))
    )
    assert alone.id_of("Edit", row="Ann Lee") == "2"


async def test_a_callable_reads_the_page(google, gemini):
    page = 'form: New patient:\n14 inp "Name" required\n2:15 btn "Save"\nnav, each row: link, btn "Edit"\n'
    page += 'Ann, 3: 30 "Ann, 3", 31\nJas: 40 "Jas", 41 disabled'
    gemini.script(
        lambda call: {
            "do": f"{call.id_of('Name')} {call.id_of('Save')} {call.id_of('Edit', row='Jas')}"
        }
    )
    assert json.loads((await ask(google, page)).text) == {"do": "14 2:15 41"}


async def test_what_the_page_has_not_fails_the_test():
    fake = FakeGemini()
    fake.script(lambda call: {"do": call.id_of("Nowhere")})
    with pytest.raises(AssertionError, match="no control named 'Nowhere'"), fake.served():
        await asked_of(fake)


async def asked_of(fake: FakeGemini) -> None:
    async with httpx2.AsyncClient() as http:
        options = types.HttpOptions(base_url=fake.url, httpx_async_client=http)
        client = genai.Client(api_key="key", http_options=options)
        with pytest.raises(errors.ServerError):
            await ask(client, "what now")
        client.close()


async def test_a_script_that_runs_out_fails_the_test():
    fake = FakeGemini()
    with (
        pytest.raises(AssertionError, match=r"call 1 has no step in the script(.|\n)*what now"),
        fake.served(),
    ):
        await asked_of(fake)


async def test_calls_of_another_kind_have_steps_of_their_own(google, gemini):
    gemini.script({"n": 1}, {"n": 2})
    gemini.when(asks_for("thought"), {"n": "kind"}, {"n": "kind again"})
    plain = {"type": "object", "properties": {"n": {"type": "integer"}}}
    got = [
        (await ask(google)).text,
        (await ask(google, response_json_schema=plain)).text,
        (await ask(google)).text,
        (await ask(google)).text,
    ]
    assert [json.loads(text)["n"] for text in got] == ["kind", 1, "kind again", 2]
    assert gemini.left == 0


@pytest.mark.parametrize(
    ("code", "status", "error"),
    [
        (400, "INVALID_ARGUMENT", errors.ClientError),
        (403, "PERMISSION_DENIED", errors.ClientError),
        (500, "INTERNAL", errors.ServerError),
        (503, "UNAVAILABLE", errors.ServerError),
        (529, "UNAVAILABLE", errors.ServerError),
    ],
)
async def test_errors_have_the_vendors_shape(google, gemini, code, status, error):
    gemini.script(steps.status(code))
    with pytest.raises(error) as raised:
        await ask(google)
    assert (raised.value.code, raised.value.status) == (code, status)
    assert raised.value.message
    assert gemini.calls[0].input_tokens == 0


async def test_a_rate_limit_says_when_to_come_back(google, gemini):
    gemini.script(steps.rate_limit(7))
    with pytest.raises(errors.ClientError) as raised:
        await ask(google)
    assert (raised.value.code, raised.value.status) == (429, "RESOURCE_EXHAUSTED")
    details = raised.value.details["error"]["details"]
    assert {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"} in details


async def test_a_body_that_is_cut_off(google, gemini):
    gemini.script(steps.cut({"thought": "x" * 500}))
    with pytest.raises(httpx2.RemoteProtocolError):
        await ask(google)


async def test_a_body_that_is_no_json(google, gemini):
    gemini.script(steps.not_json())
    with pytest.raises(json.JSONDecodeError):
        await ask(google)


async def test_an_answer_after_the_deadline_is_seen_to_be_given_up(google, gemini):
    gemini.script(steps.never())
    with pytest.raises(httpx2.ReadTimeout):
        await ask(google, http_options=types.HttpOptions(timeout=50))
    async with asyncio.timeout(30):
        while not gemini.calls[0].abandoned:
            await asyncio.sleep(0.005)


async def test_a_slow_and_a_held_answer(google, gemini):
    gate = steps.Gate()
    gemini.script(steps.slow(0.05, {"n": 1}), steps.held(gate, {"n": 2}))
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert json.loads((await ask(google)).text) == {"n": 1}
    assert loop.time() - began >= 0.05
    asking = asyncio.create_task(ask(google))
    await gemini.called(2)
    assert not asking.done()
    gate.set()
    assert json.loads((await asking).text) == {"n": 2}


@pytest.mark.parametrize("reason", ["SAFETY", "MALFORMED_FUNCTION_CALL", "RECITATION"])
async def test_it_stops_for_a_reason_and_says_nothing(google, gemini, reason):
    gemini.script(steps.finished(reason))
    answer = await ask(google)
    assert answer.candidates[0].finish_reason == types.FinishReason(reason)
    assert not answer.text


async def test_no_candidate_an_empty_one_and_a_blocked_prompt(google, gemini):
    gemini.script(steps.empty(), steps.empty(candidate=True), steps.blocked())
    assert not (await ask(google)).candidates
    assert not (await ask(google)).candidates[0].content.parts
    answer = await ask(google)
    assert answer.prompt_feedback.block_reason == types.BlockedReason.PROHIBITED_CONTENT


async def test_the_requests_own_limit_ends_a_reply_but_not_a_huge_one(google, gemini):
    gemini.script({"thought": "on and " * 50}, steps.huge(), steps.thinking(30, {"n": 1}))
    limited = await ask(google, max_output_tokens=20)
    assert limited.candidates[0].finish_reason == types.FinishReason.MAX_TOKENS
    assert limited.usage_metadata.candidates_token_count == 20
    assert (await ask(google, max_output_tokens=20)).usage_metadata.candidates_token_count > 99_000
    thought = await ask(google, max_output_tokens=100)
    assert thought.usage_metadata.thoughts_token_count == 30


async def test_words_around_json_half_of_it_and_garbage_are_sent_as_they_are(google, gemini):
    gemini.script(
        steps.markdown({"n": 1}), steps.half({"n": 12345}), steps.GARBAGE, steps.refusal()
    )
    assert "```json" in (await ask(google)).text
    assert (await ask(google)).text == '{"n": '
    assert (await ask(google)).text == steps.GARBAGE
    assert "can't help" in (await ask(google)).text


async def test_models_and_counting(google, gemini):
    names = [model.name async for model in await google.aio.models.list()]
    assert "models/gemini-3-pro" in names
    assert (await google.aio.models.get(model=MODEL)).name == f"models/{MODEL}"
    counted = await google.aio.models.count_tokens(model=MODEL, contents="one two three")
    assert counted.total_tokens == 3
    assert not gemini.calls
