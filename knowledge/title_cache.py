"""Caches the titles of each tenant's documents until one is published or deleted."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from app.domain.knowledge import DocumentTitle
from app.store.knowledge.port import Documents

MOST_KEPT = 100_000  # titles of all tenants, about 100 MB


class TitleCache:
    """Returns the same sequence until documents change, so that callers can cache by it."""

    def __init__(self, documents: Documents, most: int) -> None:
        self._documents = documents
        self._most = most
        self._kept: OrderedDict[str, tuple[int, Sequence[DocumentTitle]]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def titles_of(self, tenant: str) -> Sequence[DocumentTitle]:
        """Newest first. The version is read first, so that only one call misses a publication."""
        version = await self._documents.version(tenant)
        if (known := self._known(tenant, version)) is not None:
            return known
        lock = self._asking.setdefault(tenant, asyncio.Lock())
        try:
            async with lock:
                if (known := self._known(tenant, version)) is not None:
                    return known
                titles = tuple(await self._documents.titles(tenant, self._most))
                self._keep(tenant, version, titles)
                return titles
        finally:
            self._asking.pop(tenant, None)

    def _known(self, tenant: str, version: int) -> Sequence[DocumentTitle] | None:
        kept = self._kept.get(tenant)
        if kept is None or kept[0] != version:
            return None
        self._kept.move_to_end(tenant)
        return kept[1]

    def _keep(self, tenant: str, version: int, titles: Sequence[DocumentTitle]) -> None:
        self._kept[tenant] = version, titles
        self._kept.move_to_end(tenant)
        while len(self._kept) > 1 and self._count() > MOST_KEPT:
            self._kept.popitem(last=False)

    def _count(self) -> int:
        return sum(len(titles) + 1 for _, titles in self._kept.values())
