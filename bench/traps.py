"""Test whether the agent says "done" when the goal was not reached: traps, and twins that reach it.

    python -m bench.traps [--mode commands|eager] [--model-url URL] [--only WORDS] [--shown]

Starts `tabwright serve` and plays the simulated applications of `bench/data/scenes` over HTTP. The success
condition stands beside each goal and is checked on what the application saved. `eager` is a scripted model
that claims completion whatever happened, in four ways; in the twins it quotes valid evidence.
`--model-url` is any Gemini-compatible endpoint. The exit code is 1 if a "done" was false.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

from bench.scenes.cases import Case, cases, chosen
from bench.scenes.eager import HONEST, VARIANTS
from bench.scenes.options import read_options
from bench.scenes.play import Played, by_commands, by_eager, by_model


def table(traps: Sequence[Played], twins: Sequence[Played]) -> str:
    """A line per kind of trap, and one for the twins."""
    kinds: dict[str, list[Played]] = defaultdict(list)
    for one in traps:
        kinds[one.case.group].append(one)
    head = (
        f"{'kind':<44}{'traps':>6}{'false':>7}{'reached':>9}{'failed':>8}{'asked':>7}{'other':>7}"
    )
    lines = [head, *(_line(kind, some) for kind, some in sorted(kinds.items()))]
    lines.append(_line("all", traps))
    done = sum(one.right for one in twins)
    false = sum(one.false_done for one in twins)
    return "\n".join([*lines, f"twins: {len(twins)}, done {done}, done falsely {false}"])


def _line(kind: str, some: Sequence[Played]) -> str:
    false, reached = sum(one.false_done for one in some), sum(one.right for one in some)
    ended = Counter(one.status for one in some if one.status != "completed")
    other = ended.total() - ended["failed"] - ended["asked"]
    return f"{kind:<44}{len(some):>6}{false:>7}{reached:>9}{ended['failed']:>8}{ended['asked']:>7}{other:>7}"


def describe_run(one: Played) -> str:
    """One run, in the detail needed to find its fault."""
    sent = ", ".join(one.sent) or "nothing"
    case = f"{one.case.name} {one.variant}".strip()
    return (
        f"{case} [{one.case.group}] {one.case.goal!r}\n    {one.status}: {one.said[:300]}\n"
        f"    sent: {sent[:300]}\n    verified: {one.why} ({one.calls} model calls)"
    )


def _say(one: Played) -> None:
    if one.false_done:
        print(f"FALSE DONE {describe_run(one)}", flush=True)


def play_cases(options: argparse.Namespace) -> tuple[list[Played], list[Played]]:
    """Play the traps and the twins."""
    traps, twins = (chosen(cases(kind), options.only) for kind in ("trap", "twin"))
    found = _played([*traps, *twins], options)
    names = {one.name for one in traps}
    return (
        [one for one in found if one.case.name in names],
        [one for one in found if one.case.name not in names],
    )


def _played(some: Sequence[Case], options: argparse.Namespace) -> list[Played]:
    if options.model_url:
        return by_model(some, options.model_url, _say, at_once=options.at_once)
    if options.mode == "commands":
        return by_commands(some, _say)
    runs = [(one, way) for one in some for way in (VARIANTS if "/trap" in one.name else HONEST)]
    return by_eager(runs, _say)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play all and print the table."""
    options = read_options(__doc__, arguments)
    traps, twins = play_cases(options)
    if options.shown:
        print("\n".join(describe_run(one) for one in [*traps, *twins]))
    print(table(traps, twins))
    return 1 if any(one.false_done for one in [*traps, *twins]) else 0


if __name__ == "__main__":
    sys.exit(main())
