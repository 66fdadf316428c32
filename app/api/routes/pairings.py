"""Pairing a browser: a short-lived code becomes an API key of the browser."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field

from app.api.deps import AppState, AppStateDep, BrowserOrAdmin
from app.api.models import RequestModel, ResponseModel
from app.api.problems import problem_doc, problem_docs
from app.api.request_body import body_schema, parse_body, read_body
from app.errors import Forbidden, NotFound
from app.net.peers import address_bucket, is_private_connection
from app.net.urls import normalize_origin


class PairingCodeView(ResponseModel):
    """A code for a person to type into a browser."""

    code: str = Field(examples=["H7KM-2QXV"])
    expires_at: datetime


class ProofsView(ResponseModel):
    """Proofs that the open codes were created here, for the address of the request."""

    proofs: list[str] = Field(
        description="For each open code the HMAC-SHA256, in hex, of `tabwright pairing`, the nonce and"
        " the origin of the code, separated by newlines, keyed with PBKDF2-HMAC-SHA256 of the code"
        " (600,000 rounds, salt `tabwright pairing code`)"
    )


class ClaimIn(RequestModel):
    code: str = Field(max_length=64, description="Upper or lower case, with or without its hyphen")


class PairedView(ResponseModel):
    """The API key of this browser; it is not shown again."""

    api_key: str
    tenant_id: str
    user_id: str


router = APIRouter(tags=["pairing"])

PLAIN_HTTP: dict[int | str, dict[str, Any]] = {403: problem_doc("Plain HTTP from another machine")}
WRONG_CODE: dict[int | str, dict[str, Any]] = {
    404: problem_doc("The code is wrong, used or expired")
}

Nonce = Annotated[str, Query(pattern="^[0-9a-f]{32,128}$", description="Random, used once, in hex")]


@router.post("/api/pairing", responses=PLAIN_HTTP | problem_docs(401, 429))
async def make_code(
    request: Request, principal: BrowserOrAdmin, state: AppStateDep
) -> PairingCodeView:
    """Create a code that pairs one browser with the caller's tenant and user, within two minutes and at
    the address of this request. The browser's key is revoked with the key that created the code. Requires
    the key of a paired browser or of an admin.

    403 over plain HTTP from another machine, where others could read it.
    """
    _refuse_plain_http(request, state)
    pairing, code = await state["store"].pairings.create(principal, _origin(request))
    return PairingCodeView(code=code, expires_at=pairing.expires_at)


@router.get("/api/pairing/proofs", responses=PLAIN_HTTP | problem_docs(422, 429))
async def prove_codes(request: Request, nonce: Nonce, state: AppStateDep) -> ProofsView:
    """Prove that this server created the code a browser holds, before the browser sends it. No key needed.

    The browser computes the proof of its code for the address it asked, and looks for it in the response:
    a server that relays the question gets proofs for the address of the real server only.
    """
    _refuse_plain_http(request, state)
    await state["limiter"].take(f"address {address_bucket(request.scope)}", "reads")
    return ProofsView(proofs=await state["store"].pairings.prove(nonce))


@router.post(
    "/api/pairing/claim",
    responses=PLAIN_HTTP | WRONG_CODE | problem_docs(413, 422, 429),
    openapi_extra=body_schema(ClaimIn),
)
async def claim_code(request: Request, state: AppStateDep) -> PairedView:
    """Exchange a code for a browser's API key, with scope `browser`. No key needed.

    404 for a wrong, used or expired code, without telling which; 429 after five wrong codes in ten
    minutes from one address; 403 over plain HTTP from another machine.
    """
    _refuse_plain_http(request, state)
    claim = parse_body(ClaimIn, await read_body(request))
    address = address_bucket(request.scope)
    await state["pairing_tries"].take(address)
    found = await state["store"].pairings.claim(claim.code)
    if found is None:
        raise NotFound("Invalid pairing code: it is mistyped, used or older than two minutes.")
    await state["pairing_tries"].reset(address)
    paired = await state["store"].keys.pair(found)
    if paired is None:
        raise NotFound("Invalid pairing code: the key that created it is no longer valid.")
    _, secret = paired
    return PairedView(api_key=secret, tenant_id=found.tenant, user_id=found.user)


def _refuse_plain_http(request: Request, state: AppState) -> None:
    """Raises `Forbidden` if a code or key would cross the network in clear text."""
    if not is_private_connection(request.scope, state["local_networks"]):
        raise Forbidden("Pairing requires TLS or a browser on the server's own machine.")


def _origin(request: Request) -> str:
    """Raises `Forbidden` if the address is none that a browser would use."""
    try:
        return normalize_origin(str(request.base_url))
    except ValueError as error:
        raise Forbidden(str(error)) from None
