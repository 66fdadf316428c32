"""Requests and responses of the chat, in snake_case as its clients expect."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.api.models import EXAMPLES, ResponseModel, Timestamp
from app.bounds import Bounded
from app.chat import Answer, Message, parse_action, parse_mentions
from app.domain.chat import ChatAction, ChatLine, Mention, MentionKind
from app.errors import Invalid
from app.hitl import CANCEL

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


class ChatRequestModel(BaseModel):
    """A request. Unknown keys are ignored: the user comes from the key, never from the body."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ChatResponseModel(ResponseModel):
    model_config = ConfigDict(alias_generator=None)


class ChatRequest(ChatRequestModel):
    """A message. Mentions are read from `tiptap_json`, the editor's document, in addition to
    `tagged_doc_ids` and `tagged_set_ids`. Without `thread_id` a new conversation starts. `replaces` is the
    id of the user's last message, which this one replaces with everything that followed; without
    `message` it is sent again unchanged.
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

    def content(self) -> Message:
        """Raises `Invalid` if the message is empty."""
        tagged = parse_mentions(self.tiptap_json, self.message)
        mentions = _add_tagged(tagged.mentions, "document", self.tagged_doc_ids)
        mentions = _add_tagged(mentions, "set", self.tagged_set_ids)
        if not self.message.strip() and not mentions and self.replaces is None:
            raise Invalid("message: must not be empty unless a document is tagged.")
        actions = [one.id for one in mentions if one.kind == "action"]
        action = self.action or (actions[0] if len(actions) == 1 else None)
        return Message(
            text=self.message,
            plain=tagged.plain,
            mentions=mentions,
            action=parse_action(action),
            web=self.enable_web_search or any(one.kind == "web" for one in mentions),
            replaces=self.replaces,
        )


class ResumeValue(ChatRequestModel):
    """An answer: an option's id, `all`, or text, with its mentions in `tiptap_json`."""

    type: AnswerKind
    value: Text | None = None
    tiptap_json: Any = None
    tagged_doc_ids: Annotated[list[Id], Field(max_length=MOST_TAGGED)] = []


class ResumeRequest(ChatRequestModel):
    thread_id: ThreadId
    resume_value: ResumeValue
    hitl_id: Id | None = None
    request_id: Id | None = None

    def content(self) -> Answer:
        """Raises `Invalid` if the answer is empty."""
        answer = self.resume_value
        if answer.type == CANCEL:
            return Answer(kind=CANCEL, text=None, hitl_id=self.hitl_id)
        tagged = parse_mentions(answer.tiptap_json, answer.value or "")
        mentions = _add_tagged(tagged.mentions, "document", answer.tagged_doc_ids)
        if not (answer.value or "").strip() and not mentions:
            raise Invalid("resume_value.value: must not be empty; use type `cancel` to cancel.")
        return Answer(
            kind=answer.type, text=answer.value or "", mentions=mentions, hitl_id=self.hitl_id
        )


class RatingIn(ChatRequestModel):
    rating: Thumb
    comment: Comment = ""


class RatingView(ChatResponseModel):
    rating: Thumb
    comment: str
    rated_at: Timestamp

    @staticmethod
    def of(line: ChatLine) -> "RatingView | None":
        """None for a line without a rating."""
        if line.rating is None or line.rated_at is None:
            return None
        thumb = line.rating.thumb
        return RatingView.from_fields(line.rating, rating=thumb, rated_at=line.rated_at)


class LineView(ChatResponseModel):
    """One message of a conversation. `metadata` of an answer is its `response` event, of a question its
    `interrupt` event. `current_version` of a citation is that of its document, unless deleted. A line of
    kind `stopped` is the unverified part of an answer that was stopped.
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
        """`versions` maps document ids to their current versions."""
        metadata = line.metadata
        if cited := metadata.get("citations"):
            current = [
                one | {"current_version": versions.get(one.get("document_id"))} for one in cited
            ]
            metadata = metadata | {"citations": current}
        rating = RatingView.of(line)
        return LineView.from_fields(line, id=line.message_id, metadata=metadata, rating=rating)


class HistoryView(ChatResponseModel):
    """A conversation, oldest message first. `running`: a turn is running."""

    thread_id: str
    title: str
    messages: list[LineView]
    pending_interrupt: dict[str, Any] | None = None
    running: bool = False


class ConversationView(ChatResponseModel):
    """A conversation in a list."""

    thread_id: str
    title: str
    message_count: int
    created_at: Timestamp
    updated_at: Timestamp


class ConversationsPage(ChatResponseModel):
    """The user's conversations, most recently used first."""

    conversations: list[ConversationView]
    next_cursor: str | None = None


class StoppedView(ChatResponseModel):
    stopped: bool


class TitleIn(ChatRequestModel):
    title: Title


class DocumentOffer(ChatResponseModel):
    """A document; documents of several sets may have the same title."""

    id: str
    title: str
    set: str


class SetOffer(ChatResponseModel):
    """A set and its number of documents; its id is its name."""

    id: str
    label: str
    documents: int


class ActionOffer(ChatResponseModel):
    id: ChatAction
    label: str


class WebOffer(ChatResponseModel):
    """Whether the web can be searched; `reason` says why not."""

    available: bool
    reason: str | None = None


class MentionsView(ChatResponseModel):
    model_config = ConfigDict(json_schema_extra={"example": EXAMPLES["MentionsView"]})

    documents: list[DocumentOffer]
    sets: list[SetOffer]
    actions: list[ActionOffer]
    web: WebOffer


def _add_tagged(
    mentions: tuple[Mention, ...], kind: MentionKind, ids: list[str]
) -> tuple[Mention, ...]:
    known = {one.id for one in mentions if one.kind == kind}
    more = [Mention(kind=kind, id=one) for one in dict.fromkeys(ids) if one not in known]
    return (*mentions, *more)[:MOST_TAGGED]
