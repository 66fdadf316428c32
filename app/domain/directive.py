"""A goal parsed into directives, the page elements that it names, and a plan line for each."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from app.domain.base import Value
from app.text import patterns

Verb = Literal[
    "click",  # press, tap, hit, choose a control
    "open",  # open, go to, show, expand, switch to: a place or an item on the page
    "close",  # close, dismiss, collapse
    "fill",  # type, enter, fill, set: `value` into `target`, or all of `fields`
    "clear",
    "select",  # choose `value` from `target` (a list), or the option called `value`
    "check",
    "uncheck",
    "submit",  # submit, save, confirm, send: the form's own button, or the one named
    "search",  # search for `value`, in `target` if named
    "login",  # `fields` are username and password
    "logout",
    "create",  # add, create, register, new: `target` is the kind of record, `fields` its values
    "edit",  # change `fields` of `target`
    "delete",
    "find",  # locate `target` and bring it into view
    "press",  # a key or chord, in `value`
    "scroll",  # `value` is up, down, left, right, top or bottom
    "hover",
    "focus",
    "drag",  # `target` to `destination`
    "navigate",  # to the address in `value`
    "back",
    "reload",
    "wait",  # `value` in milliseconds
    "read",  # answer `value` from the page: a question
]

SECRET_FIELD = patterns.compile(
    r"\b(pass(word|code|phrase)?|pwd|pin|secret|token|api[ -]?key|security code|cvv|cvc|otp"
    r"|passwort|kennwort|mot de passe|contrase[nñ]a|senha|סיסמ\w+)\b",
    patterns.IGNORECASE,
)

ROLE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "btn": "button", "link": "link", "inp": "field", "chk": "checkbox", "rad": "option",
        "sel": "list", "opt": "option", "tab": "tab", "menu": "menu item", "tree": "tree item",
        "range": "slider", "file": "file field", "row": "row", "img": "image", "txt": "text",
    }
)  # fmt: skip

LONGEST_VALUE = 60  # maximum characters of a value in a line; the panel is 360 px wide
_ORDINALS = {1: "first", 2: "second", 3: "third", -1: "last"}

_ENDINGS = {
    "create": "save",
    "edit": "save the changes",
    "login": "log in",
    "search": "run the search",
}

_LINES = {
    "back": "go back",
    "clear": "clear {thing}",
    "click": "click {thing}",
    "close": "close {thing}",
    "drag": "drag {thing} to {place}",
    "focus": "focus {thing}",
    "hover": "point at {thing}",
    "logout": "log out",
    "navigate": "go to {subject}",
    "open": "open {thing}",
    "press": "press {value}{times}",
    "read": "look up: {question}",
    "reload": "reload the page",
    "scroll": "scroll {subject}",
    "search": "search for {quoted}",
    "wait": "wait {value} ms",
}


class Target(Value):
    """How the person refers to an element.

    `phrase` is its label without articles and role words ("Save" for "the Save button"), as the person
    spelled it; empty if only a role was given ("the text field"). `quoted`: it was in quotes and is a
    literal label. `role` is a `Role` of `app.domain.page` if the words name one ("button" -> "btn").
    `ordinal` counts from 1, or from the end with -1. A label that may be literal keeps its number ("Tab #2"
    has phrase "Tab #2", role "tab", ordinal 2): try the label first, then role and ordinal.

    `within` names a container or the record the element belongs to, by name if it has one, otherwise by
    kind ("in the dialog" -> "dialog", "of patient Jas" -> "Jas", "in the 3rd row" -> "row 3"). Kind and
    name are kept separate: "the patient Jas Patel" and "the email from Ann" are phrase "patient" within
    "Jas Patel" and phrase "email" within "Ann" (for delete, edit, open, find and click alike). `near` is an
    adjacent label ("next to Jas"). `all` selects every match except those in `excluding`.
    """

    phrase: str = ""
    quoted: bool = False
    role: str | None = None
    ordinal: int | None = None
    all: bool = False
    excluding: tuple[str, ...] = ()
    within: str | None = None
    near: str | None = None


class FieldValue(Value):
    """A value for a field: `("name", "Jas")`; `field` is empty if the person named none."""

    field: str = ""
    value: str
    quoted: bool = False


class Directive(Value):
    """One thing to do. `source` is the clause it was parsed from.

    Fields used by each verb, beyond what `Verb` says:

    - fill: `value` into `target` (into each match if `target.all`), or else `fields`; a value without a
      field name has `field == ""`, and such values go to the `target` in order. With `fields`,
      `target.within` is the container of the fields. `copied`: which part of the page the value is.
    - select: `value` is the option's label. `target` is the list, or describes the option itself if
      `value` is None or equal to `target.phrase` ("the 2nd option", "the Yes radio button"). Several
      options are several directives.
    - submit: `value` is the person's word ("save", "send", "confirm"); `target` is what to submit or
      save, None if unspecified; `fields` hold a recipient ("send it to Bob": to, Bob).
    - create: `target.phrase` is the kind of record ("patient"), `fields` its values, a bare name having
      `field == ""`; `destination` is where it goes ("add milk to the cart").
    - edit: `target` is the record (phrase: kind, within: name), `fields` its new values.
    - delete: `target` is the record or item; phrase is the kind and within the name if both were given,
      phrase the name if only that was.
    - click, for a verb that names a control ("star the email from Ann"): `target.phrase` is that verb
      ("Star"), `within` the record.
    - press: `value` is a key or chord ("Enter", "Control+A") in `KeyboardEvent.key` names.
    - wait: `value` in milliseconds as digits, or None with the `target` to wait for.
    - read: `value` is the question as asked, `target` what it asks for, if clear.
    """

    verb: Verb
    target: Target | None = None
    value: str | None = None
    fields: tuple[FieldValue, ...] = ()
    destination: Target | None = None
    copied: Target | None = None
    times: int = 1
    source: str = ""


class Instruction(Value):
    """A parsed goal.

    `unread` has the words that the parser could not account for; if there are any, there are no directives
    and `confidence` is 0.
    """

    text: str
    kind: Literal["operation", "question"] = "operation"
    directives: tuple[Directive, ...] = ()
    forbidden: tuple[Target, ...] = ()  # "do not click ...", "without submitting" (verb in phrase)
    forbidden_verbs: tuple[Verb, ...] = ()
    confidence: float = 1.0
    unread: str | None = None


class Candidate(Value):
    """A possible element. `score` is in 0..1."""

    id: str
    role: str
    name: str
    group: str = ""
    score: float


class Grounding(Value):
    """The result of grounding a target.

    `found`: `chosen` holds the element (or elements, if the target asked for all), with a calibrated
    `confidence`. `ambiguous`: several match equally and a person could tell them apart. `absent`: nothing
    matches. `candidates` are always the best few, best first. `about` is the phrase looked for, if
    ambiguous.
    """

    outcome: Literal["found", "ambiguous", "absent"]
    chosen: tuple[str, ...] = ()
    confidence: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
    about: str = ""


def describe_directive(directive: Directive) -> str:
    """Describe the step: "Enter 'Jas' as name"."""
    line = _line(directive)
    return line[:1].upper() + line[1:]


def _line(directive: Directive) -> str:
    verb, target, value = directive.verb, directive.target, directive.value
    phrase = target.phrase if target else ""
    if verb in ("fill", "select", "check", "uncheck"):
        return _setting(directive)
    if verb in ("edit", "delete", "find"):
        if target is None or not target.within or not phrase or target.all:
            return f"{verb} {describe_target(target)}"
        return f"{verb} the {phrase} {quote_value(target.within)}"
    if verb == "create":
        return f"open the form for a new {phrase}" if phrase else "open the form"
    if verb == "submit":
        return f"press {describe_target(target)}" if phrase else _ENDINGS.get(value or "", "submit")
    if verb == "login":
        fields = [_field(field) for field in directive.fields]
        return f"enter {listed(fields)}" if fields else "log in"
    return _LINES.get(verb, "{question}").format(
        thing=describe_target(target),
        place=describe_target(directive.destination, "its place"),
        value=value or "",
        quoted=quote_value(value or ""),
        subject=value or describe_target(target),
        question=value or directive.source or verb,
        times=f" {directive.times} times" if directive.times > 1 else "",
    )


def _setting(directive: Directive) -> str:
    target, value = directive.target, directive.value
    verb = {"fill": "enter", "select": "choose"}.get(directive.verb, directive.verb)
    if directive.fields:
        return f"{verb} {listed([_field(field) for field in directive.fields])}"
    if directive.copied is not None:
        copied = describe_target(directive.copied)
        return f"enter what the page says under {copied} into {describe_target(target)}"
    if value is None or target is None:
        return f"{verb} {describe_target(target) if value is None else quote_value(value)}"
    if names_secret(target.phrase):
        return f"{verb} the {target.phrase}"
    return f"{verb} {quote_value(value)} {'from' if verb == 'choose' else 'into'} {describe_target(target)}"


def _field(field: FieldValue) -> str:
    if names_secret(field.field):
        return f"the {field.field}"
    return (
        f"{quote_value(field.value)} as {field.field}" if field.field else quote_value(field.value)
    )


def describe_target(target: Target | None, fallback: str = "it") -> str:
    """Describe a target: "the third checkbox", "'Save' in the dialog"."""
    if target is None:
        return fallback
    role = ROLE_WORDS.get(target.role or "", "")
    name = f"'{target.phrase}'" if target.phrase else role or "control"
    words = ["every" if target.all else _which(target.ordinal), name]
    words += [role] if role and target.phrase and target.ordinal else []
    if target.within or target.near:
        words.append(f"in {target.within}" if target.within else f"next to {target.near}")
    return " ".join(filter(None, words))


def _which(ordinal: int | None) -> str:
    if ordinal is None:
        return ""
    if ordinal in _ORDINALS:
        return f"the {_ORDINALS[ordinal]}"
    last, teens = abs(ordinal) % 10, 10 <= abs(ordinal) % 100 <= 20
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return f"the {abs(ordinal)}{ending}{' from the end' if ordinal < 0 else ''}"


def names_secret(label: str) -> bool:
    """Whether a field with this label holds a secret, which the panel must not show."""
    return SECRET_FIELD.search(label) is not None


def quote_value(value: str) -> str:
    """The value in quotes, truncated to fit a line."""
    cut = value if len(value) <= LONGEST_VALUE else value[: LONGEST_VALUE - 1] + "…"
    return f"'{cut}'"


def listed(parts: Sequence[str]) -> str:
    """Join parts as a list: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
