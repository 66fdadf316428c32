"""What a page shows of people is not told to a search service, unless the person said it."""

import re

from app.domain.page import Node
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import words

_WORD = re.compile(r"[^\s,;()\[\]\"'“”«»]+")
_RECORDS = frozenset({"row", "item"})
_COMMANDS = frozenset({"btn", "link", "tab", "menu"})


def private_words(text: str, situation: Situation) -> frozenset[str]:
    """The words of the text that only stand in records and fields of the page: names and numbers.

    What the person said, what the page is called, and what its controls are called is no secret.
    """
    page = situation.page
    open_words = set(words(f"{situation.told}\n{page.title}").split())
    shown: set[str] = set()
    for node in page.tree:
        if node.role in _COMMANDS:
            open_words.update(words(node.name).split())
        for private in _texts(node):
            shown.update(words(private).split())
    kept = shown - open_words - COMMON
    return frozenset(
        word.rstrip(".!?:")
        for word in _WORD.findall(text)
        if _telling(word) and kept & set(words(word).split())
    )


def _texts(node: Node) -> list[str]:
    labels = [label for kind, label in node.groups if kind in _RECORDS]
    typed = node.value if node.role == "inp" and node.input_type != "search" else None
    return [*labels, *([node.name] if labels else []), *([typed] if typed else [])]


def _telling(word: str) -> bool:
    return word[:1].isupper() or any(char.isdigit() for char in word) or "@" in word
