"""Reads zip packages (Office, OpenDocument, EPUB) within limits, whatever sizes they claim."""

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from knowledge.extract.xml_files import descendants, parse_xml, xml_attribute

MOST_MEMBERS = 20_000  # an EPUB of 3,000 chapters with pictures has 8,000
MOST_UNPACKED = 2_000_000_000  # bytes of all members: presentations with films are large
MOST_PART = 256_000_000  # bytes of one part
MOST_PACKED = 400  # maximum compression ratio: XML of equal rows reaches 120, deflate at most 1,032
SMALL = 4_000_000  # bytes: the ratio of smaller parts is not checked
FAILURES = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


class Package:
    """The parts of a package by name. A part is decompressed once, up to its declared size."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._parts = {one.filename: one for one in archive.infolist()}

    @property
    def names(self) -> list[str]:
        return list(self._parts)

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def read(self, name: str, most: int = MOST_PART) -> bytes:
        """A part's bytes; b"" if it does not exist. Raises `Unreadable`."""
        part = self._parts.get(name)
        if part is None:
            return b""
        if part.file_size > most:
            raise Unreadable(
                f"A part of the file has {part.file_size // 1_000_000} MB, too many to read.",
                "DOCUMENT_TOO_LARGE",
            )
        try:
            # `zipfile` stops at the declared size, and the total of declared sizes is checked.
            return self._archive.read(part)
        except RuntimeError:  # raised by `zipfile` for an encrypted part
            raise _encrypted_error() from None
        except FAILURES:
            raise Unreadable("A part of the file is damaged or truncated.") from None


@contextmanager
def open_package(data: bytes) -> Iterator[Package]:
    """Open a package after checking that it is not a zip bomb. Raises `Unreadable`."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except FAILURES:
        raise Unreadable("The file is damaged or truncated: its directory is missing.") from None
    with archive:
        _check(archive.infolist())
        yield Package(archive)


def _check(parts: list[zipfile.ZipInfo]) -> None:
    if len(parts) > MOST_MEMBERS:
        raise Unreadable(
            f"The file has {len(parts)} parts, too many to read.", "DOCUMENT_TOO_LARGE"
        )
    if sum(one.file_size for one in parts) > MOST_UNPACKED:
        raise Unreadable("Decompressed, the file is larger than 2 GB.", "DOCUMENT_TOO_LARGE")
    for one in parts:
        if one.file_size > SMALL and one.file_size > MOST_PACKED * max(1, one.compress_size):
            raise Unreadable(
                "The file expands to far more than a document would.", "DOCUMENT_TOO_LARGE"
            )
    if parts and all(one.flag_bits & 1 for one in parts if not one.is_dir()):
        raise _encrypted_error()


def _encrypted_error() -> Unreadable:
    return Unreadable("The file is password-protected.", "DOCUMENT_ENCRYPTED")


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship: the name of another part, or a URL outside the package."""

    kind: str
    target: str
    outside: bool


def relations(package: Package, part: str) -> dict[str, Relation]:
    """Relationships of a part by id; of the package itself for ""."""
    folder, name = posixpath.split(part)
    data = package.read(posixpath.join(folder, "_rels", f"{name}.rels"))
    by_id: dict[str, Relation] = {}
    for element in descendants(parse_xml(data), "Relationship") if data else ():
        outside = xml_attribute(element, "TargetMode") == "External"
        target = xml_attribute(element, "Target")
        if not outside:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        kind = xml_attribute(element, "Type").rpartition("/")[2]
        by_id[xml_attribute(element, "Id")] = Relation(kind, target, outside)
    return by_id


def reference(element: Element, name: str = "id") -> str:
    """Relationship id in an element's attribute, such as `r:id`; "" if missing."""
    end = f"/relationships}}{name}"
    return next((value for key, value in element.attrib.items() if key.endswith(end)), "")


def main_part(package: Package) -> str:
    for one in relations(package, "").values():
        if one.kind == "officeDocument" and one.target in package:
            return one.target
    raise Unreadable("The file is damaged: its main part is missing.")


def part_of_kind(package: Package, part: str, kind: str) -> bytes:
    """The first related part of a type, such as "styles"; b"" if there is none."""
    for one in relations(package, part).values():
        if one.kind == kind and not one.outside:
            return package.read(one.target)
    return b""


def package_title(package: Package) -> str:
    for one in relations(package, "").values():
        if one.kind == "core-properties" and (data := package.read(one.target)):
            return next(
                ("".join(e.itertext()).strip() for e in descendants(parse_xml(data), "title")), ""
            )
    return ""
