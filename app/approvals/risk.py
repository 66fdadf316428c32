"""The risk of each action of a chain that a person may have to approve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from app.approvals.approval_scope import (
    destination_site,
    is_allowed,
    is_known,
    is_listed,
    is_refused,
)
from app.approvals.question_text import (
    describe_act,
    describe_agreement,
    describe_irreversible,
    describe_place,
    menu_record,
)
from app.approvals.source_checks import crosses_sites, is_supported, is_unsourced, leaks_secret
from app.authorization import (
    Act,
    Ruling,
    assess_effect,
    is_doubtful,
    question_effect,
    rule_act,
    surrounding_sentences,
)
from app.domain.access import CONSEQUENTIAL, EFFECTS, Concern, Effect, Policy, gravest, site_of
from app.domain.action import (
    POINT_ACTIONS,
    PRESSES,
    Action,
    ActionRecord,
    Chain,
    PlannedAction,
    action,
)
from app.domain.hitl import Approval
from app.domain.page import ElementRef, Node, Observation
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.domain.verdict import EffectReview
from app.page import (
    affected_controls,
    distinctive_words,
    enclosing_form,
    fields_in,
    is_inside,
    is_opener,
    is_search_field,
    is_submit,
)
from app.plans import dialog_question
from app.text.lexicon import is_risky, speaks_of

_PRESSES = POINT_ACTIONS | {"pressKey"}
_PRESSED = _PRESSES | PRESSES | {"dragTo"}
_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile", "dragTo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRisk:
    """An action and its risk: `node` is the deciding control, `act` the policy's input, `ruling` its
    output, `about_site` why its site is a concern; `whose` as in `Approval`.
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
        return self.ruling.decision == "ask"

    def with_opinion(self, opinion: EffectReview, policy: Policy) -> "ActionRisk":
        return replace(self, ruling=rule_act(self.act, policy.approvals, opinion))

    @property
    def effects(self) -> tuple[Concern, ...]:
        effect = self.ruling.effect
        own: tuple[Concern, ...] = (effect,) if effect in CONSEQUENTIAL else ()
        return (*own, *self.about_site)

    @property
    def approval(self) -> Approval:
        node = self.node
        return Approval(
            action=self.planned.redacted.text,
            description=describe_act(self.planned, node, self.page),
            element_id=node.id if node else None,
            element=ElementRef.of(node.signature) if node else None,
            site=self.act.site,
            effects=self.effects,
            undo=describe_irreversible(self.effects),
            whose=self.whose,
        )

    @property
    def is_grave(self) -> bool:
        """Whether it is irreversible or needed approval."""
        return self.asks or self.act.code_effect in CONSEQUENTIAL

    def sentence(self, first_site: str = "") -> str:
        """What will happen to which record, and on which site if not the first one."""
        site = site_of(self.page.url)
        at = describe_place(self.node, "" if site == first_site else site, self.whose)
        return describe_act(self.planned, self.node, self.page, at=at)


def weigh_chain(
    chain: Chain,
    refinement: Decision,
    situation: Situation,
    policy: Policy,
    *,
    model_effect: Effect | None = None,
    pending: Effect | None = None,
) -> tuple[ActionRisk, ...]:
    """Each action of the chain with its own risk, so that none hides behind another.

    `model_effect` is the gravest effect that the model states. `pending` is a consequential effect that it
    states for the goal and that nobody was asked about: it may belong to any press that code knows
    nothing of.
    """
    page, actions = situation.page, [planned.action for planned in chain.actions]
    if not any("focused" in node.states for node in page.tree):  # it is where it was put last
        actions = [*(record.action for record in situation.records[-1:]), *actions]
    first = len(actions) - len(chain.actions)
    worst = [
        _gravest_control(act, actions[: first + at], page) for at, act in enumerate(actions[first:])
    ]
    stated = model_effect or pending
    stated_at = _index_of_stated_effect(chain, worst) if stated in CONSEQUENTIAL else None
    risks, records = [], situation.records
    for at, (planned, (node, code_effect)) in enumerate(zip(chain.actions, worst, strict=True)):
        effect = stated if stated not in CONSEQUENTIAL or at == stated_at else None
        in_turn = replace(situation, records=records)
        risks.append(_weigh_action(planned, node, code_effect, refinement, in_turn, policy, effect))
        target = page.tree.get(planned.action.target or "")
        signature = target.signature if target is not None else None
        done = ActionRecord(action=planned.action, signature=signature)  # as if it were done
        records = (*records, done)
    return tuple(risks)


def _index_of_stated_effect(
    chain: Chain, worst: Sequence[tuple[Node | None, Effect]]
) -> int | None:
    """The index of the action that the model's stated effect belongs to: one that code finds irreversible,
    else the last press that does more than navigate. None if there is none.
    """
    presses = [
        at
        for at, (planned, (node, _)) in enumerate(zip(chain.actions, worst, strict=True))
        if planned.action.name in _PRESSED and not _only_navigates(planned.action, node)
    ]
    grave = [at for at, (_, code_effect) in enumerate(worst) if code_effect in CONSEQUENTIAL]
    return next(iter(grave or presses[-1:]), None)


def _only_navigates(act: Action, node: Node | None) -> bool:
    """Whether it only navigates or presses nothing; a link called "Delete" may do more."""
    if node is None:
        return act.name == "pressKey"
    return is_opener(node) or (node.role in ("link", "tab") and not is_risky(node.name))


