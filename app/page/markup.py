"""Shortens markup: removes scripts, or keeps only controls and headings."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from html import escape

from app.page.tags import (
    ID,
    UNREAD,
    VOID,
    Close,
    Open,
    Token,
    brief_tag,
    full_tag,
    is_control,
    is_hidden,
    tokenize,
)

CUT = "<!-- cut here: the page is longer -->"
DEEPEST = 60  # nesting levels written; deeper elements are skipped


@dataclass(slots=True)
class _OpenElement:
    name: str
    tag: str
    keeps_text: bool
    open: bool = False


class Writer:
    """Writes bounded markup.

    `full`: something did not fit. `text_depth`: the number of open elements that keep their text.
    """

    def __init__(self, limit: int) -> None:
        self._left = limit - len(CUT) - 1
        self._parts: list[str] = []
        self._elements: list[_OpenElement] = []
        self._opened = 0  # ancestors whose tags are written, counted from the outermost
        self.text_depth = 0
        self.full = False

    def write(self, text: str) -> None:
        """Write the text, preceded by the pending start tags."""
        while self._opened < len(self._elements) and not self.full:
            waiting = self._elements[self._opened]
            self._left -= len(waiting.name) + 3  # its end tag
            waiting.open = self._append(waiting.tag)
            self._opened += waiting.open
        self._append(text)

    def write_space(self, text: str) -> None:
        """Write a space unless one precedes it or nothing does."""
        if self._parts and not self._parts[-1][-1:].isspace():
            self._append(text)

    def open_element(self, name: str, tag: str, *, keeps_text: bool = False) -> None:
        """Open an element; its tag is written with its first content."""
        if len(self._elements) < DEEPEST:
            self._elements.append(_OpenElement(name, tag, keeps_text))
            self.text_depth += keeps_text

    def write_text(self, text: str, room: int | None = None) -> int:
        """Write at most `room` characters of a text, keeping surrounding blanks; return its length."""
        words = " ".join(text.split())[:room]
        if text[:1].isspace():
            self.write_space("\n" if "\n" in text else " ")
        if words:
            self.write(escape(words, quote=False))
            if text[-1:].isspace():
                self.write_space(" ")
        return len(words)

    def close_element(self, name: str, within: AbstractSet[str] = frozenset()) -> None:
        """Close the innermost element of that name, unless it is outside one listed in `within`."""
        names = [waiting.name for waiting in reversed(self._elements)]
        inner = names[: names.index(name)] if name in names else names
        if name in names and within.isdisjoint(inner):
            while self._pop() != name:
                pass

    def text(self) -> str:
        """Return the output with every open element closed."""
        while self._elements:
            self._pop()
        return ("".join(self._parts).strip() + (f"\n{CUT}" if self.full else "")).strip()

    def _pop(self) -> str:
        last = self._elements.pop()
        self.text_depth -= last.keeps_text
        if last.open:
            self._parts.append(f"</{last.name}>")
        self._opened = min(self._opened, len(self._elements))
        return last.name

    def _append(self, text: str) -> bool:
        if len(text) > self._left:
            self.full = True
        if text and not self.full:
            self._left -= len(text)
            self._parts.append(text)
        return not self.full


MAX_WHOLE_ATTRIBUTE = 300


def clean_markup(html: str, limit: int) -> str:
    """Remove scripts, styles, comments, hidden fields and secrets, and cut at `limit` characters."""
    writer = Writer(limit)
    for token in tokenize(html):
        if writer.full:
            break
        if isinstance(token, str):
            writer.write_text(token)
        elif token.name in UNREAD:
            continue
        elif isinstance(token, Close):
            writer.close_element(token.name)
        elif token.name not in VOID:
            writer.open_element(token.name, full_tag(token, MAX_WHOLE_ATTRIBUTE))
            if ID in token.attributes:
                writer.write("")
        elif not (token.name == "input" and is_hidden(token)):
            writer.write(full_tag(token, MAX_WHOLE_ATTRIBUTE))
    return writer.text()


MAX_SKELETON = 12_000  # characters, about 3,500 tokens
MAX_WORDS = 200  # characters of one control, heading or label
MAX_BESIDE = 80  # characters of a row's text around its controls
MAX_ATTRIBUTE = 100
MAX_OPTIONS = 20  # options of one list

_TEXT_TAGS = frozenset({"title", "h1", "h2", "h3", "h4", "h5", "h6", "label", "legend", "caption"})
_CONTAINERS = frozenset(
    {
        "table", "tr", "ul", "ol", "li", "form", "fieldset", "nav", "main", "header", "footer",
        "aside", "article", "section", "dialog",
    }
)  # fmt: skip
_ROWS = frozenset({"tr", "li"})  # their text identifies the record of an "Edit" button
# These end where the next of the same name starts, unless that one is in a nested list.
_IMPLIED_END = frozenset({"li", "tr", "option"})
_LISTS = frozenset({"ul", "ol", "table", "select"})
_OPTIONAL_END = _IMPLIED_END | {"p", "td", "th", "dt", "dd"}


def outline_markup(html: str, limit: int = MAX_SKELETON) -> str:
    """Return an outline of the page, at most `limit` characters, with a note if it was cut."""
    writer = Writer(limit)
    copy = _OutlineWriter(writer)
    hidden = HiddenFilter()
    for token in tokenize(html):
        if writer.full:
            break
        if not hidden.skips(token):
            copy.add(token)
    return writer.text()


class HiddenFilter:
    """Skips hidden elements and elements that are never read."""

    def __init__(self) -> None:
        self._name = ""
        self._depth = 0  # nesting depth of that name

    def skips(self, token: Token) -> bool:
        if self._depth:
            if isinstance(token, str) or token.name != self._name:
                return True
            if not (isinstance(token, Open) and self._name in _OPTIONAL_END):
                self._depth += 1 if isinstance(token, Open) else -1
                return True
            self._depth = 0
        if isinstance(token, str):
            return False
        if token.name in UNREAD:
            return True
        if isinstance(token, Close) or not is_hidden(token):
            return False
        self._name, self._depth = token.name, int(token.name not in VOID)
        return True


class _OutlineWriter:
    """Writes the tokens that belong in the outline."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._room = 0  # characters left for the current element's text
        self._options = 0
        self._row(0)

    def _row(self, room: int) -> None:
        """Start or end a row; its text is held back until a control follows."""
        self._row_text, self._row_room, self._row_has_control = "", room, False

    def add(self, token: Token) -> None:
        if isinstance(token, str):
            self._text(token)
        elif isinstance(token, Open):
            self._open(token)
        elif token.name in _CONTAINERS:
            self._writer.close_element(token.name)
            self._writer.write_space("\n")
            if token.name in _ROWS:
                self._row(0)
        else:
            self._writer.close_element(token.name, within=_CONTAINERS)

    def _open(self, tag: Open) -> None:
        if tag.name in _IMPLIED_END:
            self._writer.close_element(tag.name, within=_LISTS)
        if is_control(tag) or tag.name in _TEXT_TAGS:
            self._write_element(tag)
        elif tag.name in _CONTAINERS:
            self._writer.write_space("\n")
            self._writer.open_element(tag.name, brief_tag(tag, MAX_ATTRIBUTE))
        elif tag.name == "img" and self._writer.text_depth:
            self._text(f" {tag.attributes.get('alt', '')} ")
        if tag.name in _ROWS:
            self._row(MAX_BESIDE)

    def _write_element(self, tag: Open) -> None:
        """Write a control or a heading; controls are written even without text."""
        self._options = self._options + 1 if tag.name == "option" else 0
        if self._options > MAX_OPTIONS:
            return
        if not self._writer.text_depth:
            self._room = MAX_WORDS
            self._writer.write_space(" " if self._row_room else "\n")
        if is_control(tag):
            self._writer.write(self._row_text)
            self._row_text, self._row_has_control = "", True
        if tag.name in VOID:
            self._writer.write(brief_tag(tag, MAX_ATTRIBUTE))
            return
        self._writer.open_element(tag.name, brief_tag(tag, MAX_ATTRIBUTE), keeps_text=True)
        if is_control(tag):
            self._writer.write("")

    def _text(self, text: str) -> None:
        if self._writer.text_depth:
            self._room -= self._writer.write_text(text, self._room)
        elif self._row_room > 0 and (words := " ".join(text.split())[: self._row_room]):
            self._row_room -= len(words)
            if self._row_has_control:
                self._writer.write_space(" ")
                self._writer.write(escape(words, quote=False))
            else:
                self._row_text += f"{escape(words, quote=False)} "
