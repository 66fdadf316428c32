"""How a person names a thing -> Target."""

from functools import cache

from app.domain.directive import Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.labels import Draft, label_of, places, roles, strip_ends
from app.reasoners.rules.parse.ordinals import ordinal_word
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.tokens import Token
from app.reasoners.rules.parse.verbs import verb_at

# Tokens; what is longer is prose and names nothing. Keeps the parser linear.
_LONGEST = 60
_MOST = 100  # items a person lists
_ANYTHING = frozenset({"items", "options", "entries", "things", "of them", "everything", "elements",
                       "choices", "item", "option", "element"})  # fmt: skip


@cache
def _within() -> Phrases:
    return Phrases(lexicon.WITHIN)


@cache
def _near() -> Phrases:
    return Phrases(lexicon.NEAR)


@cache
def _exceptions() -> Phrases:
    return Phrases(lexicon.EXCEPTIONS)


def target_of(span: Span) -> Target:
    """The target that `span` names; an empty span gives the empty target."""
    if len(span) > _LONGEST:
        return Target(phrase=span.text)
    draft = Draft()
    rest = _take_exceptions(span.trimmed(), draft)
    rest = _take_name(rest, draft)
    head = _take_relations(rest, draft)
    label = _quoted_part(label_of(head, draft), draft)
    return _finish(label, draft)


def _quoted_part(label: Span, draft: Draft) -> Span:
    """As in "Urgent" of `"Urgent" label`; of `product "Kettle"` the kind, its name in `within`."""
    quoted = label.first(lambda token: token.quoted)
    if quoted is None or len(label) < 2:
        return label
    if quoted == 0:
        return label[:1]
    if draft.within is not None and quoted == len(label) - 1:
        return label[quoted:]
    if draft.within is None and quoted == len(label) - 1:
        draft.within = label[quoted:].text
        return label[:quoted]
    return label


def _finish(label: Span, draft: Draft) -> Target:
    quoted = label.quoted
    phrase = label.text
    if draft.name is not None:
        if len(label) and not _only_kind(label):
            return _target(draft, phrase, quoted, within=draft.name.text)
        phrase, quoted = draft.name.text, draft.name.quoted
    return _target(draft, phrase, quoted, within=draft.within)


def _target(draft: Draft, phrase: str, quoted: bool, within: str | None) -> Target:
    if not phrase and draft.served and draft.role not in {None, "row"} and draft.ordinal is None:
        phrase, within = within or "", None  # "the checkbox for X" is the one labelled X
        draft.within = None
    anyone = draft.all and phrase.lower() in _ANYTHING
    if anyone or (
        phrase.lower() in {"one", "ones"} and not quoted and draft.ordinal and not draft.numbered
    ):
        phrase = ""
    if phrase.lower() == "everything" and not quoted:
        draft.all, phrase = True, ""
    return Target(
        phrase=phrase, quoted=quoted, role=draft.role, ordinal=draft.ordinal, all=draft.all,
        excluding=draft.excluding, within=within or draft.within, near=draft.near,
        color=draft.color, position=draft.position,
    )  # fmt: skip


def _only_kind(label: Span) -> bool:
    return places().at(label, 0) == len(label) or roles().at(label, 0) == len(label)


def _take_exceptions(span: Span, draft: Draft) -> Span:
    found = _exceptions().find(span, 1)
    if found is None:
        return span
    index, length = found
    draft.excluding = tuple(
        _excluded(_left_alone(item)) for item in split_list(span[index + length :])
    )
    return span[:index].trimmed()


def _excluded(item: Span) -> str:
    draft = Draft()
    label = label_of(item, draft).text
    if draft.ordinal is None and label:
        return label
    return item[1:].text if len(item) > 1 and item.low(0) in lexicon.ARTICLES else item.text


def _left_alone(item: Span) -> Span:
    """As in "Newsletter" of "leave Newsletter checked"."""
    words = {"leave", "keep", "not", "checked", "unchecked", "selected", "alone", "for", "in", "on"}
    start, end = 0, len(item)
    while start < end - 1 and item.low(start) in words:
        start += 1
    while end - 1 > start and item.low(end - 1) in words:
        end -= 1
    return item[start:end]


def _take_name(span: Span, draft: Draft) -> Span:
    """Cuts "labeled X", "called X", "that says X", "with the text X" off."""
    for index in range(len(span)):
        length = _naming(span, index)
        if length and index + length < len(span):
            rest = span[index + length :]
            draft.name = _take_relations(rest, draft) if not rest[0].quoted else rest[:1]
            if rest[0].quoted and len(rest) > 1:
                _take_relations(rest[1:], draft)
            draft.name = strip_ends(draft.name, frozenset({"as"}))
            return span[:index].trimmed()
    return span


def _naming(span: Span, index: int) -> int:
    if span.low(index) in lexicon.NAMING:
        return 2 if span.low(index + 1) == "as" else 1
    if span.low(index) in {"that", "which"} and span.low(index + 1) in {"says", "reads"}:
        return 2
    if span.low(index) == "with":
        after = index + (2 if span.low(index + 1) in lexicon.ARTICLES else 1)
        if span.low(after) in lexicon.NAME_NOUNS and after + 1 < len(span):
            return after + 1 - index
    return 0


def _take_relations(span: Span, draft: Draft) -> Span:
    """Cuts "in the dialog", "of Jas", "next to X" off; gives what stands before them."""
    index, first = 0, len(span)
    while index < len(span):
        near, within = _near().at(span, index), _within().at(span, index)
        length = max(near, within)
        if not length or _no_relation(span, index):
            index += 1
            continue
        end = _relation_end(span, index + length)
        draft.served = draft.served or span.low(index) == "for"
        _relate(span[index + length : end].trimmed(), near > 0 and near >= within, draft)
        first, index = min(first, index), end
    return span[:first].trimmed()


