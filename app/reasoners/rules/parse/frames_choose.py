"""Select, search, submit, log in."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.fields import pair_of, pairs_of
from app.reasoners.rules.parse.frames_point import counted_off, path_of, shared
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import split_list, target_of
from app.reasoners.rules.parse.verbs import Found
from app.reasoners.rules.parse.widgets import boxed
from app.text import patterns

_FROM = frozenset(
    {"from", "in", "with", "on", "for", "as", "under", "using", "of", "out", "within"}
)
_THINGS = frozenset({"chk", "rad", "opt", "tab", "row", "btn", "link", "menu", "img", "tree"})


def select(found: Found, args: Span) -> list[Directive]:
    """As in "select A, B from L"; each option is a directive of its own."""
    path = path_of(args)
    if len(path) > 1:
        steps = [Directive(verb="open", target=target_of(part)) for part in path[:-1]]
        return [*steps, *_selected(path[-1])]
    parts = split_list(args)
    pairs = [_sure_pair(part, following=bool(n)) for n, part in enumerate(parts)]
    if all(pairs):
        return [
            Directive(verb="select", target=target_of(pair[0]), value=pair[1].text)
            for pair in pairs
            if pair is not None
        ]
    if len(parts) > 1 and all(len(_cut_list(part)[1]) for part in parts):
        return [directive for part in parts for directive in _selected(part)]
    return _selected(args)


def _selected(args: Span) -> list[Directive]:
    options, place = _cut_list(args)
    if len(options) and options[0].kind == "mark" and options[0].text == ":":
        options = options[1:]
    if not len(place) and (labelled := _labelled(options)):
        return [labelled]
    if not len(place):
        return [_option(target) for target in _options(options)]
    where = list_of(place)
    return [
        Directive(verb="select", value=target.phrase or None, target=_placed(target, where))
        for target in _options(options)
    ]


def _sure_pair(part: Span, *, following: bool = False) -> tuple[Span, Span] | None:
    """As in "size M", "coupon code SAVE10": the name of a field, then what is only a value."""
    at = 1 if part.low(0) in lexicon.ARTICLES else 0
    end = at + 1
    while end < len(part) - 1 and part.low(end) in lexicon.FIELD_HEADS:
        end += 1
    if end >= len(part) or len(part) - end > 3 or part[at].quoted or part[end].quoted:
        return None
    name, value = part[at:end], part[end:]
    if name.low(len(name) - 1) not in lexicon.FIELD_HEADS or not name.text.islower():
        return None
    if value.low(0) in lexicon.FIELD_HEADS or lexicon.ROLES.get(value.low(len(value) - 1)):
        return None
    plain = value[0].text[:1].isupper() or value[0].kind == "number" or following
    return (name, value) if plain else None


def _labelled(options: Span) -> Directive | None:
    """As in `warehouse "North"`, `date: 2026-04-01`: the list, then what to pick in it."""
    quoted = options.first(lambda token: token.quoted)
    colon = options.first(lambda token: token.text in {":", "="})
    if colon is None and (quoted is None or quoted != len(options) - 1):
        return None
    pair = pair_of(options)
    where = None if pair is None else target_of(pair[0])
    if pair is None or where is None or where.role in _THINGS or where.phrase == "":
        return None
    return Directive(verb="select", value=pair[1].text, target=where)


def list_of(place: Span) -> Target:
    """A list to pick from; "list" and "menu" are roles here, though not elsewhere."""
    last = place.low(len(place) - 1)
    if (known := target_of(place)).role == "sel":
        return known
    if last in {"list", "menu"} and lexicon.ROLES.get(last) is None:
        where = target_of(place[:-1])
        return where.model_copy(update={"role": where.role or "sel"})
    where = boxed(place)
    return (
        where.model_copy(update={"role": "sel"}) if where.role == "inp" and last == "box" else where
    )


def _placed(option: Target, where: Target) -> Target:
    """The list; of "the 2nd option in the list", the option within the list."""
    if option.phrase and option.role is None and option.ordinal is None:
        return where
    within = where.phrase or (where.role and "list") or where.within
    return option.model_copy(update={"within": within})


def _options(span: Span) -> list[Target]:
    whole = target_of(span)
    if whole.all and span.low(0) != "both":
        return [whole]
    if counted := counted_off(span):
        return counted
    items = split_list(span)
    return shared([target_of(item) for item in items]) if len(items) > 1 else [whole]


def _option(target: Target) -> Directive:
    if target.ordinal is not None and target.role in {"row", "opt", "chk", "rad"}:
        target = target.model_copy(update={"phrase": ""})
    plain = (
        target.role is None
        and target.ordinal is None
        and not (target.within or target.near or target.all or target.color or target.position)
    )
    if target.role == "sel":
        return Directive(verb="select", target=target)
    return Directive(verb="select", value=target.phrase or None, target=None if plain else target)


def _cut_list(args: Span) -> tuple[Span, Span]:
    """(options, list): at "from", or at the last joint that names a list or a field."""
    named = next((i for i in range(len(args) - 2, 0, -1) if args.low(i) == "as"), None)
    if named is not None and args.low(len(args) - 1) in lexicon.FIELD_HEADS:
        return args[:named].trimmed(), args[named + 1 :]
    sure = args.first(lambda token: token.low == "from", 1)
    if sure is not None and target_of(args[:sure]).excluding:
        return args, args[:0]  # "all mails except the one from Ann" are chosen from no list
    if sure is not None:
        return args[:sure].trimmed(), args[sure + 1 :]
    for index in range(1, len(args) - 1):
        if args.low(index) not in _FROM:
            continue
        tail = args[index + 1 :]
        last = tail.low(len(tail) - 1)
        listed = lexicon.ROLES.get(last) not in {None, *_THINGS} or last in {
            "list",
            "menu",
            "picker",
        }
        described = lexicon.ROLES.get(args.low(index - 1)) in _THINGS and args.low(index) == "for"
        if described:  # "the checkbox for X"
            return args, args[:0]
        labelled = args.low(index) in {"as", "for"} or last in lexicon.FIELD_HEADS
        if listed or labelled or (args[index - 1].quoted and args.low(index) in {"in", "with"}):
            return args[:index].trimmed(), tail
    return args, args[:0]


def submit(found: Found, args: Span) -> list[Directive]:
    """Submit, save, send; "save it" has no target of its own."""
    to = args.first(lambda token: token.low == "to")
    if found.word == "send" and to is not None and to + 1 < len(args):
        return [_sent(args, to)]
    if found.word in {"post", "publish"} and args.quoted:
        return [
            Directive(verb="fill", value=args.text),
            Directive(verb="submit", value=found.word),
        ]
    if found.word == "apply" and (pair := _sure_pair(args)) is not None:
        fill = Directive(verb="fill", target=target_of(pair[0]), value=pair[1].text)
        return [fill, Directive(verb="submit", value=found.word)]
    if len(args) and args.low(0) not in lexicon.PRONOUNS | {"when", "once", "after"}:
        return [Directive(verb="submit", value=found.word, target=target_of(args))]
    return [Directive(verb="submit", value=found.word)]


def _sent(args: Span, to: int) -> Directive:
    """As in "send it to Bob", "send to Bob the email from Ann": the recipient is the field "to"."""
    what, whom = args[:to], args[to + 1 :].trimmed()
    article = whom.first(lambda token: token.low in lexicon.ARTICLES, 1)
    if not len(what) and article is not None:
        what, whom = whom[article:], whom[:article]
    plain = not len(what) or what.low(0) in lexicon.PRONOUNS
    field = FieldValue(field="to", value=whom.text, quoted=whom.quoted)
    target = None if plain else target_of(what)
    return Directive(verb="submit", value="send", target=target, fields=(field,))


def search(found: Found, args: Span) -> list[Directive]:
    """As in "search for V", "search T for V", "search V in the T"."""
    if not len(args):
        return [Directive(verb="search")]
    value, place = _query_and_place(found, args)
    target = boxed(place) if len(place) else None
    return [Directive(verb="search", value=_query(value).text, target=target)]


def _query_and_place(found: Found, args: Span) -> tuple[Span, Span]:
    cut = args.first(lambda token: token.low == "for", 1)
    if cut is not None and cut + 1 < len(args) and not args[0].quoted and found.length == 1:
        return args[cut + 1 :], args[:cut]
    for index in range(len(args) - 2, 0, -1):
        last = args.low(len(args) - 1)
        named = last in lexicon.ROLES or last in lexicon.PLACES | {"list", "table"}
        if args.low(index) in {"in", "on", "using", "with", "into", "within"} and (
            named or args[index - 1].quoted
        ):
            return args[:index], args[index + 1 :]
    return args, args[:0]


def _query(span: Span) -> Span:
    span = span.trimmed()
    quoted = [index for index, token in enumerate(span) if token.quoted]
    front = {"the", "a", "an", "term", "word", "phrase", "text", "for", "named", "called"}
    if len(quoted) == 1 and all(
        span.low(n) in front | lexicon.FIELD_HEADS or span.low(n) in lexicon.VALUE_NOUNS
        for n in range(quoted[0])
    ):
        return span[quoted[0] : quoted[0] + 1]
    return span[1:] if len(span) > 1 and span.low(0) in {"the", "a", "an"} else span


_USER_WORDS = frozenset({"as", "user", "username", "account", "with", "using", "the", "login", "name",
                         "id", "email", "credentials", "to", "into"})  # fmt: skip


def login(found: Found, args: Span) -> list[Directive]:
    """As in "log in as bob with password x", "sign in with username a and password b"."""
    fields: list[FieldValue] = []
    for part in _credential_parts(args):
        fields.extend(_credential(part, named=bool(fields)))
    return [Directive(verb="login", fields=tuple(fields))]


def _credential_parts(args: Span) -> list[Span]:
    parts: list[Span] = []
    start = 0
    for index, token in enumerate(args):
        joint = token.low in {"and", "with", "using", "as", "/", "&"} or token.text in {
            ",",
            ";",
            "(",
            ")",
        }
        keyword = token.low in lexicon.CREDENTIALS and args.low(index - 1) not in {"as"}
        if joint or (keyword and index > start):
            parts.append(args[start:index].trimmed())
            start = index if token.low == "as" or keyword else index + 1
    parts.append(args[start:].trimmed())
    return [part for part in parts if len(part)]


def _credential(part: Span, *, named: bool) -> list[FieldValue]:
    if part.low(0) in {"to", "into", "on", "at"}:
        return []
    fields = pairs_of(part) if part.low(0) not in {"as", "user"} else ()
    if fields and fields[0].field:
        return [_whole_secret(_normal(field), part) for field in fields]
    start = 0
    while start < len(part) - 1 and part.low(start) in _USER_WORDS:
        start += 1
    rest = part[start:]
    if rest.low(0) in _USER_WORDS or (len(rest) > 1 and not rest[0].literal and start == 0):
        return []
    name = "password" if named else "username"
    return [_whole_secret(FieldValue(field=name, value=rest.text, quoted=rest.quoted), rest)]


def _whole_secret(field: FieldValue, part: Span) -> FieldValue:
    """A password keeps the marks written right after it: "s3cret!" is not "s3cret"."""
    if field.field != "password" or field.quoted or not len(part) or part[-1].quoted:
        return field
    marks = _SECRET_MARKS.match(part.source, part[-1].end)
    return field.model_copy(update={"value": field.value + marks[0]}) if marks else field


_SECRET_MARKS = patterns.compile(r"[!?#$%^&*@~+=_-]+")


def _normal(field: FieldValue) -> FieldValue:
    """Passwords under one name; other names as the person said them."""
    name = field.field.lower()
    if name in lexicon.CREDENTIALS:
        return field.model_copy(update={"field": lexicon.CREDENTIALS[name]})
    if name in {"user", "username", "user name", "login", "account", "user id"}:
        return field.model_copy(update={"field": "username"})
    return field
