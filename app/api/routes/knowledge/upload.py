"""A file uploaded as multipart/form-data, streamed rather than held in memory."""

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from app.errors import Invalid, TooLarge

FILE = "file"
MAX_FIELDS = 16
LONGEST_FIELD = 4_096
UNREADABLE = "The form cannot be parsed: send multipart/form-data with its boundary."


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file and the fields before it. `name` and `declared` (the media type) are the client's claims."""

    fields: dict[str, str]
    name: str
    declared: str | None
    pieces: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class _PartStart:
    """The beginning of a part; `filename` is None for a field."""

    name: str
    filename: str | None
    declared: str | None


_Event = _PartStart | bytes | None  # None: end of the part


async def read_upload(request: Request, most: int) -> Upload:
    """Parse the form up to its file. Raises `Invalid` for a form without one.

    Iterating `pieces` reads the rest of the body. It raises `TooLarge` beyond `most` bytes, and `Invalid`
    if the form is truncated or continues after the file.
    """
    events = _events(request)
    fields: dict[str, str] = {}
    async for event in events:
        if not isinstance(event, _PartStart):
            raise Invalid(UNREADABLE)
        if event.name == FILE and event.filename is not None:
            return Upload(
                fields=fields,
                name=event.filename,
                declared=event.declared,
                pieces=_pieces(events, most),
            )
        if event.filename is not None or len(fields) == MAX_FIELDS:
            raise Invalid("file: send exactly one file, in the field `file`.")
        fields[event.name] = await _field(events, event.name)
    raise Invalid("file: missing.")


async def _field(events: AsyncIterator[_Event], name: str) -> str:
    held = bytearray()
    async for event in events:
        if not isinstance(event, bytes):
            break
        held += event
        if len(held) > LONGEST_FIELD:
            raise Invalid(f"{name[:40]}: too long.")
    try:
        return held.decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"{name[:40]}: not valid UTF-8.") from error


async def _pieces(events: AsyncIterator[_Event], most: int) -> AsyncIterator[bytes]:
    read = 0
    async for event in events:
        if not isinstance(event, bytes):
            break
        read += len(event)
        if read > most:
            raise TooLarge(f"The document exceeds {most:,} bytes.")
        yield event
    async for _ in events:
        raise Invalid("file: must be the last part of the form.")


async def _events(request: Request) -> AsyncIterator[_Event]:
    """The parts of the form in order. Raises `Invalid` if it is malformed or truncated."""
    form = _Form(request.headers.get("content-type", ""))
    async for piece in request.stream():
        form.feed(piece)
        while form.found:
            yield form.found.popleft()
    if not form.over:
        raise Invalid("The multipart body is truncated.")


class _Form:
    """A push parser; `found` holds the events of the last piece."""

    def __init__(self, kind: str) -> None:
        boundary = parse_options_header(kind)[1].get(b"boundary", b"")
        self.found: deque[_Event] = deque()
        self.over = False
        self._headers: dict[str, str] = {}
        self._name, self._value = bytearray(), bytearray()
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._headers.clear,
                    "on_header_field": self._add_name,
                    "on_header_value": self._add_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._start_part,
                    "on_part_data": self._add_data,
                    "on_part_end": lambda: self.found.append(None),
                    "on_end": self._end,
                },
            )
        except FormParserError as error:
            raise Invalid(UNREADABLE) from error
        if not boundary:
            raise Invalid(UNREADABLE)

    def feed(self, piece: bytes) -> None:
        """Parse a piece; anything after the end of the form is ignored."""
        if not piece or self.over:
            return
        try:
            self._parser.write(piece)
        except FormParserError as error:
            raise Invalid(UNREADABLE) from error

    def _add_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        name = self._name.decode("latin-1").lower()
        self._headers[name] = self._value.decode("latin-1")
        self._name.clear()
        self._value.clear()

    def _start_part(self) -> None:
        options = parse_options_header(self._headers.get("content-disposition", ""))[1]
        filename = options.get(b"filename")
        self.found.append(
            _PartStart(
                name=options.get(b"name", b"").decode(errors="replace"),
                filename=None if filename is None else _unescaped(filename),
                declared=self._headers.get("content-type"),
            )
        )

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        self.found.append(data[start:end])

    def _end(self) -> None:
        self.over = True


def _unescaped(filename: bytes) -> str:
    """Undo the escapes of browsers (WHATWG HTML, multipart/form-data)."""
    name = filename.decode(errors="replace")
    for escape, character in (("%22", '"'), ("%0D", "\r"), ("%0A", "\n")):
        name = name.replace(escape, character)
    return name
