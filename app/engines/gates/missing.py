"""The dynamic gate: what a form demands and nobody said is asked for before it is handed in."""

from collections.abc import Mapping, Sequence

from app.domain.background import Background
from app.domain.page import Node, Observation
from app.domain.plan import Deed, Held, Proposal, Refinement
from app.domain.question import Question
from app.domain.skill import ElementRef
from app.engines.asking import LONGEST_FIELD, MOST_FIELDS, asking_for, plain
from app.engines.gates.told import (
    called,
    entering,
    is_choice,
    is_empty,
    known,
    left_out,
    same_name,
    times_asked,
)
from app.engines.planning.wording import listed, quoted
from app.engines.reasoner import Situation
from app.engines.refinement.values import holds, setting
from app.engines.risk.controls import container, entries, is_submit

FILLS = "fill what is missing"
TIMES_ASKED = 2  # for one field, where the answers held no value for it
MOST_SHOWN = 5  # options of a list that a question names
_ASKED_ROLES = frozenset({"inp", "sel", "chk"})
_ENTERS = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_OWN_WILL = frozenset({"click", "press", "open"})  # the person named that very control


def completed(refinement: Refinement, situation: Situation) -> Refinement:
    """The refinement with what it lacks to be handed in.

    Where its chain hands a form in, what the person answered for a field that is still empty is
    entered first. A field that the form demands, and that nobody said anything for, is asked for
    before anything of the chain is done. A model leaves out on purpose what it leaves out.
    """
    if refinement.maker == "model":
        return refinement
    at = _handing_in(refinement, situation)
    if at is None:
        return refinement
    page = situation.page
    submitter = page.tree.by_id[refinement.proposals[at].action.target or ""]
    told = known(situation.background)
    fills: list[Proposal] = []
    lacking: list[Node] = []
    for node in _open_fields(refinement.proposals[:at], submitter, situation, told):
        made = entering(node, told[name]) if (name := _told_as(node, told)) else None
        if made is not None:
            fills.append(made)
        elif _is_demanded(node) and not _is_left(node, situation.background):
            lacking.append(node)
    proposals = (*refinement.proposals[:at], *fills, *refinement.proposals[at:])
    whole = refinement.model_copy(update={"proposals": proposals}) if fills else refinement
    return asked(whole, lacking, situation) if lacking else whole


def asked(
    refinement: Refinement,
    lacking: Sequence[Node],
    situation: Situation,
    *,
    waiting: tuple[Held, ...] = (),
) -> Refinement:
    """The refinement as a question for these fields; what it was to do waits for the answer.

    `waiting` is that, where the fields have their places in it already.
    """
    page = situation.page
    named = [node for node in lacking if called(node)][:MOST_FIELDS]
    if not named:
        return refinement
    often = max(times_asked(called(node), situation.background) for node in named)
    names = tuple(dict.fromkeys(called(node) for node in named))
    if often >= TIMES_ASKED:
        reason = f"{_listed(names)} must be filled in here, and there is no value for it"
        return Refinement(outcome="missing", maker=refinement.maker, thought=reason, reason=reason)
    slots = (_for_answer(node) for node in named)
    waiting = waiting or (*slots, *waits(refinement.proposals, page))
    return refinement.model_copy(
        update={
            "outcome": "ask",
            "proposals": (),
            "expected": None,
            "thought": f"{_listed(names)} must be filled in first.",
            "held": waiting,
            "question": Question(
                text=_text(named, once_more=often > 0),
                fields=names,
                source="missing_info",
                return_to="step_refinement/continue",
            ),
        }
    )


def asked_after(situation: Situation, failed: Deed, named: Node | None) -> Refinement | None:
    """The question for what the page named when it refused the form, with all else that it marks so.

    The form is handed in again once the answer is there, since it was not taken. None where the page
    names no field that is empty.
    """
    if named is None or failed.status != "failure" or failed.action.name != "click":
        return None
    page = situation.page
    marked = [n for n in entries(page, container(named)) if n.states & {"required", "invalid"}]
    lacking = [
        node
        for node in page.tree
        if (node == named or node in marked)
        and node.role in _ASKED_ROLES
        and node.enabled
        and is_empty(node)
        and not _is_left(node, situation.background)
    ]
    if named not in lacking:
        return None
    again = Proposal(action=failed.action, description=failed.description, purpose="correct")
    pressed = Refinement(outcome="act", proposals=(again,), confidence=0.8, strategy=FILLS)
    found = asked(pressed, lacking, situation)
    return found if found.outcome == "ask" else None


