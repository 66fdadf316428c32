"""The conversation over the team's documents: what is said, meant, found and answered."""

from datetime import datetime
from typing import Any, Literal

from app.domain.base import Value, renamed_field
from app.domain.knowledge import Confidence

ChatAction = Literal["summarize", "inquire", "compare", "audit"]
ACTIONS: tuple[ChatAction, ...] = ("summarize", "inquire", "compare", "audit")
MentionKind = Literal["document", "set", "action", "web"]
ChatRole = Literal["user", "assistant"]


class Mention(Value):
    """Something that the person tagged with `@`: `id` is a document's, a set's name, an action's name or
    "web"; `label` is what stands in the text.
    """

    kind: MentionKind
    id: str
    label: str = ""


class DocumentRef(Value):
    """A document by its id and the title it goes by."""

    id: str
    title: str


class ChatTurn(Value):
    """One line of the conversation as the graph remembers it; what is longer was cut. `documents` are those
    it was about.
    """

    message_id: str
    role: ChatRole
    text: str
    documents: tuple[DocumentRef, ...] = ()


class Intent(Value):
    """What the person wants done. `candidates` are the actions that they may mean where it is open, the
    likeliest first. `question` is the message as one that stands for itself. `web`: the answer may have
    changed since the documents were written. `title` names what a conversation that begins is about. `notice`
    says to the person why no model could be asked.
    """

    action: ChatAction = "inquire"
    confidence: Confidence = "high"
    candidates: tuple[ChatAction, ...] = ()
    question: str = ""
    web: bool = False
    title: str = ""
    notice: str = ""


class Resolution(Value):
    """Which documents are meant; none: all. `candidates` are those of which one must be meant; `unresolved`
    are names that no document has.
    """

    resolved: tuple[DocumentRef, ...] = ()
    candidates: tuple[DocumentRef, ...] = ()
    unresolved: tuple[str, ...] = ()
    confidence: Confidence = "high"


class Evidence(Value):
    """A passage that an answer may cite, as `ref`, which is made by us ("P1", "W1"). Of a document with its
    place there; `url` alone says where a page of the web is. `start` and `end` are characters of the
    document's Markdown, pages count from 1, and so do `version`s of a document (0: of none). `score` in 0..1.
    `language` as in "en", "" where it is not known. `marks` are characters of the text at which another page,
    or a row of its sheet, begins, each with its number.
    """

    ref: str
    kind: Literal["document", "web"] = "document"
    text: str
    title: str
    label: str = ""
    document_id: str = ""
    chunk_id: str = ""
    version: int = 0
    url: str | None = None
    page: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    marks: tuple[tuple[int, int], ...] = ()
    score: float = 0.0
    language: str = ""


class ChatCitation(Value):
    """What a claim of an answer stands on: `marker` is the number in its brackets there, `quote` the words
    of the passage that hold it, `version` that of the document which they were read in (0: of none), `rows`
    the first and the last row of a sheet.
    """

    marker: int
    kind: Literal["document", "web"] = "document"
    title: str
    label: str
    quote: str
    document_id: str = ""
    chunk_id: str = ""
    version: int = 0
    url: str | None = None
    page: int | None = None
    page_end: int | None = None
    rows: tuple[int, int] | None = None
    heading_path: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


class TextRun(Value):
    """Some words of a line, and whether the line beside it has others there."""

    text: str
    changed: bool = False


class ComparedLine(Value):
    """A line of one document; `markers` are of the citations whose quotes are of it."""

    words: tuple[TextRun, ...]
    markers: tuple[int, ...] = ()


class ChangeNote(Value):
    """What a model said of a change, and code certified. `kind` is a word, as in "added"."""

    kind: str
    text: str
    doubted: bool = False


class ComparedSection(Value):
    """A section in which documents differ. Each of `rows` holds a line of each document, None where it has
    none, and those next to a line that differs.
    """

    heading: str
    notes: tuple[ChangeNote, ...] = renamed_field((), "notes", stored="told")
    rows: tuple[tuple[ComparedLine | None, ...], ...] = ()


class Comparison(Value):
    """Documents beside each other, section by section; `left` counts sections that are not shown."""

    documents: tuple[DocumentRef, ...]
    sections: tuple[ComparedSection, ...]
    omitted: int = renamed_field(0, "omitted", stored="left")


class ContestedClaim(Value):
    """A claim, and the reason why it does not count as supported, "" where none was given."""

    text: str
    reason: str = ""


class Reply(Value):
    """What an action came to: `text` is Markdown, with markers as in [1] for its citations. `by_model`: a
    model worded it. What we say about it is data, for whoever shows it to word: of its `claims`
    the `unsupported` ones, which the text leaves out, `doubts` of claims that it marks with "(?)", and where
    it `looked` in vain. `doubted` counts claims; `conflicting`: documents contradict one another. `notices`
    are sentences for the person. `score` in 0..1 is how well the documents answer. `grave`: it tells of what
    may matter much, a breach of the highest severity. `comparison` is the same as the text, for the eye.
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
    """A conversation of one person. `task_id` is its thread in the graph, and what its calls are accounted
    to. `documents` is the registry of the thread, kept here too, since threads end before
    conversations do. `superseded` are turns that another took the place of: their lines are kept, and not
    shown.
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
    """What the person thinks of an answer, for its maker to do better; the last word counts."""

    satisfied: bool
    comment: str = ""

    @property
    def thumb(self) -> Literal["up", "down"]:
        """As the wire has it."""
        return "up" if self.satisfied else "down"


LineKind = Literal["message", "question", "answer", "cancelled", "expired", "decision", "stopped"]
"""`stopped`: what was said of an answer that was stopped, of which nothing was checked."""


class ChatLine(Value):
    """One line of a conversation as a person reads it. `turn_id` is the request it belongs to; `metadata` of
    an answer is the terminal event, of a question what was asked, of a person's message what they tagged.
    `rating` is of an answer, given at `rated_at`.
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
