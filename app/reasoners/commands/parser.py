"""Parses a sentence into directives by the grammar."""

from collections.abc import Sequence
from typing import Any

from lark import Token, UnexpectedInput, v_args
from lark.exceptions import UnexpectedToken, VisitError
from lark.tree import Meta

from app.domain.directive import Directive, FieldValue, Instruction, Target, Verb
from app.reasoners.commands.entries import Entries, by_name
from app.reasoners.commands.grammar import parser, phrases, word_tables
from app.reasoners.commands.target import (
    NotRead,
    Words,
    is_quoted_token,
    read_record,
    read_target,
    unread_words,
)
from app.reasoners.commands.things import (
    Pair,
    field_value,
    field_values,
    read_container,
    read_requested,
    unread_span,
    with_span,
)
from app.text import patterns

QUESTION_MARKS = ("?", "\u061f", "\uff1f")
LONGEST = 1_000  # characters of a command; longer text is prose
_CLAUSE_END = patterns.compile(r"[,;.!?]\s|\n|\s(?:and|then)\s", patterns.IGNORECASE)
_CHORD = patterns.compile(r"[\s+-]+")
_DURATION = patterns.compile(r"([\d.]+)\s*(ms|milli|s|m)", patterns.IGNORECASE)
Clause = tuple[Meta, list[Directive]]
_MS = {"ms": 1, "milli": 1, "s": 1_000, "m": 60_000}


def parse(text: str) -> Instruction:
    """Parse the request if every word is accounted for. Never raises.

    Otherwise there are no directives, the confidence is 0, and `unread` has the unaccounted words
    as written. Lone surrogates become "?".
    """
    clean = text.encode("utf-8", "replace").decode("utf-8")
    goal = clean.strip().rstrip(".!? \n")
    try:
        return _parse_goal(clean, goal)
    except NotRead as error:
        unread = goal[error.start : error.end].strip(" ,;\n") or goal
        asks = any(mark in clean for mark in QUESTION_MARKS)
        kind = "question" if asks else "operation"
        return Instruction(text=clean, kind=kind, confidence=0.0, unread=unread[:LONGEST])


def _parse_goal(text: str, goal: str) -> Instruction:
    if len(goal) > LONGEST or not goal:
        raise NotRead(0, len(goal))
    reader = Reader(goal)
    try:
        directives: list[Directive] = reader.transform(parser().parse(goal))
    except UnexpectedInput as error:
        raise _unexpected(error, goal) from error
    except VisitError as error:
        raise error.orig_exc from error
    asks = bool(directives) and all(one.verb == "read" for one in directives)
    return Instruction(
        text=text,
        kind="question" if asks else "operation",
        directives=tuple(directives),
        forbidden=tuple(reader.forbidden),
        forbidden_verbs=tuple(reader.forbidden_verbs),
    )


def _unexpected(error: UnexpectedInput, goal: str) -> NotRead:
    """Return the error for the words from where the grammar stops to the end of that clause."""
    at = error.pos_in_stream
    if at is None or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        return NotRead(
            max((found.end() for found in _CLAUSE_END.finditer(goal)), default=0), len(goal)
        )
    start = at + len(goal[at:]) - len(goal[at:].lstrip(" ,;.:\n"))
    found = _CLAUSE_END.search(goal, start)
    return NotRead(start, found.start() if found else len(goal))


