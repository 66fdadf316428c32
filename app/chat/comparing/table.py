"""The comparison as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.comparing.rows import Row, Verdict
from app.chat.evidence import Citing
from app.chat.evidence.markdown import cell
from app.chat.statements import quoted, shortened
from app.domain.chat import DocumentRef

MOST_ROWS = 12
GAPS_KEPT = 3  # rows that are left for what one alone states, where that is something
LONGEST_TITLE = 60  # characters in a head
LONGEST_WHAT = 120  # characters of what differs
SILENT = "not stated"
_COUNTED: dict[Verdict, str] = {"agree": "agree", "differ": "differ", "only": "only in one"}


@dataclass(frozen=True, slots=True)
class Line:
    """A row whose cells are Markdown with their markers, None for what is silent."""

    theme: str
    cells: tuple[str | None, ...]
    verdict: Verdict
    what: str = ""


def lines_of(rows: Sequence[Row], citing: Citing) -> list[Line]:
    """The first `MOST_ROWS` whose cells their passages hold; agreements leave room for gaps."""
    lines: list[Line] = []
    room = MOST_ROWS - min(GAPS_KEPT, sum(row.verdict == "only" for row in rows))
    for row in rows:
        if len(lines) == MOST_ROWS or (row.verdict == "agree" and len(lines) >= room):
            continue
        cells = tuple(None if one is None else quoted(citing, one) for one in row.cells)
        wanted = sum(one is not None for one in row.cells)
        if sum(one is not None for one in cells) == wanted:
            lines.append(Line(row.theme, cells, row.verdict, row.what))
    return lines


def table(lines: Sequence[Line], documents: Sequence[DocumentRef]) -> str:
    """Markdown: theme, one column a document, verdict."""
    titles = [cell(shortened(one.title, LONGEST_TITLE)) for one in documents]
    head = ["Theme", *titles, "Verdict"]
    rows = [head, ["---"] * len(head)]
    for line in lines:
        cells = [one or SILENT for one in line.cells]
        rows.append([cell(shortened(line.theme, LONGEST_TITLE)), *cells, _verdict(line, documents)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def counted(counts: dict[Verdict, int], shown: int) -> str:
    """How many there are of each, in a sentence."""
    said = [
        f"{counts[verdict]} {words}" for verdict, words in _COUNTED.items() if counts.get(verdict)
    ]
    total = sum(counts.values())
    more = f" The {shown} most telling of {total} are shown." if total > shown else ""
    return f"{', '.join(said)}.{more}"


def _verdict(line: Line, documents: Sequence[DocumentRef]) -> str:
    there = [one.title for one, said in zip(documents, line.cells, strict=True) if said is not None]
    silent = [one.title for one, said in zip(documents, line.cells, strict=True) if said is None]
    if line.verdict == "only":
        return f"Only in {cell(shortened(there[0], LONGEST_TITLE))}" if there else ""
    word = "Agree" if line.verdict == "agree" else "Differ"
    what = f": {cell(shortened(line.what, LONGEST_WHAT))}" if line.what else ""
    names = ", ".join(cell(shortened(one, LONGEST_TITLE)) for one in silent)
    return f"{word}{what}{f' (not in {names})' if silent else ''}"
