"""What helped is done before the failure, the next time."""

from app.domain.plan import Proposal, Refinement
from app.domain.skill import Skill
from app.engines.lessons import ways
from app.engines.lessons.bounds import is_open
from app.engines.lessons.matching import fits, usable
from app.engines.lessons.parts import Parts, parts_of
from app.engines.reasoner import Situation

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
        for skill in _about(skills, proposal, situation):
            parts = parts_of(skill, proposal, situation)
            if parts is not None:
                return _with(parts, refinement, at, skill)
    return refinement


def _about(
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
