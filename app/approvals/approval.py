"""The approval gate: which actions a person must agree to before they are sent, and the result of a no."""

from collections import Counter
from collections.abc import Sequence

from app.approvals.approval_scope import (
    ABOUT_SITES,
    RunHistory,
    exceeds_approval,
    is_confirmation,
    is_covered,
    is_same_request,
    unpack_before,
)
from app.approvals.question_text import (
    RECORDS,
    opened_records,
    short_label,
    submitted_values,
    text_beside,
)
from app.approvals.risk import ActionRisk
from app.domain.access import CONSEQUENTIAL, EFFECTS, Policy, site_matches, site_of
from app.domain.action import MAY_PRESS, Action, Chain
from app.domain.directive import Verb, quote_value
from app.domain.hitl import Approval, Option, Question
from app.domain.memory import Advice
from app.domain.page import DialogDecision, ElementRef, Node, Observation
from app.domain.plan import Outcome, Plan
from app.domain.reasoner import Background, Situation
from app.domain.redaction import masked, secrets_in, secrets_told
from app.page import drop_volatile, enclosing_form, fields_in, routing_fragment, split_url
from app.plans import TURNED, dialog_question, expect_dialog, plain_text

_SHOWN = 120  # characters of the goal
_ACTION = "advice"


def pending_objection(background: Background, page: Observation, policy: Policy) -> Advice | None:
    """The operator's rejection that the person has not heard yet; None if there is none.

    The closest decision on this site counts. Nobody is asked on sites that the policy exempts, nor
    after answering with another wish. The person's own no is for `accepted_objection_outcome`.
    """
    site = site_of(page.url)
    nearest = next((advice for advice in background.advice if site and advice.site == site), None)
    if nearest is None or nearest.decision != "rejected":
        return None
    if site_matches(site, policy.approvals.never_for) or _is_among(nearest, background.approved):
        return None
    turned = any(answer.about == TURNED for answer in background.answers)
    return None if turned and _is_among(nearest, background.refused) else nearest


def accepted_objection_outcome(
    background: Background, page: Observation, policy: Policy
) -> Outcome | None:
    """The outcome of a goal if the person agreed with the operator; None otherwise."""
    objection = pending_objection(background, page, policy)
    if objection is None or not _is_among(objection, background.refused):
        return None
    return Outcome(
        status="failed", message=f"You said no, so nothing more was done. {objection.line}"
    )


def add_objection(
    question: Question | None, situation: Situation, policy: Policy
) -> Question | None:
    """The question with the operator's rejection added, or a question of its own if there is none."""
    objection = pending_objection(situation.background, situation.page, policy)
    if objection is None:
        return question
    approval = Approval(
        action=_objection_action(objection),
        description=objection.line,
        site=site_of(situation.page.url),
    )
    if question is not None:
        return question.model_copy(
            update={
                "fields": (objection.line, *question.fields),
                "also": (*question.also, approval),
            }
        )
    goal = situation.instruction.text if situation.instruction else situation.goal
    goal_text = quote_value(plain_text(masked(goal, secrets_in(goal)), _SHOWN))
    text = f"Do {goal_text}, although an operator decided against it?"
    return consent_question(text, (objection.line,), "do it all the same", approval)


def _is_among(advice: Advice, answered: tuple[Approval, ...]) -> bool:
    return any(approval.action == _objection_action(advice) for approval in answered)


def _objection_action(advice: Advice) -> str:
    return f"{_ACTION}({advice.record_id})"


DECLINED = "The person did not agree to this"
_OWN_TASKS: frozenset[Verb] = frozenset(
    {"create", "edit", "delete", "search", "find", "navigate", "login", "read"}
)


def approval_question(
    risks: Sequence[ActionRisk], situation: Situation, past: RunHistory
) -> Question | None:
    unapproved = list_unapproved(risks, situation, past)
    return _question(unapproved, risks, situation) if unapproved else None


def list_unapproved(
    risks: Sequence[ActionRisk], situation: Situation, past: RunHistory
) -> tuple[ActionRisk, ...]:
    return tuple(risk for risk in risks if risk.asks and not _is_agreed(risk, situation, past))


def first_unapproved(risks: Sequence[ActionRisk], situation: Situation, past: RunHistory) -> int:
    """The index of the first irreversible action that needs approval or was declined; it is decided again
    on the page after everything before it. 0 if it is the first, or there is none.
    """
    for at, risk in enumerate(risks):
        is_held = risk.ruling.decision == "refuse" or list_unapproved([risk], situation, past)
        if is_held and risk.ruling.effect in CONSEQUENTIAL:
            return at
    return 0


def explain_declined(risks: Sequence[ActionRisk], situation: Situation) -> str | None:
    """Why the decision is rejected without a question: the person declined it in this run."""
    declined = [risk for risk in risks if risk.ruling.decision == "refuse"]
    return f"{DECLINED}: {declined[0].sentence(_first_site(situation))}" if declined else None


