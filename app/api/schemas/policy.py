"""A tenant's policy on the wire."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from app.api.models import Received, Reply
from app.api.routes.knowledge.requests import SetName
from app.api.site_patterns import SitePattern
from app.domain.access import Approvals, Policy

MOST_LISTED = 200  # patterns, or sets

Patterns = Annotated[tuple[SitePattern, ...], Field(max_length=MOST_LISTED)]

EXAMPLE: dict[str, Any] = {
    "actionDomains": ["crm.example", "*.clinic.example"],
    "knowledgeDomains": ["crm.example"],
    "approvals": {"mode": "risky", "neverFor": ["localhost:8000"]},
    "reviewedSets": ["contracts"],
}


class ApprovalsIn(Received):
    """When a person is asked before something is done.

    `always`: before every action that changes something; `risky`: before what deletes, pays, sends,
    publishes or grants; `trust_goal`: the same, but for what the goal orders by name. On sites that match
    `neverFor` nobody is asked, but about secrets and values that cross origins; `*` is every site.
    """

    # A misspelt key must not leave a right as it is by default.
    model_config = ConfigDict(extra="forbid")

    mode: Literal["always", "risky", "trust_goal"] = "risky"
    never_for: Patterns = ()


class PolicyIn(Received):
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


class ApprovalsView(Reply):
    """When a person is asked before something is done; see `ApprovalsIn`."""

    mode: Literal["always", "risky", "trust_goal"]
    never_for: list[str]


class PolicyView(Reply):
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
