"""What is read of earlier tasks when a goal begins, and when its way leads to another site."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from langgraph.types import Command

from app.agent.context import (
    MAX_PASSAGES,
    KnowledgeLookup,
    knowledge_key,
    passages_of,
    with_passages,
)
from app.agent.events import ADVICE, KNOWLEDGE, status_event
from app.agent.request import RequestLease, TaskInput
from app.domain.access import site_of
from app.domain.memory import Advice
from app.domain.page import ObservedDownload
from app.domain.reasoner import Background, Download, MemoryLine, Passage, Reasoner
from app.domain.redaction import secrets_told
from app.domain.task import Message
from app.errors import NotFound
from app.review import find_advice
from app.skills import Embedder, RecallQuery, embed_goal, recall_background, refresh_background
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.reviews.port import Reviews

MESSAGES_READ = 60  # messages that are looked through
MAX_MESSAGES = 12  # messages: the last few goals and their answers
MAX_MESSAGE_CHARS = 300  # characters of one message
MAX_MEMORY_CHARS = 2_000  # characters, about 500 tokens


class ContextLoader:
    """Reads in one hop what there is. The conversation is for a model alone, what was learned on the
    site for rules too.
    """

    def __init__(
        self,
        together: StoreBatch,
        reasoner: Reasoner,
        *,
        embedder: Embedder | None,
        converses: bool,
        knowing: KnowledgeLookup,
        reviews: Reviews | None = None,
    ) -> None:
        self._together = together
        self._reasoner = reasoner
        self._embedder = embedder
        self._converses = converses
        self._knowing = knowing
        self._reviews = reviews

    async def load_initial(self, claim: RequestLease) -> Background:
        """What a new goal begins with."""
        wanted = await self._recall_query(claim, claim.call.query or "")

        async def read(store: Store) -> Background:
            learned = await recall_background(store, wanted) if wanted.goal else Background()
            memory = await _load_memory(store, claim) if self._converses else ()
            return with_first_site(wanted.site, learned.model_copy(update={"memory": memory}))

        known, passages, decided = await asyncio.gather(
            self._together(read), self._search_passages(claim, wanted), self._load_advice(wanted)
        )
        known = known.model_copy(update={"advice": decided})
        return with_passages(claim.call.page.url, known, passages)

    async def refresh(self, entry: TaskInput, claim: RequestLease) -> TaskInput:
        """The entry, with what was learned on the page's site where that is another than before, and what
        the documents say on the page where that is another.
        """
        state, before = entry.initial, background_of(entry)
        if state is None or before is None:
            return entry
        url = claim.call.page.url
        known, site = before, site_of(url)
        moved = self._knowing.is_available and knowledge_key(url) != known.knowledge_url
        elsewhere = site and known.site != site
        if not moved and not elsewhere:
            return entry
        wanted = await self._recall_query(claim, state["goal"])
        if moved:
            known = with_passages(url, known, await self._search_passages(claim, wanted))
        if elsewhere:
            learned, decided = await asyncio.gather(
                self._together(lambda store: recall_background(store, wanted)),
                self._load_advice(wanted),
            )
            begun = known if state["action_records"] else with_first_site(site, known)
            known = refresh_background(begun, learned).model_copy(update={"advice": decided})
        return entry if known is before else with_background(entry, known)

    async def _load_advice(self, wanted: RecallQuery) -> tuple[Advice, ...]:
        if self._reviews is None:
            return ()
        return await find_advice(self._reviews, wanted.tenant, wanted.goal, site=wanted.site)

    async def _search_passages(
        self, claim: RequestLease, wanted: RecallQuery
    ) -> tuple[Passage, ...]:
        who, page = claim.call.principal, claim.call.page
        hidden = secrets_told(wanted.instruction, Background())
        found = await self._knowing.search(who.tenant, page.url, wanted.goal, hidden)
        return passages_of(found)[:MAX_PASSAGES] if found is not None else ()

    async def _recall_query(self, claim: RequestLease, goal: str) -> RecallQuery:
        page = claim.call.page
        read = await self._reasoner.understand(goal, page) if goal else None
        return RecallQuery(
            tenant=claim.call.principal.tenant,
            site=site_of(page.url),
            goal=goal,
            instruction=read,
            meaning=embed_goal(goal, read, self._embedder),
            now=datetime.now(UTC),
        )


def with_first_site(site: str, background: Background) -> Background:
    """The background with the site where the person began as the first; "" where that is none."""
    if background.sites:
        return background
    return background.model_copy(update={"sites": (site,)})


async def _load_memory(store: Store, claim: RequestLease) -> tuple[MemoryLine, ...]:
    """What was said before in the session, if it is this person's."""
    who = claim.call.principal
    try:
        session = await store.sessions.get(who.tenant, claim.session_id)
    except NotFound:
        return ()
    if session.user != who.user:
        return ()
    return select_messages(
        await store.messages.of_session(who.tenant, claim.session_id, limit=MESSAGES_READ)
    )


def background_of(entry: TaskInput) -> Background | None:
    """What is known when it begins; None where nothing is run."""
    state = entry.initial
    return state["background"] if state is not None else None


def with_background(entry: TaskInput, background: Background) -> TaskInput:
    """The entry that begins with knowing this. A run that was cut off half-way goes on with what it knew."""
    update = entry.update | {"background": background}
    if isinstance(entry.value, Command):
        return replace(entry, value=replace(entry.value, update=update))
    return entry if entry.value is None else replace(entry, value=update)


def select_messages(messages: Sequence[Message]) -> tuple[MemoryLine, ...]:
    """The newest lines that fit, oldest first.

    What the agent thought while it acted is left out: it says what was on a page that is gone.
    """
    kept: list[MemoryLine] = []
    left = MAX_MEMORY_CHARS
    for message in reversed(messages):
        if message.role == "assistant" and message.action_string:
            continue
        text = " ".join(message.content.split())[:MAX_MESSAGE_CHARS]
        if len(text) > left or len(kept) == MAX_MESSAGES:
            break
        if text:
            left -= len(text)
            kept.append(MemoryLine(role=message.role, content=text))
    return tuple(reversed(kept))


def knowledge_event(entry: TaskInput, url: str) -> dict[str, Any] | None:
    """The status event that names what was found for this page in the documents; None for nothing new."""
    background = entry.update.get("background")
    if (
        background is None
        or background.knowledge_url != knowledge_key(url)
        or not background.knowledge
    ):
        return None
    return status_event(KNOWLEDGE, {"background": background, "known": True})


def advice_event(entry: TaskInput) -> dict[str, Any] | None:
    """The status event that says what operators decided of something similar, once; None for nothing new."""
    background = entry.update.get("background")
    before = entry.state["background"].advice if entry.state else ()
    if background is None or not background.advice or background.advice == before:
        return None
    return {"type": "status", "node": ADVICE, "message": background.advice[0].line}


MAX_FILES = 20  # files of a task
MAX_FILE_CHARS = 60_000  # characters of one
MAX_DOWNLOAD_CHARS = 200_000  # characters, those of the newest


async def with_downloads(
    entry: TaskInput, claim: RequestLease, knowing: KnowledgeLookup
) -> TaskInput:
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
