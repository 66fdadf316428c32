"""What a page shows of people is not told to a search service, unless the person said it."""

from app.domain.page import Node
from app.engines.provenance.vocabulary import COMMON
from app.engines.reasoner import Situation
from app.engines.risk.lexicon import words
from app.text import patterns

_WORD = patterns.compile(r"[^\s,;()\[\]\"'“”«»]+")
_DIGITS = 5  # of a number; a year has four
_LONG = 30  # letters of a word
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
    found = {
        word.rstrip(".!?:")
        for word in _WORD.findall(text)
        if _telling(word) and kept & set(words(word).split())
    }
    return frozenset(found | _unspoken(text, situation))


def _unspoken(text: str, situation: Situation) -> set[str]:
    """Numbers, addresses and codes that neither the person nor a message of the page speaks of: whatever
    they are made of, no question is worded with them.
    """
    page = situation.page
    said = _bare(situation.told)
    shown = _bare("\n".join((page.title, *page.errors)))
    held = _bare("\n".join(text for node in page.tree for text in _texts(node)))
    return {
        word
        for word in _WORD.findall(text)
        if _is_code(word)
        and (bare := _bare(word))
        and bare not in said
        and (bare not in shown or bare in held)
    }


def _is_code(word: str) -> bool:
    digits = sum(char.isdigit() for char in word)
    cases = patterns.search(r"[a-z][A-Z].*[a-z][A-Z]", word) is not None
    return digits >= _DIGITS or "@" in word or word.endswith("=") or cases or len(word) > _LONG


def _bare(text: str) -> str:
    return patterns.sub(r"[\W_]+", "", text.casefold())


def _texts(node: Node) -> list[str]:
    labels = [label for kind, label in node.groups if kind in _RECORDS]
    typed = node.value if node.role == "inp" and node.input_type != "search" else None
    return [*labels, *([node.name] if labels else []), *([typed] if typed else [])]


def _telling(word: str) -> bool:
    return word[:1].isupper() or any(char.isdigit() for char in word) or "@" in word
