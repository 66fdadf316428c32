"""What was downloaded is read, and kept for the task."""

import asyncio
from collections.abc import Iterable
from urllib.parse import urlsplit

from app.agent.knowledge_lookup import KnowledgeLookup
from app.agent.leases import RequestLease
from app.agent.resume import GraphInput
from app.agent.run_context import background_of, with_background
from app.domain.background import Background, Download
from app.domain.page import ObservedDownload

MAX_FILES = 20  # files of a task
MAX_FILE_CHARS = 60_000  # characters of one
MAX_DOWNLOAD_CHARS = 200_000  # characters, those of the newest


async def with_downloads(
    entry: GraphInput, claim: RequestLease, knowing: KnowledgeLookup
) -> GraphInput:
    """The entry, with what the browser saved since the last request as part of what is known."""
    page, known = claim.call.page, background_of(entry)
    if not page.downloads or known is None:
        return entry
    tenant = claim.call.principal.tenant
    read = await asyncio.gather(
        *(_read_download(one, page.url, tenant, knowing) for one in page.downloads)
    )
    return with_background(entry, add_downloads(known, read))


async def _read_download(
    seen: ObservedDownload, page_url: str, tenant: str, knowing: KnowledgeLookup
) -> Download:
    text, unread = "", seen.unread
    if seen.data is not None:
        text, unread = await knowing.extract_text(tenant, seen.name, seen.mime, seen.data)
    if len(text) > MAX_FILE_CHARS:
        text = f"{text[:MAX_FILE_CHARS]}\n… ({len(text) - MAX_FILE_CHARS} more characters were not kept)"
    is_web = urlsplit(seen.url).scheme in ("http", "https")
    return Download(
        name=seen.name,
        url=seen.url if is_web else page_url,
        size=seen.size,
        text=text,
        unread=unread,
    )


def add_downloads(background: Background, read: Iterable[Download]) -> Background:
    """The background with these too. Of a name the newest is kept, and the text of as many as there is
    room for.
    """
    named = {one.name: one for one in background.downloads}
    for one in read:
        named.pop(one.name, None)
        named[one.name] = one
    left, found = MAX_DOWNLOAD_CHARS, list[Download]()
    for one in reversed(list(named.values())[-MAX_FILES:]):
        fits = len(one.text) <= left
        left -= len(one.text) if fits else 0
        dropped = {"text": "", "unread": "newer files took its place"}
        found.append(one if fits else one.model_copy(update=dropped))
    return background.model_copy(update={"downloads": tuple(reversed(found))})
