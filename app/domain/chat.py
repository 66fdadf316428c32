"""Values of a conversation over the team's documents: turns, intents, evidence, replies."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value, renamed_field
from app.domain.knowledge import Confidence, PassageLocation

ChatAction = Literal["summarize", "inquire", "compare", "audit"]
ACTIONS: tuple[ChatAction, ...] = ("summarize", "inquire", "compare", "audit")
MentionKind = Literal["document", "set", "action", "web"]
ChatRole = Literal["user", "assistant"]


class Mention(Value):
    """Something tagged with `@`: `id` is a document id, a set name, an action name or "web"; `label` is how
    it appears in the text.
    """

    kind: MentionKind
    id: str
    label: str = ""


class DocumentRef(Value):
    """A document's id and title."""

    id: str
    title: str


class ChatTurn(Value):
    """One turn as the graph remembers it, truncated if long. `documents` are those it was about."""

    message_id: str
    role: ChatRole
    text: str
    documents: tuple[DocumentRef, ...] = ()


class Intent(Value):
    """What the person wants.

    `candidates` are the possible actions if ambiguous, most likely first. `question` is the message
    reworded to be self-contained. `web`: the answer may have changed since the documents were written.
    `title` is set for a new conversation. `notice` tells the person why no model could be called.
    """

    action: ChatAction = "inquire"
    confidence: Confidence = "high"
    candidates: tuple[ChatAction, ...] = ()
    question: str = ""
    web: bool = False
    title: str = ""
    notice: str = ""


class Resolution(Value):
    """The documents a message refers to; empty means all.

    `candidates` are ambiguous matches, `unresolved` names that match no document.
    """

    resolved: tuple[DocumentRef, ...] = ()
    candidates: tuple[DocumentRef, ...] = ()
    unresolved: tuple[str, ...] = ()
    confidence: Confidence = "high"


class PassageSource(PassageLocation):
    """The document version or web page that a passage is from. A web page has a `url` alone; `version` counts
    from 1 and is 0 for it.
    """

    kind: Literal["document", "web"] = "document"
    title: str
    label: str = ""
    document_id: str = ""
    chunk_id: str = ""
    version: int = 0


class Evidence(PassageSource):
    """A passage that an answer may cite by `ref`, an id of ours ("P1", "W1").

    `score` is in 0..1. `language` is a code such as "en", "" if unknown. `marks` are (offset in the text,
    number) pairs for the start of each further page or sheet row.
    """

    ref: str
    text: str
    marks: tuple[tuple[int, int], ...] = ()
    score: float = 0.0
    language: str = ""


class ChatCitation(PassageSource):
    """The source of a claim: `marker` is the bracketed number in the answer, `quote` the words of the
    passage that support it, `rows` the first and last row of a sheet.
    """

    marker: int
    quote: str
    rows: tuple[int, int] | None = None


class TextRun(Value):
    """A run of words in a line, and whether the other document's line differs there."""

    text: str
    changed: bool = False


class ComparedLine(Value):
    """A line of one document; `markers` refer to the citations whose quotes come from it."""

    words: tuple[TextRun, ...]
    markers: tuple[int, ...] = ()


class ChangeNote(Value):
    """A model's description of a change, verified by code. `kind` is a word such as "added"."""

    kind: str
    text: str
    doubted: bool = False


class ComparedSection(Value):
    """A section in which documents differ.

    Each of `rows` has one line per document, or None if a document has no such line; lines next to a
    difference are included as context.
    """

    heading: str
    notes: tuple[ChangeNote, ...] = renamed_field((), "notes", stored="told")
    rows: tuple[tuple[ComparedLine | None, ...], ...] = ()


class Comparison(Value):
    """A section-by-section comparison of documents; `left` is the number of sections not shown."""

    documents: tuple[DocumentRef, ...]
    sections: tuple[ComparedSection, ...]
    omitted: int = renamed_field(0, "omitted", stored="left")


class ContestedClaim(Value):
    """A claim, and why it is not supported ("" if no reason was given)."""

    text: str
    reason: str = ""


class Reply(Value):
    """The result of an action. `text` is Markdown with citation markers such as [1]. `by_model`: a model
    worded it.

    Remarks are data for the client to word: the `unsupported` ones of `claims`, which the text omits;
    `doubts`, the claims that it marks with "(?)"; and where it `looked` without result. `doubted` is a
    count of claims; `conflicting`: documents contradict one another. `notices` are sentences for the
    person. `score` in 0..1 rates how well the documents answer. `grave`: it reports something that may
    matter much, such as a violation of the highest severity. `comparison` has the same content as the text,
    for display.
    """

    text: str
    citations: tuple[ChatCitation, ...] = ()
    confidence: Confidence = "high"
    score: float = 1.0
    by_model: bool = False
    claims: int = 0
    unsupported: tuple[ContestedClaim, ...] = ()
    doubts: tuple[ContestedClaim, ...] = ()
    searched: tuple[DocumentRef, ...] = renamed_field((), "searched", stored="looked")
    doubted: int = 0
    conflicting: bool = False
    grave: bool = False
    notices: tuple[str, ...] = ()
    comparison: Comparison | None = None


class Conversation(Value):
    """One person's conversation.

    `task_id` is its thread in the graph and the id its calls are billed to. `documents` is the thread's
    document registry, stored here too because threads expire before conversations. `superseded` are turns
    that were replaced; their lines are kept but not shown.
    """

    thread_id: str
    tenant: str
    user: str
    task_id: str
    title: str = ""
    documents: tuple[DocumentRef, ...] = ()
    superseded: tuple[str, ...] = ()
    message_count: int = 0
    created_at: datetime
    updated_at: datetime


class Rating(Value):
    """A person's rating of an answer; the latest rating counts."""

    satisfied: bool
    comment: str = ""

    @property
    def thumb(self) -> Literal["up", "down"]:
        return "up" if self.satisfied else "down"


LineKind = Literal["message", "question", "answer", "cancelled", "expired", "decision", "stopped"]
"""`stopped`: the partial, unchecked text of an answer that was stopped."""


class ChatLine(Value):
    """One line of a conversation as shown to a person.

    `turn_id` is the request it belongs to. `metadata` is the terminal event of an answer, the question's
    data, or the tags of a person's message. `rating` is that of an answer, given at `rated_at`.
    """

    message_id: str
    tenant: str
    thread_id: str
    turn_id: str
    role: Literal["user", "assistant", "system"]
    kind: LineKind = "message"
    content: str
    metadata: dict[str, Any] = {}
    created_at: datetime
    rating: Rating | None = None
    rated_at: datetime | None = None
