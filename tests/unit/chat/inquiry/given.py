"""A small library, chunked as on ingestion, and a scripted model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from app.chat.documents.passages import from_parts
from app.chat.tools import ActionRequest, Tools
from app.domain.access import Policy
from app.domain.chat import DocumentRef
from app.domain.knowledge import (
    Chunk,
    ChunkPlacement,
    Citation,
    Document,
    DocumentTitle,
    FoundPassage,
    Retrieval,
)
from app.errors import NotFound
from app.llm.port import ModelRequest
from knowledge.port import Part, Query

NOW = datetime(2026, 11, 1, tzinfo=UTC)
TRAVEL = """# Travel policy

## Hotels

A hotel may cost at most 120 euros a night. In London the limit is 180 euros a night.

## Trains

Staff travel by train in second class. Journeys of more than 4 hours may be booked in first class.

## Meals

Breakfast is paid for where the hotel does not include it. Lunch and dinner are paid for up to the rates of
the country that is visited, less what was offered by hosts. Drinks are paid for with meals alone. Receipts
are kept for two years and handed in with the claim, which is due within thirty days of the return.
"""
PRICES = """# Prices

## Visits

| Visit | Price (EUR) |
|---|---|
| First visit | 25 |
| Follow-up | 31 |
"""
LONDON = "In London the limit is 180 euros a night."
FOLLOW = "| Follow-up | 31 |"


def parts_of(document_id: str, markdown: str) -> list[Part]:
    """A chunk a section, as of a document that is not small."""
    title, *sections = markdown.strip().split("\n## ")
    cut = [
        (tuple(filter(None, (title.removeprefix("# ").strip(), head))), body.strip())
        for head, _, body in (one.partition("\n") for one in sections)
    ] or [((), markdown.strip())]
    return [
        Part(
            chunk=Chunk(
                chunk_id=f"{document_id}-{at}",
                tenant="t",
                document_id=document_id,
                text=text,
                heading_path=path,
                tokens=len(text) // 4,
                language="en",
                created_at=NOW,
            ),
            placed=ChunkPlacement(chunk_id=f"{document_id}-{at}", start=at, end=at + 1),
        )
        for at, (path, text) in enumerate(cut)
    ]


@dataclass
class Library:
    """Documents by title; a search finds the passages that have a word of the query, in their order."""

    texts: Mapping[str, str] = field(
        default_factory=lambda: {"Travel policy": TRAVEL, "Prices": PRICES}
    )
    queries: list[Query] = field(default_factory=list)
    sites: Mapping[str, str] = field(
        default_factory=dict
    )  # of documents that a person bound to one

    async def titles(self, tenant: str) -> Sequence[DocumentTitle]:
        return [
            DocumentTitle(document_id=one, title=one, domain=self.sites.get(one), ingested_at=NOW)
            for one in self.texts
        ]

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        if document_id not in self.texts:
            raise NotFound("There is no such document")
        return parts_of(document_id, self.texts[document_id])

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        self.queries.append(query)
        words = {one.strip("?.,").casefold() for one in query.text.split() if len(one) > 4}
        found = [
            self._found(title, part, 0.9 - at / 10)
            for title, text in self.texts.items()
            if not query.documents or title in query.documents
            for at, part in enumerate(parts_of(title, text))
            if words & set(part.chunk.text.casefold().replace(".", "").split())
        ]
        score = max((one.score for one in found), default=0.0)
        return Retrieval(allowed=True, domain="", confidence_score=score, found=tuple(found))

    def _found(self, title: str, part: Part, score: float) -> FoundPassage:
        (evidence,) = from_parts(ref(title), [part])
        document = Document(
            document_id=title, tenant="t", key=title, title=title, source="", kind="md",
            language="en", created_at=NOW, ingested_at=NOW,
        )  # fmt: skip
        citation = Citation(
            label=evidence.label,
            document_id=title,
            chunk_id=evidence.chunk_id,
            title=title,
            heading_path=evidence.heading_path,
        )
        return FoundPassage(
            text=evidence.text, score=score, document=document, citation=citation, ingested_at=NOW
        )


class Scripted:
    """Replies by the name of what is asked for, in their order; an error is raised. Without a verdict of its
    own every claim is judged to be supported.
    """

    names = {"fast": "scripted", "strong": "scripted"}

    def __init__(self, **replies: Any) -> None:
        self.replies = {
            name: list(given) if isinstance(given, list) else [given]
            for name, given in replies.items()
        }
        self.asked: list[ModelRequest[Any]] = []

    async def ask(self, request: ModelRequest[Any]) -> BaseModel:
        self.asked.append(request)
        name = request.reply.__name__
        if name == "JudgeReply" and name not in self.replies:
            count = request.prompt.count(", and its quotes")
            said: Any = {"verdicts": [{"claim": at + 1, "supported": True} for at in range(count)]}
        else:
            said = self.replies[name].pop(0)
        if isinstance(said, Exception):
            raise said
        made: BaseModel = request.reply.model_validate(said)
        return made

    @property
    def order(self) -> list[str]:
        return [one.reply.__name__ for one in self.asked]


def ref(title: str) -> DocumentRef:
    return DocumentRef(id=title, title=title)


def claim(text: str, *words: str, source: str = "P1", formula: str = "") -> dict[str, Any]:
    quotes = [{"source": source, "words": one} for one in words]
    return {"text": text, "quotes": quotes, "formula": formula}


def asked(plain: str, *titles: str, **more: Any) -> ActionRequest:
    return ActionRequest(message=plain, plain=plain, documents=tuple(map(ref, titles)), **more)


def tools(model: object = None, documents: object = None, **more: Any) -> Tools:
    made = Tools(
        tenant="t",
        documents=documents or Library(),
        policy=Policy(tenant="t"),
        model=model,
        today=NOW.date(),
    )
    return replace(made, **more)
