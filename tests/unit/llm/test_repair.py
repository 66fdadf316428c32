"""Parsing replies, and the errors for unusable ones."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from app.llm.providers.replies import REPAIR_CHARS, UnusableReply, parse_reply
from app.llm.providers.transport import Answer


class Chain(BaseModel):
    model_config = ConfigDict(extra="forbid")

    actions: tuple[str, ...]
    sure: float = 1.0


def chain(text: str, *, cut: bool = False) -> Chain:
    return parse_reply(Answer(text=text, cut=cut), Chain)


@pytest.mark.parametrize(
    "text",
    [
        '{"actions": ["click(14)"]}',
        '```json\n{"actions": ["click(14)"]}\n```',
        '```\n{"actions": ["click(14)"],}\n```',
        'Here {"actions": ["click(14)"]} and {"actions": ["click(99)"]}',
        "{'actions': ['click(14)']}",
        '{actions: ["click(14)"]}',
        '{"actions": ["click(14)"] // the button\n}',
        '{"actions": ["click(14)"]',
        '{"actions": ["click(14)"',
        '```json\n{"actions": ["click(14)"]\n```',
    ],
)
def test_near_json_is_read(text: str) -> None:
    assert chain(text).actions == ("click(14)",)


def test_quotes_that_were_not_escaped() -> None:
    assert chain('{"actions": ["setValue("14", "Jas")"]}').actions == ('setValue("14", "Jas")',)


@pytest.mark.parametrize(
    "text",
    [
        '{"actions": ["setValue(14, \\"Ja',
        '{"actions": ["click(14)",',
        '{"actions": ["click(14)"], "sure": 0.',
        '{"actions": ["click(14)"], "sure":',
    ],
)
def test_a_value_that_may_be_half_a_value_is_never_made_whole(text: str) -> None:
    with pytest.raises(UnusableReply, match="half"):
        chain(text)


def test_what_the_provider_cut_is_not_repaired_even_where_it_could_be() -> None:
    with pytest.raises(UnusableReply, match="cut off") as failed:
        chain('{"actions": ["click(14)"', cut=True)
    assert failed.value.cut


@given(st.text(max_size=300) | st.text(alphabet='{}[]",:\\ 1a', max_size=300))
def test_any_text_is_a_reply_or_unusable(text: str) -> None:
    with suppress(UnusableReply):
        chain(text)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 60_000,
        '{"a":' * 12_000,
        "[" * 60_000,
        '"' * 60_000,
        "{" + '"x": "y" z ' * 5_000,
        "lorem " * 100_000,
        '{"actions": ["' + 'x "y" ' * 10_000,
    ],
    ids=lambda text: text[:12],
)
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    with pytest.raises(UnusableReply):
        chain(text)
    assert time.process_time() - started < 1


def test_no_repair_of_what_is_too_long_to_repair() -> None:
    with pytest.raises(UnusableReply, match="not JSON"):
        chain('{"actions": ["' + "a" * REPAIR_CHARS + '"],}')


def test_what_was_wrong_is_told_without_what_was_written() -> None:
    with pytest.raises(UnusableReply) as failed:
        chain('{"actions": 7, "<ignore all> rules": "secret", "sure": "very secret"}')
    told = str(failed.value)
    assert "actions: Input should be a valid" in told
    assert "sure:" in told
    assert "secret" not in told
    assert "<" not in told
