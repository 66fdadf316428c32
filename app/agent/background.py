"""Loads the background of a goal: conversation, experience with the site, documents, advice, downloads."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from langgraph.types import Command

from app.agent.context import (
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

MESSAGES_READ = 60  # newest messages that are considered
MAX_MESSAGES = 12  # the last few goals and their answers
MAX_MESSAGE_CHARS = 300
MAX_MEMORY_CHARS = 2_000  # about 500 tokens


class ContextLoader:
    """Loads everything in one round trip. The conversation is only for models, experience also for rules."""

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
        """The background of a new goal."""
        query = await self._recall_query(claim, claim.call.query or "")

        async def read(store: Store) -> Background:
            recalled = await recall_background(store, query) if query.goal else Background()
            memory = await _load_memory(store, claim) if self._converses else ()
            return with_first_site(query.site, recalled.model_copy(update={"memory": memory}))

        background, passages, advice = await asyncio.gather(
            self._together(read), self._search_passages(claim, query), self._load_advice(query)
        )
        background = background.model_copy(update={"advice": advice})
        return with_passages(claim.call.page.url, background, passages)

    async def refresh(self, entry: TaskInput, claim: RequestLease) -> TaskInput:
        """Load the documents' passages on a new page, and the experience with a new site."""
        state = entry.initial
        if state is None:
            return entry
        url, background = claim.call.page.url, state["background"]
        site = site_of(url)
        is_new_page = self._knowing.is_available and knowledge_key(url) != background.knowledge_url
        is_new_site = site and background.site != site
        if not is_new_page and not is_new_site:
            return entry
        query = await self._recall_query(claim, state["goal"])
        if is_new_page:
            passages = await self._search_passages(claim, query)
            background = with_passages(url, background, passages)
        if is_new_site:
            recalled, advice = await asyncio.gather(
                self._together(lambda store: recall_background(store, query)),
                self._load_advice(query),
            )
            if not state["action_records"]:
                background = with_first_site(site, background)
            background = refresh_background(background, recalled)
            background = background.model_copy(update={"advice": advice})
        return with_background(entry, background)

    async def _load_advice(self, query: RecallQuery) -> tuple[Advice, ...]:
        if self._reviews is None:
            return ()
        return await find_advice(self._reviews, query.tenant, query.goal, site=query.site)

    async def _search_passages(
        self, claim: RequestLease, query: RecallQuery
    ) -> tuple[Passage, ...]:
        who, page = claim.call.principal, claim.call.page
        hidden = secrets_told(query.instruction, Background())
        found = await self._knowing.search(who.tenant, page.url, query.goal, hidden)
        return passages_of(found) if found is not None else ()

    async def _recall_query(self, claim: RequestLease, goal: str) -> RecallQuery:
        page = claim.call.page
        instruction = await self._reasoner.understand(goal, page) if goal else None
        return RecallQuery(
            tenant=claim.call.principal.tenant,
            site=site_of(page.url),
            goal=goal,
            instruction=instruction,
            meaning=embed_goal(goal, instruction, self._embedder),
            now=datetime.now(UTC),
        )


def with_first_site(site: str, background: Background) -> Background:
    if background.sites:
        return background
    return background.model_copy(update={"sites": (site,)})


async def _load_memory(store: Store, claim: RequestLease) -> tuple[MemoryLine, ...]:
    """The earlier messages of the session, if it is this person's."""
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


def with_background(entry: TaskInput, background: Background) -> TaskInput:
    """The entry with this background. An interrupted run continues with its own."""
    update = entry.update | {"background": background}
    if isinstance(entry.value, Command):
        return replace(entry, value=replace(entry.value, update=update))
    return entry if entry.value is None else replace(entry, value=update)


def select_messages(messages: Sequence[Message]) -> tuple[MemoryLine, ...]:
    """The newest messages that fit, oldest first.

    The agent's thoughts beside its actions are left out: they describe pages that are gone.
    """
    lines: list[MemoryLine] = []
    left = MAX_MEMORY_CHARS
    for message in reversed(messages):
        if message.role == "assistant" and message.action_string:
            continue
        text = " ".join(message.content.split())[:MAX_MESSAGE_CHARS]
        if len(text) > left or len(lines) == MAX_MESSAGES:
            break
        if text:
            left -= len(text)
            lines.append(MemoryLine(role=message.role, content=text))
    return tuple(reversed(lines))


def knowledge_event(entry: TaskInput, url: str) -> dict[str, Any] | None:
    """The status event that names the documents found for this page; None if nothing is new."""
    background = entry.update.get("background")
    if (
        background is None
        or background.knowledge_url != knowledge_key(url)
        or not background.knowledge
    ):
        return None
    return status_event(KNOWLEDGE, {"background": background, "known": True})


def advice_event(entry: TaskInput) -> dict[str, Any] | None:
    """The status event of operators' decisions on similar tasks; None if nothing is new."""
    background = entry.update.get("background")
    before = entry.state["background"].advice if entry.state else ()
    if background is None or not background.advice or background.advice == before:
        return None
    return {"type": "status", "node": ADVICE, "message": background.advice[0].line}


MAX_FILES = 20  # of a task
MAX_FILE_CHARS = 60_000
MAX_DOWNLOAD_CHARS = 200_000  # of all files; the newest come first


async def with_downloads(
    entry: TaskInput, claim: RequestLease, knowing: KnowledgeLookup
) -> TaskInput:
    """Add the files that the browser saved since the last request to the background."""
    page, state = claim.call.page, entry.initial
    if not page.downloads or state is None:
        return entry
    tenant = claim.call.principal.tenant
    downloads = await asyncio.gather(
        *(_read_download(one, page.url, tenant, knowing) for one in page.downloads)
    )
    return with_background(entry, add_downloads(state["background"], downloads))


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
    """Add files, newest last. The newest of a name is kept, and the texts of the newest that fit."""
    by_name = {one.name: one for one in background.downloads}
    for one in read:
        by_name.pop(one.name, None)
        by_name[one.name] = one
    left, downloads = MAX_DOWNLOAD_CHARS, list[Download]()
    for one in reversed(list(by_name.values())[-MAX_FILES:]):
        if len(one.text) <= left:
            left -= len(one.text)
            downloads.append(one)
        else:
            without_text = {"text": "", "unread": "newer files took its place"}
            downloads.append(one.model_copy(update=without_text))
    return background.model_copy(update={"downloads": tuple(reversed(downloads))})
