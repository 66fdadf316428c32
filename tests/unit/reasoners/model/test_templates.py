"""Each question names the file that its system text was made of, so that traces can tell versions apart."""

import inspect

from app.reasoners.model import prompts
from knowledge.extract import transcription
from tests.unit.chat.test_fenced import CHAT
from tests.unit.reasoners.model.prompt_files import prompt_names

PARTS = {"again.v1", "page.v2"}  # parts of others
ASKING = [one for one in vars(prompts).values() if isinstance(one, prompts.CallKind)]


def test_every_prompt_is_one_of_a_question_or_a_part_of_one() -> None:
    asked = {question.template for question in ASKING}
    assert asked | CHAT | PARTS | {transcription.TEMPLATE} == set(prompt_names())


def test_a_question_is_told_with_its_template() -> None:
    source = inspect.getsource(transcription)
    assert source.count("ModelRequest(") == source.count("template=TEMPLATE")
    assert "fill_prompt(TEMPLATE" in source
    for question in ASKING:
        made = question.request(["x"])
        assert (made.template, made.system) == (
            question.template,
            prompts.system_prompt(question.template),
        )
