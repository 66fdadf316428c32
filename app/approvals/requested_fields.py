"""Which values a free-text answer gives for requested fields (one for all, by name, or in order), and
questions for required fields that nobody gave a value for before a form is submitted.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.domain.directive import SECRET_FIELD, listed, quote_value
from app.domain.hitl import Question
from app.domain.page import Node, Observation
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Background, Situation
from app.grounding import has_value, is_relative_date, match_option, parse_yes_no, value_action
from app.page import enclosing_form, fields_in, is_submit
from app.plans import LONGEST_FIELD, MOST_FIELDS, fields_question_text, plain_text
from app.text import patterns
from app.text.lexicon import pattern, words
from app.text.vocabulary import entries, stems, vocabulary

Says = Literal["values", "nothing", "turned", "cancelled"]
LONGEST_VALUE = 4_000  # characters


def _pattern(table: str) -> patterns.Pattern:
    return patterns.compile("|".join(entries(f"replies.{table}")))


_NOS, _DONTS, _INSTEAD, _PLEASE = (
    "|".join(vocabulary(f"replies.turns.{table}")) for table in ("no", "dont", "instead", "please")
)
# Over the words of an answer.
_UNKNOWN, _EMPTY, _NOTHING, _CANCELS = map(_pattern, ("unknown", "empty", "nothing", "cancels"))
_TURNS = patterns.compile(rf"(?:please )?(?:{_DONTS}) .+|(?:.+ )?(?:{_INSTEAD})(?: (?:{_PLEASE}))?")
# Over an answer as it was written.
_NO = rf"(?i)^(?:{_NOS})\s*[,.;:!\u2013\u2014-]\s*"
_NO_BUT = patterns.compile(rf"{_NO}\S+\s+\S")
_TURNING = patterns.compile(rf"{_NO}|[\s,]+(?:{_INSTEAD})[\s.!]*$")
_UNSEEN = patterns.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_QUOTES = ('""', "''", "\u201c\u201d", "\u201e\u201c")
_LEAD = patterns.compile(r"^(?:it|that)(?:'s| is)\s+", patterns.IGNORECASE)
_LABELLED = patterns.compile(
    r"(?i)(?:the\s+)?([^:=]{1,80}?)(?:\s*[:=]\s*|\s+is\s+)(\S.*)", patterns.DOTALL
)
_SIGNS = (r"\n", ";", ",", r"(?i)\sand\s")  # that part an answer, the strongest first
_SHAPES = {
    "date": patterns.compile(r".*\d.*"),
    "email": patterns.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+"),
    "tel": patterns.compile(r"[\d+(][\d ()./-]{2,}"),
    "number": patterns.compile(r"[-+]?\d[\d.,]*"),
}


@dataclass(frozen=True, slots=True)
class RequestedField:
    """A requested field: its name, what it takes (an `input_type`, `secret`, `choice`, `yes_no` or ""),
    and whether it is required.
    """

    name: str
    kind: str = ""
    options: tuple[str, ...] = ()
    required: bool = True

    def fits(self, value: str) -> bool:
        if self.kind == "choice":
            return not self.options or match_option(self.options, value) is not None
        if self.kind == "yes_no":
            return parse_yes_no(value) is not None
        shape = _SHAPES.get(self.kind)
        return bool(value) and (shape is None or shape.fullmatch(value) is not None)


@dataclass(frozen=True, slots=True)
class AnswerValues:
    """`given` are values by field name, as written; `left` are fields to leave empty.

    `says`: `values` if at least one field is answered; `turned`: the person wants something else;
    `cancelled`: stop; `nothing`: no usable answer.
    """

    says: Says = "nothing"
    given: dict[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()


NOTHING = AnswerValues()


def read_answer(fields: Sequence[str], text: str, page: Observation) -> AnswerValues:
    return (
        match_answer([_requested_field(name, page) for name in fields], text) if fields else NOTHING
    )


def match_answer(fields: Sequence[RequestedField], text: str) -> AnswerValues:
    """The values in an answer; ambiguous parts are assigned to no field."""
    answer_text = _UNSEEN.sub("", unicodedata.normalize("NFC", text)).strip()[:LONGEST_VALUE]
    if not answer_text or _is_unknown(answer_text):
        return NOTHING
    if is_cancel(answer_text):
        return AnswerValues("cancelled")
    may_be_secret = any(requested.kind == "secret" for requested in fields)
    if not may_be_secret:  # a secret may be any text at all
        if answer_text.endswith("?"):
            return NOTHING
        if is_redirection(answer_text):
            return AnswerValues("turned")
    if all(_is_empty(answer_text, requested) for requested in fields):
        return AnswerValues("values", left=tuple(requested.name for requested in fields))
    values = (
        {fields[0].name: _value_of(fields[0], answer_text)}
        if len(fields) == 1
        else _values_by_field(fields, answer_text)
    )
    answered = [
        requested
        for requested in fields
        if requested.name in values and not _is_unknown(values[requested.name])
    ]
    empty_names = tuple(
        requested.name for requested in answered if _is_empty(values[requested.name], requested)
    )
    valid_values = {
        requested.name: values[requested.name]
        for requested in answered
        if requested.name not in empty_names and requested.fits(values[requested.name])
    }
    return AnswerValues(
        "values" if valid_values or empty_names else "nothing", valid_values, empty_names
    )


def is_cancel(text: str) -> bool:
    return _CANCELS.fullmatch(words(text)) is not None


def is_redirection(text: str) -> bool:
    """Whether it asks for something else: "no, delete it instead", "don't do that"."""
    cleaned = text.replace("\u2019", "'").strip()
    return _NO_BUT.match(cleaned) is not None or _TURNS.fullmatch(words(cleaned)) is not None


def strip_redirection(text: str) -> str:
    return _TURNING.sub("", text.strip()) or text


def _is_unknown(text: str) -> bool:
    text_words = words(text)
    return (not text_words and "?" in text) or _UNKNOWN.fullmatch(text_words) is not None


def _is_empty(text: str, requested: RequestedField) -> bool:
    """Whether it says to leave the field empty; "none" may be the value of a required one."""
    text_words = words(text)
    if not text_words:
        return bool(text.strip("\n ")) and set(text.strip()) <= set("-\u2013\u2014/.")
    return _EMPTY.fullmatch(text_words) is not None or (
        not requested.required and _NOTHING.fullmatch(text_words) is not None
    )


def _value_of(requested: RequestedField, answer_text: str) -> str:
    """The whole answer without the field's own name in front."""
    labelled = _LABELLED.fullmatch(answer_text)
    value = (
        labelled[2]
        if labelled is not None and words(labelled[1]) == words(requested.name)
        else answer_text
    )
    return value if requested.kind == "secret" else _unwrapped(value)


