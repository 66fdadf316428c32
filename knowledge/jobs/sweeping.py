"""Looks for what dead processes left: jobs that nobody works on, documents half written."""

import asyncio
from datetime import UTC, datetime, timedelta

import structlog

from app.errors import TabwrightError
from app.store.knowledge import KnowledgeStore
from knowledge.jobs.locking import Turn
from knowledge.jobs.runner import Runner

log = structlog.get_logger(__name__)

AT_ONCE = 500  # jobs that wait, of which so many are looked at
LOCKS = 50
GRACE_S = 2.0  # a new job is left to the broker for so long


class Sweeper:
    """Every `every_s` seconds two small queries, for as long as the process lives."""

    def __init__(self, store: KnowledgeStore, runner: Runner, every_s: float) -> None:
        self._store = store
        self._runner = runner
        self._every_s = every_s

    async def forever(self) -> None:
        """Look, and look again."""
        while True:
            try:
                await self.look()
            except TabwrightError as error:
                log.warning("knowledge_not_looked_after", code=error.code)
            except Exception:
                log.exception("knowledge_not_looked_after")
            await asyncio.sleep(self._every_s)

    async def look(self) -> None:
        """Once."""
        now = datetime.now(UTC)
        before = now - timedelta(seconds=GRACE_S)
        for tenant, job_id in await self._store.jobs.waiting(now=before, limit=AT_ONCE):
            if not self._runner.has(tenant, job_id) and self._runner.has_room(tenant):
                self._runner.start(tenant, job_id)
                await asyncio.sleep(0)  # it takes its place, or waits for one
        for tenant, document_id in await self._store.locks.lapsed(now=now, limit=LOCKS):
            turn = Turn(self._store.locks, tenant, document_id)
            if await turn.take():
                await self._store.documents.sweep(tenant, document_id)
                await turn.release()
