"""What was downloaded is read, and kept for the task."""

import asyncio
from collections.abc import Iterable
from urllib.parse import urlsplit

from app.agent.knowledge_lookup import Knowing
from app.agent.leases import Claim
from app.agent.resume import Entry
from app.agent.run_context import background_of, with_background
from app.domain.background import Background, Download
from app.domain.page import ObservedDownload

MOST = 20  # files of a task
LONGEST = 60_000  # characters of one
IN_ALL = 200_000  # characters, those of the newest


async def with_downloads(entry: Entry, claim: Claim, knowing: Knowing) -> Entry:
    """The entry, with what the browser saved since the last request as part of what is known."""
    page, known = claim.call.page, background_of(entry)
    if not page.downloads or known is None:
        return entry
    tenant = claim.call.principal.tenant
    read = await asyncio.gather(*(_read(one, page.url, tenant, knowing) for one in page.downloads))
    return with_background(entry, kept(known, read))


async def _read(seen: ObservedDownload, page_url: str, tenant: str, knowing: Knowing) -> Download:
    text, unread = "", seen.unread
    if seen.data is not None:
        text, unread = await knowing.text_of(tenant, seen.name, seen.mime, seen.data)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}\n… ({len(text) - LONGEST} more characters were not kept)"
    is_web = urlsplit(seen.url).scheme in ("http", "https")
    return Download(
        name=seen.name,
        url=seen.url if is_web else page_url,
        size=seen.size,
        text=text,
        unread=unread,
    )


def kept(background: Background, read: Iterable[Download]) -> Background:
    """The background with these too. Of a name the newest is kept, and the text of as many as there is
    room for.
    """
    named = {one.name: one for one in background.downloads}
    for one in read:
        named.pop(one.name, None)
        named[one.name] = one
    left, found = IN_ALL, list[Download]()
    for one in reversed(list(named.values())[-MOST:]):
        fits = len(one.text) <= left
        left -= len(one.text) if fits else 0
        dropped = {"text": "", "unread": "newer files took its place"}
        found.append(one if fits else one.model_copy(update=dropped))
    return background.model_copy(update={"downloads": tuple(reversed(found))})
