"""How long texts from outside may be: refused with the setting's name where somebody says them, cut with a
mark where a page or a document holds them.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from app.api.routes.chat.schemas import ChatRequest, ResumeRequest, TitleIn
from app.api.routes.delegations import Reason
from app.api.routes.interact.question import HitlResponseIn
from app.api.routes.interact.request import InteractRequest, parse_interact
from app.api.routes.knowledge.requests import IngestIn
from app.api.routes.recipes import RecipeIn
from app.bounds import Bounds, bounds, set_bounds
from app.errors import InvalidBody
from app.mcp.tasks.arguments import Ask, RunRecipe, RunTask, Search
from app.settings import Settings
from knowledge.extract.markdown import table_row
from tests.integration.desk import FORM, node

MOST = 20
LONG = "x" * (MOST + 1)
URL = f"https://crm.example/{LONG}"


@pytest.fixture(autouse=True)
def small() -> Iterator[None]:
    set_bounds(Bounds(**dict.fromkeys((one.name for one in fields(Bounds)), MOST)))
    yield
    set_bounds(Bounds())


def test_each_bound_is_a_setting() -> None:
    names = {one.name for one in fields(Bounds)}
    given = {f"longest_{name}": at for at, name in enumerate(sorted(names), 7)}
    settings = Settings(_env_file=None, **given)
    assert {name: getattr(settings.bounds, name) for name in names} == {
        name.removeprefix("longest_"): most for name, most in given.items()
    }
    assert all(Bounds.setting(name) == f"TABWRIGHT_LONGEST_{name.upper()}" for name in names)


class Noted(BaseModel):
    reason: Reason


REFUSED: list[tuple[type[BaseModel], dict[str, Any], str]] = [
    (InteractRequest, {"url": URL}, "url"),
    (InteractRequest, {"query": LONG}, "goal"),
    (ChatRequest, {"message": LONG}, "message"),
    (
        ResumeRequest,
        {"thread_id": "t", "resume_value": {"type": "text_input", "value": LONG}},
        "message",
    ),
    (TitleIn, {"title": LONG}, "title"),
    (Noted, {"reason": LONG}, "note"),
    (IngestIn, {"text": "words", "title": LONG}, "title"),
    (IngestIn, {"url": URL}, "url"),
    (HitlResponseIn, {"hitlId": "h", "type": "text_input", "value": LONG}, "answer"),
    (RecipeIn, {"taskId": "t" * 12, "title": LONG}, "title"),
    (RunTask, {"goal": LONG}, "goal"),
    (RunTask, {"goal": "Save", "url": URL}, "url"),
    (Search, {"query": LONG}, "question"),
    (Ask, {"question": LONG}, "message"),
    (RunRecipe, {"recipe_id": "r", "parameters": {"name": LONG}}, "answer"),
]


@pytest.mark.parametrize(("shape", "body", "name"), REFUSED)
def test_what_is_said_is_refused_with_the_settings_name(
    shape: type[BaseModel], body: dict[str, Any], name: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        shape.model_validate(body)
    told = [one["msg"] for one in refused.value.errors()]
    assert f"At most {MOST} characters (TABWRIGHT_LONGEST_{name.upper()})" in told


def test_the_error_of_a_request_names_the_place_the_bound_and_the_setting() -> None:
    with pytest.raises(InvalidBody) as refused:
        parse_interact(b'{"url": "https://a.example", "query": "%s"}' % LONG.encode())
    (found,) = (one for one in refused.value.found if one["loc"] == ("query",))
    assert found["msg"] == f"At most {MOST} characters (TABWRIGHT_LONGEST_GOAL)"


def test_what_a_page_shows_is_cut_and_marked() -> None:
    """Also what was refused with 422 before: a field that holds a long text, a long message."""
    shown = node(1, "inp", LONG, LONG, g=LONG, h=LONG, o=[LONG])
    body = FORM.body(query="Save", url="https://a.example") | {
        "interactiveTree": [shown],
        "pageTitle": LONG,
        "errors_detected": [LONG],
    }
    seen = InteractRequest.model_validate(body).observation()
    (found,) = seen.tree.nodes
    texts = [found.name, found.value, found.group, found.hint, *found.options]
    assert [*texts, seen.title, *seen.errors] == ["x" * (MOST - 1) + "…"] * 7


def test_a_long_value_of_a_field_is_no_reason_to_refuse_a_page() -> None:
    set_bounds(Bounds())
    long = node(1, "inp", "Notes", "word " * 10_000)
    body = FORM.body(query="Save") | {"interactiveTree": [long]}
    (found,) = InteractRequest.model_validate(body).observation().tree.nodes
    assert found.value is not None
    assert len(found.value) == bounds().value


def test_a_cell_of_a_documents_table_is_cut_and_marked() -> None:
    assert table_row(["short", LONG]) == f"| short | {'x' * (MOST - 1)}… |"
