"""The classifier's features of a control: its texts and the structure around it.

Everything comes from the extension's observation. No language is built in: texts become hashed
words and character n-grams, whose meaning is learned.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from zlib import crc32

from app.domain.page import Node, Observation
from app.page import enclosing_form, fields_in, is_inside
from app.text import patterns

_SENTENCE_NEAR = 600  # characters of the page's text that belong to a dialog
_SENTENCES = patterns.compile(r"\n|(?<=\D[.!?])\s|(?<=\?)")  # not after "31."


def surrounding_sentences(node: Node, page: Observation) -> Iterator[str]:
    """Yield the sentences of the control's dialog or form, or of the page just before it."""
    box = enclosing_form(node)
    labels = [
        label for kind, label in node.groups if kind in ("dialog", "form", "section") and label
    ]
    yield from labels[-1:]
    if box is not None:
        for other in page.tree.of_roles(frozenset({"txt"})):
            if is_inside(other, box):
                yield from _SENTENCES.split(other.name)
        for field in fields_in(page, box):
            yield from filter(None, (field.name, field.hint))
    yield from _SENTENCES.split(text_near(node, page.summary, labels, _SENTENCE_NEAR))


BUCKETS = 1 << 17  # hash buckets; fewer cause collisions between languages
TEXTS = (
    "name", "first", "last", "box", "place", "question", "near", "title", "address", "siblings",
    "choices", "fields",
)  # fmt: skip
FLAGS = (
    "dialog", "form", "fieldset", "row", "item", "menu", "list", "tablist", "tabpanel", "nav", "section",
    "toolbar", "tree", "frame", "none", "box named", "box asks", "page asks", "submit", "opener", "open",
    "pressed", "disabled", "ellipsis", "unnamed", "one word", "two words", "many words", "digits", "hint",
    "fields 0", "fields 1", "fields few", "fields many", "secret", "text area", "filled", "ticked",
    "searches",
    "siblings 0", "siblings 1", "siblings few", "siblings many", "repeated", "fields beside", "chosen",
    "modal elsewhere",
)  # fmt: skip
ROLES = (
    "btn", "link", "inp", "chk", "rad", "sel", "opt", "tab", "menu", "tree", "range", "file", "row", "img",
    "el", "txt",
)  # fmt: skip
STRUCTURE = (*(f"role {role}" for role in ROLES), *FLAGS)

_PRESSED = frozenset({"btn", "link", "img", "el", "menu"})
_FIELDS = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
_BOXES = ("dialog", "form")
_MANY_SIBLINGS = 4
_FEW_FIELDS = 3
_LONGEST = 240  # characters used of one text
_LONGEST_WORD = 20  # longer words of an address are identifiers
_NEAR = 300  # characters of the page's text after the control's heading
_ASKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}", "¿")
# Letters of scripts written without spaces: Thai to Khmer, kana and Chinese characters.
_UNSPACED = ((0x0E00, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF))


class Features(NamedTuple):
    """The texts in the order of `TEXTS`, and the indexes of the true `STRUCTURE` flags."""

    texts: tuple[str, ...]
    flags: tuple[int, ...]


def features_of(node: Node, page: Observation, choice: str = "") -> Features:
    """Return the features of a press on `node`; `choice` is the option about to be chosen in it."""
    box, around = _box(node.group)
    inside = [other for other in page.tree if other is not node and _is_inside(other.group, box)]
    fields = [other for other in inside if other.role in _FIELDS]
    siblings = _siblings(node, inside, page)
    name = choice or node.name or node.hint
    words = feature_words(name)
    labels = node.groups
    boxed = " ".join(label for kind, label in labels if kind in _BOXES)
    in_dialog = any(kind == "dialog" for kind, _ in labels)
    near_text = text_near(node, page.summary, [label for _, label in labels if label])
    question = _dialog_text(box, page) or near_text if in_dialog else _questions(page.summary)
    choices = " ".join(
        f.value or f.name for f in fields
        if (f.role == "sel" and f.value) or (f.role == "rad" and "checked" in f.states)
    )  # fmt: skip
    texts = (
        name,
        words[0] if words else "",
        words[-1] if len(words) > 1 else "",
        boxed,
        " ".join(label for kind, label in labels if kind not in _BOXES),
        question,
        near_text,
        "" if in_dialog else page.title or page.summary.partition("\n")[0],
        address_words(page.url),
        " ".join(other.name for other in siblings[:8]),
        choices,
        " ".join(f.name for f in fields[:8]),
    )
    flags = {f"role {node.role}", *(kind for kind, _ in labels), *_of_name(node, name, words)}
    flags |= _of_box(node, boxed, question, fields, siblings)
    if choice:
        flags.add("chosen")
    if not labels:
        flags.add("none")
    if not in_dialog and any("dialog" in other.group for other in page.tree):
        flags.add("modal elsewhere")
    if around and any(other.role in _FIELDS and other.group == node.group for other in inside):
        flags.add("fields beside")
    return Features(
        tuple(text[:_LONGEST] for text in texts),
        tuple(i for i, flag in enumerate(STRUCTURE) if flag in flags),
    )


def _box(group: str) -> tuple[str, bool]:
    """Return `group` up to its innermost dialog or form, and whether more containers follow."""
    parts = group.split(" > ")
    for end in range(len(parts), 0, -1):
        if parts[end - 1].partition(":")[0].strip() in _BOXES:
            return " > ".join(parts[:end]), end < len(parts)
    return "", bool(group)