def _values_by_field(fields: Sequence[RequestedField], answer_text: str) -> dict[str, str]:
    """Each part for the field it names, else the first free one it fits, choosy ones first."""
    values: dict[str, str] = {}
    loose = []
    parts = next(
        (cut for sign in _SIGNS if len(cut := patterns.split(sign, answer_text)) > 1), [answer_text]
    )
    for part in (one.strip() for one in parts):
        labelled = _LABELLED.fullmatch(part)
        label = set(words(labelled[1]).split()) if labelled is not None else set()
        matching = [one for one in fields if label and label <= set(words(one.name).split())]
        if labelled is not None and len(matching) == 1:
            values[matching[0].name] = _unwrapped(labelled[2])
        elif part:
            loose.append(_unwrapped(part))
    ordered = sorted(fields, key=lambda one: not one.kind)
    if len(loose) > len(fields) - len(values):
        return values
    for part in loose:
        fitting = (one for one in ordered if one.name not in values and one.fits(part))
        if (taker := next(fitting, None)) is not None:
            values[taker.name] = part
    return values


def _unwrapped(text: str) -> str:
    """Without a leading "it is" and without enclosing quotes."""
    value = _LEAD.sub("", text.strip(" \t\r\n,;|"))
    is_quoted = len(value) > 2 and value[0] + value[-1] in _QUOTES and value[0] not in value[1:-1]
    return value[1:-1].strip() if is_quoted else value


def _requested_field(name: str, page: Observation) -> RequestedField:
    """What the field of that name takes; of several, the one that is still empty."""
    name_words = words(name)
    nodes = [
        node
        for node in page.tree
        if node.role in ("inp", "sel", "chk", "range")
        and node.enabled
        and name_words in (words(node.name), words(node.hint))
    ]
    node = next((candidate for candidate in nodes if not candidate.value), next(iter(nodes), None))
    if node is None:
        return RequestedField(name, "secret" if SECRET_FIELD.search(name) else "", required=False)
    return RequestedField(
        name, _kind(node), node.options, bool({"required", "invalid"} & node.states)
    )


