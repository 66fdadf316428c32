"""Reads a page, or a captured fragment, as Markdown with metadata."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from app.domain.knowledge import Phase
from app.errors import Unreadable
from app.text import patterns
from knowledge.extract.charset import decode_text
from knowledge.extract.port import Extracted, Raw
from knowledge.html import metadata
from knowledge.html.cleanup import Options, clean
from knowledge.html.containers import extract_regions, insert_marks
from knowledge.html.main_content import find_main_parts
from knowledge.html.markdown import Converter
from knowledge.html.page import MOST_CHARACTERS, Page, attribute, tags
from knowledge.html.rewrites import replace_controls, rewrite_definition_lists

FEW = 200  # characters: a page with scripts and less text is rendered by them
HEAD = 4_096  # bytes searched for a charset declaration
CUT = "The page is too large. Only its beginning was read."
BY_SCRIPT = "JavaScript renders this page. Capture it in the browser."
_FENCE = patterns.compile(r"\s*(?:[-*+>]\s+|\d+\.\s+)*(`{3,}|~{3,})")
_CHARSET = patterns.compile(
    r"""charset\s*=\s*["']?\s*([\w.:-]{1,40})""", patterns.IGNORECASE | patterns.ASCII
)
_MEANT = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "iso-8859-9": "cp1254",
    "gb2312": "gb18030",    "gbk": "gb18030", "shift_jis": "cp932",
    "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
    "iso-8859-8-i": "iso-8859-8",    "tis-620": "cp874", "x-sjis": "cp932", "x-gbk": "gb18030",
}  # fmt: skip
"""Encodings that browsers use in place of the named ones."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Disable garbage collection, a third of the time: a growing tree has no garbage."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def read(raw: Raw) -> Extracted:
    data = raw.data[: 4 * MOST_CHARACTERS]
    return read_html(data, url=raw.url, phase=raw.phase, declared=raw.declared)


@_uncollected()
def read_html(
    data: bytes | str,
    *,
    url: str | None = None,
    phase: Phase | None = None,
    declared: str | None = None,
) -> Extracted:
    """Convert a page to Markdown.

    `url` is where it was fetched or captured; `declared` its media type, optionally with a charset.
    `phase`: `initial` keeps content that is not shown yet, since a click may show it;
    `post-interaction` and pages without a phase keep only what is shown. Content that is never
    visible is always dropped.

    Takes about 60 ms per 100 kB, bounded by the limits of `page`. Raises `Unreadable`
    (DOCUMENT_EMPTY).
    """
    markup, notes = (data, ()) if isinstance(data, str) else text_of_page(data, declared)
    page = Page(markup)
    base = metadata.base_of(page, url)
    title, language = metadata.page_title(page), metadata.language_said(page)
    published = metadata.published_of(page, datetime.now(UTC))
    options = Options.of(phase, markup)
    unseen = clean(page, options)
    by_id = {attribute(tag, "id"): tag for tag in tags(page) if "id" in tag.attrs}
    body = page.body or page
    parts = [body] if options.keep_around else find_main_parts(page)
    replace_controls(page, body)
    rewrite_definition_lists(page, body)
    names = insert_marks(body, by_id)
    converter = Converter(partial(metadata.absolute, base))
    made = "\n\n".join(converter.process_tag(part) for part in parts)
    text, regions = extract_regions(_tidy(made), names)
    if not text:
        raise Unreadable(BY_SCRIPT if page.scripts else "The page has no text.", "DOCUMENT_EMPTY")
    return Extracted(
        markdown=text,
        kind="html",
        title=title or metadata.name_of(url),
        language=language,
        published_at=published,
        regions=regions,
        notes=(*notes, *_notes(page, text, unseen)),
    )


def _tidy(text: str) -> str:
    """Collapse blank lines and strip trailing blanks, outside of code."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not line.strip(" `~"))):
            fence = "" if fence else mark[1]
        whole = line if fence else _with_single_spaces(line.rstrip())
        if fence or whole or (lines and lines[-1]):
            lines.append(whole)
    return "\n".join(lines).strip("\n")


def _with_single_spaces(line: str) -> str:
    """Collapse spaces between words; indentation is kept."""
    if "  " not in line:
        return line
    words = line.lstrip()
    return line[: len(line) - len(words)] + " ".join(filter(None, words.split(" ")))


def _notes(page: Page, text: str, unseen: int) -> Iterator[str]:
    if page.cut:
        yield CUT
    if unseen:
        parts = "1 invisible part was" if unseen == 1 else f"{unseen} invisible parts were"
        yield f"{parts} left out."
    if page.scripts and len(text) < FEW:
        yield BY_SCRIPT


def text_of_page(data: bytes, declared: str | None) -> tuple[str, tuple[str, ...]]:
    """Decode by byte order mark, HTTP charset, `meta` charset, or content; also returns notes."""
    said = _CHARSET.search(declared or "")
    said = said or _CHARSET.search(data[:HEAD].decode("latin-1"))
    if said is None:
        return decode_text(data)
    name = said[1].lower()
    return decode_text(data, f"text/html; charset={_MEANT.get(name, name)}")
