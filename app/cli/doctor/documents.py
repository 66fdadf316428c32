"""Checks of `tabwright doctor` for documents: embeddings, job broker, readers, review queue."""

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.errors import TabwrightError, Unavailable
from app.llm.providers.choice import accepts_recordings
from app.settings import Settings
from app.store.open import open_reviews, review_folder
from app.store.reviews.files.records import Places
from app.store.server.embedded_server import is_ours
from knowledge.extract.workers import may_be_unconfined, probe_layers


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The result of one check. `todo` says what to do if it is not `ok`; only `needed` ones are
    required.
    """

    name: str
    ok: bool
    detail: str
    todo: str = ""
    needed: bool = True


NAME = "Review queue"


async def review_queue(settings: Settings) -> Check:
    """Check the review records, in the data folder or the configured MongoDB."""
    try:
        async with open_reviews(settings) as reviews:
            waiting = sum(one.pending for one in (await reviews.tenants()).values())
            damaged = await reviews.damaged()
    except TabwrightError as error:
        return Check(name=NAME, ok=False, detail=error.detail, todo=_todo(settings))
    if locked := _locked(settings):
        detail = f"{locked} may not be written to"
        return Check(name=NAME, ok=False, detail=detail, todo=_todo(settings))
    if damaged:
        todo = "Mend or take away what docs/review.md says is no record; nothing overwrites it."
        detail = f"{waiting:,} wait, {damaged:,} cannot be read"
        return Check(name=NAME, ok=False, detail=detail, todo=todo, needed=False)
    return Check(name=NAME, ok=True, detail=f"{waiting:,} wait for an operator, none is damaged")


def _locked(settings: Settings) -> str:
    """The first folder of the queue that is not writable, or ''."""
    if not is_ours(settings):
        return ""
    root = review_folder(settings)
    there = (root, *Places(root).all)
    return next((str(one) for one in there if one.exists() and not os.access(one, os.W_OK)), "")


def _todo(settings: Settings) -> str:
    if not is_ours(settings):
        return "Start that MongoDB or correct TABWRIGHT_MONGODB_URI."
    return "Make that folder writable for the server, and free space on its disk."


REDIS_PORT = 6379
ANSWER_S = 2.0


async def documents(settings: Settings) -> list[Check]:
    """Check the embeddings, the document readers, and the broker, if there is one."""
    found = [_embeddings(settings), await asyncio.to_thread(_readers, settings)]
    if settings.broker is not None:
        found.append(await _broker(settings.broker))
    return found


def _readers(settings: Settings) -> Check:
    """Start a reader to check how it is sandboxed here."""
    name, todo = "Readers", ""
    try:
        layers = probe_layers()
    except Unavailable as error:
        return Check(name=name, ok=False, detail=error.detail, todo="Look for free memory.")
    if layers.missing:
        todo = (
            f"Without {' and '.join(layers.missing)} a hostile document may reach what this user may: "
            "docs/operations.md, “Document readers are not confined”."
        )
    return Check(
        name=name,
        ok=not layers.missing,
        detail=f"{'not confined' if layers.missing else 'confined'}: {layers}",
        todo=todo,
        needed=not may_be_unconfined(settings.unconfined_readers),
    )


def _embeddings(settings: Settings) -> Check:
    """Check the embeddings. The API key is not tried, since every call is billed."""
    key = settings.gemini_api_key
    keyed = key is not None and bool(key.get_secret_value().strip())
    by_gemini = settings.embeddings == "gemini" or (settings.embeddings == "auto" and keyed)
    model = settings.gemini_embedding_model if by_gemini else "wordllama, in this process"
    heard = "" if accepts_recordings(settings) else "; audio and video are not read without Gemini"
    return Check(
        name="Documents",
        ok=keyed or not by_gemini,
        detail=f"found by their words and {model}{heard}",
        todo="Set GEMINI_API_KEY, or TABWRIGHT_EMBEDDINGS=wordllama.",
    )


async def _broker(address: str) -> Check:
    """Check that the broker responds; its URL may contain a password, so it is not shown in full."""
    parts = urlsplit(address)
    if parts.scheme not in ("redis", "rediss") or not parts.hostname:
        return Check(name="Broker", ok=True, detail=f"{address.partition(':')[0]} of taskiq")
    place = f"{parts.hostname}:{parts.port or REDIS_PORT}"
    try:
        async with asyncio.timeout(ANSWER_S):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port or REDIS_PORT)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    except (OSError, TimeoutError):
        todo = "Start it or correct TABWRIGHT_BROKER; until then jobs wait for up to a minute."
        return Check(name="Broker", ok=False, detail=f"{place} is away", todo=todo, needed=False)
    return Check(name="Broker", ok=True, detail=f"Redis at {place} answers")