def continued(refinement: Refinement | None, situation: Situation) -> Refinement | None:
    """What was held for an answer, with the answer in it; the question for the rest after a part.

    None where nothing was held, where the page is another by now, or where the answer says something
    else than the values: who chose is to choose anew.
    """
    if refinement is None or refinement.outcome != "ask" or not refinement.held:
        return None
    told, background = known(situation.background), situation.background
    waiting: list[Held] = []
    open_: list[Node] = []
    for one in refinement.held:
        node = again(one, situation.page)
        if node is None and one.element is not None:
            return None
        name = same_name(one.field, told) if one.field else None
        if not one.field or node is None:
            waiting.append(one.model_copy(update={"proposal": aimed(one.proposal, node)}))
        elif name is not None:
            made = entering(node, told[name])
            if made is None:
                return None
            waiting.append(Held(proposal=made, element=one.element))
        elif not left_out(one.field, background):
            waiting.append(one)
            open_.append(node)
    if not open_:
        proposals = tuple(one.proposal for one in waiting)
        going_on = {"outcome": "act", "proposals": proposals, "held": (), "question": None}
        return refinement.model_copy(update=going_on) if proposals else None
    last = background.answers[-1] if background.answers else None
    if last is None or not last.given:
        return None
    return asked(refinement, open_, situation, waiting=tuple(waiting))


def _handing_in(refinement: Refinement, situation: Situation) -> int | None:
    """The place in the chain of the click that hands in a form; None where there is none.

    A control that the person named themselves is pressed as it is.
    """
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


def _open_fields(
    before: Sequence[Proposal], submitter: Node, situation: Situation, told: Mapping[str, str]
) -> list[Node]:
    """The form's fields that are empty and that the chain does not fill, demanded ones and those of
    which the answer is known.
    """
    page = situation.page
    set_ = {one.action.target for one in before if one.action.name in _ENTERS}
    form = entries(page, container(submitter))
    return [
        node
        for node in form
        if node.role in _ASKED_ROLES
        and node.id not in set_
        and node.enabled
        and "readonly" not in node.states
        and (_wants(node) or (_told_as(node, told) and not _is_done(node, told, situation)))
    ]


def _wants(node: Node) -> bool:
    return _is_demanded(node) and is_empty(node)


def _is_done(node: Node, told: Mapping[str, str], situation: Situation) -> bool:
    """Whether the field holds the answer, or was given it and shows something in its place."""
    value = told[_told_as(node, told) or ""]
    if holds(node, value):
        return True
    return not is_empty(node) and any(_entered(deed, node) for deed in situation.deeds)


def _entered(deed: Deed, node: Node) -> bool:
    return deed.action.name in _ENTERS and deed.signature == node.signature


def _is_demanded(node: Node) -> bool:
    return "required" in node.states


def _told_as(node: Node, told: Mapping[str, str]) -> str | None:
    return same_name(called(node), told) if told else None


def _is_left(node: Node, background: Background) -> bool:
    return left_out(called(node), background)


def _for_answer(node: Node) -> Held:
    """A place for the answer; what it will be is not known yet."""
    made = setting(node, "yes" if node.role == "chk" else (node.options or ("?",))[-1])
    assert made is not None
    proposal = Proposal(action=made[0], description=made[1])
    return Held(proposal=proposal, element=ElementRef.of(node.signature), field=called(node))


def _text(nodes: Sequence[Node], *, once_more: bool) -> str:
    """The question in words; the second time it says why there must be a value."""
    names = [called(node) for node in nodes]
    if once_more:
        return f"This form cannot be handed in without {_listed(names)}: what is to be entered?"
    node = nodes[0]
    if len(nodes) > 1:
        return "These fields must be filled in:"
    if node.role == "chk":
        return f"Should {quoted(names[0])} be checked?"
    if node.options:
        choices = [quoted(plain(one, LONGEST_FIELD)) for one in node.options if is_choice(one)]
        shown, more = choices[:MOST_SHOWN], " …" if len(choices) > MOST_SHOWN else ""
        return f"What is the {names[0]}: {', '.join(shown)}{more}?"
    return asking_for(names)


def _listed(names: Sequence[str]) -> str:
    return listed([quoted(name) for name in names])


def waits(proposals: Sequence[Proposal], page: Observation) -> tuple[Held, ...]:
    """The proposals as they wait."""
    nodes = [page.tree.get(one.action.target or "") for one in proposals]
    return tuple(
        Held(proposal=one, element=ElementRef.of(node.signature) if node else None)
        for one, node in zip(proposals, nodes, strict=True)
    )


def again(one: Held, page: Observation) -> Node | None:
    """The control as the page has it now, by its id, else by what it was called where only one is."""
    if one.element is None:
        return None
    node = page.tree.get(one.proposal.action.target or "")
    if node is not None and ElementRef.of(node.signature) == one.element:
        return node
    alike = [n for n in page.tree if ElementRef.of(n.signature) == one.element]
    return alike[0] if len(alike) == 1 else None


def aimed(proposal: Proposal, node: Node | None) -> Proposal:
    """The proposal, aimed at its control as the page has it now."""
    if node is None or proposal.action.target == node.id:
        return proposal
    args = {**proposal.action.args, "id": node.id}
    return proposal.model_copy(update={"action": proposal.action.model_copy(update={"args": args})})
