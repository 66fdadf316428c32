"""Reads commands that enter something: type, set, fill, choose, search, log in, upload."""

from collections.abc import Sequence

from lark import Token, v_args
from lark.tree import Meta

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.commands.grammar import phrases, roles, word_tables
from app.reasoners.commands.target import (
    Words,
    begins_value,
    is_quoted_token,
    read_field,
    read_record,
    read_target,
    split_pair,
    unread_words,
)
from app.reasoners.commands.things import (
    Pair,
    Things,
    are_one_name,
    field_value,
    field_values,
    read_requested,
    split_possessor,
    unread_span,
    with_span,
)

Group = tuple[list[Words], Target | None]
Choice = tuple[Words, Target | None, bool]


@v_args(inline=True)
class Entries(Things):
    """Reads the clauses that have a value."""

    def group(self, *children: Words | Token | Target) -> Group:
        """Return the values, and the field they go into if given."""
        entries = [one for one in children if isinstance(one, Words)]
        return entries, next((one for one in children if isinstance(one, Target)), None)

    def enter(self, *children: Group | Token) -> list[Directive]:
        """Read values with places: "enter 'a' in A and 'b' in B"."""
        groups = [one for one in children if isinstance(one, tuple)]
        is_typed = isinstance(children[0], Token)
        made: list[Directive] = []
        for entries, place in groups:
            if place is not None:
                made += _read_placed(entries, place)
            else:
                made.append(
                    _read_unplaced(entries, may_be_bare=len(groups) == 1, is_typed=is_typed)
                )
        return made

    def copy(self, *children: Token | Words | Target) -> list[Directive]:
        """Read a value that the page shows under a name, for a field."""
        requested = next(one for one in children if isinstance(one, Words))
        if begins_value(requested.tokens[0]) and not requested.quoted:
            raise unread_words(requested.tokens)
        place = next(one for one in children if isinstance(one, Target))
        return [Directive(verb="fill", target=place, copied=read_requested(requested))]

    def set(self, verb: Token, pairs: Sequence[Pair]) -> list[Directive]:
        """Read fields of the page or a record; "change" and similar verbs also save."""
        saves = verb.lower() in phrases("saves")
        record, value = pairs[0]
        if len(pairs) > 1 or value is not None:
            return _read_edit(pairs, saves=saves)
        if not saves:
            raise unread_words(record.tokens)
        return [Directive(verb="edit", target=by_name(read_record(record)))]

    def fill(self, pairs: Sequence[Pair]) -> list[Directive]:
        for name, _ in pairs:
            if name.lowered[-1] in phrases("form"):
                raise unread_words(name.tokens)
        if len(pairs) == 1 and pairs[0][1] is not None:
            return _read_edit(pairs)
        return [Directive(verb="fill", fields=field_values(pairs))]

    def leave(self, name: Words) -> list[Directive]:
        return [Directive(verb="clear", target=read_field(name))]

    def choice(self, option: Words, place: Target | None = None) -> Choice:
        """Return an option and the list for it and the ones before it."""
        return option, place and _as_list(place), False

    def choice_for(self, option: Words, place: Target) -> Choice:
        """Return an option with a list of its own."""
        return option, _as_list(place), True

    @with_span
    def select(self, span: Meta, *children: Choice | Token) -> list[Directive]:
        """Read options. Raises `NotRead` for a bare "A and B", which may be one option."""
        choices = [one for one in children if isinstance(one, tuple)]
        joints = [str(one) for one in children if isinstance(one, Token)]
        shared = [joint for one, joint in zip(choices, joints, strict=False) if not one[1]]
        literal = (is_quoted_token(one.tokens[-1]) or _describes(one) for one, _, _ in choices)
        if are_one_name(shared) and not all(literal):
            raise unread_span(span)
        made: list[Directive] = []
        place: Target | None = None
        for option, own, is_alone in reversed(choices):
            place = own or place
            made.append(_read_option(option, place))
            place = None if is_alone else place
        return made[::-1]

    def search(self, query: Words, target: Target | None = None) -> list[Directive]:
        """Read any words, without those that say where to search."""
        if "in" in query.lowered[:-1] and {"the", "my", "this"} & set(query.lowered):
            raise unread_words(query.tokens)
        return [Directive(verb="search", value=query.as_text().text, target=target)]

    def search_in(self, scope: Words, query: Words) -> list[Directive]:
        return self.search(query, read_target(scope))

    def login(self, *children: Words | Token | list[Pair]) -> list[Directive]:
        fields = [
            FieldValue(field="username", value=one.text)
            for one in children
            if isinstance(one, Words)
        ]
        called = word_tables()["credentials"]
        pairs = [one for part in children if isinstance(part, list) for one in field_values(part)]
        fields += [
            one.model_copy(update={"field": called.get(one.field.lower(), one.field)})
            for one in pairs
        ]
        return [Directive(verb="login", fields=tuple(fields))]

    def upload(self, file: Words, place: Target | None = None) -> list[Directive]:
        if not (file.quoted or "." in file.text):
            raise unread_words(file.tokens)
        target = (place or Target()).model_copy(update={"role": "file"})
        return [Directive(verb="fill", target=target, value=file.as_name().text)]


