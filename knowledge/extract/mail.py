"""Reads messages (EML): sender, recipients, text and attachments."""

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import markdown as md
from knowledge.extract.charset import decode_text
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.reader import read_document, read_inner_page

MOST_BYTES = 100_000_000
LISTED_HEADERS = ("From", "To", "Cc", "Date", "Subject")
MOST_PARTS = 500
MOST_ATTACHMENTS = 50
DEEPEST = 3  # nested messages
LONGEST_HEADER = 2_000  # characters: a thousand recipients help no one


def read(raw: Raw) -> Extracted:
    if len(raw.data) > MOST_BYTES:
        raise Unreadable("Messages over 100 MB are not supported.", "DOCUMENT_TOO_LARGE")
    message = email.message_from_bytes(raw.data, policy=email.policy.default)
    notes: list[str] = []
    markdown = _message(message, 1, notes)
    return Extracted(
        markdown=markdown,
        kind="eml",
        title=_header(message, "Subject"),
        published_at=_date(_header(message, "Date")),
        notes=tuple(dict.fromkeys(notes)),
    )


def _message(message: EmailMessage, level: int, notes: list[str]) -> str:
    headers = [
        md.item(f"{name}: {text}")
        for name in LISTED_HEADERS
        if name != "Subject" and (text := _header(message, name))
    ]
    blocks = [md.heading_line(level, _header(message, "Subject") or "Message"), "\n".join(headers)]
    body, attached = _parts(message)
    blocks.append(_body(body, notes))
    for part in attached[:MOST_ATTACHMENTS]:
        blocks.append(_attachment(part, level + 1, notes))
    if len(attached) > MOST_ATTACHMENTS:
        notes.append(f"Only {MOST_ATTACHMENTS} of {len(attached)} attachments were read.")
    return "\n\n".join(block for block in blocks if block)


def _parts(message: EmailMessage) -> tuple[list[EmailMessage], list[EmailMessage]]:
    """The best version of the text (HTML, which has tables, before plain text) and the attachments."""
    body: list[EmailMessage] = []
    attached: list[EmailMessage] = []
    pending: list[EmailMessage] = [message]
    for _ in range(MOST_PARTS):
        if not pending:
            break
        part = pending.pop(0)
        kind = part.get_content_type()
        if part.is_multipart() and kind != "message/rfc822":
            inner = [one for one in part.iter_parts() if isinstance(one, EmailMessage)]
            if kind == "multipart/alternative":
                texts = [one for one in inner if _is_body(one)]
                html = [one for one in texts if one.get_content_type() == "text/html"]
                other = [one for one in inner if one not in texts]
                inner = (html or texts)[-1:] + other
            pending = inner + pending
        elif _is_body(part):
            body.append(part)
        else:
            attached.append(part)
    return body, attached


def _is_body(part: EmailMessage) -> bool:
    return (
        part.get_content_type() in ("text/plain", "text/html")
        and part.get_content_disposition() != "attachment"
        and not (part.get_content_disposition() and part.get_filename())
    )


def _body(parts: list[EmailMessage], notes: list[str]) -> str:
    blocks = []
    for part in parts:
        data = _bytes(part)
        if part.get_content_type() == "text/html":
            page = read_inner_page(data, _media_type(part))
            if page is not None:
                blocks.append(page.markdown)
            continue
        text, decoding_notes = decode_text(data, _media_type(part))
        notes += decoding_notes
        blocks.append("\n\n".join(map(md.paragraph, patterns.split(r"\n{2,}", text))))
    return "\n\n".join(block.strip() for block in blocks if block.strip())


def _attachment(part: EmailMessage, level: int, notes: list[str]) -> str:
    """An attachment under a heading with its name; "" and a note if it was not read."""
    if part.get_content_type() == "message/rfc822":
        inner = next(iter(part.iter_parts()), None)
        if isinstance(inner, EmailMessage) and level <= DEEPEST:
            return _message(inner, level, notes)
        notes.append("Messages attached to attached messages were not read.")
        return ""
    name = " ".join((part.get_filename() or "attachment").split())[:200]
    data = _bytes(part)
    if not data or part.get_content_maintype() in ("image", "audio", "video"):
        return ""
    if name.lower().endswith(".eml") and level > DEEPEST:
        notes.append("Messages attached to attached messages were not read.")
        return ""
    try:
        document = read_document(Raw(data=data, name=name, declared=_media_type(part)))
    except Unreadable as error:
        notes.append(f"The attachment “{name}” was not read: {error.detail}")
        return ""
    notes += [f"In the attachment “{name}”: {note}" for note in document.notes]
    return f"{md.heading_line(level, name)}\n\n{document.markdown.strip()}"


def _bytes(part: EmailMessage) -> bytes:
    """Content of a part; invalid base64 is decoded as far as possible."""
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError):
        return b""
    return data if isinstance(data, bytes) else b""


def _media_type(part: EmailMessage) -> str:
    charset = part.get_content_charset()
    return f"{part.get_content_type()}; charset={charset}" if charset else part.get_content_type()


def _header(message: EmailMessage, name: str) -> str:
    """A header in one line; "" if it is missing or invalid."""
    try:
        return " ".join(str(message.get(name, "")).split())[:LONGEST_HEADER]
    except (ValueError, LookupError, AttributeError, IndexError, TypeError):
        return ""  # raised by Python's parser for malformed headers


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
