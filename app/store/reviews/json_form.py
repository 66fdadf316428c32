"""The stored form of review records: snake_case JSON, the same in files and rows."""

from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from app.domain.review import Record

_RECORD: TypeAdapter[Record] = TypeAdapter(Annotated[Record, Field(discriminator="status")])
_SAID = frozenset({"schema_version", "status"})  # always stored, although they have defaults


def record_to_json(record: Record) -> dict[str, Any]:
    """Convert to values that JSON and BSON can hold."""
    return record.model_dump(mode="json")


def record_from_json(data: bytes | str) -> Record:
    """Raises `ValueError` for an invalid record or another schema version."""
    record = _RECORD.validate_json(data)
    if not _SAID.issubset(record.model_fields_set):
        raise ValueError("a record says of which schema and status it is")
    return record
