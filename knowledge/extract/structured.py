"""JSON, JSON lines and YAML."""

import json
from typing import Any, cast

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.prose import text_of
from knowledge.extract.values import as_markdown

MOST_LINES = 200_000  # of JSON lines
MOST_JSON = 50_000_000  # characters: they take ten times that as values
MOST_YAML = 20_000_000


def read_json(raw: Raw) -> Extracted:
    """JSON, or a value a line. Raises `Unreadable`."""
    text, notes = text_of(raw)
    if len(text) > MOST_JSON:
        raise Unreadable("JSON of more than 50 MB is not read.", "DOCUMENT_TOO_LARGE")
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        value, more = _lines(text)
        notes += more
    return Extracted(markdown=as_markdown(value), kind="json", title=_title(value), notes=notes)


def _lines(text: str) -> tuple[list[Any], tuple[str, ...]]:
    """JSON lines; a last line that was cut off is left out, with a note."""
    lines = [line for line in text.split("\n") if line.strip()]
    found: list[Any] = []
    for number, line in enumerate(lines[:MOST_LINES]):
        try:
            found.append(json.loads(line))
        except RecursionError:
            raise _too_deep() from None
        except ValueError:
            if found and isinstance(found[0], dict | list) and number == len(lines) - 1:
                return found, ("Its last line was cut off.",)
            raise Unreadable("It is no JSON, or was cut off.") from None
    if len(lines) > MOST_LINES:
        return found, (f"Only its first {MOST_LINES:,} lines were read.",)
    return found, ()


def read_yaml(raw: Raw) -> Extracted:
    """YAML, several documents too. Tags name nothing here, aliases are bounded. Raises `Unreadable`."""
    text, notes = text_of(raw)
    if len(text) > MOST_YAML:
        raise Unreadable("YAML of more than 20 MB is not read.", "DOCUMENT_TOO_LARGE")
    documents = [one for one in _yaml(text) if one is not None]
    value = documents[0] if len(documents) == 1 else documents
    return Extracted(markdown=as_markdown(value), kind="yaml", title=_title(value), notes=notes)


def _yaml(text: str) -> list[Any]:
    import yaml  # noqa: PLC0415 - YAML files alone need it

    class Loader(yaml.SafeLoader):
        """Plain values only: `!Ref x` and the like are the value they tag."""

    def plain(loader: yaml.SafeLoader, _: str, node: yaml.Node) -> object:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(cast("yaml.ScalarNode", node))

    Loader.add_multi_constructor("", plain)
    try:
        return list(yaml.load_all(text, Loader))
    except RecursionError:
        raise _too_deep() from None
    except (yaml.YAMLError, ValueError, TypeError, OverflowError):
        raise Unreadable("It is no YAML, or was cut off.") from None


def _title(value: object) -> str:
    """What an object says its title is."""
    if not isinstance(value, dict):
        return ""
    for holder in (value, value.get("info"), value.get("metadata")):
        found = holder.get("title") or holder.get("name") if isinstance(holder, dict) else None
        if isinstance(found, str) and patterns.search(r"\w", found):
            return found[:200]
    return ""


def _too_deep() -> Unreadable:
    return Unreadable("Its parts lie in each other deeper than any document's.")
