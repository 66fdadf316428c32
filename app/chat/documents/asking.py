"""Which document is meant, put to the person."""

from collections import Counter
from collections.abc import Sequence

from app.chat.documents.listing import Listing
from app.domain.chat import ChatAction, DocumentRef, Resolution
from app.domain.question import Option, Question

MOST_OPTIONS = 8
LONGEST_NAME = 80  # characters of a name in a question

_WHICH: dict[ChatAction, str] = {
    "summarize": "Which document would you like to summarize?",
    "inquire": "Which document is your question about?",
    "compare": "Which documents would you like to compare?",
    "audit": "Which document should the text be checked against?",
}
_NAME_IT = "Which document do you mean? Tag it with @ or say its title."


def question_of(
    resolution: Resolution, action: ChatAction, listing: Listing | None = None
) -> Question | None:
    """What is asked where it is not clear: to choose among candidates, or to name one. With the `listing`
    candidates of one title are told apart. None where nothing is to be asked.
    """
    if resolution.candidates:
        shown = resolution.candidates[:MOST_OPTIONS]
        return Question(
            text=_WHICH[action],
            kind="disambiguation",
            options=tuple(
                Option(id=one.id, label=label)
                for one, label in zip(shown, _told_apart(shown, listing), strict=True)
            ),
        )
    if resolution.confidence != "low":
        return None
    return Question(text=_missing(resolution.unresolved), fields=("document",))


def _missing(names: Sequence[str]) -> str:
    if not names:
        return _NAME_IT
    told = ", ".join(f"\u201c{_short(one)}\u201d" for one in names[:3])
    return f"There is no document called {told}. {_NAME_IT}"


def _short(name: str) -> str:
    line = " ".join(name.split())
    return line if len(line) <= LONGEST_NAME else line[: LONGEST_NAME - 1].rstrip() + "\u2026"


def _told_apart(shown: Sequence[DocumentRef], listing: Listing | None) -> list[str]:
    """A label each: the title, where that is another's too with its set, its source or a number."""
    labels = [one.title for one in shown]
    if listing is not None:
        for more in ("set_name", "source"):
            labels = [
                f"{label} ({getattr(listing.titles[place], more)})"
                if _again(label, labels) and (place := listing.ready.place(one.id)) is not None
                else label
                for one, label in zip(shown, labels, strict=True)
            ]
    counted = Counter(labels)
    return [
        f"{label} ({labels[:at].count(label) + 1})" if counted[label] > 1 else label
        for at, label in enumerate(labels)
    ]


def _again(label: str, labels: Sequence[str]) -> bool:
    return labels.count(label) > 1
