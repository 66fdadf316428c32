"""Conditions that a page answers by itself: whether a thing is there, whether it is so already."""

from dataclasses import dataclass

from app.domain.directive import Target, Verb
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.targets import target_of
from app.reasoners.rules.parse.verbs import Found
from app.reasoners.rules.parse.wordlist import words

_LONGEST = 24  # tokens; a longer condition is prose
_THERE = Phrases(
    words(
        "there is|there are|there's|you see|you find|i see|it shows|the page shows|you get|"
        "it asks for|you are asked for|you're asked for|prompted for|prompted with"
    )
)
_APPEARS = Phrases(
    words(
        "shows|show|shows up|appears|appear|pops up|comes up|opens|opens up|is shown|is displayed|"
        "is visible|is there|is present|is open|exists|blocks the page|is in the way|pop up|"
        "are shown|are there|is on the page|is offered|is available|turns up"
    )
)
_UNSAID = frozenset({"it", "one", "that", "they", "any", "this", "there"})
# What must be done where a thing is so: these verbs leave alone what is as wanted already.
_STATES: dict[str, Verb] = {
    "unchecked": "check", "unticked": "check", "off": "check", "disabled": "check",
    "deselected": "check", "checked": "uncheck", "ticked": "uncheck", "on": "uncheck",
    "enabled": "uncheck", "closed": "open", "collapsed": "open", "hidden": "open",
}  # fmt: skip
_OPPOSITE: dict[str, str] = {"checked": "unchecked", "ticked": "unticked", "on": "off",
                             "enabled": "disabled", "selected": "deselected", "open": "closed",
                             "expanded": "collapsed"}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """`topic` is what it speaks of; `demands` the verb that makes a state of it hold, if it is one."""

    topic: Target
    text: str
    demands: Verb | None = None


def condition_of(span: Span) -> Condition | None:
    """The condition of "if a banner shows", "if X is unchecked"; None for what a page cannot tell."""
    if not 2 <= len(span) <= _LONGEST or span.low(0) != "if":
        return None
    body = span[1:].trimmed()
    return _state(body) or _presence(body)


def _presence(body: Span) -> Condition | None:
    """A thing that may be on the page, or not."""
    if length := _THERE.at(body, 0):
        return _about(body[length:])
    if length := _APPEARS.ends(body):
        return _about(body[:-length])
    return None


def _state(body: Span) -> Condition | None:
    cut = body.first(lambda token: token.low in {"is", "isn't", "are", "aren't"}, 1)
    if cut is None or cut + 1 >= len(body):
        return None
    negated = body.low(cut).endswith("n't")
    rest = [token.low for token in body[cut + 1 :] if token.low not in {"already", "still", "yet"}]
    if rest[:1] == ["not"]:
        negated, rest = True, rest[1:]
    word = rest[0] if len(rest) == 1 else ""
    demands = _STATES.get(_OPPOSITE.get(word, "") if negated else word)
    if demands is None:
        return None
    return Condition(topic=target_of(body[:cut]), text="", demands=demands)


def _about(span: Span) -> Condition | None:
    """Of a thing by name or kind; "it" stands for what is acted on."""
    span = span.trimmed()
    if not len(span) or (len(span) == 1 and span.low(0) in _UNSAID):
        return Condition(topic=Target(), text="")
    target = target_of(span)
    start = 0
    while start < len(span) - 1 and span.low(start) in lexicon.ARTICLES:
        start += 1
    text = span[start:].text
    return Condition(topic=target if target.phrase else Target(phrase=text), text=text)


def fits(condition: Condition | None, found: Found) -> bool:
    """Whether the condition is understood, and the verb leaves alone what does not meet it."""
    if condition is None:
        return False
    switches = found.word in {"turn", "switch", "flip", "set"}
    return condition.demands in {None, found.entry.verb} or (
        switches and condition.demands in {"check", "uncheck"}
    )


def trailing(args: Span) -> tuple[Span, Span]:
    """(what to do, the condition) of "the banner if it appears"; the second may be empty."""
    cut = args.first(lambda token: token.low == "if", 1)
    return (args, args[:0]) if cut is None else (args[:cut].trimmed(), args[cut:])
