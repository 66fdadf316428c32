"""Adapters of the `Model` port fail properly over real HTTP."""

import asyncio

import pytest

from app.errors import (
    ModelFailed,
    ModelMisconfigured,
    ModelRefused,
    ModelReplyInvalid,
    ModelUnavailable,
)  # fmt: skip
from app.llm.providers.transport import BODY_BYTES
from tests.contract.llm.model_questions import Desk, Verdict, ask_for
from tests.fakes.steps import (
    Gate,
    Raw,
    blocked,
    cut,
    finished,
    held,
    never,
    not_json,
    rate_limit,
    refusal,
    status,
)  # fmt: skip

GOOD = {"verdict": "yes", "actions": ["click(14)", 'setValue("3", "Jas")']}
RIGHT = Verdict(verdict="yes", actions=("click(14)", 'setValue("3", "Jas")'))


@pytest.mark.parametrize("step", [blocked(), finished("SAFETY")], ids=["prompt", "reply"])
async def test_a_block_is_a_refusal_and_is_not_argued_with(desk: Desk, step: object) -> None:
    desk.fake.script(step)
    with pytest.raises(ModelRefused):
        await desk.ask()
    assert len(desk.fake.calls) == 1
    assert desk.used[0].ok is False
    assert desk.used[0].input_tokens > 0


async def test_a_refusal_in_words_is_never_a_reply(desk: Desk) -> None:
    desk.fake.always(refusal())
    with pytest.raises((ModelRefused, ModelReplyInvalid)):
        await desk.ask()


@pytest.mark.parametrize("code", [408, 409, 425, 429, 500, 502, 503, 504, 529])
async def test_a_busy_provider_is_tried_again(desk: Desk, code: int) -> None:
    desk.fake.script(status(code), status(code), GOOD)
    assert await desk.ask() == RIGHT
    assert [used.ok for used in desk.used] == [False, False, True]


@pytest.mark.parametrize(
    ("code", "error"),
    [(code, ModelMisconfigured) for code in (301, 400, 401, 402, 403, 404, 405, 413, 418, 422)]
    + [(code, ModelUnavailable) for code in (501, 505, 511)],
)
async def test_what_trying_again_cannot_help_is_not_tried_again(
    desk: Desk, code: int, error: type[ModelFailed]
) -> None:
    desk.fake.always(status(code, message="Nothing doing."))
    with pytest.raises(error):
        await desk.ask()
    # Whoever knows no streams answers like this as well.
    whole_too = desk.streamed and code in (404, 405, 501)
    assert [one.streamed for one in desk.fake.calls] == [desk.streamed, False][: 1 + whole_too]


@pytest.mark.parametrize(
    "body", ["<html>Bad gateway</html>", "", "[]", "7", "null", '{"error": null}', '{"error": [1]}']
)
async def test_an_error_of_any_shape_is_an_error_of_ours(desk: Desk, body: str) -> None:
    desk.fake.script(status(503, body), status(400, body))
    with pytest.raises(ModelFailed):
        await desk.ask()


@pytest.mark.parametrize(
    "body",
    [
        not_json(),
        Raw("<html>", "application/json"),
        Raw("", "application/json"),
        Raw("[]", "application/json"),
        Raw('{"candidates": 7, "choices": 7}', "application/json"),
        Raw(
            '{"candidates": [{"content": "?"}], "choices": [{"message": "?"}]}', "application/json"
        ),
        cut(GOOD),
    ],
    ids=str,
)
async def test_a_body_that_is_not_the_providers_is_no_reply(desk: Desk, body: object) -> None:
    desk.fake.always(body)
    with pytest.raises(ModelUnavailable):
        await desk.ask()


async def test_a_body_without_end_is_not_read_to_it(desk: Desk) -> None:
    desk.fake.script(Raw(" " * (BODY_BYTES + 1), "application/json"))
    with pytest.raises(ModelUnavailable, match="TooLong"):
        await desk.ask()
    assert len(desk.fake.calls) == 1


async def test_the_key_is_not_carried_to_another_address(desk: Desk) -> None:
    desk.fake.script(status(307, location=desk.fake.url))
    with pytest.raises(ModelMisconfigured, match="307"):
        await desk.ask()
    assert len(desk.fake.calls) == 1


async def test_a_cut_connection_is_tried_again(desk: Desk) -> None:
    desk.fake.script(cut(GOOD), GOOD)
    assert await desk.ask() == RIGHT


async def test_retries_end(desk: Desk) -> None:
    desk.fake.always(status(503))
    with pytest.raises(ModelUnavailable, match="503"):
        await desk.ask()
    assert len(desk.fake.calls) == 3


async def test_as_long_is_waited_as_the_provider_asks(desk: Desk) -> None:
    desk.fake.script(rate_limit(0.3), GOOD)
    started = asyncio.get_running_loop().time()
    await desk.ask()
    assert asyncio.get_running_loop().time() - started >= 0.3


async def test_nobody_waits_for_what_cannot_be_in_time(desk: Desk) -> None:
    desk.fake.script(rate_limit(60))
    async with asyncio.timeout(15):
        with pytest.raises(ModelUnavailable) as failed:
            await desk.ask(timeout_s=20)
    assert failed.value.retry_after == 60


async def test_an_answer_after_the_deadline_is_not_waited_for(desk: Desk) -> None:
    desk.fake.script(never())
    with pytest.raises(ModelUnavailable, match="in time"):
        await desk.ask(timeout_s=0.3)
    assert desk.used[0].ok is False


async def test_cancelling_ends_the_call_in_flight(desk: Desk) -> None:
    gate = Gate()
    desk.fake.script(held(gate, GOOD))
    asking = asyncio.create_task(desk.ask())
    await desk.fake.called(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(30):
        while not desk.fake.calls[0].abandoned:
            await asyncio.sleep(0.005)


async def test_a_wrong_key_is_for_a_person_and_is_told_nowhere(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    desk.fake.api_key = "another"
    with pytest.raises(ModelMisconfigured, match="key") as failed:
        await desk.ask()
    told = repr(failed.value) + repr(failed.value.__cause__) + failed.value.detail
    assert desk.key not in told + caplog.text


@pytest.mark.parametrize("code", [400, 401, 403, 503])
async def test_a_key_that_a_provider_repeats_is_not_repeated(desk: Desk, code: int) -> None:
    keys = ("sk-proj-abc123XYZ", "AIzaSyD-abc_123")
    desk.fake.always(status(code, message=f"Incorrect API key provided: {' or '.join(keys)}."))
    with pytest.raises(ModelFailed) as failed:
        await desk.ask()
    assert not any(key in failed.value.detail for key in keys)
    assert "abc" not in failed.value.detail


async def test_no_server_at_all(desk: Desk, unused_tcp_port: int) -> None:
    async with desk.elsewhere(f"http://127.0.0.1:{unused_tcp_port}/v1") as model:
        with pytest.raises(ModelUnavailable):
            await model.ask(ask_for())
