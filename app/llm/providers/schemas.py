"""JSON Schemas of reply models: what Gemini accepts, in the fewest tokens."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

KEPT = (
    "type",
    "enum",
    "description",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
)  # the keywords Gemini enforces; what else a model demands, its validation demands
Schema = dict[str, Any]


class UnfitReply(TypeError):
    """A reply model no provider can be asked for; the message names the place."""


@cache
def schema_of(reply: type[BaseModel]) -> Schema:
    """The schema to send: no references, titles, defaults or docstrings, no empty objects.

    A field that may be None and need not be there is left out of `required` rather than nullable.
    Do not change what is returned, it is shared. Raises `UnfitReply` for what Gemini refuses: dicts,
    models without fields, `Any`, fixed tuples, models that hold themselves, the choice "".
    """
    whole = reply.model_json_schema()
    return _node(whole, whole.get("$defs", {}), reply.__name__, ())


def _node(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    if "$ref" in node:
        return _referred(node, known, place, above)
    if "allOf" in node and len(node["allOf"]) == 1:
        return _node({**node, **node["allOf"][0]}, known, place, above)
    if choices := node.get("anyOf") or node.get("oneOf"):
        found = [_node(one, known, place, above) for one in choices]
        return {"anyOf": found} | _described(node)
    if "const" in node:
        return {"type": node.get("type", "string"), "enum": [node["const"]]}
    if "" in node.get("enum", ()):
        raise UnfitReply(f"{place} has a choice without a word")
    small = {key: node[key] for key in KEPT if key in node}
    if node.get("type") == "object":
        return {"type": "object"} | _fields(node, known, place, above)
    if node.get("type") == "array":
        return small | {"items": _items(node, known, place, above)}
    if "type" not in node:
        raise UnfitReply(f"{place} may be anything")
    return small


def _referred(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    name = node["$ref"].rpartition("/")[2]
    if name in above:
        raise UnfitReply(f"{place} holds itself ({name})")
    return _node(known[name], known, f"{place} ({name})", (*above, name)) | _described(node)


def _described(node: Mapping[str, Any]) -> Schema:
    return {"description": node["description"]} if "description" in node else {}


def _fields(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    if not node.get("properties"):
        raise UnfitReply(f"{place} is an object without named fields")
    needed = node.get("required", [])
    fields = {
        name: _node(one if name in needed else _present(one), known, f"{place}.{name}", above)
        for name, one in node["properties"].items()
    }
    return {"properties": fields} | ({"required": needed} if needed else {})


def _present(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a field holds when it is there: `X | None` with a default is X, or is left out."""
    there = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
    if len(there) != 1:
        return node
    return {**there[0], **_described(node)}


def _items(
    node: Mapping[str, Any], known: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> Schema:
    if "prefixItems" in node or not node.get("items"):
        raise UnfitReply(f"{place} is a list of nothing named")
    return _node(node["items"], known, f"{place}[]", above)
