"""Load the files of `bench/data/corpora` and the documents that they name."""

import gzip
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bench.corpora.packages import Package, unpack
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.reader import read_document

FOLDER = Path(__file__).parents[1] / "data" / "corpora"
MEDIA_TYPES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "md": "text/markdown",
    "txt": "text/plain",
}

Row = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """A document in a file."""

    title: str
    format: str
    language: str
    file: Path

    @property
    def media_type(self) -> str:
        """The media type for the upload."""
        return MEDIA_TYPES[self.format]

    @property
    def data(self) -> bytes:
        """Its bytes, decompressed: distributions compress texts."""
        data = self.file.read_bytes()
        return gzip.decompress(data) if self.file.suffix == ".gz" else data

    @property
    def name(self) -> str:
        """The file name, unique in its corpus."""
        return f"{self.title}.{self.format}".replace("/", "-")

    @cached_property
    def extracted(self) -> Extracted:
        """The text that the product extracts."""
        return read_document(Raw(data=self.data, name=self.name, declared=self.media_type))


@dataclass(frozen=True)
class Corpus:
    """One corpus file; `rows` is its content as written."""

    name: str
    sources: dict[str, Source]
    rows: Row

    def of(self, kind: str) -> list[Row]:
        """The rows of kind `question`, `change`, `harmless`, `change_document`, `rule` or `message`."""
        return list(self.rows.get(kind, ()))

    def text(self, title: str) -> str:
        """A document's text, or the part in which its changes are made."""
        whole = self.sources[title].extracted.markdown
        cut = next(
            (one.get("cut") for one in self.of("change_document") if one["document"] == title), None
        )
        if not cut:
            return whole
        start = whole.index(cut["from"])
        return whole[start : whole.index(cut["to"], start)]


def names() -> list[str]:
    """The names of all corpora."""
    return sorted(one.stem for one in FOLDER.glob("*.toml"))


def corpus(name: str, cache: Path) -> Corpus:
    """The corpus with its documents, fetched into `cache` once. Raises `SystemExit` if a package is
    unavailable or has another checksum.
    """
    rows = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    fields = Package.__dataclass_fields__.keys()
    roots = {
        one["name"]: unpack(Package(**{key: one[key] for key in fields}), cache)
        for one in rows["package"]
    }
    sources = {
        one["title"]: Source(
            one["title"], one["format"], one["language"], roots[one["package"]] / one["path"]
        )
        for one in rows["document"]
    }
    return Corpus(name, sources, rows)
