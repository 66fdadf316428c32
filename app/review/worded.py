"""Text as a record may hold it: bounded, printable, and without what a person told as a secret."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.redaction import masked
from app.domain.review import LONG, MOST_LINES, SHORT, TEXT
from app.text import patterns

_CONTROL = patterns.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Wording:
    """Makes what was seen and said fit for a record; `hidden` are the secrets that stand in none."""

    hidden: frozenset[str] = frozenset()

    def short(self, text: str) -> str:
        """At most `SHORT` characters."""
        return self._of(text, SHORT)

    def text(self, text: str) -> str:
        """At most `TEXT` characters."""
        return self._of(text, TEXT)

    def long(self, text: str) -> str:
        """At most `LONG` characters."""
        return self._of(text, LONG)

    def said(self, text: str, otherwise: str) -> str:
        """At most `TEXT` characters; `otherwise` where nothing is said."""
        found = self.text(text)
        return found if found.strip() else otherwise

    def lines(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Each once, without empty ones; the first `MOST_LINES`."""
        found = dict.fromkeys(self.text(text).strip() for text in texts)
        return tuple(text for text in found if text)[:MOST_LINES]

    def _of(self, text: str, most: int) -> str:
        """Secrets go before it is cut: half a secret would not be known as one."""
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        whole = _CONTROL.sub("", masked(whole, self.hidden))
        return whole if len(whole) <= most else f"{whole[: most - 1]}…"
