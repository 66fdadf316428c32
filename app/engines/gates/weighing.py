"""What each action of a chain does that a person may have to agree to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import get_args

from app.domain.action import Action, PlannedAction, action
from app.domain.page import Node, Observation
from app.domain.plan import Chain, Proposal, Refinement
from app.domain.policy import Policy
from app.domain.question import Approval
from app.domain.risk import Effect, Level, Risk
from app.domain.sites import listed, site_of
from app.domain.skill import ElementRef
from app.engines import dialogs
from app.engines.disambiguation.pinning import pinned
from app.engines.gates.opened import whose
from app.engines.gates.sites import destination, is_allowed, is_known, is_listed
from app.engines.gates.wording import deed, undoing, where
from app.engines.leave import touched, unasked
from app.engines.reasoner import Situation
from app.engines.risk import assess
from app.engines.risk.controls import container, inside, is_submit
from app.engines.risk.effects import DEEDS
from app.engines.risk.lexicon import speaks_of
from app.engines.risk.sentences import threatens
from app.engines.unsaid import carries_off

LEVELS: tuple[Level, ...] = get_args(Level)
_PRESSES = frozenset({"clickAt", "pressKey"})
_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile", "dragTo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """An action with what it does: `node` is the control that tells, `unasked` that nobody asked
    for it, `asks` that the policy has a person agree to it first; `whose` as in `Approval`.
    """

    planned: PlannedAction
    node: Node | None
    risk: Risk
    unasked: bool
    asks: bool
    page: Observation = field(repr=False)
    whose: str = ""

    @property
    def approval(self) -> Approval:
        """What a person agrees to when they agree to this."""
        node, risk = self.node, self.risk
        return Approval(
            action=self.planned.redacted.text,
            description=deed(self.planned, node, self.page, agreeing=_agreed_with(self)),
            element_id=node.id if node else None,
            element=ElementRef.of(node.signature) if node else None,
            site=destination(self.planned.action) or site_of(self.page.url),
            effects=risk.effects,
            undo=undoing(risk.effects),
            whose=self.whose,
        )

    @property
    def is_grave(self) -> bool:
        """Whether it is hard to undo, or a person had to agree to it."""
        return self.asks or self.risk.level == "high"

    def sentence(self, first_site: str = "") -> str:
        """What will happen, to which record; on which site, where that is not where the run began."""
        site = site_of(self.page.url)
        at = where(self.node, "" if site == first_site else site, self.whose)
        return deed(self.planned, self.node, self.page, agreeing=_agreed_with(self), at=at)


def weighed(
    chain: Chain, refinement: Refinement, situation: Situation, policy: Policy
) -> tuple[Weighed, ...]:
    """The chain's actions, each by itself, so that none hides behind another."""
    made, entered = [], _entered_last(situation)
    for at, planned in enumerate(chain.actions):
        node, risk = _worst(planned.action, (*entered, *chain.actions[:at]), situation.page)
        made.append(_weighed(planned, node, risk, refinement, situation, policy))
    return tuple(made)


def marked(chain: Chain, found: Sequence[Weighed]) -> Chain:
    """The chain, whose actions say which of them are grave."""
    if not any(one.is_grave for one in found):
        return chain
    actions = tuple(
        planned.model_copy(update={"grave": one.is_grave})
        for planned, one in zip(chain.actions, found, strict=True)
    )
    return chain.model_copy(update={"actions": actions})


def _entered_last(situation: Situation) -> tuple[PlannedAction, ...]:
    """The entry that was made last, where the page does not tell what has the focus: it is in there."""
    last = situation.deeds[-1] if situation.deeds else None
    if last is None or last.action.name != "setValue":
        return ()
    if any("focused" in node.states for node in situation.page.tree):
        return ()
    field_ = situation.page.tree.get(last.action.target or "")
    if field_ is None or field_.signature != last.signature:
        return ()
    return (PlannedAction(action_id="", action=last.action, description=last.description),)


def of_one_answer(
    first: Weighed, refinement: Refinement, situation: Situation, policy: Policy
) -> tuple[Weighed, ...]:
    """The same press on the others that a person chose at once, each a step of its own."""
    node, page, found = first.node, situation.page, []
    chosen = pinned(situation.plan, page)
    if node is None or node not in chosen or first.planned.action.target != node.id:
        return ()
    for other in chosen:
        if other is node or (other.role, other.name) != (node.role, node.name):
            continue
        args = {**first.planned.action.args, "id": other.id}
        act = first.planned.action.model_copy(update={"args": args})
        planned = first.planned.model_copy(update={"action": act})
        risk = assess(act, other, page)
        found.append(_weighed(planned, other, risk, refinement, situation, policy))
    return tuple(found)


