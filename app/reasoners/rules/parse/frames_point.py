"""Verbs that act on a named thing: click, open, check, star, press a key."""

from collections.abc import Callable

from app.domain.directive import Directive, Target, Verb
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.keys import chord_of
from app.reasoners.rules.parse.ordinals import ordinal_word
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import record_target, split_list, target_of
from app.reasoners.rules.parse.tokens import Token
from app.reasoners.rules.parse.verbs import Found
from app.reasoners.rules.parse.widgets import boxed, ticked

# "click Save and Close" is one label more often than two; these verbs take each item on its own.
_DISTRIBUTIVE: frozenset[Verb] = frozenset(
    {"select", "check", "uncheck", "delete", "clear", "find", "close"}
)
# "the terms and conditions checkbox" is one thing.
_SINGULAR = frozenset({"checkbox", "box", "switch", "option", "button", "field", "link", "toggle"})
_UNTOUCHED = frozenset({"empty", "blank"})
_NAMED_AS: dict[Verb, Callable[[Span], Target]] = {
    "check": ticked, "uncheck": ticked, "focus": boxed, "clear": boxed,
}  # fmt: skip
_RECORD_VERBS: frozenset[Verb] = frozenset({"open", "find"})
_MOST_COUNTED = 20  # things of "the first N"
_TIMES = {"once": 1, "twice": 2, "thrice": 3}


def point(found: Found, args: Span) -> list[Directive]:
    """One directive a thing; `times` for "twice" and double clicks."""
    args, times = take_times(args)
    verb = found.entry.verb
    if verb == "click" and found.word.startswith("double"):
        times = 2
    verb, args = _completed(verb, args)
    if verb == "open" and args.low(len(args) - 2) == "per" and args[0].kind == "number":
        amount = Target(phrase=args[1:].text)
        return [Directive(verb="select", value=args[0].text, target=amount)]
    if verb == "open" and len(args) == 1 and is_address(args[0]):
        return [Directive(verb="navigate", value=args[0].text)]
    if found.word == "leave" and args.low(len(args) - 1) in _UNTOUCHED:
        return [Directive(verb="clear", target=target_of(args[:-1]))]
    if args.low(0) == "more" and verb == "open":  # what many such links are called
        return [Directive(verb="click", target=Target(phrase=f"{found.word} {args.text}"))]
    path = path_of(args)
    if len(path) > 1 and verb in {"open", "click"}:
        return [Directive(verb=verb, target=target_of(part)) for part in path]
    found_targets = targets(verb, args)
    if verb not in {"open", "find"} and args.first(lambda token: token.low in {"named", "called"}):
        found_targets = [_labelled(target) for target in found_targets]
    if len(found_targets) == 1 and verb in _RECORD_VERBS:
        found_targets = [_as_record(found_targets[0], args)]
    if len(found_targets) == 1 and verb in {"open", "click"}:
        found_targets = [_turned(found_targets[0])]
    return [Directive(verb=verb, target=target, times=times) for target in found_targets]


def _turned(target: Target) -> Target:
    """Of "the next page of patients" the list is the one shown; nothing bears its name."""
    first, _, last = target.phrase.lower().partition(" ")
    turned = first in lexicon.TURNS and last == "page" and not target.quoted
    return target.model_copy(update={"within": None}) if turned else target


def _labelled(target: Target) -> Target:
    """What is clicked carries the name: "the file named X" is the thing labelled X."""
    if not (target.phrase and target.within):
        return target
    return target.model_copy(update={"phrase": target.within, "within": None})


def _as_record(target: Target, args: Span) -> Target:
    """As in "the patient Jas Patel": kind and name apart; other targets as they are."""
    record = record_target(args)
    apart = record.phrase and record.within and not (target.within or target.role or target.quoted)
    return record if apart else target


def turn(found: Found, args: Span) -> list[Directive]:
    """As in "next page, please": no verb but the page to go to."""
    return [Directive(verb="open", target=Target(phrase=f"{found.word} page"))]


def path_of(args: Span) -> list[Span]:
    """The parts of "Settings > Users"."""
    parts: list[Span] = []
    start = 0
    for index, token in enumerate(args):
        if token.kind == "arrow":
            parts.append(args[start:index].trimmed())
            start = index + 1
    parts.append(args[start:].trimmed())
    return parts if all(len(part) for part in parts) else [args]


def is_address(token: Token) -> bool:
    """Whether it reads as a URL or a host: "example.com/a", "localhost:8080"."""
    if token.quoted:
        return False
    if token.kind == "address":
        return "@" not in token.text
    host = token.text.split("/", 1)[0].split(":", 1)[0].lower()
    labels = host.split(".")
    named = len(labels) > 1 and all(labels) and labels[-1].isalpha() and len(labels[-1]) <= 6
    return host == "localhost" or (named and len(labels[-1]) > 1 and "@" not in token.text)


def _completed(verb: Verb, args: Span) -> tuple[Verb, Span]:
    """As in "check X off", "turn it on": a particle at the end belongs to the verb."""
    if len(args) > 1 and args.low(len(args) - 1) in {"off", "up"} and verb in {"check", "open"}:
        return verb, args[:-1]
    return verb, args


