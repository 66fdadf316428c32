"""Review records as they are stored: snake_case JSON, the same in a file and in a row."""

from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from app.domain.review import Record

_RECORD: TypeAdapter[Record] = TypeAdapter(Annotated[Record, Field(discriminator="status")])
_SAID = frozenset({"schema_version", "status"})  # said by what is stored, though they have defaults


def record_to_json(record: Record) -> dict[str, Any]:
    """What JSON and BSON can hold."""
    return record.model_dump(mode="json")


def record_from_json(data: bytes | str) -> Record:
    """The record. Raises `ValueError` for what is none, and for one of another schema."""
    record = _RECORD.validate_json(data)
    if not _SAID.issubset(record.model_fields_set):
        raise ValueError("a record says of which schema and status it is")
    return record