def _no_relation(span: Span, index: int) -> bool:
    """As in "right" as a position, and the "to" of "second to last"."""
    if index == 0 and span.low(0) in {"right", "left", "following"}:
        return True
    dated = span.low(index) == "of" and span.low(index + 1) in lexicon.MONTHS
    if _goes_on(span, index) or (dated and ordinal_word(span.low(index - 1)) is not None):
        return True
    named = index + 2 < len(span) and _begins_name(span[index + 2])  # "role of user Tom"
    if span.low(index) == "of" and span.low(index + 1) in lexicon.FIELD_HEADS and not named:
        return span.low(index - 1) in lexicon.FIELD_HEADS
    counted = ordinal_word(span.low(index - 1)) is not None
    return counted and any(span.low(index + n) in {"last", "end"} for n in (1, 2))


def _goes_on(span: Span, index: int) -> bool:
    """A label that is a command with its preposition: "Add to cart", "Continue with Google"."""
    head = verb_at(span, 0) if index and span.low(index) in {"in", "to", "on", "for"} else None
    if head is not None and index < head.length < len(span) and span[0].text[:1].isupper():
        return True  # "Log in with Google"
    if span.low(index) not in {"to", "with", "for"} or not 0 < index < len(span) - 1:
        return False
    start = 1 if span.low(0) in lexicon.ARTICLES and span[1].text[:1].isupper() else 0
    found, following = verb_at(span, start), span[index + 1]
    if span.low(index) == "for" and (found is None or found.entry.verb in {"delete", "edit"}):
        return False
    if found is None or found.length != index - start or following.low in lexicon.ARTICLES:
        return False
    person = following.text[:1].isupper() or following.literal
    return not (person and found.entry.frame in {"named", "compose", "point"})


def _relation_end(span: Span, start: int) -> int:
    for index in range(start + 1, len(span)):
        if _near().at(span, index) or _within().at(span, index):
            return index
    return len(span)


def _relate(rest: Span, near: bool, draft: Draft) -> None:
    if not len(rest):
        return
    words = [token.low for token in rest if token.low not in lexicon.ARTICLES]
    places = [lexicon.POSITIONS[word] for word in words if word in lexicon.POSITIONS]
    if places and all(
        w in lexicon.POSITIONS or w in {"corner", "side", "of", "hand"} for w in words
    ):
        draft.position = draft.position or " ".join(places)
    elif near:
        draft.near = draft.near or container_name(rest)
    else:
        draft.all = draft.all or (rest.low(0) in lexicon.QUANTIFIERS and len(rest) > 1)
        if (
            draft.within is None
            or draft.within in lexicon.PLACES
            or draft.within in lexicon.ROLES
            or (draft.within.islower() and _begins_name(rest[0]))
        ):
            draft.within = container_name(rest)


def record_target(span: Span) -> Target:
    """A record as (kind, name): "the patient Jas Patel", "patient Jas", "Jas Patel"."""
    target = target_of(span)
    if target.within or target.ordinal is not None or target.all:
        return target
    if target.color and target.phrase and not target.role:  # "red shirt" is what it is called
        return Target(phrase="", within=f"{target.color} {target.phrase}")
    start = span.first(lambda token: token.low not in lexicon.ARTICLES | {"only", "just"})
    if start is None:
        return target
    body = span[start:].trimmed()
    name = body.first(_begins_name)
    if name is None:
        return target
    if name == 0:
        return Target(within=body.text if body.quoted else target.phrase or body.text)
    kind = label_of(body[:name], Draft()).text
    return Target(phrase=kind, within=body[name:].text)


def _begins_name(token: Token) -> bool:
    filed = "." in token.text[1:-1]  # a file's name
    return token.literal or token.text[:1].isupper() or token.text[:1] == "@" or filed


def container_name(span: Span) -> str:
    """What a container or record is called: its name, else its kind ("row 3", "dialog")."""
    target = target_of(span)
    record = record_target(span)
    if record.within and record.phrase and target.role is None and target.ordinal is None:
        return record.within
    if target.within and target.phrase and target.within != target.phrase:
        return target.within
    if target.color and target.phrase:
        at = span.first(lambda token: token.low == target.color)
        return f"{target.color if at is None else span[at].text} {target.phrase}"
    kind = target.role and _kind_words(span)
    if target.ordinal is not None:
        what = target.phrase or kind or "item"
        return what if what[-1:].isdigit() else f"{what} {target.ordinal}"
    return target.phrase or kind or span.text


def _kind_words(span: Span) -> str:
    """As in "text area" of "the 2nd text area"."""
    return " ".join(
        token.low
        for token in span
        if token.low not in lexicon.ARTICLES and ordinal_word(token.low) is None
        and not token.low.lstrip("#").isdecimal()
    )  # fmt: skip


def split_list(span: Span) -> list[Span]:
    """The items of "A, B and C"; commas inside quotes and numbers are none."""
    items: list[Span] = []
    start = 0
    for index, token in enumerate(span):
        if token.kind == "break" or token.text in {",", ";"} or token.low in {"and", "&", "or"}:
            items.append(span[start:index].trimmed())
            start = index + 1
    items.append(span[start:].trimmed())
    found = [item for item in items if len(item)]
    return found if len(found) <= _MOST else [span]
