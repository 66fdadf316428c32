"""What words such as "it" and "those two" may stand for: what the conversation was about."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.chat.documents.listing import Listing
from app.chat.documents.words import stem
from app.domain.chat import DocumentRef

Refs = tuple[DocumentRef, ...]
MOST_AT_ONCE = 60  # documents of "all documents": what an action refuses of them it says itself


@dataclass(slots=True)
class Meant:
    """What is made out so far. `implicit`: some without being named; `open`: something was referred to, and
    nothing is there that it could be.
    """

    resolved: dict[str, DocumentRef] = field(default_factory=dict)
    candidates: dict[str, DocumentRef] = field(default_factory=dict)
    unresolved: list[str] = field(default_factory=list)
    implicit: bool = False
    inferred: bool = False
    fuzzy: bool = False
    open: bool = False

    def add(self, found: Sequence[DocumentRef]) -> None:
        """These are meant."""
        self.inferred = self.inferred or bool(found)
        self.resolved.update({one.id: one for one in found})

    def perhaps(self, found: Sequence[DocumentRef]) -> None:
        """One of these is meant, unless one of them is already."""
        if len(found) == 1:
            self.add(found)
        elif not any(one.id in self.resolved for one in found):
            self.candidates.update({one.id: one for one in found})

    def miss(self, name: str) -> None:
        """A name that no document has."""
        if name.strip() and name not in self.unresolved:
            self.unresolved.append(name.strip())


@dataclass(frozen=True, slots=True)
class Context:
    """The documents of the last turn, and of the conversation, the latest last."""

    last: Refs
    before: Refs
    every: Refs
    newest_of_all: Refs = ()

    def newest(self, meant: Meant) -> bool:
        """What the team brought in last."""
        meant.implicit = True
        meant.add(self.newest_of_all)
        return bool(self.newest_of_all)

    def one(self, meant: Meant, noun: str = "") -> bool:
        """One that was spoken of; of several those that are such a thing. Whether there was any."""
        pool = self.last or self.before[-1:] or self._only(1)
        meant.implicit = True
        if not pool:
            return False
        meant.perhaps(_such(pool, noun))
        return True

    def several(self, meant: Meant, noun: str = "", count: int = 0) -> bool:
        """Those that were spoken of, or the latest so many. Whether there were any."""
        pool = _such(self.last if len(self.last) > 1 else self.before, noun)
        pool = pool[-count:] if count else pool
        if len(self.last) <= 1 and not count:
            pool = pool[-2:]
        pool = pool or self._only(count or 2)
        meant.implicit = True
        meant.add(pool)
        return bool(pool)

    def nth(self, meant: Meant, number: int) -> bool:
        """The first, second and so on (from 0; -1 the last) of what was spoken of."""
        pool = self.last if len(self.last) > 1 else self.before
        if len(pool) < 2 or number >= len(pool):
            return False
        meant.implicit = True
        meant.add([pool[number]])
        return True

    def other(self, meant: Meant, noun: str = "") -> bool:
        """What was spoken of and is not what was spoken of just now, or named beside it."""
        away = set(meant.resolved) or (
            {one.id for one in self.last} if len(self.last) == 1 else set()
        )
        for pool in (self.last, self.before, self._only(2)):
            left = _such([one for one in pool if one.id not in away], noun)
            if left:
                meant.implicit = True
                meant.perhaps(left)
                return True
        return False

    def earlier(self, meant: Meant) -> bool:
        """What was spoken of before the last turn; else what that was about."""
        away = {one.id for one in self.last}
        left = [one for one in self.before if one.id not in away]
        meant.implicit = True
        meant.add(left[-1:] or self.last[-1:])
        return bool(left or self.last)

    def _only(self, count: int) -> Refs:
        """The tenant's documents where there are just so many."""
        return self.every if len(self.every) == count else ()


def context_of(listing: Listing) -> Context:
    """What was spoken of and is still there."""
    every = listing.refs(range(len(listing.titles))) if len(listing.titles) <= MOST_AT_ONCE else ()
    newest = listing.refs(range(min(1, len(listing.titles))))
    return Context(listing.lately(), listing.before(), every, newest)


def _such(pool: Sequence[DocumentRef], noun: str) -> Refs:
    """Those of a pool that are such a thing by their titles; all where none says it is."""
    wanted = stem(noun) if noun else ""
    such = tuple(one for one in pool if wanted and wanted in one.title.casefold())
    return such or tuple(pool)
