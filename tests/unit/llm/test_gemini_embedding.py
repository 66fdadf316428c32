"""Gemini embeddings with the real SDK over HTTP: requests, usage and failures."""

import numpy as np
import pytest

from app.domain.metrics.usage import CallIntent
from app.errors import BudgetReached, ModelMisconfigured
from app.llm import embedder as embedding
from app.llm.embedder import EmbeddingFailed, open_embedder
from app.settings import Settings
from tests.fakes.gemini import FakeGemini
from tests.fakes.hooks import Heard
from tests.fakes.steps import Status


@pytest.fixture(scope="module")
def served():
    with FakeGemini(api_key="key").served() as gemini:
        yield gemini


@pytest.fixture
def gemini(served, monkeypatch):
    served.embedded.clear()
    monkeypatch.setattr(embedding, "PAUSES_S", (0.0, 0.0))
    monkeypatch.setattr(embedding, "QUERY_PAUSES_S", (0.0,))
    return served


def settings(gemini: FakeGemini | None, **about: object) -> Settings:
    there = {"gemini_api_key": "key", "gemini_base_url": gemini.url} if gemini else {}
    return Settings(_env_file=None, **(there | about))


async def test_texts_go_in_batches_and_come_back_of_unit_length(gemini):
    heard = Heard()
    async with open_embedder(settings(gemini), heard) as embedder:
        rows = embedder.embed([f"text {at}" for at in range(130)])
        question = embedder.embed(["text 7"], query=True)
    assert (rows.shape, embedder.name) == ((130, 768), "gemini-embedding-001-768")
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert int(np.argmax(rows @ question[0])) == 7
    sent = [body["requests"] for body in gemini.embedded]
    assert [len(one) for one in sent] == [100, 30, 1]
    assert {one["taskType"] for one in sent[0]} == {"RETRIEVAL_DOCUMENT"}
    assert (sent[2][0]["taskType"], sent[2][0]["outputDimensionality"]) == ("RETRIEVAL_QUERY", 768)
    assert [(one.kind, one.provider, one.model, one.outcome) for one in heard] == [
        ("embedding", "gemini", "gemini-embedding-001", "ok")
    ] * 3


async def test_each_try_is_accounted_for_and_a_busy_server_is_asked_again(gemini):
    gemini.not_embedded = [Status(503), Status(503)]
    heard = Heard()
    async with open_embedder(settings(gemini), heard) as embedder:
        assert embedder.embed(["text"]).shape == (1, 768)
    assert [one.outcome for one in heard] == ["busy", "busy", "ok"]


async def test_a_wrong_key_is_not_tried_again(gemini):
    heard = Heard()
    async with open_embedder(settings(gemini, gemini_api_key="another"), heard) as embedder:
        with pytest.raises(EmbeddingFailed, match="refused the key"):
            embedder.embed(["text"])
    assert [one.outcome for one in heard] == ["rejected"]


async def test_what_may_not_be_spent_is_not_sent(gemini):
    asked: list[CallIntent] = []

    def gate(intent: CallIntent) -> None:
        asked.append(intent)
        raise BudgetReached

    async with open_embedder(settings(gemini), Heard(), gate) as embedder:
        with pytest.raises(BudgetReached):
            embedder.embed(["four"])
    assert gemini.embedded == []
    assert (asked[0].kind, asked[0].characters) == ("embedding", 4)


async def test_without_a_key_texts_stay_here(gemini):
    async with open_embedder(settings(None), Heard()) as embedder:
        assert embedder.name == "wordllama-256"
    async with open_embedder(settings(gemini, embeddings="wordllama"), Heard()) as embedder:
        assert embedder.embed(["text"]).shape == (1, 256)
    assert gemini.embedded == []
    with pytest.raises(ModelMisconfigured):
        async with open_embedder(settings(None, embeddings="gemini"), Heard()):
            pass
