"""Values put together from several that were given: a full name, a day and a time, an address."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.engines.provenance.matching import Wanted, places
from app.engines.provenance.sources import Source
from app.engines.provenance.tokens import NONE, Scan, Token
from app.engines.provenance.vocabulary import COMMON, GLUE

MOST_PARTS = 8
_LONGEST = 80  # tokens of a value that is looked for in parts; a longer one is a text of its own
_WHOLE_THINGS = frozenset({"date", "time", "phone", "number", "email", "url"})


@dataclass(frozen=True, slots=True)
class Part:
    """A run of a source's tokens: `first` to `last` of the scan at `place` among the sources."""

    place: int
    first: int
    last: int


def composed(
    wanted: Wanted,
    scans: Sequence[tuple[Source, Scan]],
    labels: Callable[[], frozenset[str]],
) -> tuple[Source, str] | None:
    """The first part's source and all parts' excerpts, where the value is made of given parts.

    Each is a thing by itself in its source. "John Smith and Peter Brown" gives no "John Brown":
    a name is not cut in two.
    """
    if not 1 < len(wanted.scan.tokens) <= _LONGEST:
        return None
    tokens = wanted.scan.tokens
    for at, token in enumerate(tokens):  # most values fail here, before the page is looked over
        somewhere = (places((token,), scan, NONE) for _, scan in scans)
        if wanted.scan.word(at) not in GLUE and not any(any(True for _ in p) for p in somewhere):
            return None
    parts = _parts(tokens, 0, (), wanted, scans, labels())
    if parts is None or not parts:
        return None
    excerpts = []
    for part in parts:
        scan = scans[part.place][1]
        excerpts.append(scan.excerpt(part.first, part.last))
    return scans[parts[0].place][0], " … ".join(excerpts)


def _parts(
    tokens: Sequence[Token],
    at: int,
    before: tuple[Part, ...],
    wanted: Wanted,
    scans: Sequence[tuple[Source, Scan]],
    labels: frozenset[str],
) -> tuple[Part, ...] | None:
    """The parts that make up the tokens from `at` on, the longest first; small words join them."""
    if at == len(tokens):
        return before if any(_says(part, scans) for part in before) else None
    if len(before) == MOST_PARTS:
        return None
    for end in range(len(tokens), at, -1):
        for place, (_, scan) in enumerate(scans):
            for first, last in places(tokens[at:end], scan, NONE):
                part = Part(place, first, last)
                if before and not _joins(before[-1], part, scans, labels):
                    continue
                rest = _parts(tokens, end, (*before, part), wanted, scans, labels)
                if rest is not None:
                    return rest
    if wanted.scan.word(at) in GLUE:
        return _parts(tokens, at + 1, before, wanted, scans, labels)
    return None


def _says(part: Part, scans: Sequence[tuple[Source, Scan]]) -> bool:
    scan = scans[part.place][1]
    return any(scan.word(at) not in COMMON for at in range(part.first, part.last + 1))


def _joins(
    one: Part, other: Part, scans: Sequence[tuple[Source, Scan]], labels: frozenset[str]
) -> bool:
    """Whether both end where they meet: nothing that belongs to them was cut off."""
    if one.place == other.place and one.first == other.last + 1:
        return True  # "Patel, Jas" of "Jas Patel"
    return _ends(one, scans[one.place][1], labels) and _begins(other, scans[other.place][1], labels)


def _ends(part: Part, scan: Scan, labels: frozenset[str]) -> bool:
    after = part.last + 1
    if after == len(scan.tokens) or scan.tokens[after].parted:
        return True
    return scan.tokens[part.last].kind in _WHOLE_THINGS or _is_border(scan, after, labels)


def _begins(part: Part, scan: Scan, labels: frozenset[str]) -> bool:
    if part.first == 0 or scan.tokens[part.first].parted:
        return True
    return scan.tokens[part.first].kind in _WHOLE_THINGS or _is_border(scan, part.first - 1, labels)


def _is_border(scan: Scan, at: int, labels: frozenset[str]) -> bool:
    word = scan.word(at)
    return word in COMMON or word in labels or scan.tokens[at].kind in _WHOLE_THINGS
