"""Reads EPUB: the chapters of a book in reading order."""

import posixpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from knowledge.extract.office.package import Package, open_package
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.reader import read_inner_page
from knowledge.extract.xml_files import child, descendants, local_name, parse_xml, xml_attribute

MOST_CHAPTERS = 3_000
PAGES = {"application/xhtml+xml", "text/html", "application/x-dtbook+xml"}
# Encrypted fonts are common and harmless; encrypted chapters mean DRM.
FONTS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")


def read(raw: Raw) -> Extracted:
    with open_package(raw.data) as package:
        _check_rights(package)
        name = _book_part(package)
        book = parse_xml(package.read(name))
        chapters = _chapters(book, posixpath.dirname(name))
        if not chapters:
            raise Unreadable("The book has no chapters.", "DOCUMENT_EMPTY")
        parts: list[str] = []
        missing = 0
        for chapter_name in chapters[:MOST_CHAPTERS]:
            if not (data := package.read(chapter_name)):
                missing += 1
            elif chapter := read_inner_page(data, "application/xhtml+xml"):
                parts.append(chapter.markdown.strip())
        notes = [f"{missing} chapters are missing."] if missing else []
        if len(chapters) > MOST_CHAPTERS:
            notes.append(f"Only the first {MOST_CHAPTERS} chapters were read.")
        return Extracted(
            markdown="\n\n".join(part for part in parts if part),
            kind="epub",
            title=_metadata_value(book, "title"),
            language=_metadata_value(book, "language").partition("-")[0].lower() or None,
            notes=tuple(notes),
        )


def _check_rights(package: Package) -> None:
    data = package.read("META-INF/encryption.xml", most=10_000_000)
    methods = [
        xml_attribute(one, "Algorithm").encode()
        for one in (descendants(parse_xml(data), "EncryptionMethod") if data else ())
    ]
    if any(method not in FONTS for method in methods):
        raise Unreadable("The book is protected by DRM.", "DOCUMENT_ENCRYPTED")


def _book_part(package: Package) -> str:
    data = package.read("META-INF/container.xml", most=1_000_000)
    for one in descendants(parse_xml(data), "rootfile") if data else ():
        if (name := xml_attribute(one, "full-path")) in package:
            return name
    raise Unreadable("The file is damaged: its table of contents is missing.")


def _chapters(book: Element, folder: str) -> list[str]:
    items = {
        xml_attribute(one, "id"): xml_attribute(one, "href")
        for one in descendants(book, "item")
        if xml_attribute(one, "media-type") in PAGES
        and "nav" not in xml_attribute(one, "properties").split()
    }
    spine = child(book, "spine")
    ids = [xml_attribute(one, "idref") for one in spine] if spine is not None else []
    return [
        posixpath.normpath(posixpath.join(folder, unquote(items[one].partition("#")[0])))
        for one in ids
        if one in items
    ]


def _metadata_value(book: Element, name: str) -> str:
    metadata = child(book, "metadata")
    for one in metadata if metadata is not None else ():
        if local_name(one.tag) == name and (text := " ".join("".join(one.itertext()).split())):
            return text
    return ""
