"""Reads plain text and Markdown."""

from datetime import UTC, datetime

from dateutil.parser import ParserError
from dateutil.parser import parse as parse_date

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract.charset import decode_text
from knowledge.extract.port import Extracted, Raw

MOST_BYTES = 100_000_000  # of a text file: twenty times the index of the Encyclopaedia Britannica
_FRONT = patterns.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", patterns.DOTALL)
_HEADING = patterns.compile(r"^#{1,2}[ \t]+(.+?)[ \t]*#*$", patterns.MULTILINE)
_MARKS = patterns.compile(r"[*`]|\[([^\]]*)\]\([^)]*\)")  # emphasis, code marks and links
_FENCE = patterns.compile(r"^```.*?^```|^~~~.*?^~~~", patterns.MULTILINE | patterns.DOTALL)


def decode_file(raw: Raw) -> tuple[str, tuple[str, ...]]:
    """Decode a file to text and notes. Raises `Unreadable` if it is too large."""
    if len(raw.data) > MOST_BYTES:
        raise Unreadable("Text files over 100 MB are not supported.", "DOCUMENT_TOO_LARGE")
    return decode_text(raw.data, raw.declared)


def read_text(raw: Raw) -> Extracted:
    """Read plain text unchanged: apparent headings and lists are meant as such."""
    text, notes = decode_file(raw)
    return Extracted(markdown=text.strip("\n"), kind="txt", title=_first_line(text), notes=notes)


def read_markdown(raw: Raw) -> Extracted:
    """Read Markdown; title, language and date come from its front matter."""
    text, notes = decode_file(raw)
    front: dict[str, str] = {}
    if front_match := _FRONT.match(text):
        front = _front_matter(front_match[1])
        text = text[front_match.end() :]
    heading = _HEADING.search(_FENCE.sub("", text[:100_000]))
    return Extracted(
        markdown=text.strip("\n"),
        kind="md",
        title=front.get("title") or (_MARKS.sub(r"\1", heading[1]).strip() if heading else ""),
        language=(front.get("lang") or front.get("language") or None),
        published_at=_date(front.get("date") or front.get("published") or ""),
        notes=notes,
    )


def _front_matter(block: str) -> dict[str, str]:
    """Plain `name: value` lines of YAML; nothing is executed or expanded."""
    pairs = patterns.findall(
        r"^([A-Za-z_]+):[ \t]*(\S.*?)[ \t]*$", block[:20_000], patterns.MULTILINE
    )
    return {name.lower(): value.strip("\"'") for name, value in pairs}


def _date(text: str) -> datetime | None:
    try:
        moment: datetime = parse_date(text)
    except (ParserError, OverflowError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _first_line(text: str) -> str:
    first = next((one.strip() for one in text[:2_000].split("\n") if one.strip()), "")
    title = first.strip("#=*- \t")
    return title if 3 <= len(title) <= 100 and not title.endswith((",", ";", ":")) else ""
