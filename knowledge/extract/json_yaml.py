"""Reads JSON, JSON lines and YAML."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import markdown as md
from knowledge.extract.markdown import pipe_table
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.prose import decode_file

DEEPEST = 200  # nesting depth
MOST_VALUES = 5_000_000  # values after aliases are expanded
MOST_COLUMNS = 40  # columns of a table built from objects
MIN_FILLED = 0.35  # minimum share of filled cells in a table; else objects are written one by one
LONG = 400  # characters: a longer cell is a text of its own
NAMES = ("title", "name", "label", "id", "key", "question", "summary")
MOST_LINES = 200_000  # per JSON lines file
MOST_JSON = 50_000_000  # characters: parsed values take ten times as much memory
MOST_YAML = 20_000_000


def value_markdown(value: object) -> str:
    """Convert a value to Markdown. Raises `Unreadable` if it is too deep or recursive."""
    if _size(value, {}, 0) > MOST_VALUES:
        raise Unreadable("The file has too many values.", "DOCUMENT_TOO_LARGE")
    return "\n\n".join(_blocks(value, 1))


def _size(value: object, sizes: dict[int, int], depth: int) -> int:
    """Number of values, with repeated references counted each time."""
    if not isinstance(value, dict | list):
        return 1
    if depth > DEEPEST:
        raise Unreadable("The document is nested too deeply.")
    if id(value) not in sizes:
        sizes[id(value)] = -1
        inner = value.values() if isinstance(value, dict) else value
        sizes[id(value)] = 1 + sum(_size(one, sizes, depth + 1) for one in inner)
    if sizes[id(value)] < 0:
        raise Unreadable("A part of the file contains itself.")
    return sizes[id(value)]


def _blocks(value: object, level: int) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _object(value, level)
    elif isinstance(value, list):
        yield from _array(value, level)
    elif word := format_value(value):
        yield md.paragraph(word)


def _object(value: dict[Any, Any], level: int) -> Iterator[str]:
    """Plain values first, as a list; every other value gets a heading."""
    plain: list[str] = []
    for key, inner in value.items():
        if short := _one_line(inner):
            plain.append(md.item(f"{_key_text(key)}: {short}"))
        elif inner not in (None, "", [], {}):
            if plain:
                yield "\n".join(plain)
                plain = []
            yield md.section_heading(level, _key_text(key)) or "#"
            yield from _blocks(inner, level + 1)
    if plain:
        yield "\n".join(plain)


def _array(value: list[Any], level: int) -> Iterator[str]:
    if not value:
        return
    objects = [one for one in value if isinstance(one, dict)]
    if len(objects) == len(value):
        if table := _table(objects):
            yield table
            return
        for number, one in enumerate(objects, 1):
            yield md.section_heading(level, _name(one) or f"{number}") or "#"
            yield from _object(one, level + 1)
        return
    rows = [one for one in value if isinstance(one, list)]
    if len(rows) == len(value) and all(not isinstance(c, dict | list) for r in rows for c in r):
        yield pipe_table([[format_value(cell) for cell in row] for row in rows])
        return
    for one in value:
        if short := _one_line(one):
            yield md.item(short)
        else:
            yield from _blocks(one, level)


def _table(objects: Sequence[dict[Any, Any]]) -> str:
    """A table of objects with the same keys; "" if they differ too much or contain long texts."""
    flat = [dict(_flatten(one)) for one in objects]
    columns = list(dict.fromkeys(key for one in flat for key in one))
    if len(objects) < 2 or not columns or len(columns) > MOST_COLUMNS:
        return ""
    if sum(map(len, flat)) < MIN_FILLED * len(columns) * len(flat):
        return ""
    if any(len(cell) > LONG for one in flat for cell in one.values()):
        return ""
    return pipe_table([columns, *([one.get(key, "") for key in columns] for one in flat)])


def _flatten(value: dict[Any, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Cells of a row: nested objects become columns `outer.inner`."""
    for key, inner in value.items():
        name = f"{prefix}{_key_text(key)}"
        if isinstance(inner, dict) and inner and depth < 2:
            yield from _flatten(inner, f"{name}.", depth + 1)
        elif isinstance(inner, dict | list) and not _one_line(inner):
            if inner:
                yield name, json.dumps(inner, ensure_ascii=False, default=str)
        elif word := _one_line(inner):
            yield name, word


