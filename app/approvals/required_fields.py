"""Asks for required fields that nobody gave a value for before a form is submitted."""

from collections.abc import Sequence

from app.domain.directive import listed, quote_value
from app.domain.hitl import Question
from app.domain.page import Node
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Background, Situation
from app.grounding import has_value, is_relative_date, value_action
from app.page import enclosing_form, fields_in, is_submit
from app.plans import LONGEST_FIELD, MOST_FIELDS, fields_question_text, plain_text
from app.text.lexicon import pattern, words
from app.text.vocabulary import stems

MOST_SHOWN = 5  # options of a list that a question names
_ASKED_ROLES = frozenset({"inp", "sel", "chk"})
_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_OWN_WILL = frozenset({"click", "press", "open"})  # the person named that very control
_UNCHOSEN = pattern(stems("controls.unchosen"))


def complete_required(refinement: Decision, situation: Situation) -> Decision:
    """The decision completed for its submit.

    If its chain submits a form, the person's answers for fields still empty are entered first.
    Missing values of required fields are asked for before anything is done. What a model omits is
    omitted on purpose.
    """
    at = None if refinement.maker == "model" else _handing_in(refinement, situation)
    if at is None:
        return refinement
    page, background = situation.page, situation.background
    before, submitter = refinement.proposals[:at], refinement.proposals[at].action.target or ""
    set_ = {one.action.target for one in before if one.action.name in _ENTERS}
    fills: list[Proposal] = []
    lacking: list[Node] = []
    for node in fields_in(page, enclosing_form(page.tree.by_id[submitter])):
        open_ = node.role in _ASKED_ROLES and node.enabled and "readonly" not in node.states
        if not open_ or node.id in set_ or _left_out(node, background):
            continue
        told = _told(node, background)
        made = None
        if told is not None and not _is_done(node, told, situation):
            made = None if is_relative_date(node, told) else value_action(node, told)
        if made is not None:
            fills.append(Proposal(action=made[0], description=made[1]))
        elif "required" in node.states and _is_empty(node):
            lacking.append(node)
    if lacking:
        return _asking(refinement, lacking, situation)
    whole = (*before, *fills, *refinement.proposals[at:])
    return refinement.model_copy(update={"proposals": whole}) if fills else refinement


def _asking(refinement: Decision, lacking: Sequence[Node], situation: Situation) -> Decision:
    """One question for these fields; the action is then chosen again with the answer."""
    named = [node for node in lacking if _called(node)][:MOST_FIELDS]
    names = tuple(dict.fromkeys(map(_called, named)))
    if not names:
        return refinement
    must = f"{listed([quote_value(name) for name in names])} must be filled in"
    if any({*names} & {*one.fields} and not one.values for one in situation.background.answers):
        reason = f"{must} here, and there is no value for it"
        return Decision(outcome="missing", maker=refinement.maker, thought=reason, reason=reason)
    question = Question(
        text=_text(named, names),
        fields=names,
        source="missing_info",
        return_to="step_refinement/continue",
    )
    update = {"outcome": "ask", "proposals": (), "expected": None, "question": question}
    return refinement.model_copy(update=update | {"thought": f"{must} first."})


def _handing_in(refinement: Decision, situation: Situation) -> int | None:
    """The index of the submitting click; None without one, or if the person named the control."""
    step = situation.plan.step
    directive = step.directive if step else None
    if refinement.outcome != "act" or (directive is not None and directive.verb in _OWN_WILL):
        return None
    if step is not None and step.recorded is not None:
        return None
    for at, one in enumerate(refinement.proposals):
        node = situation.page.tree.get(one.action.target or "")
        clicks = one.action.name == "click" and one.purpose != "explore"
        if clicks and node is not None and is_submit(node, situation.page):
            return at
    return None


def _is_empty(node: Node) -> bool:
    """Whether nothing was entered or chosen; "Choose…" is no choice."""
    if node.role == "chk":
        return "checked" not in node.states
    value = (node.value or "").strip()
    if node.role == "sel" and value:
        return "invalid" in node.states or not _is_choice(value)
    return not value


def _is_choice(line: str) -> bool:
    return bool(words(line)) and not _UNCHOSEN.match(words(line))


def _is_done(node: Node, told: str, situation: Situation) -> bool:
    """Whether the field has the answer, or got it and shows something in its place."""
    if has_value(node, told):
        return True
    return not _is_empty(node) and any(
        deed.action.name in _ENTERS and deed.signature == node.signature for deed in situation.deeds
    )


def _called(node: Node) -> str:
    return plain_text(node.name or node.hint, LONGEST_FIELD).rstrip(" *:")


def _told(node: Node, background: Background) -> str | None:
    name = words(_called(node))
    found = (
        value
        for one in reversed(background.answers)
        for field, value in one.values.items()
        if name and words(field) == name
    )
    return next(found, None)


def _left_out(node: Node, background: Background) -> bool:
    name = _called(node)
    about = [one for one in background.answers if name in one.fields]
    return bool(about) and name in about[-1].left_empty


def _text(nodes: Sequence[Node], names: Sequence[str]) -> str:
    node = nodes[0]
    if len(names) > 1:
        return "These fields must be filled in:"
    if node.role == "chk":
        return f"Should {quote_value(names[0])} be checked?"
    if node.options:
        choices = [quote_value(plain_text(o, LONGEST_FIELD)) for o in node.options if _is_choice(o)]
        more = " …" if len(choices) > MOST_SHOWN else ""
        return f"What is the {names[0]}: {', '.join(choices[:MOST_SHOWN])}{more}?"
    return fields_question_text(names)
