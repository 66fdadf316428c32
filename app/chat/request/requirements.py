"""What an action needs before it can be done; code alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.chat.documents.source_text import FEWEST, has_words, split_message
from app.chat.request.questions import TAG_IT, WHICH
from app.domain.chat import ChatAction, DocumentRef
from app.domain.hitl import Question

Lack = Literal["documents", "another_document", "source_text"]

MOST_DOCUMENTS = 50  # of one turn: more is neither read nor paid for at once
NO_WEB = "The web is not searched for a comparison: it is between documents."

_SECOND = "A comparison needs two documents. Which one should it be compared with?"
_TEXT = "Which text should be checked, or which rules should the document keep? Paste them here."


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedInputs:
    """What holds after the check: the `documents` with those of the sets among them, whether the web is
    searched, the text that is audited. `lack` is what is still needed, if anything; `notices` are sentences
    for the person.
    """

    documents: tuple[DocumentRef, ...] = ()
    web: bool = False
    source: str = ""
    lack: Lack | None = None
    notices: tuple[str, ...] = ()


def check_inputs(
    action: ChatAction,
    plain: str,
    documents: Sequence[DocumentRef],
    in_sets: Sequence[DocumentRef],
    *,
    web: bool,
    source: str = "",
) -> CheckedInputs:
    """Compare needs two documents and no web, audit a document and a text or another document, summarize
    one. `source` is what the person gave when asked for the text to audit; else it is looked for in the
    message, `plain`.
    """
    known, notices = _bounded(documents, in_sets)
    text = _text(plain, source) if action == "audit" else ""
    dropped = action == "compare" and web
    return CheckedInputs(
        documents=known,
        web=web and not dropped,
        source=text,
        lack=_lack(action, len(known), text),
        notices=(NO_WEB, *notices) if dropped else notices,
    )


def question_for_lack(lack: Lack, action: ChatAction) -> Question:
    """The question for what an action still needs, to be answered in words or with a tag."""
    if lack == "source_text":
        return Question(text=_TEXT, fields=("text",))
    which = _SECOND if lack == "another_document" else WHICH[action]
    return Question(text=f"{which} {TAG_IT}", fields=("document",))


def _lack(action: ChatAction, documents: int, text: str) -> Lack | None:
    if action == "compare":
        return "another_document" if documents < 2 else None
    if action == "inquire":
        return None
    if not documents:
        return "documents"
    # Of two documents one has the rules that the other is held against.
    return "source_text" if action == "audit" and not text and documents < 2 else None


def _text(plain: str, source: str) -> str:
    """The text to audit; "" where there is too little of it to say anything."""
    text = source.strip() or split_message(plain).text
    return text if has_words(text, FEWEST) else ""


def _bounded(
    documents: Sequence[DocumentRef], in_sets: Sequence[DocumentRef]
) -> tuple[tuple[DocumentRef, ...], tuple[str, ...]]:
    """Each document once, those that were named before those of the sets, and what is said of the rest."""
    known = {one.id: one for one in reversed((*documents, *in_sets))}
    ordered = tuple(known[one] for one in dict.fromkeys(d.id for d in (*documents, *in_sets)))
    if len(ordered) <= MOST_DOCUMENTS:
        return ordered, ()
    left = f"Only the first {MOST_DOCUMENTS} of {len(ordered):,} documents are read."
    return ordered[:MOST_DOCUMENTS], (left,)
