"""Which passages are read together by a model: those of the same themes, as many as a call may hold."""

from collections.abc import Sequence

from app.chat.comparing.rows import Row
from app.chat.statements import Held, Statement
from app.domain.chat import Evidence

LONGEST_CALL = 24_000  # characters of passages, some 6,000 tokens
MOST_CALLS = 4


def batches(
    held: Sequence[Held], groups: Sequence[Sequence[Statement]], rows: Sequence[Row]
) -> tuple[list[list[Evidence]], bool]:
    """The passages of each call, and whether all are among them. What was found to be about the same thing is
    read in one call; the most telling first.
    """
    passages = {one.ref: one for each in held for one in each.passages}
    order = list(dict.fromkeys(one.ref for group in groups for one in group))
    together = [list(dict.fromkeys(one.ref for one in row.cells if one)) for row in rows]
    made: list[list[Evidence]] = []
    placed = set[str]()
    size = LONGEST_CALL
    for refs in (*together, *([ref] for ref in order)):
        fresh = [passages[ref] for ref in refs if ref not in placed]
        added = sum(len(one.text) for one in fresh)
        if not fresh:
            continue
        if size + added > LONGEST_CALL:
            if len(made) == MOST_CALLS:
                continue
            made.append([])
            size = 0
        made[-1] += fresh
        size += added
        placed |= {one.ref for one in fresh}
    return [_in_order(batch, passages) for batch in made], placed >= set(order)


def _in_order(batch: Sequence[Evidence], passages: dict[str, Evidence]) -> list[Evidence]:
    places = {ref: at for at, ref in enumerate(passages)}
    return sorted(batch, key=lambda one: places[one.ref])
