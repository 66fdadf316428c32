"""Gemini embeddings through google-genai."""

import time
from collections.abc import Sequence
from typing import Any

import httpx2
import numpy as np
from google.genai import types
from google.genai.errors import APIError

from app.domain.metrics.usage import CallIntent, CallOutcome, CallUsage
from app.llm.embedder import EmbeddingFailed, EmbeddingResult, Vectors, normalize_rows
from app.llm.providers.gemini import PROVIDER, create_client, translate_error
from app.llm.providers.transport import (
    CONNECT_S,
    UNCOUNTED,
    CallFailed,
    Counts,
    invalid_body_failure,
    tls_context,
    translate_failures,
)

DIMENSIONS = 768  # of 3,072; recommended at ai.google.dev ("Embeddings"), and about as good
MOST = 100  # texts per call; ai.google.dev, batchEmbedContents
LONGEST = 6_000  # characters per text: the model reads 2,048 tokens
PURPOSE = "embedding"
CALL_S = 20.0
QUERY_S = 3.0  # a user is waiting; after that, search falls back to keywords


class GeminiEmbeddings:
    """An `EmbeddingSource` for the Gemini developer API. Calls block; run them in a thread."""

    dimensions = DIMENSIONS
    batch_size = MOST

    def __init__(self, api_key: str, model: str, base_url: str | None = None) -> None:
        self._model = model
        self.name = f"{model}-{DIMENSIONS}"
        timeout = httpx2.Timeout(CALL_S, connect=CONNECT_S)
        self._http = httpx2.Client(verify=tls_context(), timeout=timeout, follow_redirects=False)
        self._client = create_client(api_key, base_url, httpx_client=self._http)

    def intent(self, texts: Sequence[str]) -> CallIntent:
        characters = sum(min(len(text), LONGEST) for text in texts)
        return CallIntent(
            kind="embedding",
            provider=PROVIDER,
            model=self._model,
            purpose=PURPOSE,
            characters=characters,
        )

    def embed_batch(self, texts: Sequence[str], *, query: bool = False) -> EmbeddingResult:
        """Return one unit-length row per text, with one call. Raises `EmbeddingFailed`."""
        started = time.perf_counter()
        try:
            response = self._request(texts, query)
            vectors = _rows(response, len(texts))
        except CallFailed as failure:
            usage = self._usage(failure.counts, started, failure.outcome)
            after = (failure.after or 0.0) if failure.retryable else None
            raise EmbeddingFailed(failure.error.detail, usage, after) from failure
        return EmbeddingResult(vectors, self._usage(_counts(response), started, "ok"))

    def close(self) -> None:
        self._client.close()
        self._http.close()

    def _request(self, texts: Sequence[str], query: bool) -> types.EmbedContentResponse:
        config = types.EmbedContentConfig(
            task_type="RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT",
            output_dimensionality=DIMENSIONS,
            http_options=types.HttpOptions(timeout=round((QUERY_S if query else CALL_S) * 1000)),
        )
        contents: list[Any] = [text[:LONGEST].strip() or "-" for text in texts]
        with translate_failures(PROVIDER):
            try:
                return self._client.models.embed_content(
                    model=self._model, contents=contents, config=config
                )
            except APIError as error:
                raise translate_error(error) from error

    def _usage(self, counts: Counts, started: float, outcome: CallOutcome) -> CallUsage:
        return CallUsage(
            provider=PROVIDER,
            model=self._model,
            purpose=PURPOSE,
            kind="embedding",
            input_tokens=counts.input,
            counted=counts.known,
            duration_ms=(time.perf_counter() - started) * 1000,
            outcome=outcome,
        )


def _rows(response: types.EmbedContentResponse, count: int) -> Vectors:
    """Parse and normalize the vectors; those truncated from 3,072 dimensions are not unit length.
    Raises `CallFailed`.
    """
    rows = [one.values or [] for one in response.embeddings or []]
    if len(rows) != count or any(len(row) != DIMENSIONS for row in rows):
        raise invalid_body_failure(PROVIDER, ValueError("wrong number of vectors or dimensions"))
    vectors = np.asarray(rows, dtype=np.float32)
    if not np.isfinite(vectors).all():
        raise invalid_body_failure(PROVIDER, ValueError("numbers that are not finite"))
    return normalize_rows(vectors)


def _counts(response: types.EmbedContentResponse) -> Counts:
    """Read the token counts, which the developer API does not always return."""
    usage = response.usage_metadata
    count = usage.prompt_token_count if usage else None
    return Counts(input=count) if isinstance(count, int) and count >= 0 else UNCOUNTED
