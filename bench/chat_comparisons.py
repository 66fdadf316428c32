"""How well statements are held against each other without a model: verdicts of comparisons.

Run: `python -m bench.chat_comparisons [dev|held|both] [words]`. All of a set stand in two documents, as
they would, so
that each has to find its partner among the others. `words`: without the embedder. The set is in
`tests/data/chat`; "held" was written apart and is not tuned on.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from app.chat.comparing.rows import Row, rows_of
from app.chat.statements import Held, Statement, statements_of
from app.domain.chat import DocumentRef, Evidence
from app.domain.telemetry import Exchange
from app.domain.usage import CallUsage
from app.engines.embedder import Embedder
from app.llm.embedding import AccountedEmbedder, WordLlama

SETS = Path(__file__).parents[1] / "tests" / "data" / "chat"
SILENT = "-"


class Labelled(NamedTuple):
    """A line of a set."""

    part: str
    verdict: str
    one: str
    other: str


def labelled(name: str, part: str) -> list[Labelled]:
    """The lines of a file, of one part or of "both"."""
    lines = (SETS / name).read_text("utf-8").splitlines()
    every = [Labelled(*line.split("\t")) for line in lines if line and not line.startswith("#")]
    return [one for one in every if part in ("both", one.part)]


def document(letter: str, lines: list[str]) -> Held:
    """A document that states these, each in a passage of its own."""
    passages = tuple(
        Evidence(ref=f"{letter}{at}", text=line, title=letter, document_id=letter)
        for at, line in enumerate(lines)
    )
    said = tuple(one for passage in passages for one in statements_of(passage))
    return Held(DocumentRef(id=letter, title=letter), passages, said)


def compared(part: str, embedder: Embedder | None) -> list[tuple[str, str, Labelled]]:
    """What was wanted and what came of each pair."""
    pairs = labelled("statements.tsv", part)
    held = [
        document("A", [one.one for one in pairs]),
        document("B", [one.other for one in pairs if one.other != SILENT]),
    ]
    rows = rows_of(held, [one.statements for one in held], embedder)
    return [(one.verdict, _verdict(rows, one), one) for one in pairs]


def _verdict(rows: list[Row], one: Labelled) -> str:
    mine = [row for row in rows if one.one in _texts(row)]
    if not mine:
        return "only" if one.verdict == "only" else "none"
    row = mine[0]
    if row.verdict == "only":
        return "only"
    return row.verdict if one.other in _texts(row) else "wrong partner"


def _texts(row: Row) -> list[str]:
    cells: tuple[Statement | None, ...] = row.cells
    return [cell.text for cell in cells if cell is not None]


def told(name: str, results: list[tuple[str, str, Labelled]]) -> None:
    """A table of precision and recall, and what went wrong."""
    print(f"\n{name}: {len(results)}")
    wanted, got = Counter(want for want, _, _ in results), Counter(came for _, came, _ in results)
    for verdict in wanted:
        right = sum(want == came == verdict for want, came, _ in results)
        precision = right / got[verdict] if got[verdict] else 0.0
        print(
            f"  {verdict:8} precision {precision:.2f}  recall {right / wanted[verdict]:.2f}  of "
            f"{wanted[verdict]}"
        )
    for want, came, one in results:
        if want != came:
            print(f"    wanted {want}, got {came}: {one.one} | {one.other}")


def _unheard(usage: CallUsage, exchange: Exchange | None = None) -> None:
    """What this process does costs nothing."""


def main() -> None:
    """Print the table."""
    part = next((arg for arg in sys.argv[1:] if arg in ("dev", "held", "both")), "both")
    embedder = None if "words" in sys.argv else AccountedEmbedder(WordLlama(), _unheard)
    told("compare", compared(part, embedder))


if __name__ == "__main__":
    main()
