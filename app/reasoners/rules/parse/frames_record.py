# ruff: noqa: RUF001 (typographic marks are what is looked for)
"""Create, edit and delete: a kind of thing, its name, and what it holds."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.fields import pairs_of
from app.reasoners.rules.parse.frames_basket import into_basket
from app.reasoners.rules.parse.frames_point import targets
from app.reasoners.rules.parse.frames_set import set_to
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import record_target, split_list, target_of
from app.reasoners.rules.parse.tokens import Token
from app.reasoners.rules.parse.verbs import Found

_SAMPLE = 40  # tokens that are looked at to tell whether pairs follow
_WITH = frozenset({"with", "having", "whose", "using", "where", "-", "–"})
_CIRCUMSTANCES = frozenset(
    {"with", "from", "to", "on", "at", "for", "by", "in", "into", "between", "until"}
)
_DAYS = frozenset({"today", "tomorrow", "tonight", "monday", "tuesday", "wednesday", "thursday",
                   "friday", "saturday", "sunday"})  # fmt: skip
_HOLDERS = frozenset({"record", "file", "profile", "chart", "account", "calendar", "list"})
_SKIPPED = lexicon.ARTICLES | {"new", "another", "me", "one", "additional"}


def record(found: Found, args: Span) -> list[Directive]:
    """Create, edit or delete, by the verb."""
    if found.entry.verb == "create":
        added = into_basket(args.trimmed()) if found.word == "add" else []
        return added or _several(args.trimmed())
    if found.entry.verb == "edit":
        return _edit(found, args.trimmed())
    return _delete(args)


def _several(args: Span) -> list[Directive]:
    """One a thing of "add A and B to the cart"."""
    made = _create(_kind_first(args))
    cut = args.first(lambda token: token.low in {"to", "into"}, 1)
    items = split_list(args[:cut]) if cut is not None and made.destination is not None else []
    if made.fields or len(items) < 2:
        return [made]
    things = (target_of(item) for item in items)
    return [made.model_copy(update={"target": thing}) for thing in things]


def _kind_first(args: Span) -> Span:
    """Of "Jas Patel, born 1990-04-12, as a new patient" the kind, then what it is."""
    cut = next((i for i in range(len(args) - 2, 0, -1) if args.low(i) == "as"), None)
    if cut is None or args.low(cut + 1) not in {"a", "an", "new"} or len(args) - cut > 8:
        return args
    named = tuple(token for token in args.tokens[:cut])
    comma = next((i for i, token in enumerate(named) if token.text == ","), len(named))
    kind = args.tokens[cut + 1 :]
    word = Token("word", "named", kind[-1].end, kind[-1].end)
    rest = named[comma:]
    return Span(args.source, (*kind, word, *named[:comma], *rest)).trimmed()


def _create(args: Span) -> Directive:
    head, details = _cut_details(args)
    fields = pairs_of(details) if len(details) and not details.quoted else ()
    if len(details) and not fields:
        fields = (FieldValue(field="", value=details.text, quoted=details.quoted),)
    kind, circumstances, destination = _circumstances(head)
    noun, own = _kind_and_name(kind)
    fields = (*own, *circumstances, *fields)
    return Directive(verb="create", target=noun, fields=fields, destination=destination)


def _cut_details(args: Span) -> tuple[Span, Span]:
    """At "with", ":" or a comma that pairs follow: what is created, and what it holds."""
    for index in range(1, len(args) - 1):
        token = args[index]
        if token.low in {"saying", "reading", "stating"} and args[index + 1].quoted:
            return args[:index].trimmed(), args[index + 1 :].trimmed()
        if token.low == "with" and _companion(args[index + 1 :]):
            continue
        if token.low in _WITH or token.text in {":", "(", "{", "-", "–"}:
            return args[:index].trimmed(), args[index + 1 :].trimmed()
        if token.text in {",", ";"} or token.kind == "break":
            rest = args[index + 1 :]
            pairs = pairs_of(rest[:_SAMPLE]) if index < _SAMPLE else ()
            if pairs and pairs[0].field and not _only_names(pairs):
                return args[:index].trimmed(), rest.trimmed()
    return args, args[:0]


def _companion(rest: Span) -> bool:
    """As in "with Dr. Smith" says with whom; "with name Jas" what it holds."""
    named = rest[0].text[:1].isupper() and rest.low(0) not in lexicon.FIELD_HEADS
    paired = any(token.quoted or token.text in {":", "="} for token in rest[:4])
    return named and not paired


def _only_names(pairs: tuple[FieldValue, ...]) -> bool:
    return all(pair.field[:1].isupper() and not pair.quoted for pair in pairs) and len(pairs) == 1


def _circumstances(head: Span) -> tuple[Span, tuple[FieldValue, ...], Target | None]:
    """As in "a flight from A to B on D" -> fields by preposition; "milk to the cart" -> destination."""
    cuts = [
        i for i in range(1, len(head) - 1)
        if head.low(i) in _CIRCUMSTANCES and not (i and head.low(i - 1) in lexicon.NAMING)
    ]  # fmt: skip
    if not cuts:
        return head, (), None
    fields: list[FieldValue] = []
    destination: Target | None = None
    begun = 0  # where the destination's words begin
    for cut, end in zip(cuts, [*cuts[1:], len(head)], strict=True):
        part = head[cut + 1 : end].trimmed()
        if destination is not None and head.low(cut) in {"from", "by"}:  # "to the email from Ann"
            destination = target_of(head[begun:end])
            continue
        place = (
            part.low(0) in lexicon.ARTICLES | {"it"} or part.low(len(part) - 1) in lexicon.PLACES
        )
        owned = part.low(0).endswith(("'s", "s'")) and part.low(len(part) - 1) in _HOLDERS
        if head.low(cut) in {"to", "into", "in", "on"} and (place or owned):
            destination, begun = target_of(part), cut + 1
        elif len(part):
            fields.append(FieldValue(field=head.low(cut), value=part.text, quoted=part.quoted))
    return head[: cuts[0]].trimmed(), tuple(fields), destination


def _kind_and_name(span: Span) -> tuple[Target, tuple[FieldValue, ...]]:
    """As in "a new patient named Jas", "patient Jas Patel", "a note 'x'", "2 large pizzas"."""
    start = 0
    while start < len(span) - 1 and span.low(start) in _SKIPPED:
        start += 1
    body = span[start:]
    naming = body.first(lambda token: token.low in lexicon.NAMING, 1)
    if naming is not None and naming + 1 < len(body):
        name = body[naming + 1 :].trimmed()
        more = pairs_of(name[1:]) if name[0].quoted and len(name) > 1 else ()
        name = name[:1] if name[0].quoted else name
        return target_of(body[:naming]), (_field("name", name), *more)
    comma = body.first(lambda token: token.text in {",", "-"}, 1)
    if comma is not None and comma + 1 < len(body):
        return target_of(body[:comma]), (_field("", body[comma + 1 :].trimmed()),)
    own = body.first(lambda token: token.quoted or token.text[:1].isupper(), 1)
    if own is not None and not body[0].text[:1].isupper():
        name = body[own : own + 1] if body[own].quoted else body[own:]
        kind = body[:own]
        pair = pairs_of(kind[-1:]) if len(kind) else ()
        if kind.low(len(kind) - 1) in {"name", "title"} and len(kind) > 1:
            return target_of(kind[:-1]), (_field(kind.low(len(kind) - 1), name),)
        return target_of(kind), (*pair, _field("", name), *_rest(body[own + 1 :], name))
    if len(body) == 1 and body[0].quoted:
        return Target(phrase=body.text, quoted=True), ()
    return target_of(body), ()


def _rest(span: Span, name: Span) -> tuple[FieldValue, ...]:
    """What follows a quoted name: pairs, or a day ("tomorrow")."""
    if not name.quoted or not len(span):
        return ()
    if len(span) <= 2 and (span.low(len(span) - 1) in _DAYS or span[0].kind == "number"):
        return (_field("on", span),)
    return pairs_of(span)


def _field(name: str, value: Span) -> FieldValue:
    return FieldValue(field=name, value=value.text, quoted=value.quoted)


def _edit(found: Found, args: Span) -> list[Directive]:
    """As in "update X's phone to V", "rename A to B", "edit patient Jas", "edit Jas: phone 5"."""
    to = args.first(lambda token: token.low == "to", 1)
    if found.word == "rename" and to is not None and to + 1 < len(args):
        name = args[to + 1 :].trimmed()
        target = _by_name(record_target(args[:to]))
        return [Directive(verb="edit", target=target, fields=(_field("name", name),))]
    if to is not None:
        found_set = set_to(found, args)
        if found_set:
            return [_as_edit(directive) for directive in found_set]
    head, details = _cut_details(args)
    fields = pairs_of(details) if len(details) else ()
    return [Directive(verb="edit", target=record_target(head), fields=fields)]


def _by_name(target: Target) -> Target:
    """What is renamed goes by its name, whatever that looks like."""
    if target.within or not target.phrase or target.ordinal is not None or target.role:
        return target
    return target.model_copy(update={"phrase": "", "within": target.phrase})


def _as_edit(directive: Directive) -> Directive:
    """A field set by "update" without a record stays a fill of that field."""
    return directive


def _delete(args: Span) -> list[Directive]:
    found = targets("delete", args)
    if len(found) == 1:
        cut = args.first(lambda token: token.low in {"from", "in", "of"}, 1)
        plain = found[0].within is None and cut is None and not found[0].all and not found[0].quoted
        return [Directive(verb="delete", target=_kept(record_target(args), found[0], plain))]
    return [Directive(verb="delete", target=target) for target in found]


def _kept(record_: Target, whole: Target, plain: bool) -> Target:
    """A bare name is the phrase of a delete; kind and name are kept apart."""
    if not plain:
        return whole
    if not record_.phrase and record_.within and record_.ordinal is None:
        return record_.model_copy(update={"phrase": record_.within, "within": None})
    return record_
