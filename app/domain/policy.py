"""What a tenant lets the agent do unasked, and which answers an operator looks at."""

from typing import Literal

from app.domain.base import Value

ApprovalMode = Literal["always", "risky", "trust_goal"]


class Approvals(Value):
    """`always`: every action that changes something is agreed to first; `risky`: what deletes, pays,
    sends, publishes or grants; `trust_goal`: that too, but for what the goal orders by name.

    On sites that match `never_for` (`crm.example`, `*.example`, `localhost:8000`, `*`) nobody is asked,
    but about a secret typed where none belongs, and about a value of another site.
    """

    mode: ApprovalMode = "risky"
    never_for: tuple[str, ...] = ()


class Policy(Value):
    """A tenant's policy. With `action_domains` given, acting on any other site is agreed to first;
    `knowledge_domains` are those whose documents may be used.
    An answer of the chat that cites a document of one of `reviewed_sets` is of high impact.
    """

    tenant: str
    action_domains: tuple[str, ...] = ()
    knowledge_domains: tuple[str, ...] = ()
    approvals: Approvals = Approvals()
    reviewed_sets: tuple[str, ...] = ()
