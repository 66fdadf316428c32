"""The parts of an Office package that others name, and what its properties say."""

import posixpath
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from app.errors import Unreadable
from knowledge.extract.packages import Package
from knowledge.extract.xml_parts import attribute, parsed, within


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to: another part's name, or an address outside of the package."""

    kind: str
    target: str
    outside: bool


def relations(package: Package, part: str) -> dict[str, Relation]:
    """Of a part ("" for the package itself) by their ids."""
    folder, name = posixpath.split(part)
    data = package.read(posixpath.join(folder, "_rels", f"{name}.rels"))
    found: dict[str, Relation] = {}
    for one in within(parsed(data), "Relationship") if data else ():
        outside = attribute(one, "TargetMode") == "External"
        target = attribute(one, "Target")
        if not outside:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        kind = attribute(one, "Type").rpartition("/")[2]
        found[attribute(one, "Id")] = Relation(kind, target, outside)
    return found


def reference(element: Element, name: str = "id") -> str:
    """The id of the relation that an element names, as in `r:id`; "" for none."""
    for key, value in element.attrib.items():
        if key.endswith(f"/relationships}}{name}"):
            return value
    return ""


def main_part(package: Package) -> str:
    """The name of the document itself. Raises `Unreadable`."""
    for one in relations(package, "").values():
        if one.kind == "officeDocument" and one.target in package:
            return one.target
    raise Unreadable("The file is damaged: its document is missing.")


def part_of_kind(package: Package, part: str, kind: str) -> bytes:
    """The first part of a kind ("styles") that a part names; b"" for none."""
    for one in relations(package, part).values():
        if one.kind == kind and not one.outside:
            return package.read(one.target)
    return b""


def title_of(package: Package) -> str:
    """What the document's properties call it; "" for nothing."""
    for one in relations(package, "").values():
        if one.kind == "core-properties" and (data := package.read(one.target)):
            return next(("".join(e.itertext()).strip() for e in within(parsed(data), "title")), "")
    return ""