def _kind(node: Node) -> str:
    if node.role == "sel" or node.options:
        return "choice"
    if node.role == "chk":
        return "yes_no"
    if node.input_type == "password" or SECRET_FIELD.search(node.name):
        return "secret"
    kind = (node.input_type or "").partition("-")[0]  # "datetime-local" is a date too
    return kind if kind in _SHAPES else "date" if kind == "datetime" else ""


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
    at = None if refinement.maker == "model" else _submit_index(refinement, situation)
    if at is None:
        return refinement
    page, background = situation.page, situation.background
    leading, submitter = refinement.proposals[:at], refinement.proposals[at].action.target or ""
    entered = {proposal.action.target for proposal in leading if proposal.action.name in _ENTERS}
    fills: list[Proposal] = []
    lacking: list[Node] = []
    for node in fields_in(page, enclosing_form(page.tree.by_id[submitter])):
        is_open = node.role in _ASKED_ROLES and node.enabled and "readonly" not in node.states
        if not is_open or node.id in entered or _is_left_empty(node, background):
            continue
        value = _given_value(node, background)
        entry = None
        if value is not None and not _is_done(node, value, situation):
            entry = None if is_relative_date(node, value) else value_action(node, value)
        if entry is not None:
            fills.append(Proposal(action=entry[0], description=entry[1]))
        elif "required" in node.states and _has_no_value(node):
            lacking.append(node)
    if lacking:
        return _ask_for_fields(refinement, lacking, situation)
    proposals = (*leading, *fills, *refinement.proposals[at:])
    return refinement.model_copy(update={"proposals": proposals}) if fills else refinement


def _ask_for_fields(
    refinement: Decision, lacking: Sequence[Node], situation: Situation
) -> Decision:
    """One question for these fields; the action is then chosen again with the answer."""
    named_nodes = [node for node in lacking if _called(node)][:MOST_FIELDS]
    names = tuple(dict.fromkeys(map(_called, named_nodes)))
    if not names:
        return refinement
    must = f"{listed([quote_value(name) for name in names])} must be filled in"
    if any(
        {*names} & {*answer.fields} and not answer.values for answer in situation.background.answers
    ):
        reason = f"{must} here, and there is no value for it"
        return Decision(outcome="missing", maker=refinement.maker, thought=reason, reason=reason)
    question = Question(
        text=_text(named_nodes, names),
        fields=names,
        source="missing_info",
        return_to="step_refinement/continue",
    )
    update = {"outcome": "ask", "proposals": (), "expected": None, "question": question}
    return refinement.model_copy(update=update | {"thought": f"{must} first."})


def _submit_index(refinement: Decision, situation: Situation) -> int | None:
    """The index of the submitting click; None without one, or if the person named the control."""
    step = situation.plan.step
    directive = step.directive if step else None
    if refinement.outcome != "act" or (directive is not None and directive.verb in _OWN_WILL):
        return None
    if step is not None and step.recorded is not None:
        return None
    for at, proposal in enumerate(refinement.proposals):
        node = situation.page.tree.get(proposal.action.target or "")
        clicks = proposal.action.name == "click" and proposal.purpose != "explore"
        if clicks and node is not None and is_submit(node, situation.page):
            return at
    return None


def _has_no_value(node: Node) -> bool:
    """Whether nothing was entered or chosen; "Choose…" is no choice."""
    if node.role == "chk":
        return "checked" not in node.states
    value = (node.value or "").strip()
    if node.role == "sel" and value:
        return "invalid" in node.states or not _is_choice(value)
    return not value


def _is_choice(line: str) -> bool:
    return bool(words(line)) and not _UNCHOSEN.match(words(line))


def _is_done(node: Node, value: str, situation: Situation) -> bool:
    """Whether the field has the answer, or got it and shows something in its place."""
    if has_value(node, value):
        return True
    return not _has_no_value(node) and any(
        record.action.name in _ENTERS and record.signature == node.signature
        for record in situation.records
    )


def _called(node: Node) -> str:
    return plain_text(node.name or node.hint, LONGEST_FIELD).rstrip(" *:")


def _given_value(node: Node, background: Background) -> str | None:
    name = words(_called(node))
    values = (
        value
        for answer in reversed(background.answers)
        for field, value in answer.values.items()
        if name and words(field) == name
    )
    return next(values, None)


def _is_left_empty(node: Node, background: Background) -> bool:
    name = _called(node)
    answers = [answer for answer in background.answers if name in answer.fields]
    return bool(answers) and name in answers[-1].left_empty


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
