"""What each action of a chain does that a person may have to agree to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from app.authorization import Act, Ruling, is_doubtful, rule
from app.domain.action import Action, PlannedAction, action
from app.domain.effect import CONSEQUENTIAL, EFFECTS, Concern, Effect, graver
from app.domain.page import Node, Observation
from app.domain.plan import Chain, Deed, Proposal, Refinement
from app.domain.policy import Policy
from app.domain.question import Approval
from app.domain.sites import site_of
from app.domain.skill import ElementRef
from app.domain.verdict import Examination
from app.engines import dialogs
from app.engines.disambiguation.pinned import pinned
from app.engines.gates.holding import is_refused
from app.engines.gates.opened import whose
from app.engines.gates.sites import destination, is_allowed, is_known, is_listed
from app.engines.gates.sources import crosses, is_told, is_unsourced, leaks
from app.engines.gates.wording import deed, undoing, where
from app.engines.reasoner import Situation
from app.engines.records import telling_words
from app.engines.risk import assess, question_effect
from app.engines.risk.controls import (
    container,
    entries,
    inside,
    is_opener,
    is_submit,
    searches,
    touched,
)
from app.engines.risk.lexicon import speaks_of
from app.engines.risk.surroundings import told

_PRESSES = frozenset({"clickAt", "pressKey"})
_PRESSED = _PRESSES | {"click", "dragTo"}
_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile", "dragTo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """An action with what it does: `node` is the control that tells, `act` what the policy was told of it,
    `ruling` what the policy says, `about_site` why its site is a concern; `whose` as in `Approval`.
    """

    planned: PlannedAction
    node: Node | None
    act: Act
    ruling: Ruling
    about_site: tuple[Concern, ...]
    page: Observation = field(repr=False)
    whose: str = ""

    @property
    def asks(self) -> bool:
        """Whether a person is to agree to it first."""
        return self.ruling.decision == "ask"

    def with_opinion(self, opinion: Examination, policy: Policy) -> "Weighed":
        """The same with what the critic says of it."""
        return replace(self, ruling=rule(self.act, policy.approvals, opinion))

    @property
    def effects(self) -> tuple[Concern, ...]:
        """What a person is told that it does."""
        effect = self.ruling.effect
        own: tuple[Concern, ...] = (effect,) if effect in CONSEQUENTIAL else ()
        return (*own, *self.about_site)

    @property
    def approval(self) -> Approval:
        """What a person agrees to when they agree to this."""
        node = self.node
        return Approval(
            action=self.planned.redacted.text,
            description=deed(self.planned, node, self.page, agreeing=_agreed_with(self)),
            element_id=node.id if node else None,
            element=ElementRef.of(node.signature) if node else None,
            site=destination(self.planned.action) or site_of(self.page.url),
            effects=self.effects,
            undo=undoing(self.effects),
            whose=self.whose,
        )

    @property
    def is_grave(self) -> bool:
        """Whether it is hard to undo, or a person had to agree to it."""
        return self.asks or self.act.seen in CONSEQUENTIAL

    def sentence(self, first_site: str = "") -> str:
        """What will happen, to which record; on which site, where that is not where the run began."""
        site = site_of(self.page.url)
        at = where(self.node, "" if site == first_site else site, self.whose)
        return deed(self.planned, self.node, self.page, agreeing=_agreed_with(self), at=at)


def weighed(
    chain: Chain,
    refinement: Refinement,
    situation: Situation,
    policy: Policy,
    *,
    said: Effect | None = None,
    pending: Effect | None = None,
) -> tuple[Weighed, ...]:
    """The chain's actions, each by itself, so that none hides behind another.

    `said` is the gravest effect that the model says they have, `pending` a consequential one that it says
    the goal has, and about which nobody was asked yet: it may be of any press of which the code says
    nothing.
    """
    made, entered = [], _entered_last(situation)
    worst = [
        _worst(planned.action, (*entered, *chain.actions[:at]), situation.page)
        for at, planned in enumerate(chain.actions)
    ]
    whose_said = _whose(said or pending, chain, worst)
    for at, (planned, (node, seen)) in enumerate(zip(chain.actions, worst, strict=True)):
        of_it = None if said in CONSEQUENTIAL and at != whose_said else said
        in_turn = replace(
            situation, deeds=(*situation.deeds, *_done(chain.actions[:at], situation))
        )
        one = _weighed(planned, node, seen, refinement, in_turn, policy, of_it)
        if said is None and at == whose_said and one.ruling.effect not in CONSEQUENTIAL:
            one = _weighed(planned, node, seen, refinement, in_turn, policy, pending)
        made.append(one)
    return tuple(made)


def _whose(
    said: Effect | None, chain: Chain, worst: Sequence[tuple[Node | None, Effect]]
) -> int | None:
    """Which action a consequential effect that the model says of the chain is of: what the code sees to
    be hard to undo, else the last press that does not only lead somewhere. None for none.
    """
    if said not in CONSEQUENTIAL:
        return None
    presses = [
        at
        for at, planned in enumerate(chain.actions)
        if planned.action.name in _PRESSED and not _leads_on(worst[at][0])
    ]
    grave = [at for at, (_, seen) in enumerate(worst) if seen in CONSEQUENTIAL]
    return next(iter(grave or presses[-1:]), None)


def _leads_on(node: Node | None) -> bool:
    return node is not None and (node.role in ("link", "tab") or is_opener(node))


def _done(actions: Sequence[PlannedAction], situation: Situation) -> tuple[Deed, ...]:
    """What goes before an action in its chain, as if it were done."""
    nodes = (situation.page.tree.get(one.action.target or "") for one in actions)
    return tuple(
        Deed(action=one.action, signature=node.signature if node is not None else None)
        for one, node in zip(actions, nodes, strict=True)
    )


def doubtful(found: Sequence[Weighed], policy: Policy) -> tuple[Weighed, ...]:
    """Those of which the critic's opinion could spare the person the question."""
    return tuple(one for one in found if is_doubtful(one.act, policy.approvals))


