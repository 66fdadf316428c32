"""Print a row for each goal and totals by application; write the results as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bench.apps.runner import Result

_HEAD = f"{'goal':18} {'kind':10} {'right':5} {'agent':11} {'asked':>5} {'calls':>5} {'prompt':>7} {'s':>6}  what was wrong"
_LONGEST = 110


def row(result: Result) -> str:
    """Format one goal."""
    marks = [
        *(["FALSE DONE"] if result.false_done else []),
        *(["CHANGED WRONGLY"] if result.spoilt else []),
        *([f"{result.needless} needless"] if result.needless else []),
        *([f"UNASKED: {', '.join(result.unasked)}"] if result.unasked else []),
        *result.wrong[:2],
        *([] if result.right else [f"said: {result.said}"]),
    ]
    told = " ".join("; ".join(marks).split())
    cells = (
        f"{result.goal:18} {result.kind:10} {'yes' if result.right else 'NO':5} {result.state:11}",
        f"{len(result.asked):5} {result.calls:5} {result.prompt_tokens:7} {result.seconds:6.1f} ",
    )
    return " ".join((*cells, told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"))


def table(results: Sequence[Result]) -> str:
    """A row for each goal, then totals by application and overall."""
    lines = [_HEAD, *map(row, results), ""]
    lines.append(
        f"{'application':14} {'goals':>5} {'right':>5} {'false done':>10} {'wrong saves':>11} {'needless':>8} {'unasked acts':>12} "
        f"{'calls':>6} {'prompt tokens':>13} {'seconds':>8}"
    )
    apps = dict.fromkeys(one.app for one in results)
    groups = {name: [one for one in results if one.app == name] for name in apps}
    if len(groups) > 1:
        groups["all"] = list(results)
    return "\n".join([*lines, *(_total(name, group) for name, group in groups.items())])


def _total(name: str, group: Sequence[Result]) -> str:
    return (
        f"{name:14} {len(group):5} {sum(one.right for one in group):5} {sum(one.false_done for one in group):10} {sum(one.spoilt for one in group):11} "
        f"{sum(one.needless for one in group):8} {sum(len(one.unasked) for one in group):12} "
        f"{sum(one.calls for one in group):6} {sum(one.prompt_tokens for one in group):13} "
        f"{sum(one.seconds for one in group):8.0f}"
    )


def write_json(results: Sequence[Result], file: Path) -> None:
    """Write the results with every question, step and difference."""
    file.parent.mkdir(parents=True, exist_ok=True)
    told = [asdict(one) for one in results]
    file.write_text(json.dumps(told, indent=1, ensure_ascii=False), "utf-8")
