"""A sentence read by the grammar -> directives."""

from collections.abc import Callable, Sequence

from lark import Token, Tree, UnexpectedInput
from lark.exceptions import UnexpectedToken

from app.domain.directive import Directive, FieldValue, Instruction, Target, Verb
from app.reasoners.commands.field import described, edited, field_value, placed
from app.reasoners.commands.grammar import parser
from app.reasoners.commands.page import Pages
from app.reasoners.commands.record import Records, by_name
from app.reasoners.commands.target import (
    NotRead,
    Words,
    field_of,
    is_quoted,
    record_of,
    refused,
    split_pair,
    target_of,
)
from app.reasoners.commands.thing import Clause, are_one_name, token, trees
from app.reasoners.commands.vocabulary import phrases, roles, words
from app.text import patterns

QUESTION_MARKS = ("?", "\u061f", "\uff1f")
LONGEST = 1_000  # characters of a command; what is longer is prose
_CLAUSE_END = patterns.compile(r"[,;.!?]\s|\n|\s(?:and|then)\s", patterns.IGNORECASE)
_CHORD = patterns.compile(r"[\s+-]+")


def parse(text: str) -> Instruction:
    """What `text` asks for, where every word of it is accounted for. Never raises.

    Otherwise there are no directives, the confidence is 0, and `unread` has the words that the grammar
    does not account for, as they were written. Lone surrogates, which no value may hold, become "?".
    """
    clean = text.encode("utf-8", "replace").decode("utf-8")
    goal = clean.strip().rstrip(".!? \n")
    try:
        return _read(clean, goal)
    except NotRead as error:
        unread = goal[error.start : error.end].strip(" ,;\n") or goal
        asks = any(mark in clean for mark in QUESTION_MARKS)
        kind = "question" if asks else "operation"
        return Instruction(text=clean, kind=kind, confidence=0.0, unread=unread[:LONGEST])


def _read(text: str, goal: str) -> Instruction:
    if len(goal) > LONGEST or not goal:
        raise NotRead(0, len(goal))
    grammar = parser()
    try:
        tree = grammar.parse(goal)
    except UnexpectedInput as error:
        raise _unexpected(error, goal) from error
    reader = Reader(goal)
    directives = reader.start(tree)
    return Instruction(
        text=text,
        kind="question"
        if all(one.verb == "read" for one in directives) and directives
        else "operation",
        directives=tuple(directives),
        forbidden=tuple(reader.forbidden),
        forbidden_verbs=tuple(reader.forbidden_verbs),
    )


def _unexpected(error: UnexpectedInput, goal: str) -> NotRead:
    """From the word at which the grammar does not go on, to the end of its clause; where the end of the
    sentence is what was not expected, its last clause.
    """
    at = error.pos_in_stream
    if at is None or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        return NotRead(
            max((found.end() for found in _CLAUSE_END.finditer(goal)), default=0), len(goal)
        )
    start = at + len(goal[at:]) - len(goal[at:].lstrip(" ,;.:\n"))
    found = _CLAUSE_END.search(goal, start)
    return NotRead(start, found.start() if found else len(goal))


