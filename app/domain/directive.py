"""A goal as parsed from the person's words, and the page elements that it names."""

from typing import Literal

from app.domain.base import Value

Verb = Literal[
    "click",  # press, tap, hit, choose a control
    "open",  # open, go to, show, expand, switch to: a place or a thing on the page
    "close",  # close, dismiss, collapse
    "fill",  # type, enter, fill, set: `value` into `target`, or every one of `fields`
    "clear",
    "select",  # pick `value` from `target` (a list), or the thing called `value`
    "check",
    "uncheck",
    "submit",  # submit, save, confirm, send: the form's own button, or the one named
    "search",  # search for `value`, in `target` when named
    "login",  # `fields` hold username and password
    "logout",
    "create",  # add, create, register, new: `target` is the kind of thing, `fields` what it holds
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
    """How the person named a thing.

    `phrase` is its label without articles and role words ("Save" of "the Save button"), in the
    person's own spelling; empty when only the role was said ("the text field"). `quoted` says it was
    written in quotes: a literal label. `role` is a `Role` of `app.domain.page` when the words name
    one ("button" -> "btn"). `ordinal` counts from 1, or from the end with -1. A label that may be
    literal keeps its number ("Tab #2" is phrase "Tab #2", role "tab", ordinal 2): try the label
    first, then role and ordinal.

    `within` names a container or the record the thing belongs to, its name where it has one, its
    kind otherwise ("in the dialog" -> "dialog", "of patient Jas" -> "Jas", "in the 3rd row" ->
    "row 3"). A kind of thing and its name are kept apart: "the patient Jas Patel" and "the email
    from Ann" are phrase "patient" within "Jas Patel" and phrase "email" within "Ann" (verbs delete,
    edit, open, find, click alike). `near` is a label beside it ("next to Jas"). `all` asks for each
    that fits, but for those in `excluding`.
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
    """A value for a field: `("name", "Jas")`; `field` is empty when the person named none."""

    field: str = ""
    value: str
    quoted: bool = False


class Directive(Value):
    """One thing to do. `source` is the clause it was read from.

    What each verb fills in, where that is not plain from `Verb`:

    - fill: `value` into `target` (each one, with `target.all`), or else `fields`; fields the
      person did not name have `field == ""` and go to the `target`, in order. A `within` on
      `target` beside `fields` is where the fields are. `copied`: what of the page the value is.
    - select: `value` is the option's label. `target` is the list it is in, or describes the option
      itself when `value` is None or equal to `target.phrase` ("the 2nd option", "the Yes radio
      button"). Several options are several directives.
    - submit: `value` is the person's word ("save", "send", "confirm"); `target` what was to be
      submitted or saved, None when unsaid; `fields` hold a recipient ("send it to Bob": to, Bob).
    - create: `target.phrase` is the kind of thing ("patient"), `fields` what it holds, a bare name
      with `field == ""`; `destination` where it goes ("add milk to the cart").
    - edit: `target` is the record (phrase: kind, within: name), `fields` its new values.
    - delete: `target` is the record or thing; phrase is the kind and within the name when both
      were said, phrase the name when only that was.
    - click for a verb that names a control ("star the email from Ann"): `target.phrase` is that
      verb ("Star"), `within` the record.
    - press: `value` is a key or chord ("Enter", "Control+A") in the names of `KeyboardEvent.key`.
    - wait: `value` in milliseconds as digits, or None with the `target` to wait for.
    - read: `value` is the question as asked, `target` the thing asked for when it was plain.
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
    """A whole goal. `unread` has the words that a reading does not account for, where there are any; there
    are no directives then, and the `confidence` is 0.
    """

    text: str
    kind: Literal["operation", "question"] = "operation"
    directives: tuple[Directive, ...] = ()
    forbidden: tuple[Target, ...] = ()  # "do not click ...", "without submitting" (verb in phrase)
    forbidden_verbs: tuple[Verb, ...] = ()
    confidence: float = 1.0
    unread: str | None = None


class Candidate(Value):
    """An element that may be meant. `score` in 0..1."""

    id: str
    role: str
    name: str
    group: str = ""
    score: float


class Grounding(Value):
    """The outcome of looking for a target.

    `found`: `chosen` holds the element (or elements, when the target asked for all), with a
    calibrated `confidence`. `ambiguous`: several fit as well and a person could tell them apart.
    `absent`: nothing fits. `candidates` are the best few, best first, in every case. `about` is the
    phrase that was looked for, where it is ambiguous.
    """

    outcome: Literal["found", "ambiguous", "absent"]
    chosen: tuple[str, ...] = ()
    confidence: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""
    about: str = ""
