"""What `tabwright doctor` says of documents: what finds them, who works on them, what is not read here."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from app.cli.doctor.checks import Check
from app.errors import Unavailable
from app.llm.providers.choice import listens
from app.settings import Settings
from knowledge.extract.sandbox.confinement import may_be_unconfined
from knowledge.extract.workers.process import probe_layers

REDIS_PORT = 6379
ANSWER_S = 2.0


async def documents(settings: Settings) -> list[Check]:
    """The embeddings and what they leave unread; the broker, where there is one."""
    found = [_embeddings(settings), await asyncio.to_thread(_readers, settings)]
    if settings.broker is not None:
        found.append(await _broker(settings.broker))
    return found


def _readers(settings: Settings) -> Check:
    """A reader is started, to see how it is confined here."""
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
    """A key is not tried: each text that is embedded is paid for."""
    key = settings.gemini_api_key
    keyed = key is not None and bool(key.get_secret_value().strip())
    by_gemini = settings.embeddings == "gemini" or (settings.embeddings == "auto" and keyed)
    model = settings.gemini_embedding_model if by_gemini else "wordllama, in this process"
    heard = "" if listens(settings) else "; audio and video are not read without Gemini"
    return Check(
        name="Documents",
        ok=keyed or not by_gemini,
        detail=f"found by their words and {model}{heard}",
        todo="Set GEMINI_API_KEY, or TABWRIGHT_EMBEDDINGS=wordllama.",
    )


async def _broker(address: str) -> Check:
    """Whether something answers there; the address may hold a password, and is not shown whole."""
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
