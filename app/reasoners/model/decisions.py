"""Converts a model's reply to a decision: bounded, parsed by the grammar, checked against the page."""

from collections.abc import Collection, Mapping, Sequence

from app.domain.action import Action, ActionName, Arg
from app.domain.directive import SECRET_FIELD, quote_value
from app.domain.hitl import Question
from app.domain.page import Observation
from app.domain.plan import Decision, Plan, Proposal
from app.domain.reasoner import Situation
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.errors import InvalidAction
from app.grounding import describe_control
from app.page import is_quoted, picture_scale
from app.plans import fields_question_text, parse_action, validate_action
from app.provenance import find_holder, is_fact, scan_text
from app.reasoners.model.limits import (
    MOST_ACTIONS,
    MOST_LISTED,
    cut_line,
    meaningful_text,
    parse_confidence,
)
from app.reasoners.model.reply_schemas import Moves
from app.reasoners.model.writer import Veil
from app.verification import resolve_server_actions

FEW = 3  # digits of a number that may be counted rather than copied


def parse_decision(
    reply: Moves,
    situation: Situation,
    veil: Veil,
    plan: Plan | None = None,
    question: Question | None = None,
) -> Decision:
    """Parse the reply, for a new `plan` or after a `question`. Raises `InvalidAction` for the model."""
    page, doing = situation.page, situation.plan
    base = Decision(
        outcome="act",
        maker="model",
        plan=plan,
        thought=cut_line(reply.thought),
        confidence=parse_confidence(reply.sure),
        outputs=parse_outputs(reply.outputs),
        derived=tuple(cut_line(line) for line in reply.derived[:MOST_LISTED]),
        quote=cut_line(reply.quote),
        effect=reply.effect,
    )
    if question is not None:
        return base.model_copy(update={"outcome": "ask", "question": question})
    calls = [call for call in reply.do[:MOST_ACTIONS] if call.strip()]
    files = tuple(one.name for one in situation.background.downloads)
    if proposals := tuple(
        _parse_call(one, page, veil, files, first=one is calls[0]) for one in calls
    ):
        ends = reply.ends and len(reply.do) <= MOST_ACTIONS
        update = {"proposals": proposals, "completes_step": ends, "expected": _expected(reply)}
        return resolve_server_actions(base.model_copy(update=update), page, situation.background)
    if reply.mode is not None and reply.mode != page.mode:
        return base.model_copy(update={"outcome": "look", "mode": reply.mode})
    if reply.ends and plan is None and doing.step is not None:
        return base.model_copy(update={"outcome": "done", "reason": base.thought})
    if doing.steps and doing.step is None:
        raise InvalidAction("do is empty and no step is left: act, finish or fail")
    raise InvalidAction("do is empty, and neither ends, ask nor mode says why")


def parse_question(texts: Sequence[str]) -> Question | None:
    fields = tuple(filter(None, (meaningful_text(one) for one in texts[:MOST_LISTED])))
    return Question(text=fields_question_text(fields), fields=fields) if fields else None


def parse_outputs(lines: Sequence[str]) -> dict[str, str]:
    """Parse outputs written as "name=value"."""
    pairs = (one.partition("=") for one in lines[:MOST_LISTED])
    worded = ((cut_line(name), cut_line(value)) for name, _, value in pairs)
    return {name: value for name, value in worded if name and value}


def _expected(reply: Moves) -> ExpectedOutcome | None:
    """Return what the model expects the page to show; None if nothing."""
    elements = tuple(filter(None, (meaningful_text(text) for text in reply.see[:MOST_LISTED])))
    next_goal = meaningful_text(reply.next)
    if not elements and not next_goal:
        return None
    following = (
        NextGoal(description=next_goal, text=next_goal, required=reply.must) if next_goal else None
    )
    return ExpectedOutcome(
        description=", ".join(elements),
        elements=elements,
        next_goal=following,
        confidence=parse_confidence(reply.sure),
    )


def _parse_call(
    call: str, page: Observation, veil: Veil, files: Collection[str], *, first: bool
) -> Proposal:
    """Parse one call and check that it is possible on the page."""
    try:
        written, can_fail = parse_action(call)
        action = written.scaled(1 / picture_scale(page))
        validate_action(action, page.tree, page, first=first, files=files)
    except InvalidAction as error:
        raise InvalidAction(f"{cut_line(call)}: {error.detail}") from error
    action = veil.reveal(action)
    return Proposal(action=action, description=describe_action(action, page), can_fail=can_fail)


DESCRIPTIONS: Mapping[ActionName, str] = {
    "click": "Click {id}",
    "clickAt": "Click at {x}, {y}",
    "doubleClick": "Double-click {id}",
    "rightClick": "Right-click {id}",
    "press": "Hold {id} down for {ms} ms",
    "setValue": "Enter {text} in {id}",
    "selectText": "Select {text} in {id}",
    "selectOption": "Choose {label} in {id}",
    "setChecked": "{checked} {id}",
    "pressKey": "Press {key}",
    "hover": "Point at {id}",
    "scroll": "Scroll {id} {direction}",
    "dragTo": "Drag {id} to {targetId}",
    "drag": "Drag from {x1}, {y1} to {x2}, {y2}",
    "draw": "Draw a line of {points}",
    "uploadFile": "Upload {name} to {id}",
    "navigate": "Go to {url}",
    "goBack": "Go back",
    "openTab": "Open {url} in a new tab",
    "switchTab": "Go to tab {index}",
    "closeTab": "Close the tab",
    "wait": "Wait {ms} ms",
    "googleSearch": "Search the web for {query}",
    "extract": "Read from the page: {question}",
    "find": "Find {text} on the page",
    "read": "Read the region of {id}",
    "verifySuccess": "Check that {what}",
    "finish": "Finish",
    "fail": "Give up",
}


def describe_action(action: Action, page: Observation) -> str:
    """Describe the action for a person, without passwords: "Enter 'Jas' in the 'Name' field"."""
    node = page.tree.get(action.target or "")
    words = {key: _describe_argument(key, value, page) for key, value in action.args.items()}
    point = f"{action.args.get('x')}, {action.args.get('y')}"
    words = {"id": point, "targetId": point, "text": "all"} | words
    words.setdefault("direction", f"by {point}")
    if node is not None and (node.input_type == "password" or SECRET_FIELD.search(node.name)):
        words["text"] = "the password" if node.input_type == "password" else "what you gave"
    if "shows" in action.args:
        return "Wait until {id} shows {shows}".format(**words)
    return DESCRIPTIONS[action.name].format(**words)


def _describe_argument(key: str, value: Arg, page: Observation) -> str:
    if key in {"id", "targetId"}:
        node = page.tree.get(str(value))
        return (
            "the page" if value == "page" else describe_control(node) if node is not None else "it"
        )
    if key == "checked":
        return "Check" if value else "Uncheck"
    if isinstance(value, tuple):
        return f"{len(value)} points"
    is_said = key in {"text", "label", "name", "query", "question", "shows"}
    return quote_value(str(value)) if is_said else str(value)


def is_supported_answer(answer: str, situation: Situation) -> bool:
    """Whether the answer's numbers and addresses are on the page or in the material.

    Answers count as readings, so an invented one would give a value a source. What a model saw in a
    picture cannot be checked.
    """
    text = scan_text(answer)
    for at, token in enumerate(text.tokens):
        written = text.text[token.start : token.end]
        digits = sum(char.isdigit() for char in written)
        if digits <= FEW and token.kind in ("word", "number"):
            continue
        if not is_fact(text, at):
            continue
        if not is_quoted(written, situation) and find_holder(text, at, situation) is None:
            return False
    return True
