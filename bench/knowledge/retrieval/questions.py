"""The questions of the retrieval benchmark, and whether a passage answers one."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from app.domain.knowledge import Retrieval

FOLDER = Path(__file__).parents[1]
KEPT_APART = 3  # one question in three, by the hash of its first answer


@dataclass(frozen=True, slots=True)
class Question:
    """`answers` are (document, words that the passage contains), any of which is right; empty if the
    documents have no answer. `held_out` questions are never tuned on.
    """

    text: str
    answers: tuple[tuple[str, str], ...]
    held_out: bool

    def rank(self, resolved: Retrieval) -> int | None:
        """The index of the first passage that answers it."""
        for at, one in enumerate(resolved.found):
            if self.answered(one.document.key, plain(one.text)):
                return at
        return None

    def answered(self, document: str, text: str) -> bool:
        """Whether a plain-text passage answers it."""
        return any(document == of and plain(quote) in text for of, quote in self.answers)


def plain(text: str) -> str:
    """The words without Markdown markup and whitespace differences."""
    return " ".join(re.findall(r"\w+", re.sub(r"[*`_\\]", "", text.lower())))


def questions(name: str = "questions") -> list[Question]:
    """The questions with an answer in a file. A line has document, question and quote; a question may have
    several lines. All questions of files other than the first are held out.
    """
    answers: dict[str, list[tuple[str, str]]] = {}
    for line in (FOLDER / f"{name}.tsv").read_text("utf-8").splitlines():
        document, text, quote = line.split("\t")
        answers.setdefault(text, []).append((document, quote))
    return [
        Question(text, tuple(found), name != "questions" or _apart("".join(found[0])))
        for text, found in answers.items()
    ]


def off_topic(name: str = "off_topic") -> list[Question]:
    """The questions without an answer in a file."""
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return [Question(text, (), name != "off_topic" or _apart(text)) for text in lines]


def _apart(text: str) -> bool:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % KEPT_APART == 0
