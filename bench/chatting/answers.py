"""Whether an inquiry without a model finds, cites and says the answer, over the manuals of the retrieval
benchmark.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from app.chat.inquiring import inquire, retrieved
from app.chat.tools import Asked, Tools
from app.domain.chat import ChatCitation, Evidence, Reply
from app.domain.knowledge import Resolved, Titled
from app.domain.policy import Policy
from app.errors import NotFound
from app.llm.embedding import AccountedEmbedder, WordLlama
from bench.retrieval.asking import Question, off_topic, plain, questions
from bench.retrieval.corpus import TENANT, corpus
from knowledge.port import Part, Query
from knowledge.retrieve.retriever import Retriever
from knowledge.retrieve.tenants import Limits
from tests.supported import assert_supported
from tests.unit.knowledge.retrieve.memory import Documents, store

POLICY = Policy(tenant=TENANT)
HELD = 0.85  # of the questions: a cited passage holds the answer


@dataclass(frozen=True, slots=True)
class Asking:
    """Questions with an answer, and such as nothing answers; only what is `tuned` on is ever looked at."""

    name: str
    questions: str
    nothing: str
    tuned: bool = False

    def asked(self, every: Sequence[Question]) -> list[Question]:
        """Those of this set."""
        return [one for one in every if one.held_out is not self.tuned]


SETS = (
    Asking("that search and answers were made with", "questions", "off_topic", tuned=True),
    Asking("like those, kept apart", "questions", "off_topic"),
    Asking("frozen before there was a search", "fresh", "fresh_off_topic"),
)


class Manuals:
    """The manuals as the chat reads documents."""

    def __init__(self, documents: Documents, retriever: Retriever) -> None:
        self._documents, self._retriever = documents, retriever

    async def titles(self, tenant: str) -> Sequence[Titled]:
        """All of them."""
        return [
            Titled(
                document_id=one.document_id,
                title=one.title,
                source=one.source,
                ingested_at=one.ingested_at,
            )
            for _, one in self._documents.documents.values()
        ]

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        """One, or `NotFound`."""
        manifest = self._documents.kept.get((tenant, document_id))
        if manifest is None:
            raise NotFound("No such document.")
        return [
            Part(chunk=self._documents.stored[(tenant, placed.chunk_id)], placed=placed)
            for placed in manifest.entries
        ]

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Resolved:
        """By the retriever."""
        return await self._retriever.resolve(tenant, query, policy)


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a question. `weak`: the person would be asked how to go on before this."""

    question: Question
    reply: Reply
    passages: tuple[Evidence, ...]
    weak: bool
    ms: float
    keys: dict[str, str]

    @property
    def offered(self) -> bool:
        """One of the passages that were found holds the answer."""
        return any(self._holds(one.document_id, one.text) for one in self.passages)

    @property
    def cited(self) -> bool:
        """A cited passage holds the answer."""
        return any(
            self._holds(one.document_id, one.text)
            for one in self.passages
            if any(_same(citation, one) for citation in self.reply.citations)
        )

    @property
    def quoted(self) -> bool:
        """The words of a citation hold it."""
        return any(self._holds(one.document_id, one.quote) for one in self.reply.citations)

    @property
    def said(self) -> bool:
        """The answer itself does."""
        text = plain(self.reply.text)
        return any(plain(quote) in text for _, quote in self.question.answers)

    def _holds(self, document_id: str, text: str) -> bool:
        return self.question.answered(self.keys.get(document_id, ""), plain(text))


def _same(citation: ChatCitation, passage: Evidence) -> bool:
    here = (passage.document_id, passage.chunk_id, passage.start)
    return (citation.document_id, citation.chunk_id, citation.start) == here


async def answers(cache: Path, *, missed: bool) -> None:
    """Print what was found, cited and said; `missed` names those of the tuned questions that have no right
    citation.
    """
    documents, keys = Documents(), {}
    for made in corpus(cache):
        documents.publish(made.document, made.chunks, made.manifest)
        keys[made.document.document_id] = made.document.key
    embedder = AccountedEmbedder(WordLlama(), lambda usage, exchange=None: None)
    retriever = Retriever(store(documents), embedder, Limits(patience_s=600))
    await retriever.refresh(TENANT)
    tools = Tools(
        tenant=TENANT, documents=Manuals(documents, retriever), policy=POLICY, embedder=embedder
    )
    await answered(off_topic()[0], tools, keys)  # the first loads the model of the sentences
    for one in SETS:
        rows = [await answered(each, tools, keys) for each in one.asked(questions(one.questions))]
        off = [await answered(each, tools, keys) for each in one.asked(off_topic(one.nothing))]
        print(f"\n{len(rows)} questions {one.name}; {len(off)} that nothing answers")
        _printed(rows, off)
        for row in rows if missed and one.tuned else ():
            if not row.cited:
                print(f"    {'offered' if row.offered else 'not found'}: {row.question.text}")
    await retriever.close()


async def answered(question: Question, tools: Tools, keys: dict[str, str]) -> Answered:
    """One question as the chat takes it, with no document named."""
    asked = Asked(message=question.text, plain=question.text)
    began = time.perf_counter()
    found = await retrieved(asked, tools)
    given = Asked(
        message=question.text,
        plain=question.text,
        passages=found.passages,
        confidence=found.confidence,
        score=found.score,
    )
    reply = await inquire(given, tools)
    ms = (time.perf_counter() - began) * 1000
    return Answered(question, reply, found.passages, found.weak, ms, keys)


def _printed(rows: Sequence[Answered], off: Sequence[Answered]) -> None:
    def share(name: str, values: Sequence[bool], wanted: str = "") -> None:
        print(f"  {name:48}{100 * mean(values):7.1f} %   {wanted}")

    share("a passage that was found holds the answer", [one.offered for one in rows])
    share(
        "a cited passage holds the answer", [one.cited for one in rows], f"wanted {100 * HELD:.0f}"
    )
    share("the words of a citation hold it", [one.quoted for one in rows])
    share("the answer's own words hold it", [one.said for one in rows])
    share("said not to be in the documents", [not one.reply.citations for one in rows])
    share("asked first how to go on", [one.weak for one in rows])
    share("of the others: said not to be there", [not one.reply.citations for one in off])
    share(
        "of the others: asked first, or said so",
        [one.weak or not one.reply.citations for one in off],
    )
    every = [*rows, *off]
    cited = sum(len(one.reply.citations) for one in every)
    wrong = [why for one in every if (why := _unheld(one))]
    dropped = sum(one.reply.dropped for one in every)
    print(
        f"  {cited} citations; {len(wrong)} answers hold more than what they cite; {dropped} claims dropped"
    )
    for bad in wrong[:10]:
        print(f"    {bad}")
    lengths = [len(one.reply.text) for one in rows]
    times = [one.ms for one in every]
    print(f"  {mean(lengths):.0f} characters an answer, {median(times):.1f} ms at the median")


def _unheld(one: Answered) -> str:
    """What an answer says that its citations do not hold, by a check apart from its own; "" for nothing."""
    try:
        assert_supported(one.reply, {each.chunk_id: each.text for each in one.passages})
    except AssertionError as error:
        return f"{one.question.text}: {error}"
    return ""
