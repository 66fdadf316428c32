"""Reads and parses request bodies, and documents them for OpenAPI."""

from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from app.api.middleware.body_limits import MAX_BYTES
from app.api.models import json_schema
from app.errors import InvalidBody, TooLarge

Model = TypeVar("Model", bound=BaseModel)


async def read_body(request: Request, limit: int = MAX_BYTES) -> bytes:
    """Raises `TooLarge` as soon as the body exceeds `limit` bytes, whatever its headers claim."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise TooLarge(f"The request body exceeds {limit:,} bytes.")
    return bytes(body)


def parse_body(model: type[Model], body: bytes) -> Model:
    """Parse JSON strictly. Raises `InvalidBody`.

    Pydantic's parser rejects lone surrogates, which `json.loads` would pass on to BSON.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise invalid_body(error) from None


def invalid_body(error: ValidationError) -> InvalidBody:
    """The error for a validation failure, without the values sent."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return InvalidBody([dict(item) for item in found])


def body_schema(model: type[BaseModel], *, required: bool = True) -> dict[str, Any]:
    """`openapi_extra` of a route that parses its body with `parse_body`."""
    content = {"application/json": {"schema": json_schema(model)}}
    return {"requestBody": {"required": required, "content": content}}
