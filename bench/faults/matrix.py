"""Format the fault matrix and the cost of the runs as text."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from bench.faults.cases import Case
from bench.faults.outcome import Result

COLUMNS = ("repaired", "true reason", "wrong reason", "false completed", "twice")
PAIR = 2
_HEAD = ("repaired", "true", "wrong", "false", "twice")


def table(results: Sequence[Result]) -> str:
    """A line per fault, those that need a person separately; then sums and means."""
    return "\n".join([*_lines(results), "", *_sums(results), "", *_means(results)])


def _lines(results: Sequence[Result]) -> Iterator[str]:
    heads = " ".join(f"{name:>9}" for name in ("runs", *_HEAD, "trips", "seconds"))
    yield f"{'':<40}{heads}"
    yield from _part([one for one in results if one.repairable])
    lasting = [one for one in results if not one.repairable]
    if lasting:
        yield "by their nature for a person to put right:"
        yield from _part(lasting)
    yield f"{'all':<40}{_cells(results)}"


def _part(results: Sequence[Result]) -> Iterator[str]:
    names = dict.fromkeys((one.case.kind, one.case.fault) for one in results)
    order = list(dict.fromkeys(kind for kind, _ in names))
    for kind, fault in sorted(names, key=lambda name: order.index(name[0])):
        rows = [one for one in results if one.case.fault == fault]
        yield f"{f'{kind}: {fault}':<40}{_cells(rows)}"


def _cells(rows: Sequence[Result]) -> str:
    counts = Counter(one.outcome for one in rows)
    cells = [f"{len(rows):>9}", *(f"{counts[name] or '.':>9}" for name in COLUMNS)]
    trips = statistics.mean(one.round_trips for one in rows)
    seconds = statistics.mean(one.seconds for one in rows)
    return " ".join([*cells, f"{trips:>9.1f}", f"{seconds:>9.1f}"])


def _sums(results: Sequence[Result]) -> Iterator[str]:
    met = [one for one in results if one.fired]
    open_to_repair = [one for one in met if one.repairable]
    for name, rows in (("repairable", open_to_repair), ("all", met)):
        repaired = sum(one.outcome == "repaired" for one in rows)
        share = 100 * repaired / len(rows) if rows else 0.0
        yield f"{name} runs: {repaired} of {len(rows)} repaired ({share:.0f} %)"
    lasting = [one for one in met if not one.repairable]
    told = sum(one.outcome in ("true reason", "repaired") for one in lasting)
    yield f"runs that need a person: {told} of {len(lasting)} ended with the true reason"
    asked = sum(one.state == "waiting" for one in results)
    yield f"asked a person: {asked}; not counted, since the fault never came: {len(results) - len(met)}"
    yield f"used what an earlier run had learned: {sum(bool(one.skills) for one in results)}"
    accepted, handed = sum(r.accepted for r in results), sum(r.submissions for r in results)
    twice = sum(one.outcome == "twice" for one in results)
    yield f"handed in {handed} times, accepted {accepted}; accepted more than once in {twice} runs"


def learned(results: Sequence[Result]) -> str:
    """Of repaired tasks that were repeated: how many still needed a correction."""
    by: dict[Case, list[Result]] = {}
    for one in results:
        by.setdefault(one.case, []).append(one)
    pairs = [two for two in by.values() if len(two) == PAIR]
    needed = [(a, b) for a, b in pairs if a.outcome == "repaired" and a.corrections]
    clean = [b for _, b in needed if b.outcome == "repaired" and not b.corrections]
    lines = [f"{a.case.name:<34}{_strategies(a):<44}-> {_second(b)}" for a, b in needed]
    lines.append(
        f"{len(clean)} of {len(needed)} tasks that needed a correction needed none the second time"
    )
    return "\n".join(lines)


def _strategies(result: Result) -> str:
    return ", ".join(strategy for strategy, _ in result.corrections)


def _second(result: Result) -> str:
    if result.outcome != "repaired":
        return f"{result.outcome}: {result.said}"
    return _strategies(result) or f"none ({result.skills} uses of what was learned)"


def _means(results: Sequence[Result]) -> Iterator[str]:
    by = Counter((strategy, source) for one in results for strategy, source in one.corrections)
    total = sum(by.values())
    yield f"{total} corrections in {sum(bool(r.corrections) for r in results)} runs"
    for (strategy, source), count in by.most_common():
        yield f"  {count:>4} {strategy}{f' ({source})' if source else ''}"


def line(result: Result) -> str:
    """One run, printed as it ends."""
    mark = "  " if result.outcome == "repaired" or _is_fine(result) else "! "
    spent = f"{result.round_trips:3} trips {result.seconds:5.1f} s {result.accepted}/{result.submissions}"
    told = "" if mark == "  " and result.repairable else f" | {result.said}"
    case = result.case
    late = "" if result.fired else " (never came)"
    spent += f" {len(result.corrections)} corrections" if result.corrections else ""
    spent += f" {result.skills} skills" if result.skills else ""
    place = f"{case.part}, {case.at}, {case.ms} ms"
    return f"{mark}{result.outcome:15} {case.name:34} {case.seed:3} {spent} [{place}]{late}{told}"


def _is_fine(result: Result) -> bool:
    return not result.repairable and result.outcome == "true reason"
