"""Documents and what is found in them, on the wire: what comes in."""

from typing import Annotated, Any, Literal
from unicodedata import category, normalize
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from app.api.models import RequestModel
from app.api.site_patterns import LONGEST_PATTERN, site_name
from app.bounds import Bounded
from app.domain.knowledge import DEFAULT_SET, IngestRequest, Phase, Scope, Strategy
from app.text import patterns

LONGEST_DEED = 1_000  # an action as the agent writes it
LONGEST_SET = 64
LONGEST_NAME = 200
LONGEST_KIND = 16  # of the end of a file name, as in ".markdown"
NAMELESS = "document"
MOST_PAGES = 100_000
MOST_DEPTH = 20
PAGES, SPIDER_PAGES, SPIDER_DEPTH = 100, 50, 2  # CONTRACT, "The rest"


def one_line(given: str) -> str:
    """Without control characters, invisible ones and line ends; spaces are single."""
    shown = "".join(c if category(c)[0] != "C" else " " for c in normalize("NFC", given))
    return " ".join(shown.split())


def _said(given: str) -> str:
    text = one_line(given)
    if not text:
        raise ValueError("there is nothing in it")
    return text


def file_name(given: str) -> str:
    """What a file is called here: the last part of its path, one line of at most `LONGEST_NAME`; its
    ending stays.
    """
    name = one_line(patterns.split(r"[\\/]", given)[-1])
    if not name.strip(". "):
        return NAMELESS
    stem, dot, kind = name.rpartition(".")
    if len(name) <= LONGEST_NAME or not stem or len(kind) > LONGEST_KIND:
        return name[:LONGEST_NAME]
    return stem[: LONGEST_NAME - len(kind) - 1] + dot + kind


def _address(given: str) -> str:
    """As it is, when it is one of the web; who may look at it stands in no address."""
    text = given.strip()
    try:
        parts = urlsplit(text)
        wanted = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        wanted = None
    if not wanted or one_line(text) != text or " " in text:
        raise ValueError("write an address that begins with http:// or https://")
    if "@" in parts.netloc:
        raise ValueError("an address holds no name and no password")
    return text


Title = Annotated[str, Bounded("title"), AfterValidator(_said)]
Deed = Annotated[str, Field(max_length=LONGEST_DEED), AfterValidator(_said)]
SetName = Annotated[str, Field(max_length=LONGEST_SET), AfterValidator(_said)]
Site = Annotated[str, Field(max_length=LONGEST_PATTERN), AfterValidator(site_name)]
Address = Annotated[str, Bounded("url"), AfterValidator(_address)]

PAGE_EXAMPLE: dict[str, Any] = {
    "html": "<main><h1>Returns</h1><p>Goods come back within 30 days.</p></main>",
    "url": "https://shop.example/returns",
    "set": "manuals",
    "phase": "post-interaction",
    "triggerAction": 'click("Show all")',
    "container": "dialog[Returns]",
}


class DocumentFields(RequestModel):
    """What is said of a document. `domain` is the site it is about: it answers there only, unless it is
    named. `set` is the named set it belongs to.
    """

    title: Title | None = None
    domain: Site | None = None
    set_name: Annotated[SetName, Field(alias="set")] = DEFAULT_SET
    scope: Scope | None = None

    def file(self, name: str, declared: str | None) -> IngestRequest:
        """The request to ingest an uploaded file; no part of its path is kept."""
        return IngestRequest(
            kind="file", name=file_name(name), declared=declared, **self.model_dump(by_alias=False)
        )


class IngestIn(DocumentFields):
    """One of `html` (of the page at `url`), `url` or `text`.

    A page as a browser shows it says which `phase` it is: `initial`, or `post-interaction` with the
    `triggerAction` that opened it and the `container` that came with it.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [PAGE_EXAMPLE]})

    html: Annotated[str, Field(min_length=1)] | None = None
    url: Address | None = None
    text: Annotated[str, Field(min_length=1)] | None = None
    phase: Phase | None = None
    trigger_action: Deed | None = None
    container: Title | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "IngestIn":
        if self.text is not None and (self.html is not None or self.url is not None):
            raise ValueError("give one of html, url and text")
        if self.text is None and self.html is None and self.url is None:
            raise ValueError("give one of html, url and text")
        opened = self.phase or self.trigger_action or self.container
        if opened and (self.html is None or self.url is None):
            raise ValueError("phase, triggerAction and container are of html with its url")
        return self

    @property
    def body(self) -> bytes | None:
        """The document itself, where it came with the request."""
        given = self.html if self.html is not None else self.text
        return None if given is None else given.encode()

    def request(self) -> IngestRequest:
        """As the pipeline takes it."""
        kind: Literal["html", "text", "url"] = "html" if self.html is not None else "url"
        kind = "text" if self.text is not None else kind
        declared = {"html": "text/html", "text": "text/plain"}.get(kind)
        said = self.model_dump(by_alias=False, exclude={"html", "text"})
        return IngestRequest(kind=kind, bytes=len(self.body or b""), declared=declared, **said)


class IndexLinkIn(DocumentFields):
    """An address to go on from: `single` reads it alone, `sitemap` all that its site map names, `spider`
    what it links to on the same site, `maxDepth` links away. Left out, a spider's `maxPages` is 50, any
    other's 100.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "url": "https://docs.example/",
                    "strategy": "spider",
                    "maxPages": 50,
                    "maxDepth": 2,
                }
            ]
        }
    )

    url: Address
    strategy: Strategy = "single"
    max_pages: Annotated[int, Field(ge=1, le=MOST_PAGES)] | None = None
    max_depth: Annotated[int, Field(ge=0, le=MOST_DEPTH)] = SPIDER_DEPTH

    def request(self) -> IngestRequest:
        """As the pipeline takes it."""
        pages = self.max_pages or (SPIDER_PAGES if self.strategy == "spider" else PAGES)
        said = self.model_dump(by_alias=False, exclude={"max_pages"})
        return IngestRequest(kind="link", max_pages=pages, **said)
