"""Which model makes vectors of documents, by the settings; and opening it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from app.domain.usage import UsageGate, UsageHook, unlimited
from app.errors import ModelMisconfigured
from app.llm.embedding.embedder import AccountedEmbedder, Embedder, WordLlama
from app.llm.providers.choice import gemini_address, gemini_key
from app.settings import Settings

if TYPE_CHECKING:
    from app.llm.embedding.gemini import GeminiEmbeddings


def embeds_with_gemini(settings: Settings) -> bool:
    """Whether texts of documents are sent to Gemini. Raises `ModelMisconfigured`."""
    if settings.embeddings == "wordllama":
        return False
    has_key = bool(gemini_key(settings))
    if settings.embeddings == "gemini" and not has_key:
        raise ModelMisconfigured("TABWRIGHT_EMBEDDINGS is gemini, but GEMINI_API_KEY is not set")
    return has_key


@asynccontextmanager
async def open_embedder(
    settings: Settings, hook: UsageHook, gate: UsageGate = unlimited
) -> AsyncIterator[Embedder]:
    """The model in use; `gate` is asked before each call over the wire, `hook` told of it. Its calls
    wait, so they belong in a thread. Raises `ModelMisconfigured`.
    """
    if not embeds_with_gemini(settings):
        yield AccountedEmbedder(await asyncio.to_thread(_local), hook, gate)
        return
    source = await asyncio.to_thread(_gemini, settings)
    try:
        yield AccountedEmbedder(source, hook, gate)
    finally:
        await asyncio.to_thread(source.close)


def _local() -> WordLlama:
    return WordLlama()


def _gemini(settings: Settings) -> "GeminiEmbeddings":
    # The SDK takes 0.7 s to import: only where it is used.
    from app.llm.embedding.gemini import GeminiEmbeddings  # noqa: PLC0415

    model = settings.gemini_embedding_model.strip()
    if not model:
        raise ModelMisconfigured("TABWRIGHT_GEMINI_EMBEDDING_MODEL is empty")
    return GeminiEmbeddings(gemini_key(settings), model, gemini_address(settings))
