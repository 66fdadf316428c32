"""Libraries of a few short documents, and their questions."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.llm.embedder import Embedder
from bench.knowledge.retrieval.corpus import ChunkedDocument, made_of
from bench.knowledge.retrieval.questions import Question
from knowledge.extract.port import Raw
from knowledge.extract.reader import read_document

FOLDER = Path(__file__).parents[2] / "data"


@dataclass(frozen=True, slots=True)
class Library:
    """One team's documents; `asked` are questions with an answer, `nothing` those without."""

    tenant: str
    language: str
    made: tuple[ChunkedDocument, ...]
    asked: tuple[Question, ...]
    nothing: tuple[Question, ...]


def libraries(name: str, embedder: Embedder) -> Iterator[Library]:
    """The libraries of a file, extracted and chunked by our own pipeline."""
    held_out = name != "short_documents_tuning"
    for one in tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["library"]:
        documents = {document["title"]: document["text"].strip() for document in one["document"]}
        made = tuple(
            made_of(
                title,
                read_document(Raw(data=text.encode(), name=f"{title}.md")),
                embedder,
                one["name"],
            )
            for title, text in documents.items()
        )
        asked = tuple(
            Question(
                question["text"],
                tuple(
                    (of, question["quote"])
                    for of, text in documents.items()
                    if question["quote"] in text
                ),
                held_out,
            )
            for question in one["question"]
        )
        nothing = tuple(Question(question["text"], (), held_out) for question in one["nothing"])
        yield Library(one["name"], one["language"], made, asked, nothing)
