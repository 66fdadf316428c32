"""Builds the OpenAPI document, with schemas of bodies that routes parse themselves."""

from functools import cache
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response


def install(app: FastAPI) -> None:
    """Serve the document, with `$defs` of hand-written schemas moved to `components`, where
    references point.
    """
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = made()
            shapes = document.setdefault("components", {}).setdefault("schemas", {})
            for found in _definitions(document["paths"]):
                for name, shape in found.items():
                    shapes.setdefault(name, shape)
        return app.openapi_schema or made()

    app.openapi = openapi  # type: ignore[method-assign]  # documented way to extend it

    @cache
    def written() -> bytes:
        """Cached: building takes as long as ten requests, and the endpoint needs no key."""
        return orjson.dumps(app.openapi())

    async def document(_: Request) -> Response:
        return Response(written(), media_type="application/json")

    app.add_route("/openapi.json", document, include_in_schema=False)


def _definitions(value: object) -> list[dict[str, Any]]:
    """Remove and return every `$defs` in a value."""
    found: list[dict[str, Any]] = []
    if isinstance(value, dict):
        if "$defs" in value:
            found.append(value.pop("$defs"))
        for item in value.values():
            found += _definitions(item)
    elif isinstance(value, list):
        for item in value:
            found += _definitions(item)
    return found
