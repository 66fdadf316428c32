"""Which kind of text a text is."""

from pathlib import PurePosixPath

from pydantic_core import from_json

from app.text import patterns
from knowledge.extract.port import Raw
from knowledge.extract.texts import decoded

SUFFIXES = {
    ".md": "md", ".markdown": "md", ".mdx": "md", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json",
    ".yaml": "yaml", ".yml": "yaml", ".xml": "xml", ".eml": "eml", ".mht": "eml", ".mhtml": "eml",
    ".txt": "txt", ".text": "txt", ".log": "txt", ".rst": "txt",
}  # fmt: skip
DECLARED = {
    "text/markdown": "md", "text/html": "html", "application/xhtml+xml": "html", "text/csv": "csv",
    "text/tab-separated-values": "csv", "application/json": "json", "application/x-ndjson": "json",
    "application/yaml": "yaml", "text/yaml": "yaml", "application/x-yaml": "yaml",
    "application/xml": "xml", "text/xml": "xml", "message/rfc822": "eml",
}  # fmt: skip
_FIRST_TAGS = ("<html", "<head", "<body")
_TAG = patterns.compile(r"<(?:/?[a-z][a-z0-9]*)(?:\s[^<>]*)?/?>", patterns.IGNORECASE)
_HEADER = patterns.compile(
    r"^(?:from|to|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|"
    r"content-type|dkim-signature|x-[\w-]+):[ \t]*\S",
    patterns.IGNORECASE,
)
ENOUGH_HEADERS = 3  # a note may begin with "From: " and "Date: "


def text_kind(head: bytes, raw: Raw) -> str:
    """`head` is a text's beginning. What is a page or a message is read as one, whatever it is called."""
    text = decoded(head, raw.declared)[0].lstrip("\ufeff")
    if _is_page(text):
        return "html"
    if _is_message(text):
        return "eml"
    named = SUFFIXES.get(PurePosixPath(raw.name.replace("\\", "/")).suffix.lower())
    media = (raw.declared or "").partition(";")[0].strip().lower()
    said = named or DECLARED.get(media) or _by_form(text)
    return said if _bears_out(said, text) else _by_form(text)


def _bears_out(kind: str, text: str) -> bool:
    """Whether a text called so may be of the kind."""
    if kind == "html":
        return bool(_TAG.search(text))
    if kind == "xml":
        return text.lstrip()[:1] == "<"
    if kind == "eml":
        return ":" in text.partition("\n")[0]
    return True


def _by_form(text: str) -> str:
    """For a text that nobody said anything of."""
    start = text.lstrip()
    if start.startswith("<?xml"):
        return "xml"
    if start[:1] in ("{", "[") and _is_json(start):
        return "json"
    if start[:1] == "<" and len(_TAG.findall(text)) >= 3:
        return "html"
    return "txt"


def _is_page(text: str) -> bool:
    """Whether it is HTML from its first tag on; only blanks, comments and an XML declaration come before."""
    at = _markup_start(text)
    if text[at : at + 5].lower() in _FIRST_TAGS:
        return text[at + 5 : at + 6].isspace() or text[at + 5 : at + 6] == ">"
    if text[at : at + 9].lower() != "<!doctype" or not text[at + 9 : at + 10].isspace():
        return False
    name = text[at + 9 :].lstrip()[:5].lower()
    return name[:4] == "html" and not (name[4:].isalnum() or name[4:] == "_")


def _markup_start(text: str) -> int:
    """Where the first tag may stand. A comment that does not end is where it begins."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4) + 2
        elif text[at : at + 5].lower() == "<?xml":
            end = text.find(">", at + 5)
        else:
            break
        if end < at + 5:
            break
        at = end + 1
    return at


def _is_json(start: str) -> bool:
    """Whether it, or the first line of it, is JSON; only its beginning is at hand."""
    for part in (start, start.partition("\n")[0]):
        try:
            from_json(part)
        except ValueError as error:
            if not str(error).startswith("EOF"):
                continue
        return True
    return False


def _is_message(text: str) -> bool:
    found = set()
    for line in text.split("\n", 60)[:60]:
        if not line.strip():
            break
        if line[0] in " \t":
            continue
        if not patterns.match(r"[\w-]+:", line):
            return False
        if _HEADER.match(line):
            found.add(line.partition(":")[0].lower())
    return len(found) >= ENOUGH_HEADERS and bool(
        found & {"received", "message-id", "mime-version", "return-path", "delivered-to"}
    )
