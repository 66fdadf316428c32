"""What is asked of the person where it is really open what they mean."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.chat.documents.source_text import FEWEST, has_words, split_message
from app.chat.documents.titles import Listing
from app.domain.chat import ChatAction, DocumentRef, Intent, Resolution
from app.domain.hitl import Option, Question

MOST_OPTIONS = 8
LONGEST_NAME = 80  # characters of a name in a question
LABELS: dict[ChatAction, str] = {
    "summarize": "Summarize",
    "inquire": "Answer a question",
    "compare": "Compare",
    "audit": "Audit",
}
UNSURE = "What would you like me to do first?"
WHICH: dict[ChatAction, str] = {
    "summarize": "Which document would you like to summarize?",
    "inquire": "Which document is your question about?",
    "compare": "Which documents would you like to compare?",
    "audit": "Which document should the text be checked against?",
}
TAG_IT = "Tag it with @ or say its title."


def question_of_action(intent: Intent) -> Question | None:
    """The question what to do; None if that is clear."""
    if len(intent.candidates) < 2:
        return None
    options = tuple(Option(id=one, label=LABELS[one]) for one in intent.candidates)
    return Question(text=UNSURE, kind="disambiguation", options=options)


def question_of_documents(
    resolution: Resolution, action: ChatAction, listing: Listing | None = None
) -> Question | None:
    """To choose among candidates, or to name a document that an action cannot be without; None if nothing is
    to be asked. With the `listing` candidates of one title are told apart.
    """
    if resolution.candidates:
        shown = resolution.candidates[:MOST_OPTIONS]
        return Question(
            text=WHICH[action],
            kind="disambiguation",
            options=tuple(
                Option(id=one.id, label=label)
                for one, label in zip(shown, _distinct_labels(shown, listing), strict=True)
            ),
        )
    if action == "inquire" or not resolution.unresolved or resolution.resolved:
        return None
    text = f"{unknown_documents(resolution.unresolved)} Which document do you mean? {TAG_IT}"
    return Question(text=text, fields=("document",))


def unknown_documents(names: Sequence[str]) -> str:
    told = ", ".join(f"\u201c{_short(one)}\u201d" for one in names[:3])
    return f"There is no document called {told}."


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1].rstrip() + "\u2026"


def _distinct_labels(shown: Sequence[DocumentRef], listing: Listing | None) -> list[str]:
    """A label each: the title, with its set, its source or a number if another has the same."""
    labels = [one.title for one in shown]
    if listing is not None:
        for more in ("set_name", "source"):
            labels = [
                f"{label} ({getattr(listing.titles[place], more)})"
                if labels.count(label) > 1 and (place := listing.ready.place(one.id)) is not None
                else label
                for one, label in zip(shown, labels, strict=True)
            ]
    counted = Counter(labels)
    return [
        f"{label} ({labels[:at].count(label) + 1})" if counted[label] > 1 else label
        for at, label in enumerate(labels)
    ]


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
    """Compare needs two documents and no web, audit a document and a text or another document, summarize one.
    `source` is the text to audit if the person was asked for it; otherwise it is looked for in `plain`.
    """
    known = {one.id: one for one in reversed((*documents, *in_sets))}
    ordered = [known[id_] for id_ in dict.fromkeys(one.id for one in (*documents, *in_sets))]
    notices: list[str] = []
    if action == "compare" and web:
        notices.append(NO_WEB)
    if len(ordered) > MOST_DOCUMENTS:
        notices.append(f"Only the first {MOST_DOCUMENTS} of {len(ordered):,} documents are read.")
    text = source.strip() or split_message(plain).text if action == "audit" else ""
    text = text if has_words(text, FEWEST) else ""
    return CheckedInputs(
        documents=tuple(ordered[:MOST_DOCUMENTS]),
        web=web and action != "compare",
        source=text,
        lack=_lack(action, len(ordered), text),
        notices=tuple(notices),
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
