"""The chat on the wire; its names are in snake_case, as the clients of such chats have them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.api.models import Timestamp
from app.bounds import Bounded
from app.chat.calls import Answer, Message, action_of
from app.chat.documents import mentions_of
from app.domain.chat import ChatAction, ChatLine, Conversation, Mention, MentionKind
from app.errors import Invalid
from app.hitl.answers import CANCEL

MOST_TAGGED = 1_000
LONGEST_ID = 200

Id = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_ID, pattern=r"^[^\x00]+$")]
ThreadId = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$", to_lower=True
    ),
]  # a UUID
Text = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("message")]
Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), Bounded("title")]
Comment = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$"), Bounded("note")]
Thumb = Literal["up", "down"]
AnswerKind = Literal["doc_choice", "text_input", "action_choice", "retrieval_low", "cancel"]


class RequestModel(BaseModel):
    """What a client sends. Unknown keys are ignored: the user comes from the key, never from the body."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Told(BaseModel):
    """What a client gets."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ChatRequest(RequestModel):
    """A message. `tiptap_json` is the editor's document, of which the mentions are read; `tagged_doc_ids` and
    `tagged_set_ids` are taken beside them. Without `thread_id` a new conversation begins. `replaces` is the
    id of one's last message in it, which this one takes the place of, with all that came of it; without a
    message, that one is said again.
    """

    message: Text = ""
    tiptap_json: Any = None
    thread_id: ThreadId | None = None
    tagged_doc_ids: Annotated[list[Id], Field(max_length=MOST_TAGGED)] = []
    tagged_set_ids: Annotated[list[Id], Field(max_length=MOST_TAGGED)] = []
    action: ChatAction | None = None
    enable_web_search: bool = False
    request_id: Id | None = None
    replaces: Id | None = None

    def said(self) -> Message:
        """What was said; `Invalid` for nothing at all."""
        tagged = mentions_of(self.tiptap_json, self.message)
        mentions = _with(tagged.mentions, "document", self.tagged_doc_ids)
        mentions = _with(mentions, "set", self.tagged_set_ids)
        if not self.message.strip() and not mentions and self.replaces is None:
            raise Invalid("message: say something, or tag a document")
        actions = [one.id for one in mentions if one.kind == "action"]
        named = self.action or (actions[0] if len(actions) == 1 else None)
        return Message(
            text=self.message,
            plain=tagged.plain,
            mentions=mentions,
            action=action_of(named),
            web=self.enable_web_search or any(one.kind == "web" for one in mentions),
            replaces=self.replaces,
        )


class ResumeValue(RequestModel):
    """An answer: an option's id, `all`, or words. `tiptap_json` brings what was tagged in them."""

    type: AnswerKind
    value: Text | None = None
    tiptap_json: Any = None
    tagged_doc_ids: Annotated[list[Id], Field(max_length=MOST_TAGGED)] = []


class ResumeRequest(RequestModel):
    """What a person says to the question that waits."""

    thread_id: ThreadId
    resume_value: ResumeValue
    hitl_id: Id | None = None
    request_id: Id | None = None

    def said(self) -> Answer:
        """The answer; `Invalid` for one that says nothing."""
        given = self.resume_value
        if given.type == CANCEL:
            return Answer(kind=CANCEL, text=None, hitl_id=self.hitl_id)
        tagged = mentions_of(given.tiptap_json, given.value or "")
        mentions = _with(tagged.mentions, "document", given.tagged_doc_ids)
        if not (given.value or "").strip() and not mentions:
            raise Invalid("resume_value.value: say something, or cancel")
        return Answer(
            kind=given.type, text=given.value or "", mentions=mentions, hitl_id=self.hitl_id
        )


class RatingIn(RequestModel):
    """What one thinks of an answer, and why."""

    rating: Thumb
    comment: Comment = ""


class RatingView(Told):
    """What a person thinks of an answer, as it stands."""

    rating: Thumb
    comment: str
    rated_at: Timestamp

    @staticmethod
    def of(line: ChatLine) -> "RatingView | None":
        """The wire form; None for a line that nobody rated."""
        if line.rating is None or line.rated_at is None:
            return None
        return RatingView(
            rating=line.rating.thumb,
            comment=line.rating.comment,
            rated_at=line.rated_at,
        )


class LineView(Told):
    """One line of a conversation. `metadata` of an answer is its `response` event, of a question its
    `interrupt` event. `current_version` of a citation is its document's by now, where that is not deleted.
    A line of the kind `stopped` is what was told of an answer until it was stopped: nothing of it was
    checked. `rating` is what its person thinks of it.
    """

    id: str
    role: Literal["user", "assistant", "system"]
    kind: str
    content: str
    metadata: dict[str, Any]
    created_at: Timestamp
    rating: RatingView | None = None

    @staticmethod
    def of(line: ChatLine, versions: Mapping[str, int]) -> "LineView":
        """The wire form of a line; `versions` of documents by their ids."""
        metadata = line.metadata
        if cited := metadata.get("citations"):
            now = [{"current_version": versions.get(one.get("document_id"))} for one in cited]
            told = [one | more for one, more in zip(cited, now, strict=True)]
            metadata = metadata | {"citations": told}
        return LineView(
            id=line.message_id,
            role=line.role,
            kind=line.kind,
            content=line.content,
            metadata=metadata,
            created_at=line.created_at,
            rating=RatingView.of(line),
        )


class HistoryView(Told):
    """A conversation as it stands, oldest line first. `running`: a turn of it is under way."""

    thread_id: str
    title: str
    messages: list[LineView]
    pending_interrupt: dict[str, Any] | None = None
    running: bool = False


class ConversationView(Told):
    """A conversation in a list."""

    thread_id: str
    title: str
    message_count: int
    created_at: Timestamp
    updated_at: Timestamp

    @staticmethod
    def of(conversation: Conversation) -> "ConversationView":
        """The wire form of a conversation."""
        return ConversationView.model_validate(
            conversation.model_dump(include=set(ConversationView.model_fields))
        )


class ConversationsPage(Told):
    """One's own conversations, the last used first."""

    conversations: list[ConversationView]
    next_cursor: str | None = None


class StoppedView(Told):
    """Whether there was a turn to stop."""

    stopped: bool


class TitleIn(RequestModel):
    """Another title."""

    title: Title


def _with(mentions: tuple[Mention, ...], kind: MentionKind, ids: list[str]) -> tuple[Mention, ...]:
    known = {one.id for one in mentions if one.kind == kind}
    more = [Mention(kind=kind, id=one) for one in dict.fromkeys(ids) if one not in known]
    return (*mentions, *more)[:MOST_TAGGED]
