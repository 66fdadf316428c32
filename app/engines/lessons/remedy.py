"""What helped before, proposed right after the same failure."""

from app.domain.page import Node
from app.domain.plan import Deed, Proposal, Refinement
from app.domain.skill import Skill
from app.engines.lessons import ways
from app.engines.lessons.bounds import hands_in, is_open
from app.engines.lessons.matching import fits, found, ref_of, usable
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


_CHOSEN = frozenset({"work", "explore"})


def anticipated(refinement: Refinement, situation: Situation) -> Refinement:
    """The refinement with the way that helped where an action of it failed before.

    Of the skills that were recalled, the best one for the first proposal that failed is used, once a
    step. A correction is left as it is; so is everything while it is open whether something was
    handed in. With nothing recalled this costs nothing.
    """
    if refinement.outcome != "act" or not situation.background.skills:
        return refinement
    if any(one.purpose not in _CHOSEN for one in refinement.proposals):
        return refinement
    skills = usable(situation)
    if not skills or is_open(situation):
        return refinement
    for at, proposal in enumerate(refinement.proposals):
        for skill in _about_hint(skills, proposal, situation):
            parts = parts_of(skill, proposal, situation)
            if parts is not None:
                return _with(parts, refinement, at, skill)
    return refinement


def _about_hint(
    skills: tuple[Skill, ...], proposal: Proposal, situation: Situation
) -> tuple[Skill, ...]:
    """The skills for this action: the likeliest control first, else in their rank."""
    node = situation.page.tree.get(proposal.action.target or "")
    scored = [(fits(skill, proposal.action.name, node), skill) for skill in skills]
    scored.sort(key=lambda one: -one[0])
    return tuple(skill for score, skill in scored if score)


def _with(parts: Parts, refinement: Refinement, at: int, skill: Skill) -> Refinement:
    chosen = refinement.proposals[at]
    purpose = {"purpose": chosen.purpose}
    before = tuple(one.model_copy(update=purpose) for one in parts.before)
    said = "" if parts.instead is not None else refinement.thought
    thought = f"{said} {_told(skill)}".strip()
    if parts.alone:
        return refinement.model_copy(
            update={
                "proposals": before,
                "completes_step": False,
                "expected": None,
                "thought": thought,
            }
        )
    done = parts.instead or chosen
    kept = chosen.model_copy(
        update={
            "action": done.action,
            "description": done.description,
            "skill": skill.skill_id,
            "provenance": None if parts.instead is not None else chosen.provenance,
        }
    )
    proposals = (*refinement.proposals[:at], *before, kept, *refinement.proposals[at + 1 :])
    expected = None if parts.instead is not None else refinement.expected
    return refinement.model_copy(
        update={"proposals": proposals, "expected": expected, "thought": thought}
    )


def _told(skill: Skill) -> str:
    """Why it is done so, in a sentence."""
    failed = skill.failed_state.element
    name = f"'{failed.name}'" if failed is not None and failed.name else "It"
    helped = skill.successful_action.element
    match skill.successful_action.strategy:
        case ways.ALTERNATIVE if helped is not None:
            return f"{name} did not do it here before; '{helped.name}' did."
        case ways.WAIT | ways.REFIND:
            return f"{name} needed time here before."
    return f"{name} needed this here before: {skill.successful_action.strategy}."
