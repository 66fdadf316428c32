"""What of a conversation is remembered for a new goal."""

from collections.abc import Sequence

from app.domain.background import Remembered
from app.domain.task import Message

READ = 60  # messages that are looked through
RECALLED = 12  # messages: the last few goals and their answers
LONGEST = 300  # characters of one message
IN_ALL = 2_000  # characters, about 500 tokens


def remembered(messages: Sequence[Message]) -> tuple[Remembered, ...]:
    """The newest lines that fit, oldest first.

    What the agent thought while it acted is left out: it says what was on a page that is gone.
    """
    kept: list[Remembered] = []
    left = IN_ALL
    for message in reversed(messages):
        if message.role == "assistant" and message.action_string:
            continue
        text = " ".join(message.content.split())[:LONGEST]
        if len(text) > left or len(kept) == RECALLED:
            break
        if text:
            left -= len(text)
            kept.append(Remembered(role=message.role, content=text))
    return tuple(reversed(kept))
