"""Conversations about the team's documents: a graph of its own, with one thread per conversation."""

from app.chat.calls import Answer, ChatCall, Message, chat_task_id, parse_action
from app.chat.documents.mentions import (
    parse_mentions,
    suggest_actions,
    suggest_sets,
    suggest_titles,
)
from app.chat.documents.titles import index_titles
from app.chat.graph import build_chat
from app.chat.output.escalation import opinion_on_answer
from app.chat.output.lines import current_lines, question_event
from app.chat.service import ChatService

__all__ = [
    "Answer",
    "ChatCall",
    "ChatService",
    "Message",
    "build_chat",
    "chat_task_id",
    "current_lines",
    "index_titles",
    "opinion_on_answer",
    "parse_action",
    "parse_mentions",
    "question_event",
    "suggest_actions",
    "suggest_sets",
    "suggest_titles",
]
