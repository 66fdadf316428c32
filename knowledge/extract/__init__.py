"""Reads files of any format as Markdown, in sandboxed processes."""

from knowledge.extract.port import Extracted, PageStart, Raw, Region, Rows, StoredFile

__all__ = ["Extracted", "PageStart", "Raw", "Region", "Rows", "StoredFile"]
