"""JSON Schemas of reply models that Gemini accepts, in few tokens; and parsing of replies."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import json_repair
from pydantic import BaseModel, ValidationError

from app.llm.port import Reply
from app.llm.providers.transport import Answer
from app.text import patterns

# The keywords that Gemini enforces; everything else is checked by validation.
KEPT = ("type", "enum", "description", "minItems", "maxItems", "minimum", "maximum")
Schema = dict[str, Any]


class UnsupportedSchema(TypeError):
    """No provider can be asked for this reply model; the message names the field."""


@cache
def reply_schema(reply: type[BaseModel]) -> Schema:
    """The schema to send: no references, titles, defaults, docstrings or empty objects.

    An optional field with a default is left out of `required` instead of being nullable. The result is
    shared; do not modify it. Raises `UnsupportedSchema` for what Gemini rejects: dicts, models without
    fields, `Any`, fixed tuples, recursive models, the choice "".
    """
    whole = reply.model_json_schema()
    return _node(whole, whole.get("$defs", {}), reply.__name__, ())


def _node(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name in above:
            raise UnsupportedSchema(f"{place} contains itself ({name})")
        found = _node(known[name], known, f"{place} ({name})", (*above, name))
        return found | _described(node)
    if "allOf" in node and len(node["allOf"]) == 1:
        return _node({**node, **node["allOf"][0]}, known, place, above)
    if choices := node.get("anyOf") or node.get("oneOf"):
        return {"anyOf": [_node(one, known, place, above) for one in choices]} | _described(node)
    if "const" in node:
        return {"type": node.get("type", "string"), "enum": [node["const"]]}
    if "" in node.get("enum", ()):
        raise UnsupportedSchema(f"{place} has an empty choice")
    small = {key: node[key] for key in KEPT if key in node}
    if node.get("type") == "object":
        return {"type": "object"} | _fields(node, known, place, above)
    if node.get("type") == "array":
        return small | {"items": _items(node, known, place, above)}
    if "type" not in node:
        raise UnsupportedSchema(f"{place} has no type")
    return small


def _described(node: Mapping[str, Any]) -> Schema:
    return {"description": node["description"]} if "description" in node else {}


def _fields(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    if not node.get("properties"):
        raise UnsupportedSchema(f"{place} is an object without named fields")
    needed = node.get("required", [])
    fields = {
        name: _node(one if name in needed else _present(one), known, f"{place}.{name}", above)
        for name, one in node["properties"].items()
    }
    return {"properties": fields} | ({"required": needed} if needed else {})


def _present(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a field's value when present: `X | None` with a default becomes X."""
    choices = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
    return {**choices[0], **_described(node)} if len(choices) == 1 else node


def _items(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    if "prefixItems" in node or not node.get("items"):
        raise UnsupportedSchema(f"{place} is a list without an item type")
    return _node(node["items"], known, f"{place}[]", above)


READ_CHARS = 64_000  # ten times the longest reply we ask for; longer ones are rejected unread
REPAIR_CHARS = 8_000  # json-repair is quadratic: up to 1.5 s for 8,000 characters, 14 s for 32,000
SHOWN_ERRORS = 5
SHOWN_CHARS = 500
OPEN, CLOSED = "string opens", "string closes"
_ODD = patterns.compile(r"[^\w.\[\]-]")


class UnusableReply(Exception):
    """The reply does not match the requested shape; the message tells the model why."""

    def __init__(self, flaw: str, *, cut: bool = False) -> None:
        super().__init__(flaw)
        self.cut = cut


def parse_reply(answer: Answer, reply: type[Reply]) -> Reply:
    """Parse the reply. Raises `UnusableReply`.

    A truncated text is never completed: half a value would be typed as if it were whole.
    """
    if not answer.text.strip():
        raise _cut() if answer.cut else UnusableReply(answer.flaw or "it was empty")
    if len(answer.text) > READ_CHARS:
        raise UnusableReply("it was far too long")
    parsed = _parse_json(answer.text, cut=answer.cut)
    try:
        return reply.model_validate_json(json.dumps(parsed))
    except ValidationError as error:
        raise UnusableReply(_describe_errors(error)) from error
    except (ValueError, RecursionError) as error:
        raise UnusableReply("it was not JSON") from error


def _parse_json(text: str, *, cut: bool) -> object:
    inner = _json_text(text)
    try:
        return json.loads(inner)
    except (ValueError, RecursionError):
        pass
    if cut:
        raise _cut()
    if len(inner) > REPAIR_CHARS or not inner.startswith("{"):
        raise UnusableReply("it was not JSON")
    if _ends_inside(inner):
        raise UnusableReply("it was half a JSON object")
    try:
        return json_repair.loads(inner)
    except (ValueError, RecursionError) as error:
        raise UnusableReply("it was not JSON") from error


def _cut() -> UnusableReply:
    return UnusableReply("it was cut off at its length limit; answer shorter", cut=True)


def _json_text(text: str) -> str:
    """The first object in the text, fenced or not; up to the end if it is not closed."""
    start = text.find("{")
    if start < 0:
        return text
    depth = 0
    for place, sign in _signs(text[start:]):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return text[start : start + place + 1]
    return text[start:].rstrip().removesuffix("```").rstrip()


def _ends_inside(text: str) -> bool:
    """Whether a JSON text ends in the middle of a string or number, or after a comma.

    Missing closing brackets do not count: small models forget them.
    """
    *_, (_, last) = _signs(text)
    return last not in {CLOSED, "}", "]"}


def _signs(text: str) -> Iterator[tuple[int, str]]:
    """Each visible character outside strings with its position; strings as `OPEN` and `CLOSED`."""
    within = escaped = False
    for place, sign in enumerate(text):
        if escaped:
            escaped = False
        elif within and sign == "\\":
            escaped = True
        elif sign == '"':
            within = not within
            yield place, OPEN if within else CLOSED
        elif not within and not sign.isspace():
            yield place, sign


def _describe_errors(error: ValidationError) -> str:
    """Describe each validation error by its location, without the value, which may quote a page."""
    errors = error.errors(include_input=False, include_url=False)[:SHOWN_ERRORS]
    return "; ".join(f"{_place(one['loc'])}{one['msg']}" for one in errors)[:SHOWN_CHARS]


def _place(loc: tuple[int | str, ...]) -> str:
    """The location, limited to the characters of field names, since the model may invent keys."""
    place = _ODD.sub("", ".".join(str(part) for part in loc))[:60]
    return f"{place}: " if place else ""
