"""Constructors of decisions."""

from collections.abc import Iterable

from app.domain.action import Action, action
from app.domain.directive import Candidate, Grounding
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.grounding import describe_control


def act(
    proposals: Iterable[Proposal],
    thought: str = "",
    *,
    confidence: float = 0.9,
    completes: bool = True,
    candidates: tuple[Candidate, ...] = (),
) -> Decision:
    """Build a decision to do the proposals in order; the thought defaults to their descriptions."""
    actions = tuple(proposals)
    return Decision(
        outcome="act",
        proposals=actions,
        thought=thought or "; ".join(one.description for one in actions) + ".",
        confidence=confidence,
        completes_step=completes,
        candidates=candidates,
    )


def act_once(
    single_action: Action, description: str, *, confidence: float = 0.9, completes: bool = True
) -> Decision:
    """Build a decision for one action, whose description is also the thought."""
    proposal = Proposal(action=single_action, description=description)
    return act([proposal], description, confidence=confidence, completes=completes)


def click_control(
    node: Node, words: str, *, confidence: float = 0.9, completes: bool = True
) -> Decision:
    """Build a decision to click the control; `words` precede its name in the description."""
    description = f"{words} {describe_control(node)}"
    press = action("click", node.id)
    return act_once(press, description, confidence=confidence, completes=completes)


def done(thought: str) -> Decision:
    return Decision(outcome="done", thought=thought, confidence=0.9)


def missing(reason: str, candidates: tuple[Candidate, ...] = ()) -> Decision:
    """Build a decision that nothing is left to try."""
    return Decision(
        outcome="missing", thought=reason, reason=reason, candidates=candidates, confidence=0.9
    )


def ambiguous(grounding: Grounding, what: str) -> Decision:
    """Build a decision that the person has to choose between equal candidates."""
    return Decision(
        outcome="ambiguous",
        thought=f"More than one control could be {what}.",
        candidates=grounding.candidates,
        confidence=grounding.confidence,
        reason=grounding.reason,
        about=grounding.about or what,
    )
