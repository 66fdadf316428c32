"""Embeddings are accounted for where they cost."""

import numpy as np
import pytest

from app.domain.metrics.usage import CallUsage
from app.llm.embedder import AccountedEmbedder, EmbeddingFailed, EmbeddingResult, WordLlama
from app.usage.meter import meter_calls
from tests.fakes.hooks import Heard
from tests.unit.usage.observer import ME, Watching


class Distant:
    """A source of vectors behind a wire; the second call fails."""

    dimensions = 2
    batch_size = 100

    def __init__(self):
        self.calls = 0

    def intent(self, texts):
        return None

    def embed_batch(self, texts, *, query=False):
        self.calls += 1
        used = {"kind": "embedding", "provider": "gemini", "model": "gemini-embedding-001"}
        if self.calls > 1:
            gone = CallUsage(**used, purpose="embedding", outcome="timeout", counted=False)
            raise EmbeddingFailed("no answer", gone)
        taken = CallUsage(**used, purpose="embedding", input_tokens=1_000_000, duration_ms=8.0)
        return EmbeddingResult(np.ones((len(texts), 2), dtype=np.float32), taken)


def test_what_is_made_in_this_process_is_no_call():
    heard = Heard()
    embedder = AccountedEmbedder(WordLlama(), heard)
    assert embedder.embed(["save", ""]).shape == (2, embedder.dimensions)
    assert heard == []


async def test_what_comes_over_a_wire_is_a_row(service, watching: Watching):
    embedder = AccountedEmbedder(Distant(), service.record)
    with meter_calls(ME) as meter:
        assert embedder.embed(["save"]).shape == (1, 2)
        with pytest.raises(EmbeddingFailed):
            embedder.embed(["save"])
    made, lost = watching.rows
    assert (made.kind, made.action_type, made.task_id) == ("embedding", "EMBEDDING", "t")
    assert (made.cost_usd, made.priced, lost.outcome, lost.priced) == (0.15, True, "timeout", False)
    assert (meter.spent.calls, meter.spent.model_calls) == (2, 0)
