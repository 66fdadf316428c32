"""Filter: a criterion, and what it is set to."""

from app.domain.directive import Directive, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.verbs import Found

_EQUALS = frozenset({"=", ":", "is", "to", "equals", "as"})


def filtered(found: Found, args: Span) -> list[Directive]:
    """As in "filter the orders by status Open", "filter by Sales"; [] without a criterion."""
    by = args.first(lambda token: token.low in {"by", "on", "for"})
    if by is None or by + 1 >= len(args):
        return []
    rest = args[by + 1 :].trimmed()
    while len(rest) > 1 and rest.low(0) in lexicon.ARTICLES:
        rest = rest[1:]
    if not len(rest):
        return []
    return [_option(rest)]


def _option(rest: Span) -> Directive:
    """The list named by the criterion, and the option; a lone word is the option itself."""
    end = 1
    while end < len(rest) and rest.low(end) in lexicon.FIELD_HEADS and not rest[end].literal:
        end += 1
    value = rest[end:]
    while len(value) > 1 and value.low(0) in _EQUALS | lexicon.ARTICLES:
        value = value[1:]
    if not len(value.trimmed()):
        return Directive(verb="select", value=rest.text)
    return Directive(verb="select", target=Target(phrase=rest[:end].text), value=value.text)
