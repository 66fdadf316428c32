"""Requests that the Gemini fake refuses, as Gemini does."""

from typing import Any

import pytest
from google.genai import errors, types

from tests.fakes.gemini import FakeGemini
from tests.unit.fakes.test_gemini import Reply, ask

TEXT = {"type": "string"}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def nested(levels: int) -> dict[str, Any]:
    return schema(x=nested(levels - 1)) if levels > 1 else schema(x=TEXT)


REFUSED = {
    "an object without properties": (
        schema(x={"type": "object"}),
        r"properties\[x\]\.properties: should be",
    ),
    "an undefined reference": (schema(x={"$ref": "#/$defs/No"}), "reference to undefined schema"),
    "a default beside a reference": (
        schema(x={"$ref": "#/$defs/A", "default": None}) | {"$defs": {"A": schema(y=TEXT)}},
        r"\$ref may not have other properties set: default",
    ),
    "a required cycle": (
        {
            "$ref": "#/$defs/A",
            "$defs": {"A": schema(y={"$ref": "#/$defs/A"}) | {"required": ["y"]}},
        },
        "cyclic reference",
    ),
    "an unknown format": (
        schema(x={"type": "string", "format": "uri"}),
        r"format: only .* for STRING type",
    ),
    "an empty word in an enum": (
        schema(x={"type": "string", "enum": ["a", ""]}),
        r"enum\[1\]: cannot be",
    ),
    "a list of nothing": (schema(x={"type": "array"}), r"properties\[x\]\.items: missing field"),
    "a required stranger": (
        schema(x=TEXT) | {"required": ["y"]},
        r"required\[0\]: property is not defined",
    ),
    "eleven levels": (nested(11), "maximum allowed nesting depth"),
    "long lists in long lists": (
        schema(
            x={
                "type": "array",
                "maxItems": 40,
                "items": {"type": "array", "maxItems": 40, "items": TEXT},
            }
        ),
        "Request contains an invalid argument",
    ),
}


@pytest.mark.parametrize(("refused", "said"), REFUSED.values(), ids=REFUSED)
async def test_a_json_schema_is_refused(google, gemini, refused, said):
    gemini.script({})
    with pytest.raises(errors.ClientError, match=said) as raised:
        await ask(google, response_json_schema=refused)
    assert (raised.value.code, raised.value.status) == (400, "INVALID_ARGUMENT")
    assert (gemini.left, gemini.input_tokens) == (1, 0)


@pytest.mark.parametrize(
    "taken",
    [
        nested(10),
        schema(x={"type": "object", "additionalProperties": TEXT}),
        schema(x={"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]}),
        schema(x={"$ref": "#/$defs/A"})
        | {"$defs": {"A": schema(y=TEXT)}, "additionalProperties": False},
        {
            "$ref": "#/$defs/A",
            "$defs": {"A": schema(y={"type": "array", "items": {"$ref": "#/$defs/A"}})},
        },
    ],
)
async def test_a_json_schema_is_taken(google, gemini, taken):
    gemini.script({"x": None})
    assert (await ask(google, response_json_schema=taken)).text


async def test_the_older_field_knows_fewer_names(google, gemini):
    gemini.script({})
    older = {
        "response_json_schema": None,
        "response_schema": {"type": "OBJECT", "additionalProperties": False},
    }
    with pytest.raises(
        errors.ClientError, match=r'Unknown name "additional_?[pP]roperties".*Cannot find field'
    ):
        await ask(google, **older)
    answer = await ask(google, response_json_schema=None, response_schema=Reply)
    assert answer.text == "{}"


@pytest.mark.parametrize(
    ("model", "config", "said"),
    [
        ("gemini-3-pro", {"thinking_budget": 0}, "only works in thinking mode"),
        ("gemini-3-pro", {"thinking_level": "MINIMAL"}, "MINIMAL is not supported"),
        ("gemini-3.8-flash", {"thinking_level": "MINIMAL"}, "MINIMAL is not supported"),
        ("gemini-4-argon", {"thinking_budget": 0}, "budget is not supported"),
        ("gemini-3-flash", {"thinking_level": "LOW", "thinking_budget": 10}, "only one of"),
        ("gemini-2.5-flash", {"thinking_level": "LOW"}, "level is not supported"),
    ],
)
async def test_thinking_is_not_every_models_to_choose(google, gemini, model, config, said):
    with pytest.raises(errors.ClientError, match=said):
        await ask(google, model=model, thinking_config=types.ThinkingConfig(**config))


async def test_a_schema_wants_json(google, gemini):
    with pytest.raises(errors.ClientError, match="mime type"):
        await ask(google, response_mime_type="text/plain")


async def test_a_model_that_is_not_there(google, gemini):
    with pytest.raises(errors.ClientError) as raised:
        await ask(google, model="gpt-9")
    assert (raised.value.code, raised.value.status) == (404, "NOT_FOUND")


async def test_a_wrong_key(google, gemini: FakeGemini):
    gemini.api_key = "another"
    with pytest.raises(errors.ClientError, match="API key not valid") as raised:
        await ask(google)
    assert raised.value.details["error"]["details"][0]["reason"] == "API_KEY_INVALID"
