"""The operations of the OpenAPI document, and requests generated from it."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

Json = Any
NOWHERE = "http://10.0.0.1/"  # a text for every text that is asked for; no address that is fetched
VERBS = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True)
class Sent:
    """A request for an operation."""

    path: str
    query: dict[str, str] = field(default_factory=dict)
    body: Json = None


@dataclass(frozen=True)
class Operation:
    """One verb on one path, as the document describes it."""

    verb: str
    path: str
    described: Mapping[str, Json]
    shapes: Mapping[str, Json]

    @property
    def name(self) -> str:
        return f"{self.verb.upper()} {self.path}"

    @property
    def keyed(self) -> bool:
        """Whether the document asks for a key."""
        return bool(self.described.get("security"))

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes of which the document says that a key needs one."""
        return tuple(self.described["security"][0]["HTTPBearer"])

    def requests(self, known: Mapping[str, str]) -> list[Sent]:
        """Requests that name what is known wherever the operation takes such a name: one with all of
        the query's, and one for each place in the body that takes one.
        """
        given = self.described.get("parameters", ())
        path = self.path
        query = {}
        for one in given:
            value = _named(one["name"], known)
            if one["in"] == "path":
                path = path.replace(f"{{{one['name']}}}", quote(value or "nothing", safe=""))
            elif value is not None:
                query[one["name"]] = value
            elif one.get("required"):
                query[one["name"]] = str(self._sample(one["schema"]))
        queries = [{}, query] if query else [{}]
        return [Sent(path, q, body) for q, body in itertools.product(queries, self._bodies(known))]

    def _bodies(self, known: Mapping[str, str]) -> list[Json]:
        content = self.described.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        if schema is None:
            return [None]
        plain = self._sample(schema)
        return [plain, *(_with(plain, where, known) for where in self._places(schema, known))]

    def _places(self, schema: Json, known: Mapping[str, str]) -> Iterator[tuple[str, Json]]:
        """Properties of the body, and of objects one below it, that take a name."""
        for name, inner in self._properties(schema).items():
            if _named(name, known) is not None:
                yield name, None
            for below in self._properties(inner):
                if _named(below, known) is not None:
                    yield name, self._sample(inner) | {below: _named(below, known)}

    def _properties(self, schema: Json) -> dict[str, Json]:
        found: dict[str, Json] = self._plain(schema).get("properties", {})
        return found

    def _plain(self, schema: Json) -> Json:
        """The schema without references, and of alternatives the first that is not null."""
        while True:
            if "$ref" in schema:
                schema = self.shapes[schema["$ref"].rpartition("/")[2]]
            elif some := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
                schema = next(one for one in some if one.get("type") != "null")
            else:
                return schema

    def _sample(self, schema: Json) -> Json:
        """The least that the schema takes."""
        schema = self._plain(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][0]
        match schema.get("type"):
            case "object":
                properties = schema.get("properties", {})
                return {n: self._sample(properties[n]) for n in schema.get("required", ())}
            case "array":
                return [self._sample(schema["items"])] * schema.get("minItems", 0)
            case "integer" | "number":
                return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
            case "boolean":
                return True
            case "string" if schema.get("format") == "date-time":
                return "2026-11-01T00:00:00Z"
            case _:
                return NOWHERE


def operations(document: Mapping[str, Json]) -> list[Operation]:
    """All that the document describes."""
    shapes = document["components"]["schemas"]
    return [
        Operation(verb, path, described, shapes)
        for path, verbs in document["paths"].items()
        for verb, described in verbs.items()
        if verb in VERBS
    ]


def _named(name: str, known: Mapping[str, str]) -> str | None:
    """What is known by a parameter's name, in whichever case it is written."""
    return known.get(name.replace("_", "").casefold())


def _with(plain: Json, place: tuple[str, Json], known: Mapping[str, str]) -> Json:
    name, inner = place
    return plain | {name: inner if inner is not None else _named(name, known)}
