"""Pairing: a short code, made where a key is known, becomes a key where none is."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field, ValidationError

from app.api.client_address import address_bucket, is_private_connection
from app.api.deps import AppState, AppStateDep, BrowserOrAdmin
from app.api.models import RequestModel, ResponseModel
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.errors import Forbidden, InvalidBody, NotFound
from app.net.urls import origin_of


class PairingCodeView(ResponseModel):
    """A code for a person to carry to a browser."""

    code: str = Field(examples=["H7KM-2QXV"])
    expires_at: datetime


class ProofsView(ResponseModel):
    """What shows a browser that the code it was given was made here, and for the address it asked."""

    proofs: list[str] = Field(
        description="For each open code the HMAC-SHA256, in hex, of `tabwright pairing`, the nonce and"
        " the origin that the code is for, parted by newlines, under PBKDF2-HMAC-SHA256 of the code"
        " (600,000 rounds, salt `tabwright pairing code`)"
    )


class ClaimIn(RequestModel):
    """What the browser brings."""

    code: str = Field(max_length=64, description="Upper or lower case, with or without its hyphen")


class PairedView(ResponseModel):
    """What the code was worth: a key of its own for this browser, shown this once."""

    api_key: str
    tenant_id: str
    user_id: str


router = APIRouter(tags=["pairing"])

CLAIM_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": ClaimIn.model_json_schema()}},
    }
}
CLAIM_PROBLEMS: dict[int | str, dict[str, Any]] = {k: PROBLEMS[k] for k in (413, 422, 429)}
OPEN = PROBLEMS[401] | {"description": "It came over plain HTTP from another machine"}
CLAIM_PROBLEMS[403] = OPEN
PROVE_PROBLEMS: dict[int | str, dict[str, Any]] = {k: CLAIM_PROBLEMS[k] for k in (403, 422, 429)}
CLAIM_PROBLEMS[404] = PROBLEMS[404] | {"description": "The code is wrong, used or old"}

Nonce = Annotated[
    str, Query(pattern="^[0-9a-f]{32,128}$", description="Random, and used once, in hex")
]


@router.post("/api/pairing", responses={401: PROBLEMS[401], 403: OPEN, 429: PROBLEMS[429]})
async def make_code(
    request: Request, principal: BrowserOrAdmin, state: AppStateDep
) -> PairingCodeView:
    """A code that opens once, within two minutes, for one's own tenant and user, at the address that
    this was asked at. The browser's key ends with the key that made the code. Takes a paired browser's
    key, or an admin's.

    403 over plain HTTP from another machine, where somebody could read along.
    """
    _refuse_in_the_open(request, state)
    pairing, code = await state["store"].pairings.create(principal, _asked_at(request))
    return PairingCodeView(code=code, expires_at=pairing.expires_at)


@router.get("/api/pairing/proofs", responses=PROVE_PROBLEMS)
async def prove_codes(request: Request, nonce: Nonce, state: AppStateDep) -> ProofsView:
    """Show that this server made the code a browser holds, before the browser sends it. Needs no key.

    The browser works out what the proof of its code would be at the address it asks, and looks for that:
    who passes the question on to the right server gets proofs for the right server's address alone.
    """
    _refuse_in_the_open(request, state)
    await state["limiter"].take_address(address_bucket(request.scope), "reads")
    return ProofsView(proofs=await state["store"].pairings.prove(nonce))


@router.post("/api/pairing/claim", responses=CLAIM_PROBLEMS, openapi_extra=CLAIM_SCHEMA)
async def claim_code(request: Request, state: AppStateDep) -> PairedView:
    """Turn a code into the API key of a browser, with scope `browser`. Needs no key.

    404 for a wrong, used or old code, which are not told apart; 429 after five wrong ones in ten
    minutes from one address; 403 over plain HTTP from another machine.
    """
    _refuse_in_the_open(request, state)
    claim = _parsed(await read_body(request))
    address = address_bucket(request.scope)
    await state["pairing_tries"].take(address)
    found = await state["store"].pairings.claim(claim.code)
    if found is None:
        raise NotFound("This code opens nothing: it is mistyped, used or over two minutes old")
    await state["pairing_tries"].right(address)
    paired = await state["store"].keys.pair(found)
    if paired is None:
        raise NotFound("This code opens nothing: the key that made it has ended")
    _, secret = paired
    return PairedView(api_key=secret, tenant_id=found.tenant, user_id=found.user)


def _refuse_in_the_open(request: Request, state: AppState) -> None:
    """Raises `Forbidden` where a code or key would cross a network that others can read."""
    if not is_private_connection(request.scope, state["local_networks"]):
        raise Forbidden("Pairing takes TLS, or a browser on the server's own machine")


def _asked_at(request: Request) -> str:
    """Raises `Forbidden` where the client named no address that a browser would use."""
    try:
        return origin_of(str(request.base_url))
    except ValueError as error:
        raise Forbidden(str(error)) from None


def _parsed(body: bytes) -> ClaimIn:
    try:
        return ClaimIn.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