def _is_inside(group: str, box: str) -> bool:
    if not box:
        return _box(group)[0] == "" if group else True
    return group == box or group.startswith(box + " > ")


def _siblings(node: Node, inside: list[Node], page: Observation) -> list[Node]:
    """Return the other pressable controls in the same place."""
    return [
        n for n in inside if n.role in _PRESSED and n.group == node.group and n.name != node.name
    ]


def _of_name(node: Node, name: str, words: tuple[str, ...]) -> Iterator[str]:
    if not name:
        yield "unnamed"
    yield "one word" if len(words) == 1 else "two words" if len(words) <= 3 else "many words"
    if name.rstrip().endswith(("…", "...")):
        yield "ellipsis"
    if any(letter.isdigit() for letter in name):
        yield "digits"
    if node.hint:
        yield "hint"
    if node.input_type in ("submit", "image"):
        yield "submit"
    if node.states & {"haspopup", "collapsed"}:
        yield "opener"
    yield from (flag for state, flag in _STATES if state in node.states)


_STATES = (("expanded", "open"), ("pressed", "pressed"), ("disabled", "disabled"))


def _of_box(
    node: Node, boxed: str, question: str, fields: list[Node], siblings: list[Node]
) -> set[str]:
    flags = set()
    if boxed:
        flags.add("box named")
    if any(mark in boxed for mark in _ASKS):
        flags.add("box asks")
    if question:
        flags.add("page asks")
    size = len([f for f in fields if f.role not in ("chk",)])
    flags.add(
        f"fields {'0' if not size else '1' if size == 1 else 'few' if size <= _FEW_FIELDS else 'many'}"
    )
    count = len(siblings)
    few = "few" if count <= _MANY_SIBLINGS else "many"
    flags.add(f"siblings {'0' if not count else '1' if count == 1 else few}")
    for field in fields:
        if field.input_type == "password":
            flags.add("secret")
        if field.input_type == "search":
            flags.add("searches")
        if field.input_type == "textarea":
            flags.add("text area")
        if field.role == "inp" and field.value:
            flags.add("filled")
        if field.role == "chk" and "checked" in field.states:
            flags.add("ticked")
    return flags


def _dialog_text(dialog: str, page: Observation) -> str:
    texts = [n.name for n in page.tree if n.role == "txt" and _is_inside(n.group, dialog)]
    return " ".join(texts)[:_LONGEST]


@lru_cache(maxsize=64)
def _questions(summary: str) -> str:
    questions = []
    for line in summary.split("\n"):
        if any(mark in line for mark in _ASKS):
            ends = [line.rfind(mark) for mark in _ASKS]
            questions.append(line[: max(ends) + 1][-_LONGEST:])
    return " ".join(questions)[:_LONGEST]


def text_near(node: Node, summary: str, labels: Sequence[str], longest: int = _NEAR) -> str:
    """Return the page's text from the innermost heading up to the control."""
    for label in reversed(labels):
        start = summary.rfind(label.rstrip("…"))
        if start < 0:
            continue
        end = summary.find("\n" + node.name, start + len(label) - 1) if node.name else -1
        stop = start + longest
        return summary[start : min(end, stop) if end >= 0 else stop]
    end = summary.rfind("\n" + node.name) if node.name else -1
    return summary[max(0, end - _NEAR) : end] if end >= 0 else ""


@lru_cache(maxsize=256)
def address_words(url: str) -> str:
    """Return the words of path and query, without numbers and identifiers."""
    parts = urlsplit(url)
    words = feature_words(unquote(f"{parts.path} {parts.query}"))
    return " ".join(word for word in words if 1 < len(word) < _LONGEST_WORD and word[0].isalpha())


@lru_cache(maxsize=4_096)
def feature_words(text: str) -> tuple[str, ...]:
    """Split into words, digit runs and currency signs; if there are none, into characters."""
    words: list[str] = []
    last_kind = ""
    for letter in unicodedata.normalize("NFKC", text[:_LONGEST]):
        category = unicodedata.category(letter)
        kind = "L" if category[0] in "LM" else category[0] if category[0] == "N" else category
        if kind in ("L", "N") and kind == last_kind:
            words[-1] += letter
        elif kind in ("L", "N", "Sc"):
            words.append(letter)
        last_kind = kind
    return tuple(words) or tuple(text[:_LONGEST_WORD].replace(" ", ""))


@lru_cache(maxsize=8_192)
def gram_buckets(text: str) -> tuple[int, ...]:
    """Return the hash buckets of words, character n-grams and word pairs."""
    words = feature_words(text.casefold())
    grams: list[str] = []
    last_word = "^"
    for word in words:
        if word[0].isdigit():
            word = "0"
        grams.append(f"={word}")
        grams.append(f"{last_word} {word}")
        grams.extend(_parts(word))
        last_word = word
    return tuple(crc32(gram.encode()) % BUCKETS for gram in grams)


def _parts(word: str) -> Iterator[str]:
    if any(first <= ord(word[0]) <= last for first, last in _UNSPACED):
        yield from word
        yield from (word[i : i + 2] for i in range(len(word) - 1))
        yield from (word[i : i + 3] for i in range(len(word) - 2))
        return
    framed = f"<{word}>"
    for size in (3, 4, 5):
        yield from (framed[i : i + size] for i in range(len(framed) - size + 1))