@v_args(inline=True)
class Reader(Entries):
    """Transforms one sentence's tree into directives, and collects prohibitions."""

    def __init__(self, goal: str) -> None:
        super().__init__(goal)
        self.forbidden: list[Target] = []
        self.forbidden_verbs: list[Verb] = []

    def start(self, *parts: Target | Token | Clause) -> list[Directive]:
        """Return the directives of all clauses, in order.

        In "with plate 'QQ', type 'Bus'" it is undecidable whether "type" is a field or a verb.
        """
        made: list[Directive] = []
        place, joint = None, ""
        for part in parts:
            if isinstance(part, Target):
                place = part.within
            elif isinstance(part, Token):
                joint = part.strip().lower()
            else:
                span, own = part
                bare = bool(own) and own[0].model_copy(update={"value": None, "source": ""})
                is_pair = bool(made) and bool(made[-1].fields) and bare == Directive(verb="fill")
                if is_pair and joint in {",", "and", ", and"}:
                    raise unread_span(span)
                made += [_in_place(one, place) for one in own] if place else own
        return made

    def place(self, name: Words) -> Target:
        """Read the place of everything that follows: "In the dialog, click OK"."""
        if not self._goal[name.tokens[-1].end_pos :].lstrip().startswith(","):
            raise unread_words(name.tokens)
        return Target(within=read_container(name))

    @with_span
    def clause(self, span: Meta, own: list[Directive]) -> Clause:
        source = self._goal[span.start_pos : span.end_pos]
        sourced = {"source": source}
        question = {"source": source, "value": source}
        return span, [
            one.model_copy(update=question if one.verb == "read" else sourced) for one in own
        ]

    def __default__(self, data: Token, children: list[Any], meta: Meta) -> list[Directive]:
        """Apply a verb to each named thing."""
        named: Any = children[0] if children else None
        verb: Any = str(data)
        things = named if isinstance(named, list) else [named]
        if verb in {"check", "uncheck"}:
            box = {"role": "chk"}
            things = [one.model_copy(update=box) if one.role == "inp" else one for one in things]
        return [Directive(verb=verb, target=one) for one in things]

    # Pointer and keys

    def click(self, *children: Token | list[Target] | int) -> list[Directive]:
        times = next((one for one in children if isinstance(one, int)), 1)
        times = 2 if str(children[0]).lower().startswith("double") else times
        things = next(one for one in children if isinstance(one, list))
        return [Directive(verb="click", target=one, times=times) for one in things]

    def key(self, key: Token, times: int = 1) -> list[Directive]:
        """Read a key or chord by `KeyboardEvent.key` names."""
        return [Directive(verb="press", value=_chord(key), times=times)]

    def navigate(self, address: Token) -> list[Directive]:
        return [Directive(verb="navigate", value=str(address))]

    def close(self, things: list[Target], ways: Sequence[Target] = ()) -> list[Directive]:
        """Read things to close, or what to press to close them."""
        if not ways:
            return [Directive(verb="close", target=one) for one in things]
        kinds = {"", *word_tables()["places"]["nouns"]}
        named = [one.within or one.phrase for one in things if one.phrase not in kinds]
        within = {"within": named[0]} if named else {}
        return [Directive(verb="click", target=one.model_copy(update=within)) for one in ways]

    def turn(self, thing: Words, state: Token) -> list[Directive]:
        """Read a switch: "turn the airplane mode on"."""
        verb: Verb = "check" if state.lower() == "on" else "uncheck"
        return [Directive(verb=verb, target=read_target(thing))]

    def drag(self, thing: Words, destination: Target) -> list[Directive]:
        return [Directive(verb="drag", target=read_record(thing), destination=destination)]

    # Records

    @with_span
    def create(
        self, span: Meta, subject: Words, *rest: Token | Words | Target | list[Pair]
    ) -> list[Directive]:
        """Read a record of a kind, with fields, or a thing that goes to a place."""
        kind, name = _kind_and_name(subject)
        joint = next((one for one in rest if isinstance(one, Token) and one.type == "SEP"), ",")
        if "," not in joint and "\n" not in joint:
            raise unread_span(span)  # "a task 'A' and note 'B'": two tasks, or a task with a note?
        fields = [field_value("name", one) for one in rest if isinstance(one, Words)]
        if name is not None and kind:
            fields.insert(0, FieldValue(field="", value=name.text, quoted=name.quoted))
        fields += [one for pairs in rest if isinstance(pairs, list) for one in field_values(pairs)]
        destination = next((one for one in rest if isinstance(one, Target)), None)
        if not kind and (destination is None or name is None):
            raise unread_span(span)
        target = Target(phrase=kind or (name.text if name else ""))
        made = Directive(
            verb="create", target=target, fields=tuple(fields), destination=destination
        )
        return [made]

    def edit(self, record: Target, pairs: Sequence[Pair] = ()) -> list[Directive]:
        return [Directive(verb="edit", target=by_name(record), fields=field_values(pairs))]

    def rename(self, name: Words, value: Words) -> list[Directive]:
        record = read_record(name)
        if record.within is None and record.ordinal is None:
            record = Target(within=record.phrase)
        return [Directive(verb="edit", target=record, fields=(field_value("name", value),))]

    # The page

    def saved(self, *tokens: Token) -> Target | None:
        """Return what is saved, in lower case: "the changes", "the patient"; None for "it"."""
        what = Words(tokens, self._goal)
        rest = what.without_article()
        is_named = len(rest) < len(what) or rest.lowered in (["changes"], ["it"])
        plain = all(one.isalpha() and one.islower() for one in rest.tokens)
        if not is_named or not plain or phrases("prepositions") & set(rest.lowered):
            raise unread_words(what.tokens)
        return None if what.lowered == ["it"] else Target(phrase=rest.as_name().text)

    def save(self, verb: Token, what: Target | None = None) -> list[Directive]:
        """Read a submit, with the person's own word for saving."""
        return [Directive(verb="submit", value=" ".join(verb.lower().split()), target=what)]

    @with_span
    def wait(self, span: Meta, thing: Target) -> list[Directive]:
        if "to" in thing.phrase.split():
            raise unread_span(span)
        return [Directive(verb="wait", target=thing)]

    def pause(self, duration: Token) -> list[Directive]:
        found = _DURATION.match(duration.lower())
        assert found is not None
        amount = round(float(found.group(1)) * _MS[found.group(2)])
        return [Directive(verb="wait", value=str(amount))]

    def scroll(self, direction_words: Token, times: int = 1) -> list[Directive]:
        known = word_tables()["directions"]
        direction = next(known[one] for one in direction_words.lower().split() if one in known)
        return [Directive(verb="scroll", value=direction, times=times)]

    def read(self, requested: Words) -> list[Directive]:
        return [Directive(verb="read", target=read_requested(requested))]

    def forbid(
        self, command: Token, things: Sequence[Target] | Target | None = None
    ) -> list[Directive]:
        """Read what must not be pressed, or that nothing is to be saved."""
        if command.type == "CLICK" and isinstance(things, list):
            self.forbidden += things
            return []
        verb = command.lower().split()[-1 if command.type == "SAVE" else 1]
        self.forbidden.append(Target(phrase=word_tables()["participles"].get(verb, verb)))
        self.forbidden_verbs.append("submit")
        return []


