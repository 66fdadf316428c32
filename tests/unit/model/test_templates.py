"""Each question names the file that its system text was made of, so that traces can tell versions apart."""

import inspect
import pkgutil
from importlib import import_module

import pytest

from app.chat.auditing import asking as auditing
from app.chat.comparing import asking as comparing
from app.chat.documents import resolving
from app.chat.inquiring import asking as inquiring
from app.chat.intent import asking as intent
from app.chat.summarizing import requests as summarizing
from app.llm.prompting import names
from app.reasoners import model
from knowledge.extract import listening

PARTS = {"again.v1", "page.v2"}  # parts of others
ASKING = [
    module
    for info in pkgutil.iter_modules(model.__path__)
    if hasattr(module := import_module(f"{model.__name__}.{info.name}"), "system")
] + [listening]
CHAT = [intent, resolving, inquiring, summarizing, comparing, auditing]
TWO = {summarizing.MERGED}  # the second of a module


def test_every_prompt_is_one_of_a_question_or_a_part_of_one() -> None:
    assert {module.TEMPLATE for module in ASKING + CHAT} | TWO | PARTS == set(names())


@pytest.mark.parametrize("module", CHAT, ids=lambda module: module.TEMPLATE)
def test_what_the_chat_asks_is_told_with_its_template(module: object) -> None:
    source = inspect.getsource(module)  # type: ignore[arg-type]
    told = [name for name in ("TEMPLATE", "MERGED") if name in vars(module)]
    assert source.count("ModelRequest(\n") == sum(source.count(f"template={one}") for one in told)
    assert all(f"fill({one}, fence=NAME" in source for one in told)


@pytest.mark.parametrize("module", ASKING, ids=lambda module: module.TEMPLATE)
def test_a_question_is_told_with_its_template(module: object) -> None:
    source = inspect.getsource(module)  # type: ignore[arg-type]
    assert source.count("ModelRequest(") == source.count("template=TEMPLATE")
    assert "fill(TEMPLATE" in source.replace("fill(\n        TEMPLATE", "fill(TEMPLATE")
