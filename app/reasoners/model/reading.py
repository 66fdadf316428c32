"""From a model's reply to domain values: bounded, parsed by the grammar, checked against the page."""

import math
from collections.abc import Sequence

from app.domain.action import Action
from app.domain.page import Node, Observation
from app.domain.plan import Plan, Proposal, Refinement
from app.domain.question import Question
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.engines.asking import asking_for
from app.engines.grammar import parse_action
from app.engines.planning.wording import quoted
from app.engines.reasoner import Situation
from app.engines.redaction import SECRET_FIELD
from app.engines.refinement.messages import called
from app.engines.serverside import server_side
from app.engines.validation import check
from app.errors import InvalidAction
from app.reasoners.model.bounds import (
    LONGEST_TEXT,
    MOST_ACTIONS,
    MOST_LISTED,
    cut,
    meant,
)
from app.reasoners.model.plans import replanned
from app.reasoners.model.replies import Acting
from app.reasoners.model.veil import Veil


def refinement_of(reply: Acting, situation: Situation, veil: Veil) -> Refinement:
    """What the reply says to do now. Raises `InvalidAction`, with a reason the model can be told."""
    plan = replanned(reply.steps, situation.plan)
    base = Refinement(
        outcome="act",
        maker="model",
        plan=plan,
        thought=cut(reply.thought, LONGEST_TEXT),
        confidence=share(reply.sure),
        outputs=outputs_of(reply.outputs),
        derived=tuple(cut(line, LONGEST_TEXT) for line in reply.derived[:MOST_LISTED]),
        quote=cut(reply.quote, LONGEST_TEXT),
        effect=reply.effect,
    )
    if question := question_of(reply.ask):
        return base.model_copy(update={"outcome": "ask", "question": question})
    if found := proposals_of(reply.do, situation.page, veil):
        ends = reply.ends and len(reply.do) <= MOST_ACTIONS
        told = {"proposals": found, "completes_step": ends, "expected": expected_of(reply)}
        acting = base.model_copy(update=told)
        return server_side(acting, situation.page, situation.background)
    if reply.mode is not None and reply.mode != situation.page.mode:
        return base.model_copy(update={"outcome": "look", "mode": reply.mode})
    if reply.ends and plan is None and situation.plan.step is not None:
        return base.model_copy(update={"outcome": "done", "reason": base.thought})
    raise InvalidAction(_empty(situation.plan))


def share(sure: float) -> float:
    """A confidence in 0..1; some models write percents. What is no number is no confidence."""
    if not math.isfinite(sure):
        return 0.0
    return min(max(sure / 100 if sure > 1 else sure, 0.0), 1.0)


def question_of(asked: Sequence[str]) -> Question | None:
    """What only the person can say, a line each."""
    fields = tuple(filter(None, (meant(one, LONGEST_TEXT) for one in asked[:MOST_LISTED])))
    return Question(text=asking_for(fields), fields=fields) if fields else None


def outputs_of(found: Sequence[str]) -> dict[str, str]:
    """Values handed on, by name, each written as "name=value"."""
    pairs = (one.partition("=") for one in found[:MOST_LISTED])
    worded = ((cut(name, LONGEST_TEXT), cut(value, LONGEST_TEXT)) for name, _, value in pairs)
    return {name: value for name, value in worded if name and value}


def proposals_of(calls: Sequence[str], page: Observation, veil: Veil) -> tuple[Proposal, ...]:
    """The actions as they were written, each of the grammar and possible on the page as it is."""
    return tuple(_proposal(call, page, veil) for call in calls[:MOST_ACTIONS] if call.strip())


def _proposal(call: str, page: Observation, veil: Veil) -> Proposal:
    try:
        action, can_fail = parse_action(call)
        check(action, page.tree, page)
        _can_be_pointed_at(action, page)
    except InvalidAction as error:
        raise InvalidAction(f"{cut(call, LONGEST_TEXT)}: {error.detail}") from error
    return proposal(veil.reveal(action), page, can_fail=can_fail)


