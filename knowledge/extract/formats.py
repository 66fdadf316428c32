"""The supported file formats. To add one, see docs/how-to/add-a-format.md."""

from typing import NamedTuple


class Format(NamedTuple):
    """A file format.

    `reader` is `module:function`, a `Reader`, imported on first use: PDF libraries alone take 0.3
    s. Suffixes and media types distinguish text formats; other formats are detected from their
    bytes.
    """

    reader: str
    suffixes: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()


FORMATS = {
    "pdf": Format("knowledge.extract.pdf.reader:read", (".pdf",)),
    "html": Format(
        "knowledge.html.reader:read",
        (".html", ".htm", ".xhtml"),
        ("text/html", "application/xhtml+xml"),
    ),
    "txt": Format("knowledge.extract.text.prose:read_text", (".txt", ".text", ".log", ".rst")),
    "md": Format(
        "knowledge.extract.text.prose:read_markdown",
        (".md", ".markdown", ".mdx"),
        ("text/markdown",),
    ),
    "csv": Format(
        "knowledge.extract.text.csv_tables:read",
        (".csv", ".tsv", ".tab"),
        ("text/csv", "text/tab-separated-values"),
    ),
    "json": Format(
        "knowledge.extract.text.json_yaml:read_json",
        (".json", ".jsonl", ".ndjson"),
        ("application/json", "application/x-ndjson"),
    ),
    "yaml": Format(
        "knowledge.extract.text.json_yaml:read_yaml",
        (".yaml", ".yml"),
        ("application/yaml", "text/yaml", "application/x-yaml"),
    ),
    "xml": Format(
        "knowledge.extract.text.xml_records:read",
        (".xml",),
        ("application/xml", "text/xml"),
    ),
    "eml": Format(
        "knowledge.extract.text.mail:read", (".eml", ".mht", ".mhtml"), ("message/rfc822",)
    ),
    "xlsx": Format(
        "knowledge.extract.office.spreadsheets:read", (".xlsx", ".xlsm", ".xlsb", ".xltx")
    ),
    "xls": Format("knowledge.extract.office.spreadsheets:read", (".xls",)),
    "ods": Format("knowledge.extract.office.spreadsheets:read", (".ods",)),
    "docx": Format("knowledge.extract.office.docx:read", (".docx", ".docm", ".dotx")),
    "pptx": Format("knowledge.extract.office.pptx:read", (".pptx", ".pptm", ".ppsx")),
    "odt": Format("knowledge.extract.office.opendocument:read", (".odt", ".ott")),
    "odp": Format("knowledge.extract.office.opendocument:read", (".odp",)),
    "epub": Format("knowledge.extract.office.epub:read", (".epub",)),
    "doc": Format("knowledge.extract.office.legacy:read", (".doc", ".dot")),
    "ppt": Format("knowledge.extract.office.legacy:read", (".ppt", ".pps")),
    "rtf": Format("knowledge.extract.office.legacy:read", (".rtf",)),
    "msg": Format("knowledge.extract.office.legacy:read", (".msg",)),
    "audio": Format("knowledge.extract.media:read"),
    "video": Format("knowledge.extract.media:read"),
}
BY_SUFFIX = {suffix: name for name, one in FORMATS.items() for suffix in one.suffixes}
BY_MEDIA_TYPE = {
    media_type: name for name, one in FORMATS.items() for media_type in one.media_types
}
