"""Verbs that name a control of a record: star, assign, mark, reply, forward."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.frames_point import counted_off, targets
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import record_target
from app.reasoners.rules.parse.verbs import Found


def named(found: Found, args: Span) -> list[Directive]:
    """The verb names the control, what follows the record it stands in: "star the email from Ann"."""
    phrase = found.word.capitalize()
    args, described = _described(args)
    if found.word not in _SHARED and (given := _given_with(args)) is not None:
        value, args = given
        field = FieldValue(field="", value=value.text, quoted=value.quoted)
        place = targets("click", args)[0] if len(args) else Target()
        holder = Target(within=place.phrase or None)
        return [Directive(verb="fill", target=holder, fields=(field,)), *named(found, args)]
    if (leveled := _leveled(found, args, described)) is not None:
        return [leveled]
    phrase = f"{phrase} as {described}" if described else phrase
    if not len(args):
        return [Directive(verb="click", target=Target(phrase=phrase))]
    args, whom = _shared_with(found, args)
    return [*_named_records(phrase, args), *whom]


def _given_with(args: Span) -> tuple[Span, Span] | None:
    """(value, thing) of "to the newsletter with me@x.org": what has to be entered first."""
    cut = args.first(lambda token: token.low in {"with", "using"}, 0)
    value = args[cut + 1 :].trimmed() if cut is not None else args[:0]
    if cut is None or not len(value) or value[-1].kind != "address" or len(value) > 4:
        return None
    return value[-1:], args[:cut].trimmed()


def _leveled(found: Found, args: Span, described: str) -> Directive | None:
    """As in "mark X as high priority": a field of the record and its value, not a name of a control."""
    if (role := _role_of(found, args, described)) is not None:
        return role
    value, _, name = described.rpartition(" ")
    if found.word != "mark" or name.lower() not in lexicon.FIELD_HEADS or not value:
        return None
    fields = (FieldValue(field=name, value=value),)
    return Directive(verb="edit", target=record_target(args), fields=fields)


def _role_of(found: Found, args: Span, described: str) -> Directive | None:
    """As in "assign Ann as the owner of Apollo": a field of the record, and who fills it."""
    field, _, record = described.partition(" of ")
    if found.word != "assign" or not record or not len(args):
        return None
    said = field.split()
    name = " ".join(said[1:] if said[:1] == ["the"] else said)
    named = record.strip("\"'\u201c\u201d\u2018\u2019")
    fields = (FieldValue(field=name, value=args.text, quoted=args.quoted),)
    return Directive(verb="edit", target=Target(within=named), fields=fields)


def _shared_with(found: Found, args: Span) -> tuple[Span, list[Directive]]:
    """As in "assign the ticket to Maria", "share it with Bob": the record, and who gets it."""
    cut = args.first(lambda token: token.low in {"to", "with"}, 1)
    if found.word not in _SHARED or cut is None or cut + 1 >= len(args):
        return args, []
    whom = args[cut + 1 :].trimmed()
    field = FieldValue(field=args.low(cut), value=whom.text, quoted=whom.quoted)
    return args[:cut], [Directive(verb="fill", fields=(field,))]


def _named_records(phrase: str, args: Span) -> list[Directive]:
    records = list(reversed(counted_off(args))) or targets("select", args)
    if len(records) == 1:
        records = [record_target(args)]
    return [_on_record(phrase, target) for target in records]


def _described(args: Span) -> tuple[Span, str]:
    """("the email from Ann", "read") of "the email from Ann as read"."""
    cut = args.first(lambda token: token.low == "as", 1)
    return (args, "") if cut is None else (args[:cut], args[cut + 1 :].text)


def _on_record(phrase: str, record: Target) -> Directive:
    if record.phrase[-1:].isdecimal():  # "ticket #42": a name, not a place in an order
        record = record.model_copy(update={"ordinal": None})
    within = record.within or record.near or record.phrase or record.role
    first = {"top": 1, "bottom": -1}.get(record.position or "")  # "the top comment"
    target = Target(
        phrase=phrase, within=within, all=record.all, excluding=record.excluding,
        ordinal=record.ordinal or first, color=record.color,
        position=None if first else record.position,
    )  # fmt: skip
    return Directive(verb="click", target=target)


_SHARED = frozenset({"assign", "share", "export"})
_MESSAGE = (("with", "the", "text"), ("with", "the", "message"), ("with", "text"), ("saying",),
            ("that", "says"), ("with",), ("writing",), ("and", "say"), ("telling", "them"))  # fmt: skip


def compose(found: Found, args: Span) -> list[Directive]:
    """Reply, forward, comment: the control on the record, what is written, and sending it."""
    record, message = _cut(args, _MESSAGE)
    if len(args) and args[0].quoted:
        record, message = args[2:] if args.low(1) == "to" else args[1:], args[:1]
    whom: Span = args[:0]
    if found.word == "forward":
        record, whom = _recipient(record)
    everyone = record.low(0) == "all" and len(record) == 1
    directives = (
        [Directive(verb="click", target=Target(phrase=f"{found.word.capitalize()} all"))]
        if everyone
        else named(found, record)
    )
    if len(whom):
        field = FieldValue(field="to", value=whom.text, quoted=whom.quoted)
        directives.append(Directive(verb="fill", fields=(field,)))
    if len(message):
        directives.append(Directive(verb="fill", value=message.text))
    if len(whom) or len(message):
        directives.append(Directive(verb="submit", value="send"))
    return directives


def _cut(args: Span, phrases: tuple[tuple[str, ...], ...]) -> tuple[Span, Span]:
    for index in range(len(args)):
        for words in phrases:
            if all(args.low(index + n) == word for n, word in enumerate(words)):
                return args[:index].trimmed(), args[index + len(words) :].trimmed()
        if args[index].quoted and index:
            return args[:index].trimmed(), args[index:].trimmed()
    return args, args[:0]


def _recipient(args: Span) -> tuple[Span, Span]:
    """As in "the email from Ann to Bob", "to Bob the email from Ann"."""
    cut = args.first(lambda token: token.low == "to")
    if cut is None:
        return args, args[:0]
    after = args[cut + 1 :]
    article = after.first(lambda token: token.low in lexicon.ARTICLES)
    if cut == 0 and article is not None:
        return after[article:], after[:article].trimmed()
    return args[:cut].trimmed(), after.trimmed()
