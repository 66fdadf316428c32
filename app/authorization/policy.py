"""The policy: one pure function that allows an action, requires approval, or forbids it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.domain.access import CONSEQUENTIAL, Approvals, Effect, gravest, site_matches
from app.domain.verdict import EffectReview

Decision = Literal["allow", "ask", "refuse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One action of a chain with everything its ruling depends on.

    `sentence` names action and object. `site` is where it takes effect. `code_effect` is the effect
    according to code (`assess_effect`), `model_effect` according to the model (None: not stated).
    `modelled`: chosen by a model. `unsourced`: neither person nor tenant gave its value or record.
    `leaks`: it types a secret in the wrong place; `crosses`: a value into another origin than its
    source. `offsite`: on a site that nobody named. `named_in_goal`: the goal requests it and names the
    object. `refused`: the person declined it in this run.
    """

    sentence: str
    site: str = ""
    code_effect: Effect = "reads"
    model_effect: Effect | None = None
    modelled: bool = False
    unsourced: bool = False
    leaks: bool = False
    crosses: bool = False
    offsite: bool = False
    named_in_goal: bool = False
    refused: bool = False


class Ruling(NamedTuple):
    """The decision; `effect` is the assumed effect, `sentence` the text for the person."""

    decision: Decision
    effect: Effect
    sentence: str


def rule_act(act: Act, approvals: Approvals, opinion: EffectReview | None = None) -> Ruling:
    """Rule on one action. `opinion` is the critic's, if any.

    In order of precedence: a refusal forbids; a leak needs approval; a `never_for` site needs it
    only for a value from another origin; then an unnamed site, a consequential effect (unless the
    tenant trusts goals and the goal names the object), and a model's choice without a source
    (unless the critic finds it in the goal) need approval; finally, the mode `always` requires it
    for every save.
    """
    effect = _effect(act, opinion)
    return Ruling(_decide(act, effect, approvals, opinion), effect, act.sentence)


def is_doubtful(act: Act, approvals: Approvals) -> bool:
    """Whether the critic's opinion could make an approval unnecessary."""
    harmless = EffectReview(effect="reads", requested=True)
    spared = rule_act(act, approvals, harmless).decision == "allow"
    return act.modelled and spared and rule_act(act, approvals).decision == "ask"


def _decide(
    act: Act, effect: Effect, approvals: Approvals, opinion: EffectReview | None
) -> Decision:
    if act.refused:
        return "refuse"
    if act.leaks:
        return "ask"
    if site_matches(act.site, approvals.never_for):
        return "ask" if act.crosses else "allow"
    if act.offsite:
        return "ask"
    if effect in CONSEQUENTIAL and not (approvals.mode == "trust_goal" and act.named_in_goal):
        return "ask"
    if act.unsourced and not (opinion is not None and opinion.requested):
        return "ask"
    return "ask" if approvals.mode == "always" and effect == "saves" else "allow"


def _effect(act: Act, opinion: EffectReview | None) -> Effect:
    """Return the assumed effect. If model and code disagree whether it is consequential, the critic
    decides; without its opinion, the graver effect counts.
    """
    if not act.modelled:
        return act.code_effect
    stated = act.model_effect or act.code_effect
    worst = gravest(act.code_effect, stated)
    if (act.code_effect in CONSEQUENTIAL) == (stated in CONSEQUENTIAL):
        return worst
    return worst if opinion is None or opinion.effect is None else opinion.effect
