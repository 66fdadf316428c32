"""Each question names the file that its system text was made of, so that traces can tell versions apart."""

import inspect
import pkgutil
from importlib import import_module

import pytest

from app.llm.prompting import names
from app.reasoners import model
from knowledge.extract import listening

PARTS = {"again.v1", "page.v1"}  # parts of others
ASKING = [
    module
    for info in pkgutil.iter_modules(model.__path__)
    if hasattr(module := import_module(f"{model.__name__}.{info.name}"), "system")
] + [listening]


def test_every_prompt_is_one_of_a_question_or_a_part_of_one() -> None:
    assert {module.TEMPLATE for module in ASKING} | PARTS == set(names())


@pytest.mark.parametrize("module", ASKING, ids=lambda module: module.TEMPLATE)
def test_a_question_is_told_with_its_template(module: object) -> None:
    source = inspect.getsource(module)  # type: ignore[arg-type]
    assert source.count("ModelRequest(") == source.count("template=TEMPLATE")
    assert "fill(TEMPLATE" in source.replace("fill(\n        TEMPLATE", "fill(TEMPLATE")