def targets(verb: Verb, args: Span) -> list[Target]:
    """The targets that `args` lists; a role or container said once holds for all of them."""
    named_as = _NAMED_AS.get(verb, target_of)
    if counted := counted_off(args):  # what is deleted first must not move the others
        return counted if verb != "delete" else counted[::-1]
    whole = named_as(args)
    if whole.all and not _both_named(args):
        return [whole]
    items = split_list(args)
    if len(items) < 2 or (len(items) == 2 and not _separate(verb, items)):
        return [whole]
    if whole.excluding:
        return [whole]
    found = [named_as(_unquantified(item)) for item in items]
    if found[0].role and items[0].first(lambda token: token.low == "for") is not None:
        role = found[0].role  # "the boxes for Ann and Bob"
        found = [found[0], *(t.model_copy(update={"role": t.role or role}) for t in found[1:])]
    return shared(found)


def counted_off(args: Span) -> list[Target]:
    """Each of "the first two emails" by its place; [] for anything else."""
    start = 1 if args.low(0) in lexicon.ARTICLES else 0
    number = lexicon.CARDINALS.get(args.low(start + 1)) or (
        int(args.low(start + 1)) if args.low(start + 1).isdecimal() else 0
    )
    way = {"first": 1, "top": 1, "last": -1}.get(args.low(start))
    if way is None or not 1 < number <= _MOST_COUNTED or start + 2 >= len(args):
        return []
    target = target_of(args[start + 2 :])
    last = target.phrase.split()[-1:]
    if last and last[0].endswith("s") and not target.quoted and len(last[0]) > 2:
        singular = target.phrase[:-3] + "y" if last[0].endswith("ies") else target.phrase[:-1]
        target = target.model_copy(update={"phrase": singular})
    return [target.model_copy(update={"ordinal": way * n}) for n in range(1, number + 1)]


def _both_named(args: Span) -> bool:
    return args.low(0) == "both" and len(split_list(args)) == 2


def _unquantified(item: Span) -> Span:
    return item[1:] if item.low(0) in {"both"} and len(item) > 1 else item


def _separate(verb: Verb, items: list[Span]) -> bool:
    own_noun = any(item.low(0) in lexicon.ARTICLES | {"both"} for item in items[1:])
    all_quoted = all(any(token.quoted for token in item) for item in items)
    first = items[0]
    counted = len(first) <= 2 and ordinal_word(first.low(len(first) - 1)) is not None
    if counted:
        return True
    if verb in _DISTRIBUTIVE and items[-1].low(len(items[-1]) - 1) in _SINGULAR:
        return own_noun or all_quoted
    return verb in _DISTRIBUTIVE or own_noun or all_quoted or items[0].low(0) == "both"


def shared(found: list[Target]) -> list[Target]:
    """Gives each target the role, container and neighbour that only the last one named."""
    last = found[-1]
    if any(target.role and target.ordinal is not None for target in found):
        found = [_counted(target) for target in found]
        last = next(target for target in found if target.role)
    return [
        target.model_copy(
            update={
                "role": target.role or last.role,
                "within": target.within or last.within,
                "near": target.near or last.near,
                "phrase": target.phrase or (last.phrase if target.ordinal is not None else ""),
            }
        )
        for target in found
    ]


def _counted(target: Target) -> Target:
    """Of "rows 2 and 3": each number is an ordinal."""
    if target.phrase.isdecimal() and len(target.phrase) < 4:
        return target.model_copy(update={"phrase": "", "ordinal": int(target.phrase)})
    return target.model_copy(update={"phrase": ""}) if target.ordinal is not None else target


def take_times(args: Span) -> tuple[Span, int]:
    """Cuts "twice", "3 times" off the end."""
    last = args.low(len(args) - 1)
    if last in _TIMES:
        return args[:-1].trimmed(), _TIMES[last]
    if last in {"times", "time"} and len(args) > 1:
        word = args.low(len(args) - 2)
        number = lexicon.CARDINALS.get(word) or (int(word) if word.isdecimal() else 0)
        if 0 < number <= 100:
            return args[:-2].trimmed(), number
    return args, 1


def toggle(found: Found, args: Span) -> list[Directive]:
    """As in "toggle X"; with "on" or "off" it is a check or uncheck."""
    last = args.low(len(args) - 1)
    if last in {"on", "off"} and len(args) > 1:
        verb: Verb = "check" if last == "on" else "uncheck"
        return [Directive(verb=verb, target=target) for target in targets(verb, args[:-1])]
    return point(found, args)


def press(found: Found, args: Span) -> list[Directive]:
    """A key when what follows is one and no control, else a click."""
    parts = [part[1:] if part.low(0) == "then" else part for part in split_list(args)]
    if len(parts) > 1 and all(chord_of(take_times(part)[0]) is not None for part in parts):
        return [one for part in parts for one in press(found, part)]
    args, times = take_times(args)
    chord = chord_of(args)
    if chord is not None:
        key, rest = chord
        target = target_of(rest) if len(rest) else None
        return [Directive(verb="press", value=key, target=target, times=times)]
    return [
        Directive(verb="click", target=target, times=times) for target in targets("click", args)
    ]


def bare(found: Found, args: Span) -> list[Directive]:
    """A verb that needs nothing: log out, go back, reload."""
    args, times = take_times(args)
    return [Directive(verb=found.entry.verb, times=times)]
