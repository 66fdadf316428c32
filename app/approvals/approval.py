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
    nearest = next((one for one in background.advice if site and one.site == site), None)
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


def add_objection(asked: Question | None, situation: Situation, policy: Policy) -> Question | None:
    """The question with the operator's rejection added, or one of its own if nothing else is asked."""
    objection = pending_objection(situation.background, situation.page, policy)
    if objection is None:
        return asked
    approval = Approval(
        action=_objection_action(objection),
        description=objection.line,
        site=site_of(situation.page.url),
    )
    if asked is not None:
        return asked.model_copy(
            update={"fields": (objection.line, *asked.fields), "also": (*asked.also, approval)}
        )
    goal = situation.instruction.text if situation.instruction else situation.goal
    goal_text = quote_value(plain_text(masked(goal, secrets_in(goal)), _SHOWN))
    text = f"Do {goal_text}, although an operator decided against it?"
    return consent_question(text, (objection.line,), "do it all the same", approval)


def _is_among(advice: Advice, answered: tuple[Approval, ...]) -> bool:
    return any(one.action == _objection_action(advice) for one in answered)


def _objection_action(advice: Advice) -> str:
    return f"{_ACTION}({advice.record_id})"


DECLINED = "The person did not agree to this"
_OWN_TASKS: frozenset[Verb] = frozenset(
    {"create", "edit", "delete", "search", "find", "navigate", "login", "read"}
)


def approval_question(
    found: Sequence[ActionRisk], situation: Situation, past: RunHistory
) -> Question | None:
    unapproved = list_unapproved(found, situation, past)
    return _question(unapproved, found, situation) if unapproved else None


def list_unapproved(
    found: Sequence[ActionRisk], situation: Situation, past: RunHistory
) -> tuple[ActionRisk, ...]:
    return tuple(one for one in found if one.asks and not _is_agreed(one, situation, past))


def first_unapproved(found: Sequence[ActionRisk], situation: Situation, past: RunHistory) -> int:
    """The index of the first irreversible action that needs approval or was declined; it is decided again
    on the page after everything before it. 0 if it is the first, or there is none.
    """
    for at, one in enumerate(found):
        held = one.ruling.decision == "refuse" or list_unapproved([one], situation, past)
        if held and one.ruling.effect in CONSEQUENTIAL:
            return at
    return 0


def explain_declined(found: Sequence[ActionRisk], situation: Situation) -> str | None:
    """Why the decision is not even asked about: the person declined it in this run."""
    again = [one for one in found if one.ruling.decision == "refuse"]
    return f"{DECLINED}: {again[0].sentence(_first_site(situation))}" if again else None


def release_chain(
    question: Question, situation: Situation, chain: Chain, before: bytes
) -> Chain | None:
    """The approved chain for the page as it is now; None unless its targets are provably those that were
    shown. The browser's own question about it gets the same yes.
    """
    sent = revalidate_chain(question, situation.page, chain, before)
    if sent is None:
        return None
    heavy = {one.action for one in list_approvals(question) if set(one.effects) - ABOUT_SITES}
    yes, actions = DialogDecision(accept=True), []
    for planned, as_shown in zip(sent.actions, chain.actions, strict=True):
        if planned.dialog is None and as_shown.redacted.text in heavy:
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


def describe_not_done(question: Question, said: str) -> str:
    words = f" (“{said}”)" if said.casefold() not in ("", "no") else ""
    return f"You said no{words}, so this was not done: {question.text.removesuffix('?')}."


def add_left_out(outcome: Outcome, plan: Plan) -> Outcome:
    """The outcome of a plan of which the person declined a part, naming what was not done."""
    left = [step.description for step in plan.steps if step.refused]
    if outcome.status != "completed" or not left:
        return outcome
    message = f"{outcome.message} Left out, since you said no: {'; '.join(left)}."
    return outcome.model_copy(update={"status": "failed", "message": message})


def _is_agreed(one: ActionRisk, situation: Situation, past: RunHistory) -> bool:
    approved = situation.background.approved
    if not approved:
        return False
    approval, page = one.approval, situation.page
    stopped = dialog_question(page)
    if stopped is not None:
        given = next((agreed for agreed in approved if is_same_request(approval, agreed)), None)
        if given is None or exceeds_approval(stopped.message, given, "", situation):
            return False
    dismissed = stopped is not None and not page.client.network
    if is_covered(approval, approved, past.records, dismissed=dismissed):
        return True
    return is_confirmation(approval, one.node, situation, past)


