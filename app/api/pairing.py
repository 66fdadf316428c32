"""Pairing: a short code, made where a key is known, becomes a key where none is."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError

from app.api.body import read_body
from app.api.interact import PROBLEMS
from app.api.lifetime import LifetimeDep, PrincipalDep
from app.api.schemas.pairing import Claim, Paired, PairingCode
from app.domain.task import Principal
from app.errors import InvalidBody, NotFound

router = APIRouter(tags=["pairing"])

CLAIM_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": Claim.model_json_schema()}},
    }
}
CLAIM_PROBLEMS: dict[int | str, dict[str, Any]] = {k: PROBLEMS[k] for k in (413, 422, 429)}
CLAIM_PROBLEMS[404] = PROBLEMS[404] | {"description": "The code is wrong, used or old"}


@router.post("/api/pairing", responses={k: PROBLEMS[k] for k in (401, 429)})
async def make_code(who: PrincipalDep, made: LifetimeDep) -> PairingCode:
    """A code that opens once, within ten minutes, for one's own tenant and user."""
    await made["limiter"].take(who)
    pairing, code = await made["store"].pairings.create(who)
    return PairingCode(code=code, expires_at=pairing.expires_at)


@router.post("/api/pairing/claim", responses=CLAIM_PROBLEMS, openapi_extra=CLAIM_SCHEMA)
async def claim_code(request: Request, made: LifetimeDep) -> Paired:
    """Turn a code into an API key (role `member`). Needs no key.

    404 for a wrong, used or old code, which are not told apart; 429 after five wrong ones in ten
    minutes from one address.
    """
    claim = _parsed(await read_body(request))
    address = request.client.host if request.client else ""
    await made["pairing_tries"].take(address)
    found = await made["store"].pairings.claim(claim.code)
    if found is None:
        raise NotFound("This code opens nothing: it is mistyped, used or over ten minutes old")
    await made["pairing_tries"].right(address)
    _, secret = await made["store"].keys.create(Principal(tenant=found.tenant, user=found.user))
    return Paired(api_key=secret, tenant_id=found.tenant, user_id=found.user)


def _parsed(body: bytes) -> Claim:
    try:
        return Claim.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
