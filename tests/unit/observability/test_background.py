"""Failed background work does not affect its context."""

import asyncio

from structlog.testing import capture_logs

from app.threads import background_task


async def test_failed_background_work_is_logged_and_the_block_completes() -> None:
    failed = asyncio.Event()

    async def work() -> None:
        failed.set()
        raise RuntimeError("the folder went away")

    with capture_logs() as said:
        async with background_task(work()):
            await failed.wait()
    assert [one["log_level"] for one in said] == ["error"]
