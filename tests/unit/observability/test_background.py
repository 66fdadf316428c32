"""Work in the background that fails does not take with it what it goes on beside."""

import asyncio

from structlog.testing import capture_logs

from app.threads import background_task


async def test_work_that_fails_is_told_of_and_the_block_ends_in_order() -> None:
    failed = asyncio.Event()

    async def work() -> None:
        failed.set()
        raise RuntimeError("the folder went away")

    with capture_logs() as said:
        async with background_task(work()):
            await failed.wait()
    assert [one["log_level"] for one in said] == ["error"]