def _can_be_pointed_at(action: Action, page: Observation) -> None:
    """Coordinates are for what was seen in a picture, and for images, whose place the lines give."""
    if action.name != "clickAt" or page.screenshot is not None:
        return
    x, y = int(action.args["x"]), int(action.args["y"])
    if not any(node.role == "img" and _holds(node, x, y) for node in page.tree):
        raise InvalidAction("clickAt needs a picture of the page, or a point inside an img")


def _holds(node: Node, x: int, y: int) -> bool:
    if node.box is None:
        return False
    left, top, width, height = node.box
    return left <= x <= left + width and top <= y <= top + height


def expected_of(reply: Acting) -> ExpectedOutcome | None:
    """What the model says the page will show; None when it said nothing."""
    shown = tuple(filter(None, (meant(text, LONGEST_TEXT) for text in reply.see[:MOST_LISTED])))
    wanted = meant(reply.next, LONGEST_TEXT)
    if not shown and not wanted:
        return None
    following = NextGoal(description=wanted, text=wanted, required=reply.must) if wanted else None
    return ExpectedOutcome(
        description=", ".join(shown),
        elements=shown,
        next_goal=following,
        confidence=share(reply.sure),
    )


def _empty(plan: Plan) -> str:
    if plan.steps and plan.step is None:
        return "do is empty and no step is left: act, finish or fail"
    return "do is empty, and neither ends, ask nor mode says why"


_PLAIN = {
    "goBack": "Go back",
    "closeTab": "Close the tab",
    "wait": "Wait {ms} ms",
    "pressKey": "Press {key}",
    "navigate": "Go to {url}",
    "openTab": "Open {url} in a new tab",
    "switchTab": "Go to tab {index}",
    "clickAt": "Click at {x}, {y}",
    "googleSearch": "Search the web for {query}",
    "extract": "Read from the page: {question}",
    "verifySuccess": "Check that {what}",
    "finish": "Finish",
    "fail": "Give up",
}
_ON_ELEMENT = {
    "click": "Click {where}",
    "hover": "Point at {where}",
    "scroll": "Scroll {where} {direction}",
    "uploadFile": "Upload {name} to {where}",
    "dragTo": "Drag {where} to {there}",
    "selectOption": "Choose {label} in {where}",
}


def proposal(action: Action, page: Observation, *, can_fail: bool = False) -> Proposal:
    """The action as it is proposed."""
    return Proposal(action=action, description=described(action, page), can_fail=can_fail)


def described(action: Action, page: Observation) -> str:
    """What a person would call it: "Enter 'Jas' in the 'Name' field"; no password is in it."""
    where, args = _called(action.args.get("id"), page), action.args
    if action.name == "setValue":
        return f"Enter {_typed(action, page)} in {where}"
    if action.name == "setChecked":
        return f"{'Check' if args['checked'] else 'Uncheck'} {where}"
    words = {key: quoted(value) if key in _QUOTED else value for key, value in _texts(args)}
    there = _called(args.get("targetId"), page)
    form = _PLAIN.get(action.name) or _ON_ELEMENT[action.name]
    return form.format(where=where, there=there, **words)


_QUOTED = frozenset({"label", "name", "query", "question"})


def _texts(args: dict[str, str | int | bool]) -> list[tuple[str, str]]:
    return [(key, str(value)) for key, value in args.items()]


def _called(element: object, page: Observation) -> str:
    if element == "page":
        return "the page"
    node = page.tree.get(str(element)) if element is not None else None
    return called(node) if node is not None else "it"


def _typed(action: Action, page: Observation) -> str:
    node = page.tree.get(action.target or "")
    if node is not None and (node.input_type == "password" or SECRET_FIELD.search(node.name)):
        return "the password" if node.input_type == "password" else "what you gave"
    return quoted(str(action.args["text"]))