def release_chain(
    question: Question, situation: Situation, chain: Chain, packed_page: bytes
) -> Chain | None:
    """The approved chain for the page as it is now; None unless its targets are provably those that were
    shown. The browser's own question about it gets the same yes.
    """
    sent = revalidate_chain(question, situation.page, chain, packed_page)
    if sent is None:
        return None
    approved_calls = {
        approval.action
        for approval in list_approvals(question)
        if set(approval.effects) - ABOUT_SITES
    }
    yes, actions = DialogDecision(accept=True), []
    for planned, as_shown in zip(sent.actions, chain.actions, strict=True):
        if planned.dialog is None and as_shown.redacted.text in approved_calls:
            node = situation.page.tree.get(planned.action.target or "")
            dialog = expect_dialog(yes, node, situation)
            planned = planned.model_copy(update={"dialog": dialog})
        actions.append(planned)
    return sent.model_copy(update={"actions": tuple(actions)})


def list_approvals(question: Question) -> tuple[Approval, ...]:
    return (*((question.approval,) if question.approval else ()), *question.also)


def skip_declined_step(plan: Plan) -> Plan:
    """The plan without its current step. Rules also drop later steps that depend on it, up to the next
    independent one; a model states dependencies itself.
    """
    plan = plan.advanced("skipped", refused=True)
    while plan.maker == "rules" and (step := plan.step) is not None:
        if step.directive is not None and step.directive.verb in _OWN_TASKS:
            break
        plan = plan.advanced("skipped", refused=True)
    return plan


def describe_not_done(question: Question, answer_text: str) -> str:
    quoted = f" (“{answer_text}”)" if answer_text.casefold() not in ("", "no") else ""
    return f"You said no{quoted}, so this was not done: {question.text.removesuffix('?')}."


def add_left_out(outcome: Outcome, plan: Plan) -> Outcome:
    """The outcome of a plan of which the person declined a part, naming what was not done."""
    left_out = [step.description for step in plan.steps if step.refused]
    if outcome.status != "completed" or not left_out:
        return outcome
    message = f"{outcome.message} Left out, since you said no: {'; '.join(left_out)}."
    return outcome.model_copy(update={"status": "failed", "message": message})


def _is_agreed(risk: ActionRisk, situation: Situation, past: RunHistory) -> bool:
    approved = situation.background.approved
    if not approved:
        return False
    approval, page = risk.approval, situation.page
    stopped = dialog_question(page)
    if stopped is not None:
        dialog_approval = next(
            (agreed for agreed in approved if is_same_request(approval, agreed)), None
        )
        if dialog_approval is None or exceeds_approval(
            stopped.message, dialog_approval, "", situation
        ):
            return False
    dismissed = stopped is not None and not page.client.network
    if is_covered(approval, approved, past.records, dismissed=dismissed):
        return True
    return is_confirmation(approval, risk.node, situation, past)


def _question(
    unapproved: Sequence[ActionRisk], chain: Sequence[ActionRisk], situation: Situation
) -> Question:
    """One question about the gravest action, with every action or the submitted values as lines."""
    main = max(
        unapproved, key=lambda risk: (EFFECTS.index(risk.ruling.effect), bool(risk.about_site))
    )
    also = tuple(risk.approval for risk in unapproved if risk is not main)
    first = _first_site(situation)
    if not also:
        lines = list_submitted_values(main, chain, situation)
        if not lines and main.node is not None and main.planned.action.name in MAY_PRESS:
            lines = text_beside(main.node, situation.page, _hidden(situation))
        yes = short_label(main.planned, main.node)
        return consent_question(f"{main.sentence(first)}?", lines, yes, main.approval)
    lines = tuple(risk.sentence(first) for risk in chain)
    text = f"{main.sentence(first)}, and {len(also)} more?"
    return consent_question(text, lines, "do all of it", main.approval, also)


def consent_question(
    text: str, lines: tuple[str, ...], yes: str, approval: Approval, also: tuple[Approval, ...] = ()
) -> Question:
    return Question(
        text=text,
        fields=lines,
        kind="approval",
        source="risk",
        return_to="execution/approved",
        options=(Option(id="yes", label=f"Yes, {yes}"), Option(id="no", label="No, leave it")),
        approval=approval,
        also=also,
    )


def _first_site(situation: Situation) -> str:
    return next(iter(situation.background.sites), "")


def list_submitted_values(
    risk: ActionRisk, chain: Sequence[ActionRisk], situation: Situation
) -> tuple[str, ...]:
    """The submitted values with field names; secrets are masked."""
    if risk.node is None or risk.planned.action.name not in MAY_PRESS:
        return ()
    entered = {
        entry.planned.action.target: str(value).lower() if isinstance(value, bool) else str(value)
        for entry in chain
        for key, value in entry.planned.action.args.items()
        if key in ("text", "label", "checked") and entry.planned.action.target
    }
    return submitted_values(risk.node, entered, situation.page, _hidden(situation))


