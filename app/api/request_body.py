"""Reading a body that is bounded before it is parsed."""

from fastapi import Request
from pydantic import ValidationError

from app.api.routes.interact.request import InteractRequest
from app.domain.page import MAX_NODES
from app.errors import InvalidBody, TooLarge, TreeTooLarge

MAX_BYTES = 2 * 1024 * 1024  # CONTRACT, "413"


async def read_body(request: Request, most: int = MAX_BYTES) -> bytes:
    """The body. Raises `TooLarge` as soon as it is known to be, whatever its headers claim."""
    claimed = request.headers.get("content-length", "")
    if claimed.isdecimal() and int(claimed) > most:
        raise TooLarge(f"A request holds at most {most:,} bytes")
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > most:
            raise TooLarge(f"A request holds at most {most:,} bytes")
    return bytes(read)


def parse_interact(body: bytes) -> InteractRequest:
    """The request. Raises `TreeTooLarge` or `InvalidBody`.

    The strict JSON parser refuses lone surrogates, which `json.loads` would let through to BSON.
    """
    try:
        return InteractRequest.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        for item in found:
            if item["type"] == "too_long" and item["loc"] == ("interactiveTree",):
                raise TreeTooLarge(f"A tree holds at most {MAX_NODES:,} nodes") from None
        raise InvalidBody([dict(item) for item in found]) from None