def list_doubtful(risks: Sequence[ActionRisk], policy: Policy) -> tuple[ActionRisk, ...]:
    """The actions for which the critic's opinion could make the question unnecessary."""
    return tuple(risk for risk in risks if is_doubtful(risk.act, policy.approvals))


def text_around(risks: Iterable[ActionRisk]) -> tuple[str, ...]:
    """The page's text around these controls, without control names, since labels may contain instructions."""
    texts: list[str] = []
    for risk in risks:
        dialog = dialog_question(risk.page)
        texts += [dialog.message] if dialog is not None else []
        if risk.node is not None:
            texts += [f"{kind}: {label}" for kind, label in risk.node.groups if label]
            names = {text for n in risk.page.tree if n.role != "txt" for text in (n.name, n.hint)}
            around = surrounding_sentences(risk.node, risk.page)
            texts += [text for text in around if text not in names]
    return tuple(dict.fromkeys(texts))


def mark_grave(chain: Chain, risks: Sequence[ActionRisk]) -> Chain:
    if not any(risk.is_grave for risk in risks):
        return chain
    actions = tuple(
        planned.model_copy(update={"grave": risk.is_grave})
        for planned, risk in zip(chain.actions, risks, strict=True)
    )
    return chain.model_copy(update={"actions": actions})


def _weigh_action(
    planned: PlannedAction,
    node: Node | None,
    code_effect: Effect,
    refinement: Decision,
    situation: Situation,
    policy: Policy,
    model_effect: Effect | None,
) -> ActionRisk:
    page = situation.page
    if dialog_text := describe_agreement(planned, page):
        code_effect = gravest(code_effect, question_effect(dialog_text))
    concerns = _site_concerns(planned.action, node, code_effect, situation, policy)
    proposal = Proposal(
        action=planned.action,
        description=planned.description,
        dialog=planned.dialog,
        provenance=planned.provenance,
    )
    modelled = "model" in (refinement.maker, situation.plan.maker)
    act = Act(
        sentence=describe_act(planned, node, page),
        site=destination_site(planned.action) or site_of(page.url),
        code_effect=code_effect,
        model_effect=model_effect,
        modelled=modelled,
        unsourced=modelled and is_unsourced(proposal, situation),
        leaks=modelled and leaks_secret(proposal, situation),
        crosses=crosses_sites(proposal, page),
        offsite=bool(concerns),
        named_in_goal=policy.approvals.mode == "trust_goal" and _is_named_in_goal(node, situation),
    )
    risk = ActionRisk(
        planned=planned,
        node=node,
        act=act,
        ruling=rule_act(act, policy.approvals),
        about_site=concerns,
        page=page,
        whose=menu_record(node, page, situation.records),
    )
    if is_refused(risk.approval, situation.background.refused):
        act = replace(act, refused=True)
        return replace(risk, act=act, ruling=rule_act(act, policy.approvals))
    return risk


def _is_named_in_goal(node: Node | None, situation: Situation) -> bool:
    """Whether the goal names the control's object, and the submitted values are the person's."""
    if node is None:
        return False
    form, stated_text = enclosing_form(node), situation.stated_text
    fields = {field.signature for field in fields_in(situation.page, form)} if form else set()
    typed = [str(d.action.args.get("text", "")) for d in situation.records if d.signature in fields]
    if any(text and not is_supported(text, situation) for text in typed):
        return False
    if speaks_of("totality", node.name) and not speaks_of("totality", stated_text):
        return False
    labels = " ".join((node.name, *(label for _, label in node.groups)))
    return bool(typed) or bool(set(distinctive_words(labels)) & set(distinctive_words(stated_text)))


def _site_concerns(
    act: Action, node: Node | None, code_effect: Effect, situation: Situation, policy: Policy
) -> tuple[Concern, ...]:
    site, goes_to = site_of(situation.page.url), destination_site(act)
    if goes_to is not None:
        stays = goes_to == site or is_allowed(goes_to, situation, policy)
        return () if stays else ("outside",)
    enters = act.name in _ENTERS and not (node is not None and is_search_field(node))
    if not enters and (act.name in _ENTERS or code_effect in ("reads", "fills")):
        return ()  # it only looks around
    if not is_known(site, situation, policy):
        return ("new_site",)
    return () if is_listed(site, situation, policy) else ("outside",)


def _gravest_control(
    act: Action, earlier: Sequence[Action], page: Observation
) -> tuple[Node | None, Effect]:
    """The control by which the action is gravest, and its effect."""
    target = page.tree.get(act.target or "")
    candidates = [(target, assess_effect(act, target, page))]
    for node in _controls(act, earlier, page):
        if node is not target:
            effective = action("click", node.id) if act.name in _PRESSES else act
            candidates.append((node, assess_effect(effective, node, page)))
    return max(candidates, key=lambda one: (EFFECTS.index(one[1]), one[0] is not None))


def _controls(act: Action, earlier: Sequence[Action], page: Observation) -> tuple[Node, ...]:
    """The controls that an action affects. Enter after an entry submits that entry's form."""
    entered = (page.tree.get(entry.target or "") for entry in reversed(earlier))
    last = next((node for node in entered if node is not None), None)
    if act.name != "pressKey" or last is None:
        return affected_controls(act, page)
    form = enclosing_form(last)
    if str(act.args["key"]).casefold() != "enter" or form is None:
        return ()
    return tuple(n for n in page.tree if is_inside(n, form) and is_submit(n, page))
