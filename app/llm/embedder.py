"""Text embeddings with usage records, and the local `wordllama` embedder, which bundles its weights."""

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from app.domain.metrics.usage import CallIntent, CallUsage, UsageGate, UsageHook, allow_all_calls
from app.errors import ModelMisconfigured
from app.llm.providers.choice import gemini_address, gemini_key
from app.settings import Settings

if TYPE_CHECKING:
    from wordllama import WordLlamaInference

    from app.llm.providers.gemini_embeddings import GeminiEmbeddings

DIMENSIONS = 256  # of the bundled model
PAUSES_S = (0.5, 2.0, 8.0)  # before each retry for a document's texts
QUERY_PAUSES_S = (0.3,)  # a user is waiting
LONGEST_PAUSE_S = 60.0
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbeddingResult:
    """One row per text. `usage` is None for embeddings computed in this process, which cost nothing."""

    vectors: Vectors
    usage: CallUsage | None = None


class EmbeddingModel(Protocol):
    """What vectors of one model have in common."""

    @property
    def name(self) -> str:
        """The model and its size; vectors are comparable only under the same name."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""


class Embedder(EmbeddingModel, Protocol):
    """Embeds texts; every billable call is recorded."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """Return one unit-length row per text (zeros for a text without a known word). `query` marks
        search queries, which some models embed differently from documents.
        """


class EmbeddingSource(EmbeddingModel, Protocol):
    """Produces vectors. Not an `Embedder` itself; `AccountedEmbedder` wraps it."""

    @property
    def batch_size(self) -> int:
        """The number of texts per call."""

    def intent(self, texts: Sequence[str]) -> CallIntent | None:
        """Describe the call for these texts; None if nothing leaves this process."""

    def embed_batch(self, texts: Sequence[str], *, query: bool = False) -> EmbeddingResult:
        """Embed with one call; like `Embedder.embed`. Raises `EmbeddingFailed` if the call fails."""


class EmbeddingFailed(Exception):
    """A failed call. `usage` is what it cost anyway; `after` is the seconds until a retry may work,
    None if none will.
    """

    def __init__(self, text: str, usage: CallUsage, after: float | None = None) -> None:
        super().__init__(text)
        self.usage = usage
        self.after = after


class AccountedEmbedder:
    """Implements `Embedder` over any source: checks the gate before calls, retries, reports usage."""

    def __init__(
        self, source: EmbeddingSource, hook: UsageHook, gate: UsageGate = allow_all_calls
    ) -> None:
        self._source = source
        self._hook = hook
        self._gate = gate

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def dimensions(self) -> int:
        return self._source.dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """Blocks on remote calls, so do not call it on the event loop. Raises `EmbeddingFailed`,
        `BudgetReached`.
        """
        size = self._source.batch_size
        parts = [
            self._embed_batch(texts[at : at + size], query) for at in range(0, len(texts), size)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimensions), np.float32)

    def _embed_batch(self, texts: Sequence[str], query: bool) -> Vectors:
        for pause_s in (*(QUERY_PAUSES_S if query else PAUSES_S), None):
            if intent := self._source.intent(texts):
                self._gate(intent)
            try:
                result = self._source.embed_batch(texts, query=query)
            except EmbeddingFailed as failure:
                self._hook(failure.usage)
                if failure.after is None or pause_s is None or failure.after > LONGEST_PAUSE_S:
                    raise
                time.sleep(max(failure.after, pause_s * random.uniform(0.5, 1)))
                continue
            if result.usage is not None:
                self._hook(result.usage)
            return result.vectors
        raise AssertionError("the last attempt returns or raises")


def normalize_rows(rows: Vectors) -> Vectors:
    """Scale rows to unit length; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


@cache
def _weights() -> "WordLlamaInference":
    """Load the weights, and undo the logging setup that importing the package does (0.2 s)."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    package = import_module("wordllama")
    root.handlers[:] = handlers
    root.setLevel(level)
    weights: WordLlamaInference = package.WordLlama.load(
        cache_dir=Path(package.__file__ or "").parent, dim=DIMENSIONS, disable_download=True
    )
    return weights


class WordLlama:
    """Averages static word vectors in this process; about 6 ms for 1,000 short texts."""

    name = f"wordllama-{DIMENSIONS}"
    dimensions = DIMENSIONS
    batch_size = 10_000  # a whole document, since nothing leaves this process

    def __init__(self) -> None:
        """Load the weights (about 0.3 s, 25 MB) once per process; they never change."""
        self._model = _weights()

    def intent(self, texts: Sequence[str]) -> CallIntent | None:
        return None

    def embed_batch(self, texts: Sequence[str], *, query: bool = False) -> EmbeddingResult:
        """`query` makes no difference."""
        rows = np.asarray(self._model.embed([text or " " for text in texts]), dtype=np.float32)
        return EmbeddingResult(np.nan_to_num(normalize_rows(rows)))


def uses_gemini(settings: Settings) -> bool:
    """Whether document texts are sent to Gemini. Raises `ModelMisconfigured`."""
    if settings.embeddings == "wordllama":
        return False
    has_key = bool(gemini_key(settings))
    if settings.embeddings == "gemini" and not has_key:
        raise ModelMisconfigured("TABWRIGHT_EMBEDDINGS is gemini, but GEMINI_API_KEY is not set")
    return has_key


@asynccontextmanager
async def open_embedder(
    settings: Settings, hook: UsageHook, gate: UsageGate = allow_all_calls
) -> AsyncIterator[Embedder]:
    """Open the configured embedder. `gate` is checked before each remote call, `hook` receives its
    usage. Calls block, so run them in a thread. Raises `ModelMisconfigured`.
    """
    if not uses_gemini(settings):
        yield AccountedEmbedder(await asyncio.to_thread(WordLlama), hook, gate)
        return
    source = await asyncio.to_thread(_gemini, settings)
    try:
        yield AccountedEmbedder(source, hook, gate)
    finally:
        await asyncio.to_thread(source.close)


def _gemini(settings: Settings) -> "GeminiEmbeddings":
    # Importing the SDK takes 0.7 s, so import it only when needed.
    from app.llm.providers.gemini_embeddings import GeminiEmbeddings  # noqa: PLC0415

    model = settings.gemini_embedding_model.strip()
    if not model:
        raise ModelMisconfigured("TABWRIGHT_GEMINI_EMBEDDING_MODEL is empty")
    return GeminiEmbeddings(gemini_key(settings), model, gemini_address(settings))
