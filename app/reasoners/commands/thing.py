"""The parts of a clause: its words, and the things that they name."""

from collections.abc import Sequence

from lark import Token, Tree

from app.domain.directive import FieldValue, Target
from app.reasoners.commands.field import field_value
from app.reasoners.commands.target import (
    NotRead,
    Words,
    field_of,
    record_of,
    refused,
    split_pair,
    target_of,
)
from app.reasoners.commands.vocabulary import words
from app.text import patterns

_TIMES = patterns.compile(r"\s*times", patterns.IGNORECASE)

Clause = Tree[Token]
Branch = Token | Clause


class Things:
    """Reads words and things out of the tree of one sentence."""

    def __init__(self, goal: str) -> None:
        self._goal = goal

    def _things(self, clause: Clause, *, record: bool = False, field: bool = False) -> list[Target]:
        """The things listed. Raises `NotRead` for a bare "A and B", which may as well be one name."""
        listed = trees(clause, "things")[0]
        things = trees(listed, "thing")
        joints = [str(child) for child in listed.children if isinstance(child, Token)]
        made = [self._thing(one, record=record, field=field) for one in things]
        if are_one_name(joints) and not all(_tells_apart(one) for one in made):
            raise self._whole(listed)
        return _shared(made)

    def _thing(self, thing: Branch, *, record: bool = False, field: bool = False) -> Target:
        name = self._words(branches(thing)[0])
        target = record_of(name) if record else field_of(name) if field else target_of(name)
        for qualifier in branches(thing)[1:]:
            if isinstance(qualifier, Token):
                continue
            told = self._words(qualifier.children[1])
            if target.excluding:
                raise self._whole(qualifier)
            if qualifier.data == "near":
                target = target.model_copy(update={"near": self._container(told)})
            elif qualifier.data == "except":
                others = [
                    self._words(one).without_article().closed().text
                    for one in trees(qualifier, "name")
                ]
                target = target.model_copy(update={"excluding": tuple(others)})
            elif qualifier.data == "named" or _is_box_for(qualifier, target):
                target = _named(target, told)
            elif target.within is not None:
                if not record:
                    raise self._whole(qualifier)
                target = Target(phrase=target.within, within=self._container(told))
            else:
                target = target.model_copy(update={"within": self._container(told)})
        if target.excluding and not target.all:
            raise refused(name.tokens)
        return target

    def _named_value(self, pair: Clause) -> tuple[Words, Words]:
        name = self._words(pair.children[0])
        if len(pair.children) == 1:
            raise refused(name.tokens)
        return name, self._words(pair.children[-1])

    def _pairs(self, pairs: Branch) -> tuple[FieldValue, ...]:
        made = []
        for pair in trees(pairs, "pair"):
            name = self._words(pair.children[0])
            joined = len(pair.children) > 1
            both = (name, self._words(pair.children[-1])) if joined else split_pair(name)
            made.append(field_value(*both))
        return tuple(made)

    def _container(self, told: Words) -> str:
        """The name of a container or record, or its kind: "dialog", "Jas", "row 3"."""
        target = record_of(told)
        if target.all:
            raise refused(told.tokens)
        if target.within is not None:
            is_number = not any(char.isalpha() for char in target.within)
            return f"{target.phrase} {target.within}".strip() if is_number else target.within
        if target.phrase:
            is_numbered = target.ordinal is not None and str(target.ordinal) not in target.phrase
            return f"{target.phrase} {target.ordinal}" if is_numbered else target.phrase
        noun = told.without_article().low[-1]
        return noun if target.ordinal is None else f"{noun} {target.ordinal}"

    def _times(self, clause: Clause) -> int:
        times = token(clause, "TIMES")
        if times is None:
            return 1
        said = _TIMES.split(times.lower())[0].strip()
        numbers = {**words()["numbers"], **words()["times"]}
        return int(numbers.get(said) or said)

    def _inner(self, clause: Clause) -> Words:
        """The words of a clause that has but one kind of place for them."""
        joints = {*words()["verbs"], *words()["joints"]}
        found = [t for t in clause.children if isinstance(t, Token) and t.type not in joints]
        return Words(tuple(found), self._goal)

    def _words(self, tree: Branch) -> Words:
        return Words(
            tuple(child for child in branches(tree) if isinstance(child, Token)), self._goal
        )

    def _whole(self, tree: Clause) -> NotRead:
        return NotRead(tree.meta.start_pos, tree.meta.end_pos)


def branches(tree: Branch) -> list[Branch]:
    """What a branch holds; nothing for a word."""
    return [] if isinstance(tree, Token) else tree.children


def trees(tree: Branch, name: str) -> list[Clause]:
    """The branches of that name."""
    return [child for child in branches(tree) if isinstance(child, Tree) and child.data == name]


def token(tree: Clause, kind: str) -> Token | None:
    """The first word of that kind."""
    return next((t for t in tree.children if isinstance(t, Token) and t.type == kind), None)


def _named(target: Target, told: Words) -> Target:
    """Of "the button labeled 'Next'" the label; of "the patient named Jas" the record's name."""
    if target.phrase and target.role is None:
        return target.model_copy(update={"within": told.closed().text})
    return target.model_copy(update={"phrase": told.closed().text, "quoted": told.quoted})


def are_one_name(joints: Sequence[str]) -> bool:
    """Whether what is joined may be one name: "Terms and Conditions", unlike "A, B and C"."""
    return bool(joints) and not all("," in joint for joint in joints[: max(1, len(joints) - 1)])


def _tells_apart(target: Target) -> bool:
    return target.quoted or target.ordinal is not None or bool(target.role and not target.phrase)


def _is_box_for(qualifier: Clause, target: Target) -> bool:
    """Of "the checkbox for News": the box is known by that name."""
    joint = str(qualifier.children[0]).lower()
    unnamed = not target.phrase and target.ordinal is None and not target.all
    return joint == "for" and target.role in {"chk", "rad"} and unnamed


def _shared(targets: list[Target]) -> list[Target]:
    """Of "the 2nd and 4th checkboxes": what is said of the last holds for those without a name."""
    last = targets[-1]
    bare = Target(phrase="", ordinal=0)
    return [
        last.model_copy(update={"ordinal": one.ordinal})
        if one.ordinal is not None and one == bare.model_copy(update={"ordinal": one.ordinal})
        else one
        for one in targets
    ]
