"""A sample of `bench/knowledge_speed.py`: pages are read, cut and embedded at a quarter of the speed wanted
on two free cores, or faster.
"""

from pathlib import Path

from bench.knowledge_speed import WANTED, files_in, run
from bench.speed.documents import make


async def test_pages_become_vectors_fast_enough(tmp_path: Path):
    results = await run(files_in(make(tmp_path, documents=12)), processes=2)
    assert [one.kind for one in results] == list(WANTED)
    for one in results:
        assert one.failed == []
        assert one.chunks > one.files
        assert one.rate > WANTED[one.kind] / 4
