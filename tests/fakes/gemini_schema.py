"""What Gemini refuses of a reply's schema, in its own words.

Sources: the reference of `GenerationConfig.responseSchema` and `responseJsonSchema` (ai.google.dev),
and errors that people reported: googleapis/python-genai 2170 (array bounds), googleapis/js-genai 882
(nesting), google-gemini/gemini-cli 3178 (formats). Where a limit is unpublished, the reported one.
"""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

FORMATS = {
    "string": {"enum", "date-time", "date", "time"},
    "number": {"float", "double"},
    "integer": {"int32", "int64"},
}
MAX_ITEMS = 960  # python-genai 2170: all `maxItems` of a schema together, nested ones multiplied
MAX_DEPTH = 10  # unpublished; objects and arrays within each other, references followed
MAX_PROPERTIES = 1_000  # unpublished; far beyond what a reply needs
# `responseSchema` is a message of its own: a name it does not know is an error. Both spellings.
_FIELDS = {
    "type", "format", "title", "description", "nullable", "default", "items", "minItems", "maxItems",
    "enum", "properties", "propertyOrdering", "required", "minProperties", "maxProperties", "minimum",
    "maximum", "minLength", "maxLength", "pattern", "example", "anyOf",
}  # fmt: skip
_ROOT = "GenerateContentRequest.generation_config.response_schema"
BARE = "Request contains an invalid argument."


def refused(schema: Schema, *, proto: bool) -> str | None:
    """Why the schema is refused, None when it is taken. `proto`: as `responseSchema`."""
    unknown = [*_unknown(schema, "generation_config.response_schema")] if proto else []
    if unknown:
        return "\n".join(unknown)
    walk = _Walk(schema)
    walk.into(schema, _ROOT, depth=1, items=1, through=(), required=True)
    if walk.problems:
        return "\n".join(f"* {one}" for one in walk.problems)
    if walk.deepest > MAX_DEPTH:
        return (
            "A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth."
        )
    return BARE if walk.max_items > MAX_ITEMS or walk.properties > MAX_PROPERTIES else None


def _unknown(schema: Any, where: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    for at, (key, value) in enumerate(schema.items()):
        name = _camel(key)
        if name not in _FIELDS:
            yield f"Invalid JSON payload received. Unknown name \"{key}\" at '{where}': Cannot find field."
        elif name == "type" and not isinstance(value, str):
            yield f"Invalid value at '{where}.type': Proto field is not repeating, cannot start list."
        elif name == "properties":
            for number, inner in enumerate(value.values()):
                yield from _unknown(inner, f"{where}.properties[{number}].value")
        elif name == "items":
            yield from _unknown(value, f"{where}.items")
        elif name == "anyOf":
            for number, inner in enumerate(value):
                yield from _unknown(inner, f"{where}.any_of[{at + number}]")


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(map(str.capitalize, rest))


class _Walk:
    """Follows a schema through its references, keeping what is wrong and how large it gets."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self.problems: list[str] = []
        self.deepest = 0
        self.max_items = 0
        self.properties = 0

    def into(
        self,
        schema: Any,
        where: str,
        *,
        depth: int,
        items: int,
        through: tuple[str, ...],
        required: bool,
    ) -> None:
        if not isinstance(schema, dict):
            return
        reference = schema.get("$ref")
        if reference is not None:
            self._reference(schema, where, depth, items, (*through, reference), required)
            return
        kinds = schema.get("type", [])
        kind = {str(one).lower() for one in (kinds if isinstance(kinds, list) else [kinds])}
        self._check_values(schema, kind, where)
        if "object" in kind or "properties" in schema:
            self._object(schema, where, depth, items, through, required)
        if "array" in kind:
            self._array(schema, where, depth, items, through, required)
        for word in ("anyOf", "any_of", "oneOf"):
            for at, inner in enumerate(schema.get(word, [])):
                self.into(inner, f"{where}.any_of[{at}]", depth=depth, items=items, through=through,
                          required=required)  # fmt: skip

    def _reference(
        self,
        schema: Schema,
        where: str,
        depth: int,
        items: int,
        through: tuple[str, ...],
        required: bool,
    ) -> None:
        reference = through[-1]
        beside = sorted(key for key in schema if not key.startswith("$"))
        if beside:
            self.problems.append(
                f"{where}: $ref may not have other properties set: {', '.join(beside)}"
            )
        target = self._root.get("$defs", {}).get(str(reference).removeprefix("#/$defs/"))
        if reference == "#":
            target = self._root
        if target is None:
            self.problems.append(f"{where}: reference to undefined schema: {reference}")
        elif reference in through[:-1]:
            if required:
                self.problems.append(
                    f"{where}: cyclic reference in a required property: {reference}"
                )
        else:
            self.into(target, where, depth=depth, items=items, through=through, required=required)

    def _object(
        self,
        schema: Schema,
        where: str,
        depth: int,
        items: int,
        through: tuple[str, ...],
        required: bool,
    ) -> None:
        self.deepest = max(self.deepest, depth)
        inner = schema.get("properties") or {}
        self.properties += len(inner)
        if not inner and not isinstance(schema.get("additionalProperties"), dict):
            self.problems.append(f"{where}.properties: should be non-empty for OBJECT type")
        wanted = schema.get("required", [])
        for at, name in enumerate(wanted):
            if name not in inner:
                self.problems.append(f"{where}.required[{at}]: property is not defined")
        for name, value in inner.items():
            self.into(value, f"{where}.properties[{name}]", depth=depth + 1, items=items, through=through,
                      required=required and name in wanted)  # fmt: skip
        more = schema.get("additionalProperties")
        self.into(more, f"{where}.additional_properties", depth=depth + 1, items=items, through=through,
                  required=False)  # fmt: skip

    def _array(
        self,
        schema: Schema,
        where: str,
        depth: int,
        items: int,
        through: tuple[str, ...],
        required: bool,
    ) -> None:
        self.deepest = max(self.deepest, depth)
        inner = schema.get("items")
        if inner is None and not schema.get("prefixItems"):
            self.problems.append(f"{where}.items: missing field.")
        most = schema.get("maxItems", schema.get("max_items"))
        self.max_items += items * int(most) if most else 0
        self.into(inner, f"{where}.items", depth=depth + 1, items=items * int(most or 1), through=through,
                  required=required)  # fmt: skip

    def _check_values(self, schema: Schema, kind: set[str], where: str) -> None:
        form = schema.get("format")
        known = set().union(*(FORMATS.get(one, set()) for one in kind))
        if form is not None and form not in known and kind & set(FORMATS):
            name = next(iter(kind & set(FORMATS))).upper()
            allowed = " and ".join(f"'{one}'" for one in sorted(known))
            self.problems.append(f"{where}.format: only {allowed} are supported for {name} type")
        for at, value in enumerate(schema.get("enum", [])):
            if value == "":
                self.problems.append(f"{where}.enum[{at}]: cannot be empty")
