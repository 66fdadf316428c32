"""Verbs that act on a named thing: click, open, check, star, press a key."""

from collections.abc import Callable

from app.domain.directive import Directive, FieldValue, Target, Verb
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.keys import chord_of
from app.reasoners.rules.parse.ordinals import ordinal_word
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import boxed, record_target, split_list, target_of, ticked
from app.reasoners.rules.parse.tokens import Token
from app.reasoners.rules.parse.verbs import Found

# "click Save and Close" is one label more often than two; these verbs take each item on its own.
_DISTRIBUTIVE: frozenset[Verb] = frozenset(
    {"select", "check", "uncheck", "delete", "clear", "find", "close"}
)
# "the terms and conditions checkbox" is one thing.
_SINGULAR = frozenset({"checkbox", "box", "switch", "option", "button", "field", "link", "toggle"})
_UNTOUCHED = frozenset({"empty", "blank"})
_NAMED_AS: dict[Verb, Callable[[Span], Target]] = {
    "check": ticked, "uncheck": ticked, "focus": boxed, "clear": boxed,
}  # fmt: skip
_RECORD_VERBS: frozenset[Verb] = frozenset({"open", "find"})
_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def point(found: Found, args: Span) -> list[Directive]:
    """One directive a thing; `times` for "twice" and double clicks."""
    args, times = take_times(args)
    verb = found.entry.verb
    if verb == "click" and found.word.startswith("double"):
        times = 2
    verb, args = _completed(verb, args)
    if verb == "open" and len(args) == 1 and is_address(args[0]):
        return [Directive(verb="navigate", value=args[0].text)]
    if found.word == "leave" and args.low(len(args) - 1) in _UNTOUCHED:
        return [Directive(verb="clear", target=target_of(args[:-1]))]
    if args.low(0) == "more" and verb == "open":  # what many such links are called
        return [Directive(verb="click", target=Target(phrase=f"{found.word} {args.text}"))]
    path = path_of(args)
    if len(path) > 1 and verb in {"open", "click"}:
        return [Directive(verb=verb, target=target_of(part)) for part in path]
    found_targets = targets(verb, args)
    if verb not in {"open", "find"} and args.first(lambda token: token.low in {"named", "called"}):
        found_targets = [_labelled(target) for target in found_targets]
    if len(found_targets) == 1 and verb in _RECORD_VERBS:
        found_targets = [_as_record(found_targets[0], args)]
    if len(found_targets) == 1 and verb in {"open", "click"}:
        found_targets = [_turned(found_targets[0])]
    return [Directive(verb=verb, target=target, times=times) for target in found_targets]


def _turned(target: Target) -> Target:
    """Of "the next page of patients" the list is the one shown; nothing bears its name."""
    words = target.phrase.lower().split()
    pages = bool(words) and "page" in {words[0], words[-1]} and not target.quoted
    counted = target.ordinal is not None or words[0] in lexicon.TURNS if pages else False
    return target.model_copy(update={"within": None}) if counted else target


def _labelled(target: Target) -> Target:
    """What is clicked carries the name: "the file named X" is the thing labelled X."""
    if not (target.phrase and target.within):
        return target
    return target.model_copy(update={"phrase": target.within, "within": None})


def _as_record(target: Target, args: Span) -> Target:
    """As in "the patient Jas Patel": kind and name apart; other targets as they are."""
    record = record_target(args)
    apart = record.phrase and record.within and not (target.within or target.role or target.quoted)
    return record if apart else target


def path_of(args: Span) -> list[Span]:
    """The parts of "Settings > Users"."""
    parts: list[Span] = []
    start = 0
    for index, token in enumerate(args):
        if token.kind == "arrow":
            parts.append(args[start:index].trimmed())
            start = index + 1
    parts.append(args[start:].trimmed())
    return parts if all(len(part) for part in parts) else [args]


def is_address(token: Token) -> bool:
    """Whether it reads as a URL or a host: "example.com/a", "localhost:8080"."""
    if token.quoted:
        return False
    if token.kind == "address":
        return "@" not in token.text
    host = token.text.split("/", 1)[0].split(":", 1)[0].lower()
    labels = host.split(".")
    named = len(labels) > 1 and all(labels) and labels[-1].isalpha() and len(labels[-1]) <= 6
    return host == "localhost" or (named and len(labels[-1]) > 1 and "@" not in token.text)


def _completed(verb: Verb, args: Span) -> tuple[Verb, Span]:
    """As in "check X off", "turn it on": a particle at the end belongs to the verb."""
    if len(args) > 1 and args.low(len(args) - 1) in {"off", "up"} and verb in {"check", "open"}:
        return verb, args[:-1]
    return verb, args