def _one_line(value: object) -> str:
    """A value as one line of a list; "" if it does not fit, or is null."""
    if isinstance(value, dict):
        return ""
    if isinstance(value, list):
        if any(isinstance(one, dict | list) for one in value):
            return ""
        words = [format_value(one) for one in value]
        line = ", ".join(words)
        return line if len(line) <= LONG and not any("\n" in word for word in words) else ""
    return format_value(value)


def format_value(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, bytes):
        return f"({len(value)} bytes)"
    return str(value)


def _name(value: dict[Any, Any]) -> str:
    for key in NAMES:
        name = value.get(key)
        if isinstance(name, str | int) and not isinstance(name, bool) and str(name).strip():
            return str(name)[:120]
    return ""


def _key_text(key: object) -> str:
    """A key, unchanged: people search for `maxRetries` as often as for words."""
    return " ".join(str(key).split()) or "-"


def read_json(raw: Raw) -> Extracted:
    """Read JSON, or one value per line. Raises `Unreadable`."""
    text, notes = decode_file(raw)
    if len(text) > MOST_JSON:
        raise Unreadable("JSON files over 50 MB are not supported.", "DOCUMENT_TOO_LARGE")
    try:
        value = json.loads(text)
    except ValueError:
        value, line_notes = _parse_lines(text)
        notes += line_notes
    return Extracted(markdown=value_markdown(value), kind="json", title=_title(value), notes=notes)


def _parse_lines(text: str) -> tuple[list[Any], tuple[str, ...]]:
    """Parse JSON lines; a truncated last line is dropped with a note."""
    lines = [line for line in text.split("\n") if line.strip()]
    values: list[Any] = []
    for number, line in enumerate(lines[:MOST_LINES]):
        try:
            values.append(json.loads(line))
        except ValueError:
            if values and isinstance(values[0], dict | list) and number == len(lines) - 1:
                return values, ("The last line is truncated.",)
            raise Unreadable("The file is not valid JSON, or is truncated.") from None
    if len(lines) > MOST_LINES:
        return values, (f"Only the first {MOST_LINES:,} lines were read.",)
    return values, ()


def read_yaml(raw: Raw) -> Extracted:
    """Read all documents; tags are ignored, aliases bounded. Raises `Unreadable`."""
    text, notes = decode_file(raw)
    if len(text) > MOST_YAML:
        raise Unreadable("YAML files over 20 MB are not supported.", "DOCUMENT_TOO_LARGE")
    documents = [one for one in _parse_yaml(text) if one is not None]
    value = documents[0] if len(documents) == 1 else documents
    return Extracted(markdown=value_markdown(value), kind="yaml", title=_title(value), notes=notes)


def _parse_yaml(text: str) -> list[Any]:
    import yaml  # noqa: PLC0415 - only YAML files need it

    class Loader(yaml.SafeLoader):
        """Loads plain values only: `!Ref x` and the like become their value."""

    def plain(loader: yaml.SafeLoader, _: str, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(cast("yaml.ScalarNode", node))

    Loader.add_multi_constructor("", plain)
    try:
        return list(yaml.load_all(text, Loader))
    except (yaml.YAMLError, ValueError, TypeError, OverflowError):
        raise Unreadable("The file is not valid YAML, or is truncated.") from None


def _title(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    for holder in (value, value.get("info"), value.get("metadata")):
        title = holder.get("title") or holder.get("name") if isinstance(holder, dict) else None
        if isinstance(title, str) and patterns.search(r"\w", title):
            return title[:200]
    return ""
