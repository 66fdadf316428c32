"""What a tenant lets the agent do unasked."""

from fastapi import APIRouter, Request
from pydantic import ValidationError

from app.api.deps import AsAdmin, AsUser
from app.api.lifetime import LifetimeDep
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.api.schemas.policy import PolicyIn, PolicyView
from app.errors import InvalidBody

router = APIRouter(tags=["policy"], responses={401: PROBLEMS[401]})

FORBIDDEN = PROBLEMS[401] | {"description": "Only an admin may change it"}
POLICY_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": PolicyIn.model_json_schema(ref_template="#/components/schemas/{model}")
            }
        },
    }
}


@router.get("/api/policy")
async def policy(who: AsUser, made: LifetimeDep) -> PolicyView:
    """One's tenant's policy; the default one where none was set."""
    return PolicyView.of(await made["store"].policies.get(who.tenant))


@router.put(
    "/api/policy",
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (413, 422)}},
    openapi_extra=POLICY_SCHEMA,
)
async def put_policy(request: Request, who: AsAdmin, made: LifetimeDep) -> PolicyView:
    """Replace the tenant's policy; admins only. It holds from the next request of each task on."""
    wanted = _parsed(await read_body(request)).policy(who.tenant)
    await made["store"].policies.put(wanted)
    return PolicyView.of(wanted)


def _parsed(body: bytes) -> PolicyIn:
    try:
        return PolicyIn.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
