"""Clauses that say where or how to look, made part of what is to be done there."""

from collections.abc import Sequence

from app.domain.directive import Directive, FieldValue, Target
from app.text import patterns

CONTAINERS = patterns.compile(
    r"(\w+ )?(tabs|sections|panels|(sub)?menus|folders|pages|trees?|results|accordions?)",
    patterns.IGNORECASE,
)
CONTAINER_WORDS = patterns.compile(
    r"\b(list|table|page|book|inbox|menu|section|tab|folder|grid)\b", patterns.IGNORECASE
)
LOOKING = frozenset({"open", "find", "click"})
LOOKED_FOR = frozenset({"click", "open", "find", "select", "check"})
OF_A_RECORD = frozenset({"click", "delete", "edit", "check", "uncheck"})
PATH = patterns.compile(r"\s*(?:>+|→|»)\s*")


def without_guides(directives: Sequence[Directive]) -> list[Directive]:
    """Leaves out what only says how to look: "switch between the tabs to" click X.

    Such a clause names a kind of container, more than one, and is followed by the thing to find in
    one of them; looking for that thing opens them as needed.
    """
    pairs = zip(directives, [*directives, None][1:], strict=True)
    return [one for one, following in pairs if following is None or not _guides(one, following)]


def _guides(directive: Directive, following: Directive) -> bool:
    target = directive.target
    if target is None or target.quoted or directive.verb not in LOOKING:
        return False
    if following.verb not in LOOKED_FOR:
        return False
    kind = target.role in {"tab", "tree"} and not target.phrase and target.ordinal is None
    return kind or CONTAINERS.fullmatch(target.phrase) is not None


def scoped(directives: Sequence[Directive]) -> list[Directive]:
    """Of "find R and press X", X becomes that of R; finding R is part of finding X."""
    made: list[Directive] = []
    scope: tuple[str, str] | None = None
    for directive, following in zip(directives, [*directives, None][1:], strict=True):
        record = _record(directive)
        if record is not None and following is not None and _takes_scope(following):
            scope = record
        elif scope is not None and _takes_scope(directive):
            made.append(_within(directive, *scope))
        else:
            scope = None
            made.append(directive)
    return made


def _record(directive: Directive) -> tuple[str, str] | None:
    """The kind and the name of the record to find: ("email", "Ann")."""
    target = directive.target
    if directive.verb != "find" or target is None or target.ordinal is not None or target.all:
        return None
    if target.within and not CONTAINER_WORDS.search(target.within):
        return target.phrase, target.within
    return ("", target.phrase) if target.phrase else None


def _takes_scope(directive: Directive) -> bool:
    target: Target | None = directive.target
    if directive.verb not in OF_A_RECORD or target is None:
        return False
    return bool(target.phrase) and target.ordinal is None and not target.all


def _within(directive: Directive, kind: str, name: str) -> Directive:
    target = directive.target
    if target is None or target.within not in {None, kind}:
        return directive
    return directive.model_copy(update={"target": target.model_copy(update={"within": name})})


def joined_ways(directives: Sequence[Directive]) -> list[Directive]:
    """Ways through nested menus, "File > Export > PDF", each as one directive with its parts."""
    made: list[Directive] = []
    for directive in directives:
        names = tuple(name.strip() for name in PATH.split(_said(directive)))
        if len(names) > 1 and all(names):
            way = tuple(FieldValue(value=name) for name in names)
            made.append(Directive(verb="open", fields=way, source=directive.source))
        elif made and (longer := _lengthened(made[-1], directive)) is not None:
            made[-1] = longer
        else:
            made.append(directive)
    return made


def _said(directive: Directive) -> str:
    """What the directive names, when it may be a way: a choice, or a label that is not quoted."""
    target = directive.target
    if directive.verb == "select" and directive.value is not None and target is None:
        return directive.value
    plain = directive.verb in {"click", "open"} and target is not None and not target.quoted
    return target.phrase if target is not None and plain else ""


def _lengthened(way: Directive, directive: Directive) -> Directive | None:
    """A way taken on by its next part: both were read from one clause that writes a way."""
    if way.source != directive.source or len(PATH.split(way.source)) < 2 or not _said(directive):
        return None
    parts = way.fields if way.verb == "open" and way.fields else (FieldValue(value=_said(way)),)
    if not parts[0].value:
        return None
    following = FieldValue(value=_said(directive))
    return Directive(verb="open", fields=(*parts, following), source=way.source)
