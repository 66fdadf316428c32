"""Commands about records: created, changed, deleted."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.commands.field import field_value
from app.reasoners.commands.target import Words, is_quoted, record_of, refused
from app.reasoners.commands.thing import Clause, Things, token, trees
from app.reasoners.commands.vocabulary import phrases


class Records(Things):
    """The clauses that name a record."""

    def _create(self, clause: Clause) -> list[Directive]:
        kind, name = self._kind(self._words(clause.children[1]))
        joint = token(clause, "SEP")
        if joint is not None and "," not in joint and "\n" not in joint:
            raise self._whole(
                clause
            )  # "a task 'A' and note 'B'": two tasks, or a task with a note?
        fields = [field_value("name", self._words(value)) for value in trees(clause, "value")]
        if name is not None:
            fields.insert(0, FieldValue(field="", value=name.text, quoted=name.quoted))
        fields += [pair for group in trees(clause, "pairs") for pair in self._pairs(group)]
        things = trees(clause, "thing")
        destination = self._thing(things[0]) if things else None
        if not kind and destination is None:
            raise self._whole(clause)
        if not kind and name is not None:
            kind, fields = name.text, fields[1:]
        return [
            Directive(
                verb="create",
                target=Target(phrase=kind),
                fields=tuple(fields),
                destination=destination,
            )
        ]

    def _kind(self, said: Words) -> tuple[str, Words | None]:
        rest = said.without_article()
        if len(rest) > 1 and rest.low[0] == "new":
            rest = rest[1:]
        record = record_of(rest)
        if (
            record.ordinal is not None
            or record.all
            or (record.within is None and not record.phrase)
        ):
            raise refused(said.tokens)
        at = next(
            (
                i
                for i, token in enumerate(rest.tokens)
                if is_quoted(token) or not token[:1].islower()
            ),
            None,
        )
        kind, name = (rest, None) if at is None else (rest[:at], rest[at:].closed())
        if any(word in phrases("prepositions") for word in kind.closed().low):
            raise refused(said.tokens)
        return kind.text, name

    def _edit(self, clause: Clause) -> list[Directive]:
        target = by_name(self._thing(clause.children[1], record=True))
        fields = tuple(pair for group in trees(clause, "pairs") for pair in self._pairs(group))
        return [Directive(verb="edit", target=target, fields=fields)]

    def _rename(self, clause: Clause) -> list[Directive]:
        record = record_of(self._words(clause.children[1]))
        if record.within is None and record.ordinal is None:
            record = Target(within=record.phrase)
        value = self._words(clause.children[-1])
        return [Directive(verb="edit", target=record, fields=(field_value("name", value),))]

    def _delete(self, clause: Clause) -> list[Directive]:
        return [
            Directive(verb="delete", target=self._thing(one, record=True))
            for one in trees(clause, "record")
        ]


def by_name(record: Target) -> Target:
    """A record of which only the name was said, as what is to be edited: within it."""
    named = record.quoted or record.phrase[:1].isupper()
    if record.within is not None or record.ordinal is not None or record.all or not named:
        return record
    return Target(within=record.phrase, near=record.near)
