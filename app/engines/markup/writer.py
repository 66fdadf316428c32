"""Collects markup up to a length; a tag that nothing is written into is left out."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

CUT = "<!-- cut here: the page is longer -->"
DEEPEST = 60  # elements within each other that are written; deeper ones are passed over


@dataclass(slots=True)
class _Waiting:
    name: str
    tag: str
    says: bool
    open: bool = False


class Writer:
    """`full` once something did not fit; `saying` while in an element whose text is wanted."""

    def __init__(self, limit: int) -> None:
        self._left = limit - len(CUT) - 1
        self._parts: list[str] = []
        self._around: list[_Waiting] = []
        self._opened = 0  # of those around; they open from the outside in
        self.saying = 0
        self.full = False

    def write(self, text: str) -> None:
        """The text, within the tags that wait around it."""
        while self._opened < len(self._around) and not self.full:
            waiting = self._around[self._opened]
            self._left -= len(waiting.name) + 3  # what closes it
            waiting.open = self._put(waiting.tag)
            self._opened += waiting.open
        self._put(text)

    def space(self, text: str) -> None:
        """Between words and lines: never twice, never first."""
        if self._parts and not self._parts[-1][-1:].isspace():
            self._put(text)

    def enter(self, name: str, tag: str, *, says: bool = False) -> None:
        """An element that opens when something is written into it."""
        if len(self._around) < DEEPEST:
            self._around.append(_Waiting(name, tag, says))
            self.saying += says

    def leave(self, name: str, within: AbstractSet[str] = frozenset()) -> None:
        """The innermost element of that name ends, and with it what was left open in it.

        One that is outside of an element named in `within` is not meant.
        """
        for waiting in reversed(self._around):
            if waiting.name == name:
                break
            if waiting.name in within:
                return
        else:
            return
        while self._pop() != name:
            pass

    def text(self) -> str:
        """All of it, with what is still open closed."""
        while self._around:
            self._pop()
        return ("".join(self._parts).strip() + (f"\n{CUT}" if self.full else "")).strip()

    def _pop(self) -> str:
        last = self._around.pop()
        self.saying -= last.says
        if last.open:
            self._parts.append(f"</{last.name}>")
        self._opened = min(self._opened, len(self._around))
        return last.name

    def _put(self, text: str) -> bool:
        if len(text) > self._left:
            self.full = True
        if text and not self.full:
            self._left -= len(text)
            self._parts.append(text)
        return not self.full
