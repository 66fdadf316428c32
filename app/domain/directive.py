"""A goal parsed into directives, and the page elements that it names."""

from typing import Literal

from app.domain.base import Value

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
