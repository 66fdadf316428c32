"""What a press on a control of a page does, and what its place says of it."""

from app.engines.risk.assess import assess, is_grave, name_effect, question_effect
from app.engines.risk.lexicon import match, words

_LONG = 8  # words; the name of a row or a card tells of things and commands nothing

__all__ = ["assess", "is_grave", "is_risky", "name_effect", "question_effect"]


def is_risky(name: str) -> bool:
    """Whether nobody presses a control of that name to look around: by its words it deletes, pays, orders,
    sends, publishes, changes access, or signs out. Whether a person is asked is for `assess` to say.

    A name that begins with a harmless command ("Search deleted items", "Cancel") is not risky, nor is one
    too long to be a command.
    """
    if len(words(name).split()) > _LONG:
        return False
    risky = match("risky", name)
    if risky is None:
        return False
    harmless = match("harmless", name)
    return harmless is None or risky.start() <= harmless.start()
