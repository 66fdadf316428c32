"""A question to the user as MCP elicitation: the form, and its answer."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least

from app.domain.base import Value
from app.domain.directive import SECRET_FIELD
from app.domain.hitl import Option, Question
from app.hitl import HitlAnswer, needs_consent, question_text, result_of
from app.mcp.tools import ToolContext

BY_RESULT = "2026-07-28"  # a question ends the call; its answer comes with the next
WITH_LISTS = "2025-11-25"  # forms can have multiple choice
ANSWER, KEY = "answer", "question"  # of a form's field, and of a request for input
LONGEST = 4_000
ORIGIN = "Tabwright is asking for this task: "


def asks_by_result(ctx: ToolContext) -> bool:
    """Whether a question is the result of a call, instead of being sent during it."""
    return _at_least(ctx, BY_RESULT)


def can_ask(ctx: ToolContext) -> bool:
    """Whether the client can show forms. A client that names no mode can."""
    capabilities = ctx.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return asks_by_result(ctx) or bool(ctx.session.can_send_request)


def needs_browser(question: Question) -> bool:
    """Whether the user must answer in the browser: consent, and secrets, which MCP forbids in forms."""
    return needs_consent(question) or bool(SECRET_FIELD.search(question_text(question)))


def is_refusal(question: Question, given: object) -> bool:
    """Whether the answer is a refusal, which programs may give too. Raises `Invalid`."""
    answer = answer_of(question, given)
    result = result_of(question, answer, by="", via="mcp", key="", now=datetime.now(UTC))
    return result.decision in ("refused", "cancelled")


def form_of(
    ctx: ToolContext, question: Question, goal: str = "", problem: str = ""
) -> ElicitRequestFormParams:
    """A form with one field."""
    approval = question.approval
    lines = [problem, question_text(question), f"({ORIGIN}{goal})" if goal else ""]
    if approval is not None:
        consequence = (f"On {approval.site}." if approval.site else "", approval.undo)
        lines.append(" ".join(filter(None, consequence)))
    schema = {"type": "object", "properties": {ANSWER: _field(ctx, question)}, "required": [ANSWER]}
    return ElicitRequestFormParams(message="\n".join(filter(None, lines)), requested_schema=schema)


def ask_by_result(form: ElicitRequestFormParams, state: Value) -> InputRequiredResult:
    """A result that asks, and leaves the `state` with the client for the next round."""
    return InputRequiredResult(
        input_requests={KEY: ElicitRequest(params=form)}, request_state=state.model_dump_json()
    )


def previous_reply(ctx: ToolContext) -> ElicitResult | None:
    """The reply to the question of the previous round."""
    reply = (ctx.input_responses or {}).get(KEY)
    return reply if isinstance(reply, ElicitResult) else None


async def ask_now(ctx: ToolContext, form: ElicitRequestFormParams) -> ElicitResult:
    reply: ElicitResult = await ctx.session.elicit_form(
        form.message, form.requested_schema, related_request_id=ctx.request_id
    )
    return reply


def answer_of(question: Question, given: object) -> HitlAnswer:
    """The answer from a form or a program, not yet validated against the question."""
    chosen: tuple[str, ...] = ()
    if isinstance(given, bool):
        text = "yes" if given else "no"
    elif isinstance(given, list):
        chosen = tuple(_option_id(question, str(one)) for one in given)
        text = ", ".join(chosen)
    else:
        text = _option_id(question, str(given))
    return HitlAnswer(
        hitl_id=question.hitl_id, kind=question.interrupt_type, text=text, chosen=chosen
    )


def question_summary(question: Question) -> dict[str, Any]:
    """The question for a client that cannot show forms."""
    options = [{"id": one.id, "label": one.label} for one in question.options]
    return {
        "id": question.hitl_id,
        "message": question_text(question),
        "expects": question.expected_input,
        "options": options,
        "expires_at": question.expires_at,
        "answer_in_browser": needs_browser(question),
    }


def _field(ctx: ToolContext, question: Question) -> dict[str, Any]:
    labels = list(_options_by_label(question))
    match question.expected_input:
        case "yes_no":
            return {"type": "boolean", "title": "Yes or no?"}
        case "single_choice":
            return {"type": "string", "title": "Which one?", "enum": labels}
        case "multi_choice" if _at_least(ctx, WITH_LISTS):
            items = {"type": "string", "enum": labels}
            return {"type": "array", "title": "Which ones?", "items": items, "minItems": 1}
        case _:
            return {"type": "string", "title": "Answer", "minLength": 1, "maxLength": LONGEST}


def _options_by_label(question: Question) -> dict[str, Option]:
    """The options by their labels; those that share one are numbered."""
    counts = Counter(option.label for option in question.options)
    return {
        f"{option.label} ({number})" if counts[option.label] > 1 else option.label: option
        for number, option in enumerate(question.options, 1)
    }


def _option_id(question: Question, text: str) -> str:
    """The id of the option with this label, otherwise the text itself."""
    option = _options_by_label(question).get(text.strip())
    return option.id if option is not None else text


def _at_least(ctx: ToolContext, version: str) -> bool:
    protocol_version = ctx.protocol_version
    return protocol_version is not None and is_version_at_least(protocol_version, version)
