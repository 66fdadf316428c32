"""Pages of the newest rows, restricted to a time window so that few rows match.

The embedded server reads and sorts every row that matches a filter, whatever the limit. The stored hint of
where the newest rows were, and how close together, only determines the first window to search; windows grow
until enough rows are found.
"""

from collections.abc import AsyncIterator, Hashable
from dataclasses import dataclass

from app.store.mongo.rows import Collection, Row

NEWEST = [("at", -1), ("recordId", -1)]
ALL_MS = 2**48  # later than any timestamp
WIDER = 4
MOST_HINTS = 1_000


@dataclass(frozen=True, slots=True)
class Hint:
    """The time of the newest row, and the average distance between rows, at least 1; both in
    milliseconds.
    """

    newest: int
    apart: int


class HintedQuery:
    """Pages of a collection's rows by `at` and `recordId`, descending."""

    def __init__(self, rows: Collection) -> None:
        self._rows = rows
        self._hints: dict[Hashable, Hint] = {}

    async def newest(self, wanted: Row, limit: int) -> list[Row]:
        """The first page. Without a hint, all rows are read."""
        key = tuple(wanted.values())
        hint = self._hints.get(key)
        if hint is None:
            found = await self._find(wanted, limit)
        else:
            found = await self._find(wanted | {"at": {"$gt": hint.newest}}, limit)
            async for row in self._below(wanted, hint.newest + 1, hint.apart, limit - len(found)):
                found.append(row)
        self._note(key, found, limit)
        return found

    async def after(self, wanted: Row, last: tuple[int, str], limit: int) -> list[Row]:
        """Rows of the same moment first, then earlier ones."""
        at, record_id = last
        same = wanted | {"at": at, "recordId": {"$lt": record_id}}
        found = await self._find(same, limit)
        hint = self._hints.get(tuple(wanted.values()))
        apart = hint.apart if hint else ALL_MS
        async for row in self._below(wanted, at, apart, limit - len(found)):
            found.append(row)
        return found

    async def _below(self, wanted: Row, end: int, apart: int, limit: int) -> AsyncIterator[Row]:
        """Rows before `end`, descending, in windows of growing width.

        Bounds are exclusive: with `$gte` next to `$lt` on a descending index, the embedded server omits the
        bound itself.
        """
        width = apart * limit
        while limit > 0 and end > 0:
            begin = max(0, end - width)
            for row in await self._find(wanted | {"at": {"$gt": begin - 1, "$lt": end}}, limit):
                limit -= 1
                yield row
            end, width = begin, width * WIDER

    async def _find(self, wanted: Row, limit: int) -> list[Row]:
        if limit < 1:
            return []
        return [row async for row in self._rows.find(wanted, sort=NEWEST, limit=limit)]

    def _note(self, key: Hashable, found: list[Row], limit: int) -> None:
        if len(self._hints) >= MOST_HINTS:
            self._hints.clear()
        if found:
            newest, oldest = int(found[0]["at"]), int(found[-1]["at"])
            few = len(found) < limit  # there are no more than these
            self._hints[key] = Hint(newest, ALL_MS if few else 1 + (newest - oldest) // len(found))
        else:
            self._hints[key] = Hint(0, ALL_MS)
