"""Requests of the knowledge routes."""

from typing import Annotated, Literal
from unicodedata import category, normalize
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from app.api.models import EXAMPLES, LONGEST_PATTERN, RequestModel, normalize_site
from app.bounds import Bounded
from app.domain.knowledge import DEFAULT_SET, IngestRequest, Phase, Scope, Strategy
from app.text import patterns

LONGEST_ACTION = 1_000  # as sent by the agent
LONGEST_SET = 64
LONGEST_NAME = 200
LONGEST_KIND = 16  # characters of a file name extension, such as ".markdown"
UNNAMED = "document"
MAX_PAGES = 100_000
MAX_DEPTH = 20
PAGES, SPIDER_PAGES, SPIDER_DEPTH = 100, 50, 2  # see CONTRACT, "The rest"


def normalize_line(value: str) -> str:
    """The text without control or invisible characters, and whitespace collapsed."""
    visible = "".join(c if category(c)[0] != "C" else " " for c in normalize("NFC", value))
    return " ".join(visible.split())


def _normalize_text(value: str) -> str:
    text = normalize_line(value)
    if not text:
        raise ValueError("must not be empty")
    return text


def file_name(value: str) -> str:
    """The last part of a path as one line of at most `LONGEST_NAME` characters; the extension is kept."""
    name = normalize_line(patterns.split(r"[\\/]", value)[-1])
    if not name.strip(". "):
        return UNNAMED
    stem, dot, kind = name.rpartition(".")
    if len(name) <= LONGEST_NAME or not stem or len(kind) > LONGEST_KIND:
        return name[:LONGEST_NAME]
    return stem[: LONGEST_NAME - len(kind) - 1] + dot + kind


def _check_address(value: str) -> str:
    """Strip an address. Raises `ValueError` unless it is http(s) without credentials."""
    text = value.strip()
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_web = False
    if not is_web or normalize_line(text) != text or " " in text:
        raise ValueError("must start with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("must not contain a user name or password")
    return text


Title = Annotated[str, Bounded("title"), AfterValidator(_normalize_text)]
ActionText = Annotated[str, Field(max_length=LONGEST_ACTION), AfterValidator(_normalize_text)]
SetName = Annotated[str, Field(max_length=LONGEST_SET), AfterValidator(_normalize_text)]
Site = Annotated[str, Field(max_length=LONGEST_PATTERN), AfterValidator(normalize_site)]
Address = Annotated[str, Bounded("url"), AfterValidator(_check_address)]


class DocumentFields(RequestModel):
    """Metadata of a document. With `domain`, the document is used on that site only, unless it is
    tagged. `set` is the set it belongs to.
    """

    title: Title | None = None
    domain: Site | None = None
    set_name: Annotated[SetName, Field(alias="set")] = DEFAULT_SET
    scope: Scope | None = None

    def file_request(self, name: str, declared: str | None) -> IngestRequest:
        """The request to ingest an uploaded file; its path is not stored."""
        return IngestRequest(
            kind="file", name=file_name(name), declared=declared, **self.model_dump(by_alias=False)
        )


class IngestIn(DocumentFields):
    """One of `html` (of the page at `url`), `url` or `text`.

    `phase` of a rendered page is `initial`, or `post-interaction` with the `triggerAction` that opened
    the `container`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["IngestIn"]]})

    html: Annotated[str, Field(min_length=1)] | None = None
    url: Address | None = None
    text: Annotated[str, Field(min_length=1)] | None = None
    phase: Phase | None = None
    trigger_action: ActionText | None = None
    container: Title | None = None

    @model_validator(mode="after")
    def _check_source(self) -> "IngestIn":
        if (self.text is None) == (self.html is None and self.url is None):
            raise ValueError("give exactly one of html (with its url), url or text")
        has_phase = self.phase or self.trigger_action or self.container
        if has_phase and (self.html is None or self.url is None):
            raise ValueError("phase, triggerAction and container require html and url")
        return self

    @property
    def content(self) -> bytes | None:
        text = self.html if self.html is not None else self.text
        return None if text is None else text.encode()

    def request(self) -> IngestRequest:
        kind: Literal["html", "text", "url"] = "html" if self.html is not None else "url"
        kind = "text" if self.text is not None else kind
        declared = {"html": "text/html", "text": "text/plain"}.get(kind)
        fields = self.model_dump(by_alias=False, exclude={"html", "text"})
        return IngestRequest(kind=kind, bytes=len(self.content or b""), declared=declared, **fields)


class IndexLinkIn(DocumentFields):
    """An address to crawl from: `single` reads that page, `sitemap` the pages of its sitemap, `spider` the
    pages it links to on the same site, up to `maxDepth` links away. `maxPages` defaults to 50 for a spider
    and to 100 otherwise.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["IndexLinkIn"]]})

    url: Address
    strategy: Strategy = "single"
    max_pages: Annotated[int, Field(ge=1, le=MAX_PAGES)] | None = None
    max_depth: Annotated[int, Field(ge=0, le=MAX_DEPTH)] = SPIDER_DEPTH

    def request(self) -> IngestRequest:
        pages = self.max_pages or (SPIDER_PAGES if self.strategy == "spider" else PAGES)
        fields = self.model_dump(by_alias=False, exclude={"max_pages"})
        return IngestRequest(kind="link", max_pages=pages, **fields)