class Reader(Records, Pages):
    """Turns the tree of one sentence into directives; what is forbidden is collected on the way."""

    def __init__(self, goal: str) -> None:
        super().__init__(goal)
        self.forbidden: list[Target] = []
        self.forbidden_verbs: list[Verb] = []

    def start(self, tree: Clause) -> list[Directive]:
        """The directives of all clauses, in order."""
        made: list[Directive] = []
        place: str | None = None
        joint = ""
        for child in tree.children:
            if isinstance(child, Token):
                joint = str(child) if child.type == "NEXT" else joint
            elif child.data == "name":
                place = self._container(self._words(child))
                if not self._goal[child.meta.end_pos :].lstrip().startswith(","):
                    raise self._whole(child)
            else:
                own = self._clause(child)
                self._refuse_a_pair(own, made, joint, child)
                made += [_in_place(one, place) if place else one for one in own]
        return made

    def _refuse_a_pair(
        self, own: Sequence[Directive], before: Sequence[Directive], joint: str, clause: Clause
    ) -> None:
        """Of "with plate 'QQ', type 'Bus'": a field called type, or something to type?"""
        is_bare = own and own[0].verb == "fill" and own[0].target is None and not own[0].fields
        if (
            is_bare
            and before
            and before[-1].fields
            and joint.strip().lower() in {",", "and", ", and"}
        ):
            raise self._whole(clause)

    def _clause(self, clause: Clause) -> list[Directive]:
        read: Callable[[Clause], list[Directive]] = getattr(self, f"_{clause.data}")
        source = self._goal[clause.meta.start_pos : clause.meta.end_pos]
        return [
            one if one.source else one.model_copy(update={"source": source}) for one in read(clause)
        ]

    # What is pointed at

    def _click(self, clause: Clause) -> list[Directive]:
        times = self._times(clause)
        things = self._things(clause)
        double = str(clause.children[0]).lower().startswith("double")
        return [Directive(verb="click", target=one, times=2 if double else times) for one in things]

    def _press(self, clause: Clause) -> list[Directive]:
        key = token(clause, "KEY")
        if key is None:
            return self._click(clause)
        return [Directive(verb="press", value=_chord(key), times=self._times(clause))]

    def _open(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="open", target=one) for one in self._things(clause, record=True)]

    def _navigate(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="navigate", value=str(clause.children[1]))]

    def _close(self, clause: Clause) -> list[Directive]:
        return self._on_each(clause, "close")

    def _check(self, clause: Clause) -> list[Directive]:
        return [_boxed(one) for one in self._on_each(clause, "check")]

    def _uncheck(self, clause: Clause) -> list[Directive]:
        return [_boxed(one) for one in self._on_each(clause, "uncheck")]

    def _clear(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="clear", target=one) for one in self._things(clause, field=True)]

    def _on_each(self, clause: Clause, verb: Verb) -> list[Directive]:
        return [Directive(verb=verb, target=one) for one in self._things(clause)]

    def _turn(self, clause: Clause) -> list[Directive]:
        verb: Verb = "check" if str(clause.children[-1]).lower() == "on" else "uncheck"
        return [Directive(verb=verb, target=target_of(self._inner(clause)))]

    def _leave(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="clear", target=field_of(self._inner(clause)))]

    def _focus(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="focus", target=self._thing(clause.children[-1]))]

    def _hover(self, clause: Clause) -> list[Directive]:
        return [Directive(verb="hover", target=self._thing(clause.children[-1]))]

    def _find(self, clause: Clause) -> list[Directive]:
        thing = trees(clause, "thing")[0]
        told = " ".join(self._words(thing.children[0]).without_article().low)
        direction = words()["directions"].get(told.removesuffix(" of the page"))
        if direction is not None and str(clause.children[0]).lower().startswith("scroll"):
            return [Directive(verb="scroll", value=direction)]
        return [Directive(verb="find", target=self._thing(thing, record=True))]

    def _drag(self, clause: Clause) -> list[Directive]:
        target = record_of(self._inner(clause))
        return [Directive(verb="drag", target=target, destination=self._thing(clause.children[-1]))]

    # What is entered

    def _enter(self, clause: Clause) -> list[Directive]:
        groups = [child for child in clause.children if isinstance(child, Tree)]
        is_typed = token(clause, "TYPE") is not None
        return [
            one
            for group in groups
            for one in self._group(group, is_typed=is_typed, alone=len(groups) == 1)
        ]

    def _group(self, group: Clause, *, is_typed: bool, alone: bool) -> list[Directive]:
        entries = [self._words(child) for child in trees(group, "entry")]
        things = trees(group, "thing")
        if things:
            return placed(entries, self._thing(things[0], field=True))
        if len(entries) == 1 and alone and (is_typed or len(entries[0]) == 1):
            told = entries[0]
            if not described(told):
                return [Directive(verb="fill", value=told.literal().text)]
        for entry in entries:
            if entry.low[0] in phrases("indefinite"):
                raise refused(entry.tokens)
        pairs = [split_pair(entry) for entry in entries]
        fields = tuple(field_value(*pair) for pair in pairs)
        if len(fields) == 1:
            name = fields[0].field
            named = None if name in phrases("values") else field_of(pairs[0][0])
            return [Directive(verb="fill", target=named, value=fields[0].value)]
        return [Directive(verb="fill", fields=fields)]

    def _set(self, clause: Clause) -> list[Directive]:
        pairs = trees(clause.children[-1], "pair")
        saves = str(clause.children[0]).lower() in phrases("saves")
        if len(pairs) == 1 and len(pairs[0].children) == 1:
            record = self._words(pairs[0].children[0])
            if not saves:
                raise refused(record.tokens)
            return [Directive(verb="edit", target=by_name(record_of(record)))]
        return edited([self._named_value(pair) for pair in pairs], saves=saves)

    def _fill(self, clause: Clause) -> list[Directive]:
        pairs = trees(clause.children[-1], "pair")
        for name in (self._words(pair.children[0]) for pair in pairs):
            if name.low[-1] in phrases("form"):
                raise refused(name.tokens)
        if len(pairs) == 1 and len(pairs[0].children) > 1:
            return edited([self._named_value(pairs[0])])
        return [Directive(verb="fill", fields=self._pairs(clause.children[-1]))]

    def _select(self, clause: Clause) -> list[Directive]:
        made: list[Directive] = []
        place: Target | None = None
        for choice in reversed(trees(clause, "choice")):
            things = trees(choice, "thing")
            place = _list(self._thing(things[0])) if things else place
            made.append(self._option(self._words(choice.children[0]), place))
            if things and token(choice, "AS") is not None:
                place = None
        choices = trees(clause, "choice")
        joints = [str(child) for child in clause.children if isinstance(child, Token)][1:]
        shared = [
            joint for joint, one in zip(joints, choices, strict=False) if not trees(one, "thing")
        ]
        options = [self._words(choice.children[0]) for choice in choices]
        if are_one_name(shared) and not all(_is_literal(one) for one in options):
            raise self._whole(clause)
        return made[::-1]

    def _option(self, option: Words, place: Target | None) -> Directive:
        if not option.quoted and is_quoted(option.tokens[-1]) and place is None:
            name = option[:-1].without_article()
            if name.low[-1] not in roles():
                return Directive(verb="select", target=target_of(name), value=option[-1:].text)
        if option.quoted:
            return Directive(verb="select", target=place, value=option.text)
        described = target_of(option) if _describes(option) else None
        if described is None:
            return Directive(
                verb="select", target=place, value=option.without_article().closed().text
            )
        if place is not None:
            described = described.model_copy(update={"within": place.phrase or "list"})
        return Directive(verb="select", target=described, value=described.phrase or None)

    def _search(self, clause: Clause) -> list[Directive]:
        query = self._words([*trees(clause, "query"), *trees(clause, "literal")][0])
        places = [self._words(one) for one in trees(clause, "scope")]
        target = target_of(places[0]) if places else None
        if "in" in query.low[:-1] and {"the", "my", "this"} & set(query.low):
            raise refused(query.tokens)
        if things := trees(clause, "thing"):
            target = self._thing(things[0])
        return [Directive(verb="search", value=query.free().text, target=target)]

    def _login(self, clause: Clause) -> list[Directive]:
        users = [self._words(one).text for one in trees(clause, "user")]
        fields = [
            FieldValue(field=name, value=value)
            for name, value in zip(("username", "password"), users, strict=False)
        ]
        pairs = [pair for group in trees(clause, "pairs") for pair in self._pairs(group)]
        called = words()["credentials"]
        pairs = [
            pair.model_copy(update={"field": called.get(pair.field.lower(), pair.field)})
            for pair in pairs
        ]
        return [Directive(verb="login", fields=(*fields, *pairs))]

    def _upload(self, clause: Clause) -> list[Directive]:
        things = trees(clause, "thing")
        target = self._thing(things[0]) if things else Target()
        file = self._inner(clause)
        if len(file) > 1 and file.low[0] in {"the", "file"}:
            file = file[2:] if file.low[:2] == ["the", "file"] and len(file) > 2 else file[1:]
        if len(file) > 1 or not (file.quoted or "." in file.text):
            raise refused(file.tokens)
        return [
            Directive(
                verb="fill",
                target=target.model_copy(update={"role": "file"}),
                value=file.closed().text,
            )
        ]

    def _forbid(self, clause: Clause) -> list[Directive]:
        if trees(clause, "things"):
            self.forbidden += self._things(clause)
            return []
        told = " ".join(str(part) for part in clause.children if isinstance(part, Token)).lower()
        said = next(
            word for word in ("save", "send", "submit") if word[:3] in told or word == "submit"
        )
        self.forbidden.append(Target(phrase=said))
        self.forbidden_verbs.append("submit")
        return []


