"""Cut runs off while two real processes work on them and are suspended or killed.

    python -m bench.interleaving [--runs 1000] [--seed 0] [--at-once 12] [--only 375]

Two servers share a store. Each interleaving is a task or a conversation whose requests go to either
server or both, and are cancelled, paused, stopped, answered and repeated through either. Meanwhile
one of the servers is suspended for longer than its claims live, or killed. Nothing may be delivered or
stored after the cancel, pause or stop returned, no request may have two answers, and nothing may be done
twice. Exits 1 on a violation.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from app.settings import Settings
from app.store.server.embedded_server import hold_server
from bench.interleaving.cuts import ChatPlay, Seen, TaskPlay
from bench.interleaving.pair import Pair, pair

CLAIM_TTL_S, RENEW_S = 0.6, 0.3
HESITATES_S = 0.12
STALL_S = (0.1, 1.2)  # shorter and longer than a claim's lifetime
REST_S = (0.5, 1.5)
KILLS_EVERY = 12  # stalls
CHATS = 0.3  # share of conversations


async def disturb(both: Pair, rng: Random, seen: Seen, over: asyncio.Event) -> None:
    """Repeatedly suspend one of the two, and sometimes kill it, until `over` is set."""
    stalls = 0
    while not over.is_set():
        await asyncio.sleep(rng.uniform(*REST_S))
        process = rng.choice(both.processes)
        stalls += 1
        if stalls % KILLS_EVERY == 0:
            seen.counts["kill"] += 1
            process.kill()
            await asyncio.to_thread(process.start)
            continue
        seen.counts["stall"] += 1
        process.suspend()
        try:
            await asyncio.sleep(rng.uniform(*STALL_S))
        finally:
            process.wake()


async def play(both: Pair, runs: int, seed: int, at_once: int, *, only: int | None = None) -> Seen:
    """Play `runs` interleavings, each from its own seed; `only` selects one."""
    seen, turn = Seen(), asyncio.Semaphore(at_once)

    async def one(number: int) -> None:
        rng = Random(f"{seed}/{number}")
        async with turn:
            kind = ChatPlay if rng.random() < CHATS else TaskPlay
            mine = Seen(seen.counts)
            try:
                await kind(both, rng, mine).play()
            except Exception as error:  # noqa: BLE001  the others play on
                mine.wrong.append(f"broke off: {error!r}")
            seen.wrong += [f"{number}: {wrong}" for wrong in mine.wrong]

    numbers = range(runs) if only is None else (only,)
    over = asyncio.Event()
    disturbing = asyncio.create_task(disturb(both, Random(seed), seen, over))
    await asyncio.gather(*(one(number) for number in numbers))
    over.set()
    await disturbing
    return seen


async def main(runs: int, seed: int, at_once: int, only: int | None = None) -> int:
    """Returns the number of violations."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = Settings(data_dir=Path(folder) / "store", mongodb_database="interleaving")
        with hold_server(settings) as uri:
            shared = Settings(
                data_dir=Path(folder) / "store",
                mongodb_database="interleaving",
                mongodb_uri=uri,  # type: ignore[arg-type]
            )
            times = {"hesitates_s": HESITATES_S, "claim_ttl_s": CLAIM_TTL_S, "renew_s": RENEW_S}
            async with pair(shared, uri, Path(folder), **times) as both:
                seen = await play(both, runs, seed, at_once, only=only)
    spent = time.monotonic() - started
    told = ", ".join(f"{count} x {what}" for what, count in sorted(seen.counts.items()))
    sys.stdout.write(
        f"{runs if only is None else 1} interleavings of two processes in {spent:.0f} s: {told}\n"
    )
    late = sum(" after " in one for one in seen.wrong)
    twice = sum("twice" in one or "two answers" in one for one in seen.wrong)
    others = len(seen.wrong) - late - twice
    sys.stdout.write(f"after a cut: {late}; double effects: {twice}; otherwise wrong: {others}\n")
    sys.stdout.writelines(f"  {one}\n" for one in seen.wrong[:20])
    return len(seen.wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=12)
    parser.add_argument("--only", type=int, help="run only this one, as drawn with the seed")
    given = parser.parse_args()
    sys.exit(1 if asyncio.run(main(given.runs, given.seed, given.at_once, given.only)) else 0)
