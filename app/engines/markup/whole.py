"""The page as it was sent, without what nobody reads and what nobody may."""

from app.engines.markup.facts import ID, escaped, hidden, whole
from app.engines.markup.scan import UNREAD, VOID, Open, Token, tokens
from app.engines.markup.writer import Writer

MAX_ATTRIBUTE = 300


def cleaned(html: str, limit: int) -> str:
    """The markup without scripts, styles, comments, hidden fields and secrets, cut at `limit`."""
    writer = Writer(limit)
    for token in tokens(html):
        if writer.full:
            break
        _copy(writer, token)
    return writer.text()


def _copy(writer: Writer, token: Token) -> None:
    if isinstance(token, str):
        words = " ".join(token.split())
        if token[:1].isspace():
            writer.space("\n" if "\n" in token else " ")
        if words:
            writer.write(escaped(words))
            if token[-1:].isspace():
                writer.space(" ")
    elif token.name in UNREAD:
        return
    elif not isinstance(token, Open):
        writer.leave(token.name)
    elif token.name not in VOID:
        writer.enter(token.name, whole(token, MAX_ATTRIBUTE))
        if ID in token.attributes:
            writer.write("")
    elif not (token.name == "input" and hidden(token)):
        writer.write(whole(token, MAX_ATTRIBUTE))
