"""Whether an act may be done, must be agreed to by a person first, or must not be done: one pure function."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.domain.access import CONSEQUENTIAL, Approvals, Effect, gravest, site_matches
from app.domain.verdict import EffectReview

Decision = Literal["allow", "ask", "refuse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of a chain, and all that its ruling depends on.

    `sentence` names act and object. `site` is where it takes effect. `seen` is its effect as the code sees
    it (`authorization.assess`), `said` as the model says it (None: it did not). `modelled`: a model chose it.
    `unsourced`: nothing that the person or the tenant said holds its value or its record. `leaks`: it
    carries a secret to where none belongs; `crosses`: a value to another origin than the one that supplied
    it. `offsite`: it works on a site that nobody named. `named`: the goal orders it by the name of its
    object. `refused`: the person said no to it in this run.
    """

    sentence: str
    site: str = ""
    seen: Effect = "reads"
    said: Effect | None = None
    modelled: bool = False
    unsourced: bool = False
    leaks: bool = False
    crosses: bool = False
    offsite: bool = False
    named: bool = False
    refused: bool = False


class Ruling(NamedTuple):
    """The decision; `effect` is what the act is taken to do, `sentence` what a person is asked or told."""

    decision: Decision
    effect: Effect
    sentence: str


def rule_act(act: Act, approvals: Approvals, opinion: EffectReview | None = None) -> Ruling:
    """The ruling on one act. `opinion` is the critic's; None where it was not asked, or could not be.

    The order is that of precedence. A refusal, a leak and a site where nobody is asked come first. Then what
    deletes, pays, sends, publishes or grants is asked about, unless the tenant trusts the goal and the goal
    names the object. Last, what a model chose without a source, unless the critic finds it in the goal.
    """
    effect = _effect(act, opinion)
    return Ruling(_decide(act, effect, approvals, opinion), effect, act.sentence)


def is_doubtful(act: Act, approvals: Approvals) -> bool:
    """Whether the critic's opinion could spare the person the question."""
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
    if effect in CONSEQUENTIAL and not (approvals.mode == "trust_goal" and act.named):
        return "ask"
    if act.unsourced and not (opinion is not None and opinion.requested):
        return "ask"
    return "ask" if approvals.mode == "always" and effect == "saves" else "allow"


def _effect(act: Act, opinion: EffectReview | None) -> Effect:
    """What the act is taken to do. Where model and code disagree on whether it is consequential, the critic
    decides; without its opinion, the graver view stands.
    """
    if not act.modelled:
        return act.seen
    told = act.said or act.seen
    worst = gravest(act.seen, told)
    if (act.seen in CONSEQUENTIAL) == (told in CONSEQUENTIAL):
        return worst
    return worst if opinion is None or opinion.effect is None else opinion.effect
