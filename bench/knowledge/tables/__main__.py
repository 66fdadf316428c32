"""Evaluate tables: how many cells are in one chunk together with their row and column names.

    python -m bench.knowledge.tables [--cells 100] [--show]

Eight kinds of tables, as HTML, DOCX, XLSX and PDF; the cells are drawn deterministically, an equal share of
each kind. Each file is extracted and chunked as an upload is. `--show` prints the cells that were not found.
"""

import argparse
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.knowledge.tables.cells import states_cell
from bench.knowledge.tables.files import MAKERS
from bench.knowledge.tables.specs import Asked, Spec, specs
from knowledge.chunk.chunker import Piece, chunk_document
from knowledge.extract.port import Raw
from knowledge.extract.reader import read_document

TARGET = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """A requested cell with its kind of file and table, and whether a chunk states it."""

    kind: str
    spec: Spec
    asked: Asked
    found: bool


def pieces_of(kind: str, wanted: list[Spec]) -> list[Piece]:
    """The chunks of a file with these tables."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"tables.{kind}"
        path.write_bytes(MAKERS[kind](wanted))
        extracted = read_document(Raw(data=path.read_bytes(), name=path.name))
    return chunk_document(extracted, document_id="tables")


def check_cells(kind: str, wanted: list[Spec], share: int, seed: int = 8) -> list[CellResult]:
    """About `share` cells of one kind of file, drawn from all tables in turn."""
    texts = [piece.text for piece in pieces_of(kind, wanted)]
    drawn = random.Random(f"{kind} {seed}")
    found = []
    for number in range(share):
        spec = wanted[number % len(wanted)]
        asked = drawn.choice(spec.asked)
        hit = any(states_cell(text, asked) for text in texts)
        found.append(CellResult(kind=kind, spec=spec, asked=asked, found=hit))
    return found


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cells", type=int, default=100)
    arguments.add_argument("--show", action="store_true")
    options = arguments.parse_args()
    wanted = specs()
    results = [
        one for kind in MAKERS for one in check_cells(kind, wanted, options.cells // len(MAKERS))
    ]
    hits = Counter((one.spec.name, one.kind) for one in results if one.found)
    asked = Counter((one.spec.name, one.kind) for one in results)
    print(f"{'table':16}" + "".join(f"{kind:>9}" for kind in MAKERS))
    for spec in wanted:
        cells = (f"{hits[spec.name, kind]}/{asked[spec.name, kind]}" for kind in MAKERS)
        print(f"{spec.name:16}" + "".join(f"{cell:>9}" for cell in cells))
    total = sum(one.found for one in results)
    print(f"\n{total} of {len(results)} cells found (wanted: {TARGET:.0%})")
    if options.show:
        for one in results:
            if not one.found:
                print(one.kind, one.spec.name, one.asked)


if __name__ == "__main__":
    main()
