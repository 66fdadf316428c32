"""A sample of `bench/knowledge/speed/__main__.py`: pages of each kind are read, cut and embedded."""

from pathlib import Path

from bench.knowledge.speed.__main__ import WANTED, files_in, run
from bench.knowledge.speed.documents import make


async def test_pages_of_each_kind_become_vectors(tmp_path: Path):
    results = await run(files_in(make(tmp_path, documents=12)), processes=2)
    assert [one.kind for one in results] == list(WANTED)
    for one in results:
        assert one.failed == []
        assert one.chunks > one.files