def _weighed(
    planned: PlannedAction,
    node: Node | None,
    risk: Risk,
    refinement: Refinement,
    situation: Situation,
    policy: Policy,
) -> Weighed:
    risk = _with_question(planned, risk, situation.page)
    about = _about_site(planned.action, node, risk, situation, policy)
    if about:
        risk = risk.model_copy(update={"effects": (*risk.effects, *about)})
    chosen = _proposal(planned)
    beyond = bool(refinement.leave) and unasked(chosen, situation) is not None
    site = destination(planned.action) or site_of(situation.page.url)
    if listed(site, policy.approvals.never_for):
        asks = carries_off(chosen, situation)
    else:
        asks = beyond or _is_asked_about(risk, about, policy)
    return Weighed(
        planned=planned,
        node=node,
        risk=risk,
        unasked=beyond,
        asks=asks,
        page=situation.page,
        whose=whose(node, situation.page, situation.deeds),
    )


def _agreed_with(one: Weighed) -> str:
    """What the browser asked about this action, where it is done again to say yes."""
    asked, decided = dialogs.question(one.page), one.planned.dialog
    return asked.message if asked is not None and decided is not None and decided.accept else ""


def _with_question(planned: PlannedAction, risk: Risk, page: Observation) -> Risk:
    """The risk with what the browser said that the action does, when it asked about it."""
    asked, decided = dialogs.question(page), planned.dialog
    if asked is None or decided is None or not decided.accept:
        return risk
    deed = threatens(asked.message)
    if not deed:
        return risk
    effects = DEEDS[deed].effects
    both = tuple(dict.fromkeys((*risk.effects, *effects)))
    return Risk(level="high", effects=both, reason="The page asks first", evidence=asked.message)


def _is_asked_about(risk: Risk, about: tuple[Effect, ...], policy: Policy) -> bool:
    """Whether the policy has it agreed to, on a site for which anybody is asked."""
    mode = policy.approvals.mode
    return bool(about) or risk.level == "high" or (mode == "always" and risk.level == "medium")


def _about_site(
    act: Action, node: Node | None, risk: Risk, situation: Situation, policy: Policy
) -> tuple[Effect, ...]:
    goes_to = destination(act)
    if goes_to is not None:
        stays = goes_to == site_of(situation.page.url)
        return () if stays or is_allowed(goes_to, situation, policy) else ("outside",)
    if not _acts(act, node, risk):
        return ()
    site = site_of(situation.page.url)
    if not is_known(site, situation, policy):
        return ("new_site",)
    return () if is_listed(site, situation, policy) else ("outside",)


def _acts(act: Action, node: Node | None, risk: Risk) -> bool:
    """Whether it does more than look around: it enters something, but for a search, or has an effect."""
    if act.name in _ENTERS:
        return not (node is not None and _searches(node))
    return risk.level != "low"


def _searches(node: Node) -> bool:
    return node.input_type == "search" or speaks_of("search", node.name or node.hint)


def _worst(
    act: Action, before: Sequence[PlannedAction], page: Observation
) -> tuple[Node | None, Risk]:
    """The control by which the action is hardest to undo, and how hard that is."""
    named = page.tree.get(act.target or "")
    found = [(named, assess(act, named, page))]
    for node in controls(act, before, page):
        if node is named:
            continue
        does = action("click", node.id) if act.name in _PRESSES else act
        found.append((node, assess(does, node, page)))
    return max(found, key=lambda one: (LEVELS.index(one[1].level), one[0] is not None))


def controls(act: Action, before: Iterable[PlannedAction], page: Observation) -> tuple[Node, ...]:
    """The controls that an action works on. Enter after an entry hands in that entry's form."""
    if act.name != "pressKey":
        return touched(act, page)
    entered = [page.tree.get(one.action.target or "") for one in before]
    last = next((node for node in reversed(entered) if node is not None), None)
    if last is None:
        return touched(act, page)
    form = container(last)
    if str(act.args["key"]).casefold() != "enter" or form is None:
        return ()
    return tuple(n for n in page.tree if inside(n, form) and is_submit(n, page))


def _proposal(planned: PlannedAction) -> Proposal:
    return Proposal(
        action=planned.action,
        description=planned.description,
        dialog=planned.dialog,
        provenance=planned.provenance,
    )
