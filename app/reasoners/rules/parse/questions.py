"""Questions about the page -> a read directive."""

from app.domain.directive import Directive, Instruction, Target
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import target_of
from app.reasoners.rules.parse.wordlist import words

_ASKING = frozenset(
    words(
        "what|what's|whats|who|who's|whose|whom|which|where|where's|when|when's|"
        "why|how|how's|is|are|was|were|does|do|did|has|have|many|much|the|a|"
        "an|there|any|some|can|i|could|you|tell|me|please|and|so|it|in|'s"
    )
)
_TAIL = frozenset(words("are|is|there|do|does|have|has|we|i|in|he|she|it|on|get|got|cost|costs"))


def question(text: str, span: Span) -> Instruction:
    """A question as asked, with the thing it asks for."""
    trimmed = span.trimmed()
    read = Directive(verb="read", value=text.strip(), target=asked(trimmed), source=trimmed.text)
    return Instruction(text=text, kind="question", directives=(read,), confidence=0.9)


def asked(span: Span) -> Target | None:
    """As in "what is the phone of Jas?" asks for phone within Jas; "how many patients are there" patients."""
    start, end = 0, len(span)
    while start < end and span.low(start) in _ASKING:
        start += 1
    while end > start and (span.low(end - 1) in _TAIL or span[end - 1].text == "?"):
        end -= 1
    target = target_of(span[start:end])
    return target if target.phrase or target.role or target.within else None