def _kind_and_name(subject: Words) -> tuple[str, Words | None]:
    """Return kind (lower case) and name in "a new patient Jas"."""
    rest = subject.without_article()
    rest = rest[1:] if len(rest) > 1 and rest.lowered[0] == "new" else rest
    record = read_record(rest)
    if record.ordinal is not None or record.all or not (record.within or record.phrase):
        raise unread_words(subject.tokens)
    starts = (
        i for i, one in enumerate(rest.tokens) if is_quoted_token(one) or not one[:1].islower()
    )
    at = next(starts, len(rest))
    kind = rest[:at]
    if phrases("prepositions") & set(kind.as_name().lowered):
        raise unread_words(subject.tokens)
    return kind.text, rest[at:].as_name() if at < len(rest) else None


def _in_place(directive: Directive, place: str) -> Directive:
    target = directive.target or Target()
    within = {"within": target.within or place}
    return directive.model_copy(update={"target": target.model_copy(update=within)})


def _chord(key: Token) -> str:
    name = " ".join(key.lower().split()).removeprefix("the ").removesuffix(" key")
    keys, modifiers = word_tables()["keys"], word_tables()["modifiers"]
    if name in keys:
        return str(keys[name])
    parts = [part for part in _CHORD.split(name) if part]
    return "+".join(modifiers.get(part) or keys.get(part) or part.upper() for part in parts)
