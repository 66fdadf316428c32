"""Text embeddings, accounted for; and those of the `wordllama` package, which carries its weights."""

import logging
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from app.domain.metrics.usage import CallIntent, CallUsage, UsageGate, UsageHook, allow_all_calls

if TYPE_CHECKING:
    from wordllama import WordLlamaInference

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from app.errors import ModelMisconfigured
from app.llm.providers.choice import gemini_address, gemini_key
from app.settings import Settings

if TYPE_CHECKING:
    from app.llm.embedding.gemini import GeminiEmbeddings


DIMENSIONS = 256  # of the model inside the package
PAUSES_S = (0.5, 2.0, 8.0)  # before each further try with a document's texts
QUERY_PAUSES_S = (0.3,)  # somebody waits
LONGEST_PAUSE_S = 60.0
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbeddingResult:
    """One row for each text, and the usage where they came over a wire; None where they were made
    in this process, which sends nothing and costs nothing.
    """

    vectors: Vectors
    usage: CallUsage | None = None


class Embedder(Protocol):
    """Turns texts into directions; each call that costs is accounted for."""

    @property
    def name(self) -> str:
        """Of the model and its size: vectors of other names mean nothing beside its own."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row of unit length per text (zeros for a text without a known word); `query` for what
        is looked for, where a model tells that from what is found.
        """
        ...


class EmbeddingSource(Protocol):
    """Where vectors come from. It is no `Embedder`: only `AccountedEmbedder` makes one of it."""

    @property
    def name(self) -> str:
        """Of the model and its size: vectors of other names mean nothing beside its own."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        ...

    @property
    def batch_size(self) -> int:
        """How many texts one call takes."""
        ...

    def intent(self, texts: Sequence[str]) -> CallIntent | None:
        """The call that these texts would take; None where nothing leaves this process."""
        ...

    def embed_batch(self, texts: Sequence[str], *, query: bool = False) -> EmbeddingResult:
        """One row of unit length per text (zeros for a text without a known word); `query` as in
        `Embedder.embed`.

        Raises `EmbeddingFailed` for a call that came to nothing.
        """
        ...


class EmbeddingFailed(Exception):
    """A call over the wire without vectors; `usage` is what it took all the same. `after` seconds it
    may work; None: it will not.
    """

    def __init__(self, text: str, usage: CallUsage, after: float | None = None) -> None:
        super().__init__(text)
        self.usage = usage
        self.after = after


class AccountedEmbedder:
    """The `Embedder` port on any source: each call over a wire is asked for at the gate, tried again
    where that may help, and told to the hook.
    """

    def __init__(
        self, source: EmbeddingSource, hook: UsageHook, gate: UsageGate = allow_all_calls
    ) -> None:
        self._source = source
        self._hook = hook
        self._gate = gate

    @property
    def name(self) -> str:
        """Of the model and its size."""
        return self._source.name

    @property
    def dimensions(self) -> int:
        """How many numbers a text becomes."""
        return self._source.dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row of unit length per text (zeros for a text without a known word). Over a wire it takes
        its time: not for an event loop's thread. Raises `EmbeddingFailed`, `BudgetReached`.
        """
        most = self._source.batch_size
        parts = [self._called(texts[at : at + most], query) for at in range(0, len(texts), most)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimensions), np.float32)

    def _called(self, texts: Sequence[str], query: bool) -> Vectors:
        for pause_s in (*(QUERY_PAUSES_S if query else PAUSES_S), None):
            if intent := self._source.intent(texts):
                self._gate(intent)
            try:
                made = self._source.embed_batch(texts, query=query)
            except EmbeddingFailed as failure:
                self._hook(failure.usage)
                if failure.after is None or pause_s is None or failure.after > LONGEST_PAUSE_S:
                    raise
                time.sleep(max(failure.after, pause_s * random.uniform(0.5, 1)))
                continue
            if made.usage is not None:
                self._hook(made.usage)
            return made.vectors
        raise AssertionError("the last try returns or raises")


@cache
def _weights() -> "WordLlamaInference":
    package = _imported()
    folder = Path(package.__file__ or "").parent
    made: WordLlamaInference = package.WordLlama.load(
        cache_dir=folder, dim=DIMENSIONS, disable_download=True
    )
    return made


def _imported() -> ModuleType:
    """The package, which takes 0.2 s and sets up the process's logging when imported: that is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    package = import_module("wordllama")
    root.handlers[:] = handlers
    root.setLevel(level)
    return package


class WordLlama:
    """Static word vectors, averaged, in this process; about 6 ms for 1,000 short texts."""

    def __init__(self) -> None:
        """Load the weights (about 0.3 s, 25 MB), once for the process: they never change."""
        self._model = _weights()

    @property
    def name(self) -> str:
        """As chunks of documents keep it."""
        return f"wordllama-{DIMENSIONS}"

    @property
    def dimensions(self) -> int:
        """256."""
        return DIMENSIONS

    @property
    def batch_size(self) -> int:
        """As many as a batch of documents has: nothing leaves this process."""
        return 10_000

    def intent(self, texts: Sequence[str]) -> CallIntent | None:
        """None: nothing leaves this process."""
        return None

    def embed_batch(self, texts: Sequence[str], *, query: bool = False) -> EmbeddingResult:
        """One row of unit length per text; zeros for an empty one. A `query` is a text like any."""
        rows = np.asarray(self._model.embed([text or " " for text in texts]), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        vectors = np.nan_to_num(rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        return EmbeddingResult(vectors)


def uses_gemini(settings: Settings) -> bool:
    """Whether texts of documents are sent to Gemini. Raises `ModelMisconfigured`."""
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
    """The model in use; `gate` is asked before each call over the wire, `hook` told of it. Its calls
    wait, so they belong in a thread. Raises `ModelMisconfigured`.
    """
    if not uses_gemini(settings):
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