def _hidden(situation: Situation) -> frozenset[str]:
    stated_secrets = secrets_told(situation.plan.instruction, situation.background)
    return stated_secrets | secrets_in(situation.goal)


_IDS = ("id", "targetId")
_CHOSEN = frozenset({"chk", "rad", "row", "tree", "opt"})


def revalidate_chain(
    question: Question, page: Observation, chain: Chain, packed_page: bytes
) -> Chain | None:
    """The chain as it can be sent now; None if it must be chosen and asked about again.

    The page must be the one that was shown (`packed_page`, packed): same address, title, ticked boxes,
    and values of the submitted form. Each element must still be there; one in a named record may
    have a new id if it is unique.
    """
    old_page = unpack_before(packed_page)
    if old_page is None or not _is_same_page(old_page, page):
        return None
    ids: dict[str, str] = {}
    for planned in chain.actions:
        for element_id in (planned.action.args.get(key) for key in _IDS):
            if not isinstance(element_id, str) or element_id == "page":
                continue
            node = _find_same_element(element_id, old_page, page)
            if node is None:
                return None
            ids[element_id] = node.id
    if not _is_unchanged(
        question, old_page, page, ids, [planned.action for planned in chain.actions]
    ):
        return None
    return chain if all(old == new for old, new in ids.items()) else _with_ids(chain, ids)


def _is_same_page(old_page: Observation, new_page: Observation) -> bool:
    def state(page: Observation) -> object:
        chosen = (n for n in page.tree if n.role in _CHOSEN and n.states & {"checked", "selected"})
        ticked = Counter(node.signature for node in chosen)
        url = page.url
        return split_url(url)[:3], routing_fragment(url), drop_volatile(page.title), ticked

    return state(old_page) == state(new_page)


def _find_same_element(
    element_id: str, old_page: Observation, new_page: Observation
) -> Node | None:
    """The same element now, by its id among as many twins, or unique in a named record."""
    old_node, new_node = old_page.tree.get(element_id), new_page.tree.get(element_id)
    if old_node is None:
        return None
    twins = [node for node in new_page.tree if node.signature == old_node.signature]
    if new_node is None:
        in_named_record = any(kind in RECORDS and label for kind, label in old_node.groups)
        new_node = twins[0] if len(twins) == 1 and in_named_record else None
    elif len(twins) != sum(node.signature == old_node.signature for node in old_page.tree):
        return None
    return new_node if new_node in twins and new_node.enabled else None


def _is_unchanged(
    question: Question,
    old_page: Observation,
    new_page: Observation,
    ids: dict[str, str],
    actions: Sequence[Action],
) -> bool:
    """Whether the control and what is submitted with it are as shown."""
    approval = question.approval
    if approval is not None and approval.element_id is not None:
        old_node = old_page.tree.get(approval.element_id)
        new_node = new_page.tree.get(ids.get(approval.element_id, approval.element_id))
        if (
            new_node is None
            or not new_node.enabled
            or ElementRef.of(new_node.signature) != approval.element
        ):
            return False
        if approval.whose and opened_records(old_page) != opened_records(new_page):
            return False
        if old_node is None or _values(old_node, old_page) != _values(new_node, new_page):
            return False
    if any(action.points for action in actions) and _layout(old_page) != _layout(new_page):
        return False
    by_key = any(action.name == "pressKey" for action in actions)
    return not by_key or bool(ids) or _focused(old_page) == _focused(new_page)


def _values(node: Node, page: Observation) -> list[tuple[str, str]]:
    form = enclosing_form(node)
    fields = fields_in(page, form) if form is not None else ()
    return sorted(
        (field.name, field.value or "") for field in fields if field.input_type != "password"
    )


def _focused(page: Observation) -> list[tuple[str, str, str]]:
    return [node.signature for node in page.tree if "focused" in node.states]


def _layout(page: Observation) -> list[tuple[tuple[str, str, str], object]]:
    return [(node.signature, node.box) for node in page.tree]


def _with_ids(chain: Chain, ids: dict[str, str]) -> Chain:
    actions = []
    for planned in chain.actions:
        args = {
            key: ids.get(str(value), value) if key in _IDS else value
            for key, value in planned.action.args.items()
        }
        action = planned.action.model_copy(update={"args": args})
        actions.append(planned.model_copy(update={"action": action}))
    values = {ids.get(key, key): value for key, value in chain.expected.values.items()}
    expected = chain.expected.model_copy(update={"values": values})
    return chain.model_copy(update={"actions": tuple(actions), "expected": expected})
