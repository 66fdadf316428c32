"""Copy and paste: what the page shows goes into a field, in one clause or in two."""

from app.domain.directive import Directive
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.context import Draft
from app.reasoners.rules.parse.frames_fill import cut_place
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.targets import target_of
from app.reasoners.rules.parse.verbs import Found

_COPYING = frozenset({"copy", "cut"})
_INTO = frozenset({"into", "to", "onto", "in"})
_CONTENTS = lexicon.VALUE_NOUNS | {"content", "contents", "data"}


def copy(found: Found, args: Span) -> list[Directive]:
    """As in "copy X into Y"; [] for a copying that does not say where to."""
    if found.word not in _COPYING:
        return []
    cut = args.first(lambda token: token.low in {"into", "to", "onto"}, 1)
    if cut is None or cut + 1 >= len(args):
        return []
    return [_copied(args[:cut], args[cut + 1 :])]


def remember(found: Found, args: Span, draft: Draft) -> None:
    """Keeps what is to be copied until it is said where it is pasted."""
    if found.word in _COPYING:
        draft.copied, draft.sure_before = args, draft.confidence


def pasted(found: Found, args: Span, draft: Draft) -> bool:
    """As in "paste it into Y" after "copy X": the two clauses are one thing to do."""
    before, where = draft.copied, _where(args)
    says = found.word.startswith("paste") or args.low(0) in lexicon.PRONOUNS
    if before is None or found.entry.frame != "fill" or not says or not len(where):
        return False
    draft.directives[-1] = _copied(before, where).model_copy(
        update={"source": draft.directives[-1].source}
    )
    draft.copied, draft.confidence = None, draft.sure_before
    return True


def _where(args: Span) -> Span:
    return args[1:] if args.low(0) in _INTO else cut_place(args)[1]


def _copied(what: Span, where: Span) -> Directive:
    return Directive(verb="do", target=target_of(_held_in(what)), destination=target_of(where))


def _held_in(what: Span) -> Span:
    """Of "the text in the notes" what holds it: "the notes"."""
    start = 1 if what.low(0) in lexicon.ARTICLES else 0
    joined = what.low(start + 1) in {"in", "from", "of", "inside", "within"}
    return what[start + 2 :] if what.low(start) in _CONTENTS and joined else what
