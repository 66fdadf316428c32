"""The policy of a tenant: what the agent may do without asking."""

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import AfterValidator, ConfigDict, Field

from app.api.deps import AppStateDep, CurrentAdmin, CurrentUser
from app.api.models import EXAMPLES, RequestModel, ResponseModel, SitePattern
from app.api.problems import NEEDS_ADMIN, problem_docs
from app.api.request_body import body_schema, parse_body, read_body
from app.api.routes.knowledge.requests import SetName
from app.domain.access import Policy

MOST_LISTED = 200  # maximum number of patterns or sets


Distinct = AfterValidator(lambda values: tuple(dict.fromkeys(values)))
Patterns = Annotated[tuple[SitePattern, ...], Field(max_length=MOST_LISTED), Distinct]


class ApprovalsIn(RequestModel):
    """When a person is asked before something is done.

    `always`: before every action that changes something; `risky`: before actions that delete, pay, send,
    publish or grant access; `trust_goal`: like `risky`, except for what the goal explicitly names. Sites
    that match `neverFor` skip the question, except for secrets and values that cross origins; `*` is
    every site.
    """

    # A misspelled key must not silently keep a default.
    model_config = ConfigDict(extra="forbid")

    mode: Literal["always", "risky", "trust_goal"] = "risky"
    never_for: Patterns = ()


class PolicyIn(RequestModel):
    """The whole policy; omitted fields get their defaults.

    With `actionDomains`, acting on any other site requires approval; `knowledgeDomains` are the sites
    on which the team's documents may be used. A site is `host`, `*.host`, `host:port` or `*`.
    A chat answer that cites a document of one of `reviewedSets` is filed for review.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [EXAMPLES["PolicyIn"]]}
    )

    action_domains: Patterns = ()
    knowledge_domains: Patterns = ()
    approvals: ApprovalsIn = ApprovalsIn()
    reviewed_sets: Annotated[tuple[SetName, ...], Field(max_length=MOST_LISTED), Distinct] = ()


class ApprovalsView(ResponseModel):
    mode: Literal["always", "risky", "trust_goal"]
    never_for: list[str]


class PolicyView(ResponseModel):
    action_domains: list[str]
    knowledge_domains: list[str]
    approvals: ApprovalsView
    reviewed_sets: list[str]


router = APIRouter(tags=["policy"], responses=problem_docs(401))


@router.get("/api/policy")
async def policy(principal: CurrentUser, state: AppStateDep) -> PolicyView:
    """The tenant's policy, or the default if none is set."""
    return PolicyView.from_fields(await state["store"].policies.get(principal.tenant))


@router.put(
    "/api/policy",
    responses={403: NEEDS_ADMIN, **problem_docs(413, 422)},
    openapi_extra=body_schema(PolicyIn),
)
async def put_policy(request: Request, principal: CurrentAdmin, state: AppStateDep) -> PolicyView:
    """Replace the tenant's policy; admins only. It applies from the next request of each task."""
    body = parse_body(PolicyIn, await read_body(request))
    new = Policy(tenant=principal.tenant, **body.model_dump())
    await state["store"].policies.put(new)
    return PolicyView.from_fields(new)
