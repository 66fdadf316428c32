"""Instructions in English -> directives, by rules alone: deterministic, total, in linear time."""

from app.domain.directive import Directive, Instruction
from app.reasoners.rules.parse.clauses import split
from app.reasoners.rules.parse.interpret import OPAQUE, interpret
from app.reasoners.rules.parse.questions import question
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.talk import asks, foreign, small_talk
from app.reasoners.rules.parse.tokens import tokenize


def parse(text: str) -> Instruction:
    """What `text` asks for. Never raises; what is not understood is a `do` of low confidence.

    Lone surrogates, which no value may hold, become "?".
    """
    clean = text.encode("utf-8", "replace").decode("utf-8")
    span = Span(clean, tuple(tokenize(clean)))
    if not any(token.kind != "break" for token in span) or small_talk(span):
        return Instruction(text=clean, kind="conversation", confidence=1.0 if len(span) else 0.0)
    if foreign(span):
        whole = Directive(verb="do", value=clean.strip(), source=clean.strip())
        return Instruction(text=clean, directives=(whole,), confidence=OPAQUE / 2)
    if asks(span):
        return question(clean, span)
    return _operation(clean, span)


def _operation(text: str, span: Span) -> Instruction:
    draft = interpret(split(span))
    only_reads = bool(draft.directives) and all(d.verb == "read" for d in draft.directives)
    understood = draft.directives or draft.forbidden or draft.forbidden_verbs
    confidence = draft.confidence if understood else OPAQUE
    return Instruction(
        text=text,
        kind="question" if only_reads else "operation",
        directives=tuple(draft.directives),
        forbidden=tuple(draft.forbidden),
        forbidden_verbs=tuple(draft.forbidden_verbs),
        confidence=confidence,
    )


__all__ = ["parse"]