def targets(verb: Verb, args: Span) -> list[Target]:
    """The targets that `args` lists; a role or container said once holds for all of them."""
    named_as = _NAMED_AS.get(verb, target_of)
    whole = named_as(args)
    if whole.all and not _both_named(args):
        return [whole]
    items = split_list(args)
    if len(items) < 2 or (len(items) == 2 and not _separate(verb, items)):
        return [whole]
    if whole.excluding:
        return [whole]
    return shared([named_as(_unquantified(item)) for item in items])


def _both_named(args: Span) -> bool:
    return args.low(0) == "both" and len(split_list(args)) == 2


def _unquantified(item: Span) -> Span:
    return item[1:] if item.low(0) in {"both"} and len(item) > 1 else item


def _separate(verb: Verb, items: list[Span]) -> bool:
    own_noun = any(item.low(0) in lexicon.ARTICLES | {"both"} for item in items[1:])
    all_quoted = all(any(token.quoted for token in item) for item in items)
    first = items[0]
    counted = len(first) <= 2 and ordinal_word(first.low(len(first) - 1)) is not None
    if counted:
        return True
    if verb in _DISTRIBUTIVE and items[-1].low(len(items[-1]) - 1) in _SINGULAR:
        return own_noun or all_quoted
    return verb in _DISTRIBUTIVE or own_noun or all_quoted or items[0].low(0) == "both"


def shared(found: list[Target]) -> list[Target]:
    """Gives each target the role, container and neighbour that only the last one named."""
    last = found[-1]
    if any(target.role and target.ordinal is not None for target in found):
        found = [_counted(target) for target in found]
        last = next(target for target in found if target.role)
    return [
        target.model_copy(
            update={
                "role": target.role or last.role,
                "within": target.within or last.within,
                "near": target.near or last.near,
                "phrase": target.phrase or (last.phrase if target.ordinal is not None else ""),
            }
        )
        for target in found
    ]


def _counted(target: Target) -> Target:
    """Of "rows 2 and 3": each number is an ordinal."""
    if target.phrase.isdecimal() and len(target.phrase) < 4:
        return target.model_copy(update={"phrase": "", "ordinal": int(target.phrase)})
    return target.model_copy(update={"phrase": ""}) if target.ordinal is not None else target


def take_times(args: Span) -> tuple[Span, int]:
    """Cuts "twice", "3 times" off the end."""
    last = args.low(len(args) - 1)
    if last in _TIMES:
        return args[:-1].trimmed(), _TIMES[last]
    if last in {"times", "time"} and len(args) > 1:
        word = args.low(len(args) - 2)
        number = lexicon.CARDINALS.get(word) or (int(word) if word.isdecimal() else 0)
        if 0 < number <= 100:
            return args[:-2].trimmed(), number
    return args, 1


def toggle(found: Found, args: Span) -> list[Directive]:
    """As in "toggle X"; with "on" or "off" it is a check or uncheck."""
    last = args.low(len(args) - 1)
    if last in {"on", "off"} and len(args) > 1:
        verb: Verb = "check" if last == "on" else "uncheck"
        return [Directive(verb=verb, target=target) for target in targets(verb, args[:-1])]
    return point(found, args)


def press(found: Found, args: Span) -> list[Directive]:
    """A key when what follows is one and no control, else a click."""
    args, times = take_times(args)
    chord = chord_of(args)
    if chord is not None:
        key, rest = chord
        target = target_of(rest) if len(rest) else None
        return [Directive(verb="press", value=key, target=target, times=times)]
    return [
        Directive(verb="click", target=target, times=times) for target in targets("click", args)
    ]


def bare(found: Found, args: Span) -> list[Directive]:
    """A verb that needs nothing: log out, go back, reload."""
    args, times = take_times(args)
    return [Directive(verb=found.entry.verb, times=times)]


def named(found: Found, args: Span) -> list[Directive]:
    """The verb names the control, what follows the record it stands in: "star the email from Ann"."""
    phrase = found.word.capitalize()
    args, described = _described(args)
    if (given := _given_with(args)) is not None:
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
    value, _, name = described.rpartition(" ")
    if found.word != "mark" or name.lower() not in lexicon.FIELD_HEADS or not value:
        return None
    fields = (FieldValue(field=name, value=value),)
    return Directive(verb="edit", target=record_target(args), fields=fields)


def _shared_with(found: Found, args: Span) -> tuple[Span, list[Directive]]:
    """As in "assign the ticket to Maria", "share it with Bob": the record, and who gets it."""
    cut = args.first(lambda token: token.low in {"to", "with"}, 1)
    if found.word not in {"assign", "share", "export"} or cut is None or cut + 1 >= len(args):
        return args, []
    whom = args[cut + 1 :].trimmed()
    field = FieldValue(field=args.low(cut), value=whom.text, quoted=whom.quoted)
    return args[:cut], [Directive(verb="fill", fields=(field,))]


def _named_records(phrase: str, args: Span) -> list[Directive]:
    records = targets("select", args)
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
    directives = named(found, record)
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
