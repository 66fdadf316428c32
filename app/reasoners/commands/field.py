"""Fields and their values, as a sentence names them."""

from collections.abc import Sequence

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.commands.target import Words, field_of, record_of, refused, split_pair
from app.reasoners.commands.vocabulary import phrases


def field_value(name: Words | str, value: Words) -> FieldValue:
    """A pair as the domain's type; the field without "the" and "field"."""
    label = name if isinstance(name, str) else field_of(name).phrase
    return FieldValue(field=label, value=value.literal().text, quoted=value.quoted)


def placed(entries: Sequence[Words], target: Target) -> list[Directive]:
    """Values with the field they go into; several, each with its name, go to the fields of a form.

    Raises `NotRead` for values of which it is not said where they go.
    """
    if len(entries) == 1:
        entry = entries[0]
        if not described(entry):
            return [Directive(verb="fill", target=target, value=entry.literal().text)]
        name, value = split_pair(entry)
        if name.text.lower() not in phrases("called"):
            if target.phrase:
                raise refused(name.tokens)
            target = target.model_copy(update={"phrase": name.text})
        return [Directive(verb="fill", target=target, value=value.text)]
    if target.phrase or target.role != "inp":
        raise refused([*entries[0].tokens, *entries[-1].tokens])
    return [
        Directive(verb="fill", fields=tuple(field_value(*split_pair(entry)) for entry in entries))
    ]


def described(entry: Words) -> bool:
    """Whether words to be entered say what the value is as well: "the code 123", "the number '5'"."""
    if entry.quoted:
        return False
    return entry.low[0] in phrases("articles") or any(
        token.type == "QUOTED" for token in entry.tokens
    )


def edited(pairs: Sequence[tuple[Words, Words]], *, saves: bool = False) -> list[Directive]:
    """What "set ... to ..." asks for: a field's value, several, or those of a record.

    `saves`: what is entered is also to be saved, as with "change ... to ...".

    Raises `NotRead` where some fields are said to be a record's and the others may be as well.
    """
    told = [(*_field(name), value) for name, value in pairs]
    record = told[0][0]
    if record is None:
        if any(other is not None for other, _, _ in told):
            raise refused(pairs[0][0].tokens)
        targets = [(field_of(name), value) for _, name, value in told]
        if (saves or len(targets) > 1) and all(_is_plain(target) for target, _ in targets):
            fields = tuple(
                FieldValue(field=target.phrase, value=value.literal().text, quoted=value.quoted)
                for target, value in targets
            )
            return [Directive(verb="edit" if saves else "fill", fields=fields)]
        return [
            Directive(verb="fill", target=target, value=value.literal().text)
            for target, value in targets
        ]
    for (other, _, _), (name, _) in zip(told[1:], pairs[1:], strict=True):
        if other not in (None, record) or (
            other is None and name.low[0] not in phrases("of_the_same")
        ):
            raise refused(name.tokens)
    fields = tuple(field_value(name, value) for _, name, value in told)
    return [Directive(verb="edit", target=record, fields=fields)]


def _is_plain(target: Target) -> bool:
    return (
        bool(target.phrase) and not target.all and target.ordinal is None and target.within is None
    )


def _field(name: Words) -> tuple[Target | None, Words]:
    """The record that a field is said to be of, and the field's own words.

    "phone of Jas", "status of order 7", "Jas's phone"; "date of birth" is the name of a field, since
    what a record is called begins with a capital, a digit or quotes.
    """
    for at, word in enumerate(name.low[:-1]):
        if word == "from":
            raise refused(name.tokens[at:])
        if word == "of" and at and not name.tokens[0][:1].isupper():
            record = record_of(name[at + 1 :])
            begins = name[at + 1 :].without_article().tokens
            if record.within is not None or record.ordinal is not None:
                return record, name[:at]
            if len(begins) < len(name) - at - 1:
                raise refused(name.tokens[at:])
            if begins and (begins[0].type == "QUOTED" or not begins[0][:1].islower()):
                return Target(within=record.phrase), name[:at]
        owns = word.endswith("'s") and word not in phrases("contractions")
        if owns and all(token[:1].isupper() for token in name.tokens[: at + 1]):
            return Target(within=name[: at + 1].text[:-2]), name[at + 1 :]
    return None, name
