"""Similarities do not depend on batching or concurrency."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.llm.embedder import WordLlama
from knowledge.retrieve import evidence
from knowledge.retrieve.candidates import Word
from knowledge.retrieve.evidence import Closeness

WORDS = [Word("cheque", frozenset([1]), 2.0), Word("split", frozenset([2]), 1.0)]
QUESTION = "How is a cheque split?"
TEXTS = [
    "A check is divided among several accounts. It is then printed.",
    "",
    "...",
    "The mail server listens on a port. Restart it after a change.",
    "Write the cheque. Then split it in two parts.",
]


def test_texts_looked_at_together_are_as_near_as_each_alone(monkeypatch: pytest.MonkeyPatch):
    near = Closeness()
    alone = [
        (near.word_closeness(WORDS, [text])[0], near.sentence_closeness(QUESTION, [text])[0])
        for text in TEXTS
    ]
    assert alone[1] == alone[2] == (0, 0)
    assert alone[4] > alone[0] > alone[3]
    for most in (1, 20, 2_000):
        monkeypatch.setattr(evidence, "AT_ONCE", most)
        assert near.word_closeness(WORDS, TEXTS) == pytest.approx(
            [one for one, _ in alone], abs=1e-5
        )
        sentences = near.sentence_closeness(QUESTION, TEXTS)
        assert sentences == pytest.approx([one for _, one in alone], abs=1e-5)


def test_searches_that_learn_words_at_the_same_time_do_not_mix_them_up(
    monkeypatch: pytest.MonkeyPatch,
):
    embed = WordLlama.embed_batch

    def slowly(self, texts):
        time.sleep(0.05)  # both have begun before one has learnt
        return embed(self, texts)

    wanted = Closeness().word_closeness(WORDS, TEXTS)
    monkeypatch.setattr(WordLlama, "embed_batch", slowly)
    near = Closeness()
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda at: near.word_closeness(WORDS, TEXTS[at:]), (0, 3)))
    near.word_closeness(WORDS, ["words that nobody asked for before"])
    assert near.word_closeness(WORDS, TEXTS) == pytest.approx(wanted, abs=1e-5)
