"""What an operator's decision changes of a row, once for each record, in one atomic write.

The row itself holds the records that it was changed by, so that a decision that is carried out again
changes nothing. The filter names the unique key alone: see `conditional`.
"""

from typing import Any

from app.domain.memory import OperatorJudgement
from app.store.mongo.rows import Collection, Row, storable

KEPT = 100  # records that a row remembers to have been changed by
BY = "judgedBy"


async def counted(
    rows: Collection,
    key: dict[str, Any],
    record_id: str,
    changes: Row,
    judged: OperatorJudgement | None = None,
) -> bool:
    """Set the fields to these expressions where this record did not change the row before, and keep
    `judged` where it is the newest. False where there is no such row.
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
    """The expression for what is kept: this decision, or a newer one that is there."""
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
