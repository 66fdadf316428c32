"""A sample of the benchmark: nothing that costs goes unrecorded, whatever fails on the way."""

from pathlib import Path

from bench.accounting.__main__ import LIMIT_MS, Given, run


async def test_every_call_is_on_record_though_the_store_and_langfuse_go_away(
    tmp_path: Path,
) -> None:
    result = await run(tmp_path, Given(calls=60))
    assert result.billed.lines() == result.recorded.lines()
    assert result.billed.calls >= 60
    assert result.billed.usd > 0
    assert min(result.billed.ends[end] for end in ("ok", "busy", "unusable")) > 0
    assert (result.dropped, result.tenants) == (0, 3)
    assert result.added < LIMIT_MS
