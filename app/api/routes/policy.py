"""What a tenant lets the agent do unasked."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field, ValidationError

from app.api.deps import AppStateDep, CurrentAdmin, CurrentUser
from app.api.models import RequestModel, ResponseModel
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.knowledge.requests import SetName
from app.api.site_patterns import SitePattern
from app.domain.access import Approvals, Policy
from app.errors import InvalidBody

MOST_LISTED = 200  # patterns, or sets

Patterns = Annotated[tuple[SitePattern, ...], Field(max_length=MOST_LISTED)]

EXAMPLE: dict[str, Any] = {
    "actionDomains": ["crm.example", "*.clinic.example"],
    "knowledgeDomains": ["crm.example"],
    "approvals": {"mode": "risky", "neverFor": ["localhost:8000"]},
    "reviewedSets": ["contracts"],
}


class ApprovalsIn(RequestModel):
    """When a person is asked before something is done.

    `always`: before every action that changes something; `risky`: before what deletes, pays, sends,
    publishes or grants; `trust_goal`: the same, but for what the goal orders by name. On sites that match
    `neverFor` nobody is asked, but about secrets and values that cross origins; `*` is every site.
    """

    # A misspelt key must not leave a right as it is by default.
    model_config = ConfigDict(extra="forbid")

    mode: Literal["always", "risky", "trust_goal"] = "risky"
    never_for: Patterns = ()


class PolicyIn(RequestModel):
    """The whole policy: what is left out is as it is by default.

    With `actionDomains`, acting on any other site is agreed to first; `knowledgeDomains` are the sites
    whose documents may be used. A site is written `host`, `*.host`, `host:port` or `*`.
    An answer of the chat that cites a document of one of `reviewedSets` is filed for an operator.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    action_domains: Patterns = ()
    knowledge_domains: Patterns = ()
    approvals: ApprovalsIn = ApprovalsIn()
    reviewed_sets: Annotated[tuple[SetName, ...], Field(max_length=MOST_LISTED)] = ()

    def policy(self, tenant: str) -> Policy:
        """The tenant's policy; what is named twice is named once."""
        return Policy(
            tenant=tenant,
            action_domains=tuple(dict.fromkeys(self.action_domains)),
            knowledge_domains=tuple(dict.fromkeys(self.knowledge_domains)),
            approvals=Approvals(
                mode=self.approvals.mode,
                never_for=tuple(dict.fromkeys(self.approvals.never_for)),
            ),
            reviewed_sets=tuple(dict.fromkeys(self.reviewed_sets)),
        )


class ApprovalsView(ResponseModel):
    """When a person is asked before something is done; see `ApprovalsIn`."""

    mode: Literal["always", "risky", "trust_goal"]
    never_for: list[str]


class PolicyView(ResponseModel):
    """What the tenant lets the agent do unasked, and which answers an operator looks at."""

    action_domains: list[str]
    knowledge_domains: list[str]
    approvals: ApprovalsView
    reviewed_sets: list[str]

    @staticmethod
    def of(policy: Policy) -> "PolicyView":
        """The wire form of a policy."""
        return PolicyView(
            action_domains=list(policy.action_domains),
            knowledge_domains=list(policy.knowledge_domains),
            approvals=ApprovalsView(
                mode=policy.approvals.mode, never_for=list(policy.approvals.never_for)
            ),
            reviewed_sets=list(policy.reviewed_sets),
        )


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
async def policy(principal: CurrentUser, state: AppStateDep) -> PolicyView:
    """One's tenant's policy; the default one where none was set."""
    return PolicyView.of(await state["store"].policies.get(principal.tenant))


@router.put(
    "/api/policy",
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (413, 422)}},
    openapi_extra=POLICY_SCHEMA,
)
async def put_policy(request: Request, principal: CurrentAdmin, state: AppStateDep) -> PolicyView:
    """Replace the tenant's policy; admins only. It holds from the next request of each task on."""
    wanted = _parsed(await read_body(request)).policy(principal.tenant)
    await state["store"].policies.put(wanted)
    return PolicyView.of(wanted)


def _parsed(body: bytes) -> PolicyIn:
    try:
        return PolicyIn.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
