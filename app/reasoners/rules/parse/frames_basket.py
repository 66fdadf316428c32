"""Putting things into a basket or onto a list of the person's own: their names, whole, and how many."""

from app.domain.directive import Directive, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.ordinals import ordinal_word
from app.reasoners.rules.parse.spans import Phrases, Span
from app.reasoners.rules.parse.targets import split_list, target_of
from app.reasoners.rules.parse.wordlist import words

# What a thing is added to with a control of its own, rather than by filling a form.
_BASKETS = Phrases(
    words(
        "cart|basket|bag|trolley|shopping cart|shopping basket|shopping bag|wishlist|wish list|"
        "favorites|favourites|watchlist|watch list|reading list|playlist|queue|saved items|library"
    )
)
_JOINTS = frozenset({"to", "in", "into"})
_MEASURES = frozenset(
    words("bottle|bottles|pack|packs|piece|pieces|box|boxes|unit|units|copy|copies|pair|pairs|x")
)
_FRONT = lexicon.ARTICLES | {"new", "item", "items", "product", "products"}
_MOST = 99  # of one thing; beyond it the number is part of its name


def into_basket(args: Span) -> list[Directive]:
    """One a thing of "the lamp and 2 mugs to my cart"; "to cart" alone is a label; [] for others."""
    cut = _cut(args)
    if cut is None:
        return []
    place = _without_articles(args[cut + 1 :])
    if cut == 0:
        return [Directive(verb="click", target=Target(phrase=f"Add to {place.text}"))]
    where = Target(phrase=place.text)
    return [_added(item, where) for item in split_list(args[:cut].trimmed())]


def _cut(args: Span) -> int | None:
    for index in range(len(args) - 2, max(-1, len(args) - 6), -1):
        tail = _without_articles(args[index + 1 :])
        if args.low(index) in _JOINTS and len(tail) and _BASKETS.at(tail, 0) == len(tail):
            return index
    return None


def _without_articles(span: Span) -> Span:
    start = 0
    while start < len(span) - 1 and span.low(start) in lexicon.ARTICLES:
        start += 1
    return span[start:]


def _added(item: Span, where: Target) -> Directive:
    item = item.trimmed()
    times = _number(item.low(0)) if len(item) > 1 else 1
    counted = times > 1 or item.low(0) in {"1", "one"}
    if counted and len(item) > 1:
        item = item[1:]
        if item.low(0) in _MEASURES and len(item) > 1:
            item = item[2:] if item.low(1) == "of" and len(item) > 2 else item[1:]
    start = 0
    while start < len(item) - 1 and item.low(start) in _FRONT:
        start += 1
    name = item[start:]
    counted = len(name) > 1 and ordinal_word(name.low(0)) is not None
    target = target_of(name) if counted else Target(phrase=name.text, quoted=name.quoted)
    return Directive(verb="create", target=target, destination=where, times=times)


def _number(word: str) -> int:
    number = lexicon.CARDINALS.get(word) or (int(word) if word.isdecimal() and len(word) < 3 else 1)
    return max(1, min(number, _MOST))
