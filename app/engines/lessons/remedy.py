"""What helped before, proposed right after the same failure."""

from app.domain.page import Node
from app.domain.plan import Deed, Proposal, Refinement
from app.domain.skill import Skill
from app.engines.lessons import ways
from app.engines.lessons.bounds import hands_in
from app.engines.lessons.elements import found, ref_of
from app.engines.lessons.matching import fits, usable
from app.engines.lessons.parts import Parts, parts_of
from app.engines.reasoner import Situation

_OTHER_ERROR = 0.8  # what a skill is worth for another kind of failure of the same control
_SURE = 0.8  # confidence of a refinement that a skill proposes: it helped once
UNVERIFIED = "VERIFICATION_FAILED"


def remedy(situation: Situation, failed: Deed, reason: str) -> Refinement | None:
    """The best skill's way out of this failure; None where none is known for it.

    What may have been handed in is not handed in again, and no action is taken twice in a step.
    """
    if failed.signature is None or hands_in(failed, situation):
        return None
    chosen = _again(failed, situation)
    if chosen is None:
        return None
    for skill in _about(failed, situation):
        parts = parts_of(skill, chosen, situation)
        if parts is not None and _is_new(parts, situation):
            return _refinement(parts, chosen, skill)
    return None


def _again(failed: Deed, situation: Situation) -> Proposal | None:
    """The failed action on its control as it is now."""
    assert failed.signature is not None
    tree = situation.page.tree
    node = tree.get(failed.action.target or "")
    if node is None or node.signature[:2] != failed.signature[:2]:
        node = found(ref_of(failed.signature), tree)
    if node is None:
        return None
    doing = failed.action.model_copy(update={"args": {**failed.action.args, "id": node.id}})
    return Proposal(action=doing, description=failed.description, purpose="correct")


def _about(failed: Deed, situation: Situation) -> tuple[Skill, ...]:
    """The skills for this failure, the same control and error first, else in their rank."""
    assert failed.signature is not None
    error = failed.error or UNVERIFIED
    role, name, group = failed.signature
    was = Node(id="", role=role, name=name, group=group)
    scored = []
    for skill in usable(situation):
        like = fits(skill, failed.action.name, was)
        if skill.failed_state.error_type != error:
            like *= _OTHER_ERROR
        scored.append((like, skill))
    scored.sort(key=lambda one: -one[0])
    return tuple(skill for like, skill in scored if like)


def _is_new(parts: Parts, situation: Situation) -> bool:
    step = situation.plan.current
    done = {deed.action.text for deed in situation.deeds if deed.step == step}
    new = parts.instead or (parts.before[0] if parts.before else None)
    return new is not None and (new.action.name == "wait" or new.action.text not in done)


def _refinement(parts: Parts, chosen: Proposal, skill: Skill) -> Refinement:
    main = chosen if parts.instead is None else parts.instead
    proposals = parts.before if parts.alone else (*parts.before, main)
    tries = tuple(
        one.model_copy(update={"purpose": "correct", "skill": skill.skill_id}) for one in proposals
    )
    return Refinement(
        outcome="act",
        thought=f"This helped here before: {_way(skill)}",
        proposals=tries,
        completes_step=not parts.alone,
        confidence=_SURE,
        strategy=skill.successful_action.strategy,
        source="skill",
    )


def _way(skill: Skill) -> str:
    element = skill.successful_action.element
    if skill.successful_action.strategy == ways.ALTERNATIVE and element is not None:
        return f"'{element.name}' instead"
    return skill.successful_action.strategy