def _describes(option: Words) -> bool:
    low = option.without_article().low
    return bool(
        low[0] in words()["ordinals"]
        or low[0] in phrases("all")
        or low[0] in phrases("everything")
        or low[-1] in roles()
        or (low[0] in roles() and len(low) > 1)
        or " ".join(low[:2]) in roles()
    )


def _is_literal(option: Words) -> bool:
    return is_quoted(option.tokens[-1]) or _describes(option)


def _list(place: Target) -> Target:
    """Of "from the fruit list": a list of that name."""
    words_ = place.phrase.rsplit(" ", 1)
    if place.role is None and not place.quoted and words_[-1].lower() == "list":
        return place.model_copy(
            update={"phrase": words_[0] if len(words_) > 1 else "", "role": "sel"}
        )
    return place


def _boxed(directive: Directive) -> Directive:
    """Of a box that is to be checked, a checkbox."""
    target = directive.target
    if target is None or target.role != "inp":
        return directive
    return directive.model_copy(update={"target": target.model_copy(update={"role": "chk"})})


def _in_place(directive: Directive, place: str) -> Directive:
    target = directive.target or Target()
    return directive.model_copy(
        update={"target": target.model_copy(update={"within": target.within or place})}
    )


def _chord(key: Token) -> str:
    said = " ".join(key.lower().split())
    said = said.removeprefix("the ").removesuffix(" key")
    keys, modifiers = words()["keys"], words()["modifiers"]
    if said in keys:
        return str(keys[said])
    parts = [part for part in _CHORD.split(said) if part]
    return "+".join(modifiers.get(part) or keys.get(part) or part.upper() for part in parts)