def around(found: Iterable[Weighed]) -> tuple[str, ...]:
    """All that the page says and asks around the controls of these, but for what controls are called: an
    order may stand in a label.
    """
    texts: list[str] = []
    for one in found:
        asked = dialogs.question(one.page)
        texts += [asked.message] if asked is not None else []
        if one.node is not None:
            texts += [f"{kind}: {label}" for kind, label in one.node.groups if label]
            called = {text for n in one.page.tree if n.role != "txt" for text in (n.name, n.hint)}
            texts += [text for text in told(one.node, one.page) if text not in called]
    return tuple(dict.fromkeys(texts))


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
        seen = assess(act, other, page)
        found.append(_weighed(planned, other, seen, refinement, situation, policy))
    return tuple(found)


def _weighed(
    planned: PlannedAction,
    node: Node | None,
    seen: Effect,
    refinement: Refinement,
    situation: Situation,
    policy: Policy,
    said: Effect | None = None,
) -> Weighed:
    page = situation.page
    seen = graver(seen, _question_effect(planned, page))
    about = _about_site(planned.action, node, seen, situation, policy)
    chosen = _proposal(planned)
    modelled = "model" in (refinement.maker, situation.plan.maker)
    act = Act(
        sentence=deed(planned, node, page),
        site=destination(planned.action) or site_of(page.url),
        seen=seen,
        said=said,
        modelled=modelled,
        unsourced=modelled and is_unsourced(chosen, situation),
        leaks=modelled and leaks(chosen, situation),
        crosses=crosses(chosen, page),
        offsite=bool(about),
        named=policy.approvals.mode == "trust_goal" and _is_ordered(node, situation),
    )
    one = Weighed(
        planned=planned,
        node=node,
        act=act,
        ruling=rule(act, policy.approvals),
        about_site=about,
        page=page,
        whose=whose(node, page, situation.deeds),
    )
    if not is_refused(one.approval, situation.background.refused):
        return one
    refused = replace(act, refused=True)
    return replace(one, act=refused, ruling=rule(refused, policy.approvals))


def _is_ordered(node: Node | None, situation: Situation) -> bool:
    """Whether the goal names what the control works on, and what is handed in is the person's."""
    if node is None:
        return False
    form, told = container(node), situation.told
    fields = {one.signature for one in entries(situation.page, form)} if form else set()
    typed = [str(d.action.args.get("text", "")) for d in situation.deeds if d.signature in fields]
    if any(text and not is_told(text, situation) for text in typed):
        return False
    if speaks_of("totality", node.name) and not speaks_of("totality", told):
        return False
    labels = " ".join((node.name, *(label for _, label in node.groups)))
    return bool(typed) or bool(set(telling_words(labels)) & set(telling_words(told)))


def _agreed_with(one: Weighed) -> str:
    """What the browser asked about this action, where it is done again to say yes."""
    asked, decided = dialogs.question(one.page), one.planned.dialog
    return asked.message if asked is not None and decided is not None and decided.accept else ""


def _question_effect(planned: PlannedAction, page: Observation) -> Effect:
    """What the browser said that the action does, when it asked about it and the answer is yes."""
    asked, decided = dialogs.question(page), planned.dialog
    if asked is None or decided is None or not decided.accept:
        return "reads"
    return question_effect(asked.message)


def _about_site(
    act: Action, node: Node | None, seen: Effect, situation: Situation, policy: Policy
) -> tuple[Concern, ...]:
    goes_to = destination(act)
    if goes_to is not None:
        stays = goes_to == site_of(situation.page.url)
        return () if stays or is_allowed(goes_to, situation, policy) else ("outside",)
    if not _acts(act, node, seen):
        return ()
    site = site_of(situation.page.url)
    if not is_known(site, situation, policy):
        return ("new_site",)
    return () if is_listed(site, situation, policy) else ("outside",)


def _acts(act: Action, node: Node | None, seen: Effect) -> bool:
    """Whether it does more than look around: it enters something, but for a search, or has an effect."""
    if act.name in _ENTERS:
        return not (node is not None and searches(node))
    return seen not in ("reads", "fills")


def _worst(
    act: Action, before: Sequence[PlannedAction], page: Observation
) -> tuple[Node | None, Effect]:
    """The control by which the action is hardest to undo, and how hard that is."""
    named = page.tree.get(act.target or "")
    found = [(named, assess(act, named, page))]
    for node in controls(act, before, page):
        if node is named:
            continue
        does = action("click", node.id) if act.name in _PRESSES else act
        found.append((node, assess(does, node, page)))
    return max(found, key=lambda one: (EFFECTS.index(one[1]), one[0] is not None))


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
