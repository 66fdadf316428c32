"""Behavior of all adapters of the `Model` port over real HTTP."""

import json

import pytest

from app.errors import (
    ModelReplyInvalid,
)  # fmt: skip
from tests.contract.llm.model_questions import JPEG, Desk, Verdict
from tests.fakes.steps import (
    GARBAGE,
    empty,
    finished,
    half,
    huge,
    markdown,
    thinking,
)  # fmt: skip

GOOD = {"verdict": "yes", "actions": ["click(14)", 'setValue("3", "Jas")']}
RIGHT = Verdict(verdict="yes", actions=("click(14)", 'setValue("3", "Jas")'))


async def test_a_reply_comes_back_in_the_asked_shape(desk: Desk) -> None:
    desk.fake.script(GOOD)
    assert await desk.ask() == RIGHT
    call = desk.fake.calls[0]
    assert (call.system, call.prompt) == ("You judge.", "Is it so?")
    assert call.asks_for("verdict", "actions")


async def test_each_tier_is_a_model_of_its_own(desk: Desk) -> None:
    desk.fake.script(GOOD, GOOD)
    await desk.ask(tier="fast")
    await desk.ask(tier="strong")
    assert [call.model for call in desk.fake.calls] == [
        desk.model.names["fast"],
        desk.model.names["strong"],
    ]


async def test_images_are_sent_as_they_are(desk: Desk) -> None:
    desk.fake.script(GOOD)
    await desk.ask(images=(JPEG, JPEG + b"2"))
    assert desk.fake.calls[0].images == (JPEG, JPEG + b"2")


async def test_a_call_is_counted_once_as_the_provider_counted_it(desk: Desk) -> None:
    desk.fake.script(thinking(40, GOOD))
    await desk.ask()
    [used] = desk.used
    call = desk.fake.calls[0]
    assert (used.input_tokens, used.output_tokens) == (call.input_tokens, call.output_tokens)
    assert (used.thinking_tokens, used.purpose, used.ok) == (40, "judging", True)
    assert (used.provider, used.model) == (desk.billed, call.model)
    assert used.duration_ms > 0


async def test_what_calls_have_in_common_is_cached_by_the_provider(desk: Desk) -> None:
    desk.fake.script(GOOD, GOOD)
    stable = "You judge. " + "Be fair and brief. " * 1_200
    for prompt in ("Is it so?", "Is it not so?"):
        await desk.ask(system=stable, prompt=prompt)
    assert [used.cached_tokens > 4_000 for used in desk.used] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        markdown(GOOD),
        f"Of course. {json.dumps(GOOD)} Anything else?",
        json.dumps(GOOD)[:-1] + ",}",
        json.dumps(GOOD)[:-1],
        str(GOOD),
    ],
    ids=["markdown", "text around", "trailing comma", "lost brace", "single quotes"],
)
async def test_near_json_is_repaired_without_another_call(desk: Desk, text: str) -> None:
    desk.fake.script(text)
    assert await desk.ask() == RIGHT
    assert len(desk.fake.calls) == 1


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"verdict": "perhaps", "actions": []}, "verdict: Input should be 'yes' or 'no'"),
        ({"actions": []}, "verdict: Field required"),
        ([1, 2], "should be an object"),
        ("", "no text|empty"),
        ("Ja, das ist so.", "was not JSON"),
        (GARBAGE, "JSON"),
        (half(GOOD), "half a JSON object"),
        (huge(), "far too long"),
        (empty(), "no text"),
        (empty(candidate=True), "no text"),
        (finished("MALFORMED_FUNCTION_CALL"), "no text"),
        (finished("MAX_TOKENS", '{"verdict": "yes", "actions": ["setValue(3, \\"Ja'), "cut off"),
    ],
    ids=str,
)
class TestAReplyThatCannotBeUsed:
    async def test_is_asked_for_once_more_with_what_was_wrong(
        self, desk: Desk, wrong: object, told: str
    ) -> None:
        desk.fake.script(wrong, GOOD)
        assert await desk.ask() == RIGHT
        first, second = desk.fake.calls
        assert second.prompt.startswith(first.prompt)
        assert second.system == first.system
        assert [used.ok for used in desk.used] == [False, True]
        why = second.prompt.removeprefix(first.prompt)
        assert any(part in why for part in told.split("|")), why

    async def test_fails_by_name_the_second_time(
        self, desk: Desk, wrong: object, told: str
    ) -> None:
        desk.fake.script(wrong, wrong)
        with pytest.raises(ModelReplyInvalid) as failed:
            await desk.ask()
        assert any(part in failed.value.detail for part in told.split("|")), failed.value.detail
        assert [used.ok for used in desk.used] == [False, False]


async def test_a_reply_cut_at_its_length_gets_more_room_the_second_time(desk: Desk) -> None:
    desk.fake.script(finished("MAX_TOKENS", '{"verdict": "y'), GOOD)
    await desk.ask(max_output_tokens=300)
    first, second = (desk.room_of(call) for call in desk.fake.calls)
    assert second - first == 300


async def test_a_whole_reply_that_ends_at_its_length_is_taken(desk: Desk) -> None:
    desk.fake.script(finished("MAX_TOKENS", json.dumps(GOOD) + "\n\n\n"))
    assert await desk.ask() == RIGHT
