"""What tests of inquiries work with: documents in memory and a model that says what it was told to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from app.chat.tools import Asked, Tools
from app.domain.chat import Evidence
from app.domain.knowledge import Citation, Document, Found, Resolved, Titled
from app.domain.policy import Policy
from app.llm.port import ModelRequest
from knowledge.port import Part, Query

NOW = datetime(2026, 11, 1, tzinfo=UTC)
LEAVE = """Employees get 25 days of paid leave per calendar year. Part-time employees get leave in proportion.
Unused days may not be carried over into the next year."""
STEPS = """To ask for leave:

1. Open the leave form in the portal.
2. Enter the first and the last day.
3. Send it to your manager. Then wait for an answer."""
PLANS = """| Plan | Price | Seats |
|---|---|---|
| Pro | $12 | 5 |
| Team | $30 | 25 |"""


def passage(number: int, text: str, score: float = 0.95, title: str = "Handbook") -> Evidence:
    return Evidence(
        ref=f"P{number}",
        text=text,
        title=title,
        label=f"{title}, page {number}",
        document_id=f"d{number}",
        chunk_id=f"c{number}",
        score=score,
    )


def asked(message: str, *texts: str, score: float = 0.95, **more: Any) -> Asked:
    passages = tuple(passage(at, text, score) for at, text in enumerate(texts, 1))
    sure = "high" if score >= 0.85 else "medium" if score >= 0.5 else "low"
    return Asked(
        message=message, plain=message, passages=passages, score=score, confidence=sure, **more
    )


@dataclass
class Library:
    """Finds what it was given, and keeps what it was asked."""

    found: tuple[Found, ...] = ()
    named: tuple[Titled, ...] = ()
    queries: list[Query] = field(default_factory=list)

    async def titles(self, tenant: str) -> Sequence[Titled]:
        return self.named

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        return ()

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Resolved:
        self.queries.append(query)
        best = max((one.score for one in self.found), default=0.0)
        sure = "high" if best >= 0.85 else "low"
        return Resolved(
            allowed=True, domain="", confidence_score=best, confidence=sure, found=self.found
        )


def found(text: str, score: float = 0.9) -> Found:
    document = Document(
        document_id="d", tenant="t", key="k", title="Handbook", source="h.md", kind="md",
        created_at=NOW, ingested_at=NOW,
    )  # fmt: skip
    citation = Citation(label="Handbook", document_id="d", chunk_id="c", title="Handbook")
    return Found(text=text, score=score, document=document, citation=citation, ingested_at=NOW)


class Scripted:
    """A model that gives the answers it was made with, or raises them, and keeps what it was asked."""

    names = {"fast": "scripted", "strong": "scripted"}

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[ModelRequest[Any]] = []

    async def ask(self, request: ModelRequest[Any]) -> BaseModel:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        made: BaseModel = request.reply.model_validate(answer)
        return made


def tools(model: object = None, documents: object = None, search: object = None) -> Tools:
    return Tools(
        tenant="t",
        documents=documents or Library(),
        policy=Policy(tenant="t"),
        model=model,
        search=search,
    )
