"""Translates questions and answers to and from LangGraph's agent inbox format."""

from collections.abc import Mapping
from typing import Any

from app.approvals import describe_element
from app.domain.hitl import HitlResult, Question
from app.errors import Invalid
from app.hitl.answers import CANCEL, HitlAnswer

RESPONSE_TYPES: frozenset[str] = frozenset({"accept", "edit", "respond", "response", "ignore"})
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
    approval = question.approval
    return question.interrupt_type if approval is None else approval.description or approval.action


def _args(question: Question, message: str) -> dict[str, Any]:
    approval = question.approval
    if approval is not None:
        element = describe_element(approval.element) if approval.element else ""
        args_view = {
            "call": approval.action,
            "element": element,
            "site": approval.site,
            "undo": approval.undo,
        }
        return {name: value for name, value in args_view.items() if value}
    args: dict[str, Any] = {"question": message}
    if question.options:
        args["options"] = {option.id: option.label for option in question.options}
    return args


def inbox_answer(question: Question, kind: str, payload: object) -> HitlAnswer:
    """Convert an agent-inbox response to an answer.

    Raises `Invalid` if the question does not accept it.
    """
    if kind == "ignore":
        return HitlAnswer(hitl_id=question.hitl_id, kind=CANCEL, text=None)
    chosen: tuple[str, ...] = ()
    if question.kind == "approval":
        text = _approval_text(kind, payload)
    elif kind == "edit":
        raise Invalid("type: this question is answered, there is nothing to edit")
    else:
        text, chosen = _text_and_items(kind, payload)
    return HitlAnswer(
        hitl_id=question.hitl_id, kind=question.interrupt_type, text=text, chosen=chosen
    )


def agreed_by_accident(kind: str, result: HitlResult) -> bool:
    """Whether text that is not an `accept` would count as a yes."""
    return kind in RESPONSE_TYPES and kind != "accept" and result.decision == "approved"


def _approval_text(kind: str, payload: object) -> str:
    if kind == "accept":
        return "yes"
    if kind == "edit":
        return f"{INSTEAD}{_edited_text(payload)}"[:LONGEST]
    return _text_and_items(kind, payload)[0]


def _edited_text(payload: object) -> str:
    """The text of an edited `ActionRequest`; plain text is returned as is."""
    if isinstance(payload, Mapping):
        action, args = str(payload.get("action") or "").strip(), payload.get("args")
        listed = args.items() if isinstance(args, Mapping) else ()
        args_text = ", ".join(f"{name}: {value}" for name, value in listed)
        text = f"{action} ({args_text})" if action and args_text else action or args_text
    else:
        text = str(payload or "").strip()
    if not text:
        raise Invalid("args: say what is to be done instead")
    return text


def _text_and_items(kind: str, payload: object) -> tuple[str, tuple[str, ...]]:
    """The text, and its items if a list was sent."""
    listed = payload if isinstance(payload, list) else [payload]
    parts = tuple(str(one).strip() for one in listed if one is not None and str(one).strip())
    if not parts or isinstance(payload, Mapping):
        raise Invalid(f"args: {kind} needs a value here, in words or as the id of an option")
    return ", ".join(parts), parts if isinstance(payload, list) else ()
