"""crawlee's crawler as a guest in a server: no signal handlers, no files, no globals, no log lines."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.configuration import Configuration
from crawlee.crawlers import BasicCrawler, BasicCrawlingContext
from crawlee.events import EventManager
from crawlee.http_clients import HttpClient
from crawlee.request_loaders import RequestManager
from crawlee.statistics import Statistics, StatisticsState
from crawlee.storage_clients import MemoryStorageClient

_UNBOUNDED = timedelta(days=1)  # fetches and extractors have limits of their own
_LOG = logging.getLogger("crawlee")
_LOG.setLevel(logging.CRITICAL)  # its lines hold addresses; ours say what is to be said

Handler = Callable[[BasicCrawlingContext], Awaitable[None]]


class QuietCrawler(BasicCrawler[BasicCrawlingContext, StatisticsState]):
    """Takes requests from `queue` and has `handler` deal with `at_once` of them at a time."""

    def __init__(
        self, queue: RequestManager, client: HttpClient, handler: Handler, *, at_once: int
    ) -> None:
        super().__init__(
            configuration=Configuration(purge_on_start=False),
            event_manager=EventManager(),
            storage_client=MemoryStorageClient(),
            request_manager=queue,
            http_client=client,
            request_handler=self._handled,
            max_request_retries=0,
            use_session_pool=False,
            retry_on_blocked=False,
            concurrency_settings=ConcurrencySettings(
                min_concurrency=at_once, max_concurrency=at_once, desired_concurrency=at_once
            ),
            request_handler_timeout=_UNBOUNDED,
            statistics=Statistics.with_default_state(periodic_message_logger=_LOG),
            configure_logging=False,
        )
        # Without snapshots the machine counts as idle: how much is done at once is ours to say. Started, it
        # would listen to the events of crawlee's global service locator.
        self._snapshotter._active = True
        self._handler, self._ended = handler, asyncio.Event()

    async def _handled(self, context: BasicCrawlingContext) -> None:
        """Python 3.11 loses a cancellation that comes as a request is taken: it is not begun all the same."""
        if not self._ended.is_set():
            await self._handler(context)

    def end(self) -> None:
        """Stop now; requests under way are broken off."""
        self._ended.set()

    async def work(self) -> None:
        """Until the queue has nothing more, or `end`.

        `BasicCrawler.run` does the same and more that a server cannot have: it takes SIGINT for itself and
        leaves it with Python's own handler, starts the events of crawlee's global service locator, swallows
        a cancellation, and writes its state to a storage.
        """
        async with AsyncExitStack() as opened:
            await opened.enter_async_context(self.statistics)
            pool = asyncio.create_task(self._autoscaled_pool.run())
            ended = asyncio.create_task(self._ended.wait())
            try:
                await asyncio.wait((pool, ended), return_when=asyncio.FIRST_COMPLETED)
            finally:
                ended.cancel()
                await self._stopped(pool)
            pool.result()

    async def _stopped(self, pool: asyncio.Task[None]) -> None:
        self._ended.set()
        if pool.done():
            return
        await asyncio.sleep(0)  # a pool that has not begun cannot be aborted
        await self._autoscaled_pool.abort()
        await asyncio.wait((pool,))
