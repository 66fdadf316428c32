"""Maps verbs to moves, and applies exclusions and prohibitions to every proposal."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from app.domain.action import MAY_PRESS, PRESSES, action
from app.domain.directive import Verb, describe_target, quote_value
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.grounding import label
from app.page import affected_controls, is_submit
from app.reasoners.commands.actions import answers, choice, decisions, entry, forms, pointer, record
from app.reasoners.commands.actions.case import Move, StepCase
from app.reasoners.commands.actions.location import excluded_ids, nodes_of_name, wait_until_ready


def apply_exclusions(case: StepCase, refinement: Decision) -> Decision:
    """Remove excluded things from the decision; report an exclusion that matches nothing."""
    target = case.directive.target
    if target is None or not target.excluding or refinement.outcome != "act":
        return refinement
    work = [one for one in refinement.proposals if one.purpose == "work"]
    for phrase in target.excluding if work and not case.work else ():
        if not nodes_of_name(case, phrase):
            return decisions.missing(
                f"I do not see {quote_value(phrase)} here, which I must leave alone."
            )
    left_alone = excluded_ids(case) if work else frozenset()
    remaining = tuple(one for one in refinement.proposals if one.action.target not in left_alone)
    if len(remaining) == len(refinement.proposals):
        return refinement
    if remaining:
        return refinement.model_copy(update={"proposals": remaining})
    if case.work:
        return decisions.done("All others are done.")
    name = quote_value(target.excluding[0])
    return decisions.missing(f"I cannot tell {name}, which I must leave alone, from the others.")


TOUCHING = PRESSES | {"setValue", "selectOption", "setChecked", "dragTo", "uploadFile"}


def enforce_forbidden(case: StepCase, refinement: Decision) -> Decision:
    """Return the decision, or a refusal if it would do something forbidden."""
    instruction = case.situation.plan.instruction
    if instruction is None or refinement.outcome != "act":
        return refinement
    for proposal in refinement.proposals:
        target_node = case.tree.get(proposal.action.target or "")
        own = (target_node,) if target_node and proposal.action.name in TOUCHING else ()
        for node in own or affected_controls(proposal.action, case.page):
            for target in instruction.forbidden:
                if node.id in case.find(target).chosen:
                    description = describe_target(target)
                    return decisions.missing(
                        f"You asked not to touch {description}, and this step needs it."
                    )
            for verb in instruction.forbidden_verbs:
                if _is_forbidden_press(case, verb, node, proposal):
                    return decisions.missing(f"You asked not to {verb}, and this step needs it.")
    return refinement


def _is_forbidden_press(case: StepCase, verb: Verb, node: Node, proposal: Proposal) -> bool:
    if proposal.action.name not in MAY_PRESS:
        return False
    if verb == "submit":  # unless a submit was requested explicitly
        return case.directive.verb != "submit" and is_submit(node, case.page)
    return label(verb).meanings == label(node.name).meanings[:1]


MOVES: Mapping[Verb, Move] = MappingProxyType(
    {
        "click": pointer.click, "open": pointer.open_, "close": pointer.close,
        "fill": entry.fill, "clear": entry.clear_field, "select": choice.select,
        "check": partial(choice.set_boxes, checked=True),
        "uncheck": partial(choice.set_boxes, checked=False), "submit": forms.submit,
        "search": forms.enter_search, "login": forms.login, "logout": forms.logout,
        "create": forms.create, "edit": record.edit_record, "delete": record.delete_record,
        "find": forms.find, "press": pointer.press, "scroll": pointer.scroll,
        "hover": partial(pointer.point_at, name="hover", words="Point at"),
        "focus": partial(pointer.point_at, name="click", words="Focus"), "drag": pointer.drag,
        "navigate": pointer.navigate, "back": pointer.back,
        "reload": lambda case: decisions.act_once(
            action("navigate", case.page.url), "Reload the page"
        ),
        "wait": pointer.wait, "read": answers.answer_from_page,
    }
)  # fmt: skip


def refine_step(situation: Situation) -> Decision:
    """Decide the plan's current step on the current page."""
    step = situation.plan.step
    if step is None:
        return decisions.done("Every step is done.")
    if step.directive is None:
        return decisions.missing(
            f"I did not understand {quote_value(step.description)}. Name a control and what to do."
        )
    case = StepCase(situation, step.directive)
    proposed = pointer.follow_path(case) or MOVES[step.directive.verb](case)
    decision = enforce_forbidden(case, apply_exclusions(case, proposed))
    return wait_until_ready(case, decision) or decision
