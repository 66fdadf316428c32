"""What is asked of the person where it is really open what they mean."""

from collections import Counter
from collections.abc import Sequence

from app.chat.documents.library import Listing
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
    """The question for what is to be done; None where that is clear."""
    if len(intent.candidates) < 2:
        return None
    options = tuple(Option(id=one, label=LABELS[one]) for one in intent.candidates)
    return Question(text=UNSURE, kind="disambiguation", options=options)


def question_of_documents(
    resolution: Resolution, action: ChatAction, listing: Listing | None = None
) -> Question | None:
    """To choose among candidates, or to name a document that an action cannot be without; None where nothing
    is to be asked. With the `listing` candidates of one title are told apart.
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
    """That no document has these names."""
    told = ", ".join(f"\u201c{_short(one)}\u201d" for one in names[:3])
    return f"There is no document called {told}."


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1].rstrip() + "\u2026"


def _distinct_labels(shown: Sequence[DocumentRef], listing: Listing | None) -> list[str]:
    """A label each: the title, where that is another's too with its set, its source or a number."""
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