def _question(
    unapproved: Sequence[ActionRisk], chain: Sequence[ActionRisk], situation: Situation
) -> Question:
    """One question about the gravest action, with every action or the submitted values as lines."""
    main = max(unapproved, key=lambda one: (EFFECTS.index(one.ruling.effect), bool(one.about_site)))
    also = tuple(one.approval for one in unapproved if one is not main)
    first = _first_site(situation)
    if not also:
        lines = list_submitted_values(main, chain, situation)
        if not lines and main.node is not None and main.planned.action.name in MAY_PRESS:
            lines = text_beside(main.node, situation.page, _hidden(situation))
        yes = short_label(main.planned, main.node)
        return consent_question(f"{main.sentence(first)}?", lines, yes, main.approval)
    lines = tuple(one.sentence(first) for one in chain)
    text = f"{main.sentence(first)}, and {len(also)} more?"
    return consent_question(text, lines, "do all of it", main.approval, also)


def consent_question(
    text: str, lines: tuple[str, ...], yes: str, asked: Approval, also: tuple[Approval, ...] = ()
) -> Question:
    return Question(
        text=text,
        fields=lines,
        kind="approval",
        source="risk",
        return_to="execution/approved",
        options=(Option(id="yes", label=f"Yes, {yes}"), Option(id="no", label="No, leave it")),
        approval=asked,
        also=also,
    )


def _first_site(situation: Situation) -> str:
    return next(iter(situation.background.sites), "")


def list_submitted_values(
    one: ActionRisk, chain: Sequence[ActionRisk], situation: Situation
) -> tuple[str, ...]:
    """The submitted values with field names; secrets are masked."""
    if one.node is None or one.planned.action.name not in MAY_PRESS:
        return ()
    entered = {
        other.planned.action.target: str(value).lower() if isinstance(value, bool) else str(value)
        for other in chain
        for key, value in other.planned.action.args.items()
        if key in ("text", "label", "checked") and other.planned.action.target
    }
    return submitted_values(one.node, entered, situation.page, _hidden(situation))


def _hidden(situation: Situation) -> frozenset[str]:
    told = secrets_told(situation.plan.instruction, situation.background)
    return told | secrets_in(situation.goal)


_IDS = ("id", "targetId")
_CHOSEN = frozenset({"chk", "rad", "row", "tree", "opt"})


def revalidate_chain(
    question: Question, page: Observation, chain: Chain, before: bytes
) -> Chain | None:
    """The chain as it can be sent now; None if it must be chosen and asked about again.

    The page must be the one that was shown (`before`, packed): same address, title, ticked boxes,
    and values of the submitted form. Each element must still be there; one in a named record may
    have a new id if it is unique.
    """
    then = unpack_before(before)
    if then is None or not _is_same_page(then, page):
        return None
    ids: dict[str, str] = {}
    for planned in chain.actions:
        for element_id in (planned.action.args.get(key) for key in _IDS):
            if not isinstance(element_id, str) or element_id == "page":
                continue
            found = _find_same_element(element_id, then, page)
            if found is None:
                return None
            ids[element_id] = found.id
    if not _is_unchanged(question, then, page, ids, [one.action for one in chain.actions]):
        return None
    return chain if all(old == new for old, new in ids.items()) else _with_ids(chain, ids)


def _is_same_page(then: Observation, now: Observation) -> bool:
    def state(page: Observation) -> object:
        chosen = (n for n in page.tree if n.role in _CHOSEN and n.states & {"checked", "selected"})
        ticked = Counter(node.signature for node in chosen)
        url = page.url
        return split_url(url)[:3], routing_fragment(url), drop_volatile(page.title), ticked

    return state(then) == state(now)


def _find_same_element(element_id: str, then: Observation, now: Observation) -> Node | None:
    """The same element now, by its id among as many twins, or unique in a named record."""
    was, here = then.tree.get(element_id), now.tree.get(element_id)
    if was is None:
        return None
    twins = [node for node in now.tree if node.signature == was.signature]
    if here is None:
        named = any(kind in RECORDS and label for kind, label in was.groups)
        here = twins[0] if len(twins) == 1 and named else None
    elif len(twins) != sum(node.signature == was.signature for node in then.tree):
        return None
    return here if here in twins and here.enabled else None


def _is_unchanged(
    question: Question,
    then: Observation,
    now: Observation,
    ids: dict[str, str],
    actions: Sequence[Action],
) -> bool:
    """Whether the control and what is submitted with it are as shown."""
    approval = question.approval
    if approval is not None and approval.element_id is not None:
        was = then.tree.get(approval.element_id)
        here = now.tree.get(ids.get(approval.element_id, approval.element_id))
        if here is None or not here.enabled or ElementRef.of(here.signature) != approval.element:
            return False
        if approval.whose and opened_records(then) != opened_records(now):
            return False
        if was is None or _values(was, then) != _values(here, now):
            return False
    if any(one.points for one in actions) and _layout(then) != _layout(now):
        return False
    by_key = any(one.name == "pressKey" for one in actions)
    return not by_key or bool(ids) or _focused(then) == _focused(now)


def _values(node: Node, page: Observation) -> list[tuple[str, str]]:
    form = enclosing_form(node)
    fields = fields_in(page, form) if form is not None else ()
    return sorted((one.name, one.value or "") for one in fields if one.input_type != "password")


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
