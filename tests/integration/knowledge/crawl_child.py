"""A process that crawls a site until it is killed: `python -m tests.integration.knowledge.crawl_child URL`.

The store is that of the environment's settings.
"""

import asyncio
import sys

from app.domain.knowledge import IngestRequest
from app.settings import Settings
from app.store.open import open_store
from knowledge.composition import Options
from knowledge.ingest import document_lock
from tests.knowledge import ANN, opened_knowledge

LEASE_S = 3.0  # which a busy machine keeps


async def main(url: str) -> None:
    """Crawl, and wait to be killed."""
    document_lock.LOCK_S = LEASE_S  # of the documents that it is writing when it is killed
    async with (
        open_store(Settings(_env_file=None)) as store,
        opened_knowledge(store, Options(lease_s=LEASE_S), reaches=url) as knowledge,
    ):
        asked = IngestRequest(kind="link", url=url, strategy="spider", max_pages=50)
        await knowledge.submit(ANN, asked)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
