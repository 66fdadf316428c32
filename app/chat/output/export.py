"""A conversation as a text that can be read elsewhere: Markdown, with the sources of each answer."""

from collections.abc import Sequence
from typing import Any

from app.chat.output.markdown import plain
from app.domain.chat import ChatCitation, ChatLine, Conversation


def transcript(conversation: Conversation, lines: Sequence[ChatLine]) -> str:
    """Questions as quotes, answers as they were shown, and below each what its numbers stand for: document,
    section, page and the quoted words.
    """
    parts = [f"# {plain(conversation.title)}", *filter(None, map(_part, lines))]
    return "\n\n".join(parts) + "\n"


def _part(line: ChatLine) -> str:
    at = f"{line.created_at:%Y-%m-%d %H:%M} UTC"
    if line.role == "assistant":
        notices = [plain(one) for one in line.metadata.get("notices", ())]
        return "\n\n".join(filter(None, (line.content, *notices, _sources(line.metadata))))
    if line.role == "user":
        return f"**Asked on {at}**\n\n{_quoted(line.content)}"
    return f"*{plain(line.content)}*" if line.content.strip() else ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {plain(one)}  " if one.strip() else ">" for one in text.splitlines())


def _sources(event: dict[str, Any]) -> str:
    """Of each number in the answer what it stands for."""
    cited = [ChatCitation.model_validate(one) for one in event.get("citations", ())]
    lines = [f"{one.marker}. {_source(one)}" for one in cited]
    return "\n\n".join(("**Sources**", "\n".join(lines))) if lines else ""


def _source(one: ChatCitation) -> str:
    """Where it stands, and its words."""
    section = " > ".join(each for each in one.heading_path if each != one.title)
    pages = f"{one.page}" if one.page_end in (None, one.page) else f"{one.page}-{one.page_end}"
    place = [one.title or one.label, section, f"page {pages}" if one.page else "", one.url or ""]
    return f"{', '.join(plain(each) for each in place if each)}: “{plain(one.quote)}”"
