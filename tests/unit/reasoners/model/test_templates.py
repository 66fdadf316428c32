"""Each question names the file that its system text was made of, so that traces can tell versions apart."""

import inspect

import pytest

from app.chat.audit import rules, verdicts
from app.chat.claims import judge, proof
from app.chat.comparison import model as comparing
from app.chat.inquiry import model as inquiry
from app.chat.request import model as understanding
from app.chat.summary import model as summarizing
from app.llm.prompt_templates import prompt_names
from app.reasoners.model import prompts
from knowledge.extract import transcription

PARTS = {"again.v1", "page.v2"}  # parts of others
ASKING = [one for one in vars(prompts).values() if isinstance(one, prompts.CallKind)]
CHAT = [understanding, inquiry, judge, proof, summarizing, comparing, rules, verdicts]


def test_every_prompt_is_one_of_a_question_or_a_part_of_one() -> None:
    asked = {question.template for question in ASKING} | {module.TEMPLATE for module in CHAT}
    assert asked | PARTS | {transcription.TEMPLATE} == set(prompt_names())


@pytest.mark.parametrize("module", CHAT, ids=lambda module: module.TEMPLATE)
def test_what_the_chat_asks_is_told_with_its_template(module: object) -> None:
    source = inspect.getsource(module)  # type: ignore[arg-type]
    assert source.count("ModelRequest(\n") == source.count("template=TEMPLATE")
    assert "fill_prompt(TEMPLATE, fence=NAME" in source


def test_a_question_is_told_with_its_template() -> None:
    source = inspect.getsource(transcription)
    assert source.count("ModelRequest(") == source.count("template=TEMPLATE")
    assert "fill_prompt(TEMPLATE" in source
    for question in ASKING:
        asked = question.asked(["x"])
        assert (asked.template, asked.system) == (
            question.template,
            prompts.system_prompt(question.template),
        )
