"""Evaluate the chat's search without a model: does it find and show the answer, over the manuals of the
retrieval benchmark.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from app.chat.actions.inquiry import answer_from_search
from app.chat.tools import ActionRequest, Tools
from app.domain.access import Policy
from app.domain.chat import Reply
from app.domain.knowledge import DocumentTitle, Retrieval
from app.errors import NotFound
from app.llm.embedder import AccountedEmbedder, WordLlama
from bench.knowledge.retrieval.corpus import TENANT, corpus
from bench.knowledge.retrieval.questions import Question, off_topic, plain, questions
from knowledge.port import Part, Query
from knowledge.retrieve.index_loader import CacheLimits
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import Documents, store

POLICY = Policy(tenant=TENANT)
WANTED = "wanted 85"  # share of the questions


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions with an answer, and questions without one; details are only shown of `tuned` sets."""

    name: str
    questions: str
    nothing: str
    tuned: bool = False

    def asked(self, every: Sequence[Question]) -> list[Question]:
        """The questions of this set."""
        return [one for one in every if one.held_out is not self.tuned]


SETS = (
    QuestionSet("that search and answers were made with", "questions", "off_topic", tuned=True),
    QuestionSet("like those, kept apart", "questions", "off_topic"),
    QuestionSet("frozen before there was a search", "fresh", "fresh_off_topic"),
)


class Manuals:
    """The manuals through the interface by which the chat reads documents."""

    def __init__(self, documents: Documents, retriever: Retriever) -> None:
        self._documents, self._retriever = documents, retriever

    async def titles(self, tenant: str) -> Sequence[DocumentTitle]:
        return [
            DocumentTitle(
                document_id=one.document_id,
                title=one.title,
                source=one.source,
                ingested_at=one.ingested_at,
            )
            for _, one in self._documents.documents.values()
        ]

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        """The document; raises `NotFound`."""
        manifest = self._documents.kept.get((tenant, document_id))
        if manifest is None:
            raise NotFound("No such document.")
        return [
            Part(chunk=self._documents.stored[(tenant, placed.chunk_id)], placed=placed)
            for placed in manifest.entries
        ]

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        return await self._retriever.resolve(tenant, query, policy)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a question; `keys` maps the ids of documents to their keys."""

    question: Question
    reply: Reply
    ms: float
    keys: dict[str, str]

    def shown(self, most: int) -> bool:
        """Whether one of the first `most` displayed passages has the answer."""
        return any(
            self.question.answered(self.keys.get(one.document_id, ""), plain(one.quote))
            for one in self.reply.citations[:most]
        )


async def answers(cache: Path, *, missed: bool) -> None:
    """Print what was found and displayed; `missed` names the tuning questions whose answer is not
    displayed.
    """
    documents, keys = Documents(), {}
    for made in corpus(cache):
        documents.publish(made.document, made.chunks, made.manifest)
        keys[made.document.document_id] = made.document.key
    embedder = AccountedEmbedder(WordLlama(), lambda usage, exchange=None: None)
    retriever = Retriever(store(documents), embedder, CacheLimits(patience_s=600))
    await retriever.refresh(TENANT)
    tools = Tools(tenant=TENANT, documents=Manuals(documents, retriever), policy=POLICY)
    await ask_question(off_topic()[0], tools, keys)  # the first call loads the sentence model
    for one in SETS:
        rows = [
            await ask_question(each, tools, keys) for each in one.asked(questions(one.questions))
        ]
        off = [await ask_question(each, tools, keys) for each in one.asked(off_topic(one.nothing))]
        print(f"\n{len(rows)} questions {one.name}; {len(off)} that nothing answers")
        _printed(rows, off)
        for row in rows if missed and one.tuned else ():
            if not row.shown(99):
                print(f"    not shown: {row.question.text}")
    await retriever.close()


async def ask_question(question: Question, tools: Tools, keys: dict[str, str]) -> SearchResult:
    """Ask one question as the chat does, with no document named."""
    began = time.perf_counter()
    reply = await answer_from_search(
        ActionRequest(message=question.text, plain=question.text), tools
    )
    return SearchResult(question, reply, (time.perf_counter() - began) * 1000, keys)


def _printed(rows: Sequence[SearchResult], off: Sequence[SearchResult]) -> None:
    def share(name: str, values: Sequence[bool], wanted: str = "") -> None:
        print(f"  {name:48}{100 * mean(values):7.1f} %   {wanted}")

    share("a passage that is shown holds the answer", [one.shown(99) for one in rows], WANTED)
    share("the first passage holds the answer", [one.shown(1) for one in rows])
    share("nothing close is said", [not one.reply.citations for one in rows])
    share("of the others: nothing close is said", [not one.reply.citations for one in off])
    every = [*rows, *off]
    lengths = [len(one.reply.text) for one in rows]
    times = [one.ms for one in every]
    print(f"  {mean(lengths):.0f} characters an answer, {median(times):.1f} ms at the median")
