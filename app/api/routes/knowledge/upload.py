"""One uploaded file of a form, read piece by piece: it is never held in memory."""

from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from app.errors import Invalid, TooLarge

FILE = "file"
MOST_FIELDS = 16
LONGEST_FIELD = 4_096
UNREADABLE = "The form cannot be read: send multipart/form-data with its boundary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file and the fields that stood before it. `name` and `declared` are as the client says."""

    fields: dict[str, str]
    name: str
    declared: str | None
    pieces: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class _Begin:
    """A part begins; of a field `filename` is None."""

    name: str
    filename: str | None
    declared: str | None


_Event = _Begin | bytes | None  # None: the part ends


async def read_upload(request: Request, most: int) -> Upload:
    """The form's file, with the bytes that are still to come as `pieces`: these raise `TooLarge` beyond
    `most`, and `Invalid` for a form that breaks off or goes on after its file. Raises `Invalid` for a
    form without a file.
    """
    events = _events(request)
    fields: dict[str, str] = {}
    async for event in events:
        if not isinstance(event, _Begin):
            raise Invalid(UNREADABLE)
        if event.name == FILE and event.filename is not None:
            return Upload(
                fields=fields,
                name=event.filename,
                declared=event.declared,
                pieces=_pieces(events, most),
            )
        if event.filename is not None or len(fields) == MOST_FIELDS:
            raise Invalid("file: send one file, of this name")
        fields[event.name] = await _field(events, event.name)
    raise Invalid("file: it is missing")


async def _field(events: AsyncIterator[_Event], name: str) -> str:
    held = bytearray()
    async for event in events:
        if not isinstance(event, bytes):
            break
        held += event
        if len(held) > LONGEST_FIELD:
            raise Invalid(f"{name[:40]}: it is too long")
    try:
        return held.decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"{name[:40]}: it is no UTF-8") from error


async def _pieces(events: AsyncIterator[_Event], most: int) -> AsyncIterator[bytes]:
    read = 0
    async for event in events:
        if not isinstance(event, bytes):
            break
        read += len(event)
        if read > most:
            raise TooLarge(f"A document holds at most {most:,} bytes")
        yield event
    async for _ in events:
        raise Invalid("file: it is the last part of the form, after all fields")


async def _events(request: Request) -> AsyncIterator[_Event]:
    """What the form consists of, in its order. Raises `Invalid` for what is no form, or none that ends."""
    form = _Form(request.headers.get("content-type", ""))
    async for piece in request.stream():
        form.feed(piece)
        while form.found:
            yield form.found.popleft()
    if not form.over:
        raise Invalid("The form breaks off")


class _Form:
    """The parser of one form; what it found waits in `found`, of one piece of the body at most."""

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
                    "on_header_field": self._named,
                    "on_header_value": self._valued,
                    "on_header_end": self._headed,
                    "on_headers_finished": self._begun,
                    "on_part_data": self._data,
                    "on_part_end": lambda: self.found.append(None),
                    "on_end": self._ended,
                },
            )
        except FormParserError as error:
            raise Invalid(UNREADABLE) from error
        if not boundary:
            raise Invalid(UNREADABLE)

    def feed(self, piece: bytes) -> None:
        """Parse it; what follows the end of the form is not looked at."""
        if not piece or self.over:
            return
        try:
            self._parser.write(piece)
        except FormParserError as error:
            raise Invalid(UNREADABLE) from error

    def _named(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _valued(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _headed(self) -> None:
        name = self._name.decode("latin-1").lower()
        self._headers[name] = self._value.decode("latin-1")
        self._name.clear()
        self._value.clear()

    def _begun(self) -> None:
        said = parse_options_header(self._headers.get("content-disposition", ""))[1]
        filename = said.get(b"filename")
        self.found.append(
            _Begin(
                name=said.get(b"name", b"").decode(errors="replace"),
                filename=None if filename is None else _unquoted(filename),
                declared=self._headers.get("content-type"),
            )
        )

    def _data(self, data: bytes, start: int, end: int) -> None:
        self.found.append(data[start:end])

    def _ended(self) -> None:
        self.over = True


def _unquoted(filename: bytes) -> str:
    """As it was called: browsers write these three so (WHATWG HTML, multipart/form-data)."""
    name = filename.decode(errors="replace")
    for quoted, meant in (("%22", '"'), ("%0D", "\r"), ("%0A", "\n")):
        name = name.replace(quoted, meant)
    return name
