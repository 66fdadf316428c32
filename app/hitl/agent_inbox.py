"""Translates questions and answers to and from LangGraph's agent inbox format."""

from collections.abc import Mapping
from typing import Any

from app.approvals import describe_element
from app.domain.hitl import HitlResult, Question
from app.errors import Invalid
from app.hitl.answers import CANCEL, HitlAnswer

SAID: frozenset[str] = frozenset({"accept", "edit", "respond", "response", "ignore"})
LONGEST = 4_000  # maximum characters of an answer
INSTEAD = "No. Do this instead: "


def human_interrupt(question: Question, message: str) -> dict[str, Any]:
    """The question as a `HumanInterrupt` with `message` as its text."""
    approves = question.kind == "approval"
    return {
        "action_request": {"action": _action(question), "args": _args(question, message)},
        "config": {
            "allow_ignore": True,
            "allow_respond": True,
            "allow_edit": approves,
            "allow_accept": approves,
        },
        "description": message,
    }


def _action(question: Question) -> str:
    asked = question.approval
    return question.interrupt_type if asked is None else asked.description or asked.action


def _args(question: Question, message: str) -> dict[str, Any]:
    asked = question.approval
    if asked is not None:
        element = describe_element(asked.element) if asked.element else ""
        shown = {"call": asked.action, "element": element, "site": asked.site, "undo": asked.undo}
        return {name: value for name, value in shown.items() if value}
    args: dict[str, Any] = {"question": message}
    if question.options:
        args["options"] = {option.id: option.label for option in question.options}
    return args


def inbox_answer(question: Question, said: str, given: object) -> HitlAnswer:
    """Convert an agent-inbox response to an answer.

    Raises `Invalid` if the question does not accept it.
    """
    if said == "ignore":
        return HitlAnswer(hitl_id=question.hitl_id, kind=CANCEL, text=None)
    chosen: tuple[str, ...] = ()
    if question.kind == "approval":
        text = _decided(said, given)
    elif said == "edit":
        raise Invalid("type: this question is answered, there is nothing to edit")
    else:
        text, chosen = _words(said, given)
    return HitlAnswer(
        hitl_id=question.hitl_id, kind=question.interrupt_type, text=text, chosen=chosen
    )


def agreed_by_accident(said: str, result: HitlResult) -> bool:
    """Whether text that is not an `accept` would count as a yes."""
    return said in SAID and said != "accept" and result.decision == "approved"


def _decided(said: str, given: object) -> str:
    if said == "accept":
        return "yes"
    if said == "edit":
        return f"{INSTEAD}{_edited(given)}"[:LONGEST]
    return _words(said, given)[0]


def _edited(given: object) -> str:
    """The text of an edited `ActionRequest`; plain text is returned as is."""
    if isinstance(given, Mapping):
        action, args = str(given.get("action") or "").strip(), given.get("args")
        listed = args.items() if isinstance(args, Mapping) else ()
        told = ", ".join(f"{name}: {value}" for name, value in listed)
        text = f"{action} ({told})" if action and told else action or told
    else:
        text = str(given or "").strip()
    if not text:
        raise Invalid("args: say what is to be done instead")
    return text


def _words(said: str, given: object) -> tuple[str, tuple[str, ...]]:
    """The text, and its items if a list was sent."""
    listed = given if isinstance(given, list) else [given]
    parts = tuple(str(one).strip() for one in listed if one is not None and str(one).strip())
    if not parts or isinstance(given, Mapping):
        raise Invalid(f"args: {said} needs a value here, in words or as the id of an option")
    return ", ".join(parts), parts if isinstance(given, list) else ()