def by_name(record: Target) -> Target:
    """Return a record known by name only as the place of an edit."""
    named = record.quoted or record.phrase[:1].isupper()
    if record.within is not None or record.ordinal is not None or record.all or not named:
        return record
    return Target(within=record.phrase, near=record.near)


def _read_placed(entries: Sequence[Words], target: Target) -> list[Directive]:
    """Read values with their fields. Raises `NotRead` for values without a field."""
    entry = entries[0]
    if len(entries) > 1:
        if target.phrase or target.role != "inp":
            raise unread_words([*entry.tokens, *entries[-1].tokens])
        return [Directive(verb="fill", fields=field_values([(one, None) for one in entries]))]
    if not _is_described(entry):
        return [Directive(verb="fill", target=target, value=entry.as_value().text)]
    name, value = split_pair(entry)
    if name.text.lower() not in phrases("called"):
        if target.phrase:
            raise unread_words(name.tokens)
        target = target.model_copy(update={"phrase": name.text})
    return [Directive(verb="fill", target=target, value=value.text)]


def _read_unplaced(entries: Sequence[Words], *, may_be_bare: bool, is_typed: bool) -> Directive:
    """Read named values, or one value for the focused field."""
    first = entries[0]
    is_bare = len(entries) == 1 and may_be_bare and (is_typed or len(first) == 1)
    if is_bare and not _is_described(first):
        return Directive(verb="fill", value=first.as_value().text)
    for entry in entries:
        if entry.lowered[0] in phrases("indefinite"):
            raise unread_words(entry.tokens)
    fields = field_values([(entry, None) for entry in entries])
    if len(fields) > 1:
        return Directive(verb="fill", fields=fields)
    named = None if fields[0].field in phrases("values") else read_field(split_pair(first)[0])
    return Directive(verb="fill", target=named, value=fields[0].value)


def _is_described(entry: Words) -> bool:
    """Whether the words also describe the value: "the code 123", "the number '5'"."""
    if entry.quoted:
        return False
    return entry.lowered[0] in phrases("articles") or any(map(is_quoted_token, entry.tokens))


def _read_edit(pairs: Sequence[Pair], *, saves: bool = False) -> list[Directive]:
    """Read "set ... to ...": one field's value, several, or those of a record.

    `saves`: the entry is also saved, as with "change ... to ...". Raises `NotRead` if only some
    fields are clearly of a record.
    """
    settings: list[tuple[Target | None, Words, Words]] = []
    for name, value in pairs:
        if value is None:
            raise unread_words(name.tokens)
        settings.append((*split_possessor(name), value))
    record = settings[0][0]
    for (other, _, _), (name, _) in zip(settings[1:], pairs[1:], strict=True):
        is_its = record is not None and name.lowered[0] in phrases("of_the_same")
        if other != record and not (other is None and is_its):
            raise unread_words(name.tokens)
    if record is not None:
        fields = tuple(field_value(name, value) for _, name, value in settings)
        return [Directive(verb="edit", target=record, fields=fields)]
    targets = [(read_field(name), value) for _, name, value in settings]
    if (saves or len(targets) > 1) and all(_is_plain(target) for target, _ in targets):
        fields = tuple(field_value(target.phrase, value) for target, value in targets)
        return [Directive(verb="edit" if saves else "fill", fields=fields)]
    return [
        Directive(verb="fill", target=one, value=value.as_value().text) for one, value in targets
    ]


def _is_plain(target: Target) -> bool:
    known = target.ordinal is not None or target.within is not None
    return bool(target.phrase) and not target.all and not known


def _read_option(option: Words, place: Target | None) -> Directive:
    if option.quoted:
        return Directive(verb="select", target=place, value=option.text)
    if is_quoted_token(option.tokens[-1]) and place is None:
        name = option[:-1].without_article()
        if name.lowered[-1] not in roles():
            return Directive(verb="select", target=read_target(name), value=option[-1:].text)
    if not _describes(option):
        value = option.without_article().as_name().text
        return Directive(verb="select", target=place, value=value)
    described = read_target(option)
    if place is not None:
        described = described.model_copy(update={"within": place.phrase or "list"})
    return Directive(verb="select", target=described, value=described.phrase or None)


def _describes(option: Words) -> bool:
    """Whether it gives the option by order or kind: "the 2nd option", "the Yes radio button"."""
    low = option.without_article().lowered
    known = {*word_tables()["ordinals"], *phrases("all"), *phrases("everything")}
    starts_with_kind = (low[0] in roles() and len(low) > 1) or " ".join(low[:2]) in roles()
    return low[0] in known or low[-1] in roles() or starts_with_kind


def _as_list(place: Target) -> Target:
    """Return the list named in "from the fruit list"."""
    name, _, last = place.phrase.rpartition(" ")
    if place.role is None and not place.quoted and last.lower() == "list":
        return place.model_copy(update={"phrase": name, "role": "sel"})
    return place
