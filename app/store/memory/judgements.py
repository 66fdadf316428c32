"""Applies an operator's decision to a row once per record, in one atomic write.

The row contains the ids of the records already applied, so that repeating a decision changes nothing. The
filter contains only the unique key: see `expressions`.
"""

from typing import Any

from app.domain.memory import OperatorJudgement
from app.store.mongo.rows import Collection, Row, storable

KEPT = 100  # record ids that a row remembers
BY = "judgedBy"


async def counted(
    rows: Collection,
    key: dict[str, Any],
    record_id: str,
    changes: Row,
    judged: OperatorJudgement | None = None,
) -> bool:
    """Set the fields to these expressions unless this record was already applied, and keep `judged` if it
    is the newest. Returns False if the row does not exist.
    """
    before: Row = {"$ifNull": [f"${BY}", []]}
    is_new: Row = {"$not": [{"$in": [record_id, before]}]}
    grown: Row = {"$slice": [{"$concatArrays": [before, [record_id]]}, -KEPT]}
    fields = {name: _where(is_new, change, name) for name, change in changes.items()}
    fields[BY] = _where(is_new, grown, BY)
    if judged is not None:
        fields["judged"] = newest(judged)
    done = await rows.update_one(key, [{"$set": fields}])
    return bool(done.matched_count)


def newest(judged: OperatorJudgement) -> Row:
    """The expression for the newer of this decision and the stored one."""
    row = storable(
        {
            "recordId": judged.record_id,
            "decision": judged.decision,
            "notes": judged.notes,
            "atMs": judged.at_ms,
        }
    )
    is_newer: Row = {"$gt": [{"$ifNull": ["$judged.atMs", -1]}, judged.at_ms]}
    return {"$cond": [is_newer, "$judged", {"$literal": row}]}


def _where(condition: Row, change: object, name: str) -> Row:
    return {"$cond": [condition, change, f"${name}"]}
