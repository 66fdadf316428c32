"""Drag: onto a thing, to a place in a list, before or after another, some steps in a direction."""

from app.domain.directive import Directive, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.targets import target_of
from app.reasoners.rules.parse.verbs import Found

_WAYS = {"up": "up", "upward": "up", "upwards": "up", "down": "down", "downward": "down",
         "downwards": "down", "left": "left", "right": "right"}  # fmt: skip
_UNITS = frozenset({"position", "positions", "place", "places", "spot", "spots", "slot", "slots", "row",
                    "rows", "step", "steps", "line", "lines", "level", "levels", "column",
                    "columns", "time", "times"})  # fmt: skip
_ENDS = {"start": "start", "beginning": "start", "front": "start", "end": "end", "back": "end"}
_OF_PLACES = lexicon.ARTICLES | {"very", "corner", "of", "list", "grid", "position", "side"}
_BEFORE = Phrases(["above", "before", "ahead of", "in front of", "to the left of", "left of",
                   "to just above", "just above", "just before", "to above", "to before"])  # fmt: skip
_AFTER = Phrases(["below", "after", "behind", "beneath", "to the right of", "right of", "just below",
                  "just after", "to just below", "to below", "to after"])  # fmt: skip
_ONTO = frozenset({"to", "into", "onto", "on", "over", "in", "inside"})
_SO_THAT = Phrases(
    ["so that it is", "so it is", "so that it's", "so it's", "until it is", "until it's"]
)
_MOST_STEPS = 50
_FULLY = frozenset({"completely", "fully", "entirely", "placed", "located", "positioned"})


def drag(found: Found, args: Span) -> list[Directive]:
    """As in "drag X to Y", "drag X above Y", "drag X up by two", "drag X to the top"."""
    made = beside(args) or stepped(args)
    if made is not None:
        return [made]
    args = _without_so_that(args)
    cut = args.first(lambda token: token.low in _ONTO, 1)
    if cut is None or cut + 1 >= len(args):
        return []
    what, where = target_of(args[:cut]), args[cut + 1 :]
    return [Directive(verb="drag", target=what, destination=_place(where) or target_of(where))]


def beside(args: Span) -> Directive | None:
    """As in "X above Y", "X to the left of Y": where in the order of a list it goes."""
    for value, joints in (("before", _BEFORE), ("after", _AFTER)):
        found = joints.find(args, 1)
        if found is None or found[0] + found[1] >= len(args):
            continue
        index, length = found
        return Directive(
            verb="drag",
            target=target_of(args[:index]),
            value=value,
            destination=target_of(args[index + length :]),
        )
    return None


def stepped(args: Span) -> Directive | None:
    """As in "X up", "X down by two positions", "X two places to the left"."""
    end, times = len(args), 0
    while end > 1:
        word = args.low(end - 1)
        number = lexicon.CARDINALS.get(word) or (int(word) if word.isdecimal() else 0)
        if not (number or word in _UNITS or word in {"by", "to", "the", "a"} or word in _WAYS):
            break
        times = times or number
        end -= 1
    tail = args[end:]
    way = next((_WAYS[token.low] for token in tail if token.low in _WAYS), None)
    corner = args.low(end - 1) in lexicon.POSITIONS  # "to the top left" is a place
    if way is None or corner or times > _MOST_STEPS:
        return None
    return Directive(verb="drag", target=target_of(args[:end]), value=way, times=times or 1)


def _place(where: Span) -> Target | None:
    """As in "the top", "the bottom right", "the end of the list"; None for anything that has a name."""
    words = [token.low for token in where if token.low not in _OF_PLACES]
    known = [_ENDS.get(word) or lexicon.POSITIONS.get(word) for word in words]
    if not words or not all(known) or any(token.quoted for token in where):
        return None
    return Target(position=" ".join(word for word in known if word))


def _without_so_that(args: Span) -> Span:
    """Of "X so that it is completely inside Y" "X inside Y"."""
    found = _SO_THAT.find(args, 1)
    if found is None:
        return args
    rest = args[found[0] + found[1] :]
    while len(rest) > 1 and rest.low(0) in _FULLY:
        rest = rest[1:]
    return Span(args.source, (*args[: found[0]].tokens, *rest.tokens))
