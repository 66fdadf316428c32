"""Check that an answer is supported by what it cites, independently of the code that produced it.

    assert_supported(event_or_reply, texts)

`texts` has the stored text of each chunk by its id, of a document by its id, and of a web page by its
address.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

_MARKED = re.compile(r"(?P<said>.*?)(?P<markers>(?:\[\d+\])+)", re.DOTALL)
_SIGNS = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")
WORDED = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30",
}  # fmt: skip


def assert_supported(answer: Any, texts: Mapping[str, str]) -> None:
    """Each citation's quote is in its passage, each marker has a citation, and the text before a marker
    has no number or name that is missing from its quotes, titles and headings.
    """
    text, citations = _read(answer)
    by_marker = {one["marker"]: one for one in citations}
    assert len(by_marker) == len(citations), "two citations have the same marker"
    for one in citations:
        stored = _stored(one, texts)
        assert stored, f"[{one['marker']}] cites a text that is not stored"
        for part in one["quote"].split("\u2026"):
            assert _bare(part) in _bare(stored), (
                f"[{one['marker']}] is not in its passage: {part!r}"
            )
    used: set[int] = set()
    for found in _MARKED.finditer(text):
        markers = [int(one) for one in re.findall(r"\d+", found["markers"])]
        assert set(markers) <= by_marker.keys(), f"no citation for {markers}"
        used.update(markers)
        held = "\n".join(_told(by_marker[one], _stored(by_marker[one], texts)) for one in markers)
        said = _last_lines(found["said"])
        missing = _numbers(said) - _numbers(held)
        assert not missing, f"{missing} is in none of {markers}: {said!r}"
        names = {one for one in _NAME.findall(said) if one.casefold() not in held.casefold()}
        assert not names, f"{names} is in none of {markers}: {said!r}"
    assert used == by_marker.keys(), f"never cited: {by_marker.keys() - used}"


def _read(answer: Any) -> tuple[str, list[dict[str, Any]]]:
    """Read a `Reply` or an answer event."""
    if isinstance(answer, Mapping):
        return answer["response"], list(answer["citations"])
    return answer.text, [one.model_dump() for one in answer.citations]


def _stored(one: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The passage's text without list numbers and bullets."""
    keys = (one["chunk_id"], one["document_id"], one["url"] or "")
    found = next((texts[key] for key in keys if key in texts), "")
    return re.sub(r"(?m)^\s*(?:\d+[.)]|[-*+])\s+", "", found)


def _told(one: Mapping[str, Any], stored: str) -> str:
    """The text behind a marker, with the headings above it, including those of table columns."""
    columns = re.findall(r"(?m)^(\|.*)\n\s*\|[\s:|-]+$", stored)
    return "\n".join((one["quote"], one["title"], one["label"], *one["heading_path"], *columns))


def _last_lines(said: str) -> str:
    """The text before a marker in its own line or cell, without a list number."""
    line = said.strip().rpartition("\n")[2].rpartition("|")[2]
    return re.sub(r"^\s*(?:\d+\\?[.)]|[-*])\s+", "", line)


def _bare(text: str) -> str:
    """The letters, figures and signs that carry meaning."""
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS)).casefold()
    linked = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"</?[a-z][^<>]*>", "", plain))
    return re.sub(r"[^\w%$€£<>=+]|_", "", linked)


def _numbers(text: str) -> set[str]:
    """The numbers as figures, except grouping and months."""
    figures = {one.replace(",", "").rstrip(".").lstrip("0") or "0" for one in _NUMBER.findall(text)}
    words = re.findall(r"[a-z]+", text.casefold())
    return figures | {WORDED[word] for word in words if word in WORDED}
