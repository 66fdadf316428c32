"""Turns proposed actions into the chain that is sent to the browser."""

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from app.domain.action import ActionRecord, Chain, PlannedAction
from app.domain.page import DialogDecision, Node
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.domain.redaction import secrets_told
from app.domain.verdict import ExpectedOutcome
from app.grounding import is_secret_field
from app.page import fingerprint
from app.plans.dialogs import expect_dialog, plan_dialog_answer
from app.plans.prediction import merge_expectations
from app.plans.validation import LONGEST, may_submit, safe_prefix, validate_action


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A chain, its action records, whether it only waits, and the omitted proposals."""

    chain: Chain
    deeds: tuple[ActionRecord, ...]
    waits_only: bool
    unsent: tuple[str, ...] = ()


def prepare_dispatch(
    refinement: Decision,
    situation: Situation,
    expected: ExpectedOutcome,
    *,
    seed: str,
    turn: int = 0,
    most: int = LONGEST,
) -> Dispatch:
    """Validate the proposals, cut them to a safe chain of at most `most`, and number them.

    The decision's own expectation covers all its proposals, so it is used only if none is held
    back. Action ids are derived from `seed`, so that a repeated run sends the same ones; `turn` is
    the 1-based index of the chain in the task. Raises `InvalidAction` if a proposal does not fit
    the page.
    """
    page = situation.page
    for index, proposal in enumerate(refinement.proposals):
        validate_action(proposal.action, page.tree, first=index == 0)
    safe = safe_prefix(refinement.proposals, page)
    proposals = safe[:most]
    whole = len(proposals) == len(refinement.proposals)
    if whole and refinement.expected is not None:
        expected = merge_expectations(expected, refinement.expected, proposals[-1].action, page)
    planned = tuple(
        _planned(proposal, situation, f"{seed}/{index}") for index, proposal in enumerate(proposals)
    )
    ends = refinement.completes_step and whole
    purpose = proposals[-1].purpose
    chain = Chain(actions=planned, expected=expected, completes_step=ends, purpose=purpose)
    alike = {
        "fingerprint": fingerprint(page),
        "strategy": refinement.strategy or "",
        "chain_number": turn,
    }
    deeds = tuple(
        _deed(proposal, sent, situation).model_copy(
            update=alike | {"ends_step": ends and sent is planned[-1]}
        )
        for proposal, sent in zip(proposals, planned, strict=True)
    )
    waits = all(p.action.name == "wait" and p.purpose == "correct" for p in proposals)
    why = (
        "it may have to be asked about, on the page as it is then: choose it again"
        if len(proposals) < len(safe)
        else f"the page may be another after {proposals[-1].description}"
    )
    unsent = tuple(f"{one.description}: {why}" for one in refinement.proposals[len(proposals) :])
    return Dispatch(chain=chain, deeds=deeds, waits_only=waits, unsent=unsent)


def _planned(proposal: Proposal, situation: Situation, seed: str) -> PlannedAction:
    node = situation.page.tree.get(proposal.action.target or "")
    decided = expect_dialog(plan_dialog_answer(proposal, node, situation.plan), node, situation)
    return PlannedAction(
        action_id=str(uuid5(NAMESPACE_URL, seed)),
        action=proposal.action,
        description=proposal.description,
        element=f"{node.role} {node.name}".strip() if node else "",
        # An action that may submit is never optional: an unsubmitted form is a failure.
        can_fail=proposal.can_fail and not may_submit(proposal.action, situation.page),
        dialog=decided,
        secret=_is_secret(proposal, node, decided, situation),
        provenance=proposal.provenance,
    )


def _is_secret(
    proposal: Proposal, node: Node | None, decided: DialogDecision | None, situation: Situation
) -> bool:
    """Whether the text typed into the field or prompt is a secret."""
    if node is not None and node.input_type == "password":
        return True
    told = secrets_told(situation.plan.instruction, situation.background)
    typed = (proposal.action.args.get("text"), decided.text if decided is not None else None)
    return not told.isdisjoint(text for text in typed if isinstance(text, str))


def _deed(proposal: Proposal, planned: PlannedAction, situation: Situation) -> ActionRecord:
    node = situation.page.tree.get(proposal.action.target or "")
    return ActionRecord(
        action=proposal.action,
        action_id=planned.action_id,
        description=proposal.description,
        step=situation.plan.current,
        signature=node.signature if node else None,
        previous_value="" if node is None or is_secret_field(node) else node.value or "",
        purpose=proposal.purpose,
        url=situation.page.url,
        skill=proposal.skill,
    )
