"""A cell is found by the names of its row and its column; a share of `bench/knowledge/tables/__main__.py`."""

import pytest

from bench.knowledge.tables.__main__ import check_cells
from bench.knowledge.tables.files import MAKERS
from bench.knowledge.tables.specs import specs

TABLES = [one for one in specs() if one.name != "long"]


@pytest.mark.parametrize("kind", MAKERS)
def test_cells_stand_in_one_chunk_with_their_names(kind: str) -> None:
    results = check_cells(kind, TABLES, 70)
    missed = [one.spec.name for one in results if not one.found]
    # Of PDFs, merged cells are guessed from where lines are drawn.
    assert len(missed) <= (0.05 if kind == "pdf" else 0) * len(results), missed
