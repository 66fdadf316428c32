"""Run: `python -m bench.apps [commands|reasoner] [--app NAME] [--goal ID] [--model-url URL]`."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.apps.app import App
from bench.apps.catalogue import APPS
from bench.apps.goal import Goal
from bench.apps.report import row, table, write_json
from bench.apps.runner import Mode, Result, commands_mode, opened_bench, reasoner_mode

ROOT = Path("out/apps")


async def measure(chosen: dict[type[App], list[Goal]], mode: Mode) -> list[Result]:
    """Run every goal of every application in turn."""
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="tabwright-bench-") as scratch:
        async with opened_bench(Path(scratch), mode) as bench:
            for kind, goals in chosen.items():
                app = kind(ROOT / kind.name)
                print(f"installing and filling {kind.name}", file=sys.stderr, flush=True)
                try:
                    await asyncio.to_thread(app.install)
                    await asyncio.to_thread(app.prepare)
                    for goal in goals:
                        results.append(await bench.play(app, goal))
                        print(row(results[-1]), flush=True)
                        write_json(results, ROOT / f"{mode.name}.json")
                finally:
                    app.stop()
    return results


def choose(apps: Sequence[str], goals: Sequence[str]) -> dict[type[App], list[Goal]]:
    """The selected goals, or all."""
    chosen = {
        APPS[name]: [one for one in APPS[name].goals if not goals or one.id in goals]
        for name in apps or APPS
    }
    return {kind: found for kind, found in chosen.items() if found}


def main() -> None:
    """Parse the arguments, run, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.apps", description=__doc__)
    parser.add_argument("mode", nargs="?", choices=("commands", "reasoner"), default="commands")
    parser.add_argument("--app", action="append", default=[], choices=APPS, help="may be repeated")
    parser.add_argument("--goal", action="append", default=[], help="its id; may be repeated")
    parser.add_argument("--model-url", help="of a Gemini-compatible endpoint, for `reasoner`")
    parser.add_argument(
        "--limit", type=float, default=1800, help="seconds for one goal of `reasoner`"
    )
    args = parser.parse_args()
    if args.mode == "reasoner" and not args.model_url:
        parser.error("`reasoner` needs --model-url")
    mode = commands_mode() if args.mode == "commands" else reasoner_mode(args.model_url, args.limit)
    chosen = choose(args.app, args.goal)
    if not chosen:
        parser.error("there is no such goal")
    results = asyncio.run(measure(chosen, mode))
    print(f"\n{table(results)}\nsingle results in {ROOT}/{mode.name}.json")


if __name__ == "__main__":
    main()
