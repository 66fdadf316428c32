"""What waits for an answer: proposals with what their controls were called, since ids may change."""

from collections.abc import Sequence

from app.domain.page import Node, Observation
from app.domain.plan import Held, Proposal
from app.domain.skill import ElementRef


def waits(proposals: Sequence[Proposal], page: Observation) -> tuple[Held, ...]:
    """The proposals as they wait."""
    nodes = [page.tree.get(one.action.target or "") for one in proposals]
    return tuple(
        Held(proposal=one, element=ElementRef.of(node.signature) if node else None)
        for one, node in zip(proposals, nodes, strict=True)
    )


def again(one: Held, page: Observation) -> Node | None:
    """The control as the page has it now, by its id, else by what it was called where only one is."""
    if one.element is None:
        return None
    node = page.tree.get(one.proposal.action.target or "")
    if node is not None and ElementRef.of(node.signature) == one.element:
        return node
    alike = [n for n in page.tree if ElementRef.of(n.signature) == one.element]
    return alike[0] if len(alike) == 1 else None


def aimed(proposal: Proposal, node: Node | None) -> Proposal:
    """The proposal, aimed at its control as the page has it now."""
    if node is None or proposal.action.target == node.id:
        return proposal
    args = {**proposal.action.args, "id": node.id}
    return proposal.model_copy(update={"action": proposal.action.model_copy(update={"args": args})})
