"""Several fields of one form, and the field that comes next."""

from collections.abc import Sequence

from app.domain.grounding import Grounding
from app.domain.page import Node, Tree
from app.engines.grounding.decision import FOUND, MARGIN, absent, candidates, confidence, decide
from app.engines.grounding.fields import Wanted, assign, field_scores, is_generic, nameless
from app.engines.grounding.scores import Scored

_ELSEWHERE = 0.88  # a field outside the form the others are in
_NAMELESS_SURE, _NAMELESS_NEXT = 0.93, 0.62  # the only text field; the next of several


def in_group(scores: Sequence[Scored], group: str | None) -> list[Scored]:
    """The scores with fields outside `group` worth less."""
    if not group:
        return list(scores)
    return [
        one
        if one.node.group == group or one.node.group.startswith(group + " > ")
        else _worth_less(one)
        for one in scores
    ]


def _worth_less(one: Scored) -> Scored:
    return Scored(one.node, one.at, one.score * _ELSEWHERE, one.words, one.why)


def home(node: Node) -> str:
    """The group down to the outermost form, dialog or tab panel: what a person calls one form."""
    parts = node.group.split(" > ")
    for at, part in enumerate(parts):
        if part.partition(":")[0].strip() in ("form", "dialog", "tabpanel"):
            return " > ".join(parts[: at + 1])
    return ""


def next_field(scores: Sequence[Scored], tree: Tree, taken: frozenset[str]) -> Grounding:
    """The text field a value without a name goes to: focused, else empty, after those taken."""
    if not scores:
        return absent([], "a field to type into")
    done = [at for at, node in enumerate(tree) if node.id in taken]
    last = max(done, default=-1)
    ranked = sorted(scores, key=lambda one: (-round(one.score, 2), one.at < last, one.at))
    best = ranked[0]
    second = ranked[1].score if len(ranked) > 1 else 0.0
    alone = len(ranked) == 1 or best.score - second > MARGIN
    return Grounding(
        outcome="found",
        chosen=(best.node.id,),
        confidence=_NAMELESS_SURE if alone else _NAMELESS_NEXT,
        candidates=candidates(ranked),
        reason="the only field to type into" if len(ranked) == 1 else "the next field to type into",
    )


def assign_fields(
    wanted: Sequence[Wanted], tree: Tree, group: str | None = None
) -> tuple[Grounding, ...]:
    """A grounding for each wanted field; no node is chosen twice."""
    rows = [
        in_group(
            field_scores(one, tree)
            if not is_generic(one.name, tree)
            else nameless(tree, one.value),
            group,
        )
        for one in wanted
    ]
    rows = _of_one_form(rows)
    ids = list(dict.fromkeys(scored.node.id for row in rows for scored in row))
    tables = [{scored.node.id: scored.score for scored in row} for row in rows]
    matrix = [
        [score if (score := table.get(node_id, 0.0)) >= FOUND else 0.0 for node_id in ids]
        for table in tables
    ]
    columns = assign(matrix) if ids else [None] * len(rows)
    taken = {ids[column] for column in columns if column is not None}
    return tuple(
        _chosen(one, row, ids[column] if column is not None else None, taken)
        for one, row, column in zip(wanted, rows, columns, strict=True)
    )


def _of_one_form(rows: Sequence[Sequence[Scored]]) -> list[list[Scored]]:
    """The scores with every form but the one that serves the most fields best worth less."""
    totals: dict[str, float] = {}
    for row in rows:
        best: dict[str, float] = {}
        for one in row:
            if one.score >= FOUND:
                key = home(one.node)
                best[key] = max(best.get(key, 0.0), one.score)
        for key, score in best.items():
            totals[key] = totals.get(key, 0.0) + score
    if len(totals) < 2:
        return [list(row) for row in rows]
    main = max(totals, key=lambda key: totals[key])
    return [[one if home(one.node) == main else _worth_less(one) for one in row] for row in rows]


def _chosen(
    wanted: Wanted, row: Sequence[Scored], node_id: str | None, taken: set[str]
) -> Grounding:
    """The grounding of one field, given the assignment of all."""
    mine = next((one for one in row if one.node.id == node_id), None)
    rest = [one for one in row if one.node.id not in taken]
    if mine is None:
        return absent(sorted(rest, key=lambda one: -one.score), wanted.name)
    alone = decide([mine, *rest], wanted.name)
    if alone.outcome == "ambiguous":
        return alone
    ranked = [mine, *sorted(rest, key=lambda one: (-one.score, one.at))]
    runner_up = ranked[1].score if len(ranked) > 1 else 0.0
    return Grounding(
        outcome="found",
        chosen=(mine.node.id,),
        confidence=confidence(mine, runner_up),
        candidates=candidates(ranked),
    )
