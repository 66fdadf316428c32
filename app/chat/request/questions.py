"""What an action needs, and the questions asked if it is missing or ambiguous."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.chat.documents.source_text import FEWEST, has_words, split_message
from app.chat.documents.titles import Listing
from app.domain.chat import ChatAction, DocumentRef, Intent, Resolution
from app.domain.hitl import Option, Question

MAX_OPTIONS = 8
MAX_NAME = 80  # characters of a name in a question
LABELS: dict[ChatAction, str] = {
    "summarize": "Summarize",
    "inquire": "Answer a question",
    "compare": "Compare",
    "audit": "Audit",
}
WHICH: dict[ChatAction, str] = {
    "summarize": "Which document would you like to summarize?",
    "inquire": "Which document is your question about?",
    "compare": "Which documents would you like to compare?",
    "audit": "Which document should the text be checked against?",
}
TAG_IT = "Tag it with @ or enter its title."


def action_question(intent: Intent) -> Question | None:
    """Ask what to do; None if that is clear."""
    if len(intent.candidates) < 2:
        return None
    return Question(
        text="What would you like me to do first?",
        kind="disambiguation",
        source="intent",
        return_to="intent_resolver/chosen",
        options=tuple(Option(id=one, label=LABELS[one]) for one in intent.candidates),
    )


def document_question(
    resolution: Resolution, action: ChatAction, listing: Listing
) -> Question | None:
    """Ask to choose among candidates, or to name a document that the action needs; None if all is clear."""
    if candidates := resolution.candidates[:MAX_OPTIONS]:
        labels = _distinct_labels(candidates, listing)
        return Question(
            text=WHICH[action],
            kind="disambiguation",
            source="documents",
            return_to="doc_resolver/chosen",
            multiple=True,
            options=tuple(
                Option(id=document.id, label=label)
                for document, label in zip(candidates, labels, strict=True)
            ),
        )
    if action == "inquire" or not resolution.unresolved or resolution.resolved:
        return None
    return Question(
        text=f"{unknown_documents(resolution.unresolved)} Which document do you mean? {TAG_IT}",
        source="documents",
        return_to="doc_resolver/named",
        fields=("document",),
    )


def unknown_documents(names: Sequence[str]) -> str:
    quoted = ", ".join(f"\u201c{_shorten_name(name)}\u201d" for name in names[:3])
    return f"There is no document called {quoted}."


def _shorten_name(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= MAX_NAME else line[: MAX_NAME - 1].rstrip() + "\u2026"


def _distinct_labels(documents: Sequence[DocumentRef], listing: Listing) -> list[str]:
    """The titles; equal ones with their set, source or a number."""
    labels = [document.title for document in documents]
    titles = {title.document_id: title for title in listing.titles}
    for detail in ("set_name", "source"):
        details = [getattr(titles.get(document.id), detail, "") for document in documents]
        labels = [
            f"{label} ({more})" if labels.count(label) > 1 and more else label
            for label, more in zip(labels, details, strict=True)
        ]
    counts = Counter(labels)
    return [
        f"{label} ({labels[:at].count(label) + 1})" if counts[label] > 1 else label
        for at, label in enumerate(labels)
    ]


MissingInput = Literal["documents", "another_document", "source_text"]

MAX_DOCUMENTS = 50  # per turn, to bound time and cost
NO_WEB = "The web is not searched for a comparison of documents."

_ANOTHER_DOCUMENT = "A comparison needs two documents. Which one should it be compared with?"
_SOURCE_TEXT = (
    "Which text should be checked, or which rules should the document follow? Paste them here."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedInputs:
    """The inputs of an action: `documents` includes those of sets, `source` is the text to audit. `notices`
    are sentences for the person.
    """

    documents: tuple[DocumentRef, ...] = ()
    web: bool = False
    source: str = ""
    missing: MissingInput | None = None
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
    """A comparison needs two documents and no web, an audit a document and a text or another document, a
    summary one document. `source` is the text to audit if the person was asked for it; otherwise it is
    looked for in `plain`.
    """
    known = {one.id: one for one in reversed((*documents, *in_sets))}
    ordered = [known[id_] for id_ in dict.fromkeys(one.id for one in (*documents, *in_sets))]
    notices: list[str] = []
    if action == "compare" and web:
        notices.append(NO_WEB)
    if len(ordered) > MAX_DOCUMENTS:
        notices.append(f"Only the first {MAX_DOCUMENTS} of {len(ordered):,} documents are read.")
    text = source.strip() or split_message(plain).text if action == "audit" else ""
    text = text if has_words(text, FEWEST) else ""
    return CheckedInputs(
        documents=tuple(ordered[:MAX_DOCUMENTS]),
        web=web and action != "compare",
        source=text,
        missing=_missing_input(action, len(ordered), text),
        notices=tuple(notices),
    )


def _missing_input(action: ChatAction, documents: int, text: str) -> MissingInput | None:
    if action == "compare":
        return "another_document" if documents < 2 else None
    if action == "inquire":
        return None
    if not documents:
        return "documents"
    # One of two documents holds the rules for the other.
    return "source_text" if action == "audit" and not text and documents < 2 else None


def missing_input_question(missing: MissingInput, action: ChatAction) -> Question:
    """Ask for a missing input, to be answered in words or with a tag."""
    if missing == "source_text":
        text, field = _SOURCE_TEXT, "text"
    else:
        which = _ANOTHER_DOCUMENT if missing == "another_document" else WHICH[action]
        text, field = f"{which} {TAG_IT}", "document"
    return Question(
        text=text, source="validation", return_to="validate_inputs/given", fields=(field,)
    )
