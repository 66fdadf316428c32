"""Measure the grounder on trees of 100, 200 and 500 nodes.

Run: `python bench/grounding.py`. Warm: the labels are cached, the phrase is new, as in every round trip
after the first. Cold: nothing is cached.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.domain.directive import FieldValue, Target
from app.domain.page import Node, Tree
from app.grounding import assign_fields, find_field, find_submitter, ground_target

SIZES = (100, 200, 500)
_NOUN_LIST = "patient order invoice ticket message report product customer appointment contract"
_VERB_LIST = "open edit archive delete rename print approve share export assign"
_PLACE_LIST = "north south east west upper lower inner outer front rear"
NOUNS, VERBS, PLACES = _NOUN_LIST.split(), _VERB_LIST.split(), _PLACE_LIST.split()


def page(size: int) -> Tree:
    """A back-office page: a form of ten fields, then rows of a link, two buttons and a checkbox."""
    nodes = [
        Node(id=f"f{n}", role="inp", name=f"{PLACES[n]} {NOUNS[n]} name", group="form: New entry")
        for n in range(10)
    ]
    roles = ("link", "btn", "btn", "chk")
    for n in range(size - len(nodes)):
        row, column = divmod(n, 4)
        record = f"{PLACES[row % 10]} {NOUNS[row // 10 % 10]} {row}"
        name = record if column in (0, 3) else VERBS[(row + column) % 10]
        nodes.append(
            Node(id=f"n{n}", role=roles[column], name=name, group=f"section: List > row: {record}",
                 box=(column * 90.0, row * 30.0, 80.0, 24.0))
        )  # fmt: skip
    return Tree.of(nodes)


def phrases(count: int) -> list[str]:
    """New phrases, some of which match the page."""
    return [
        f"{VERBS[n % 10]} the {PLACES[n // 10 % 10]} {NOUNS[n // 7 % 10]} {n}" for n in range(count)
    ]


def milliseconds(act: Callable[[str], object], texts: list[str]) -> tuple[float, float]:
    """Median and 95th percentile of a call."""
    taken = []
    for text in texts:
        start = time.perf_counter()
        act(text)
        taken.append((time.perf_counter() - start) * 1_000)
    taken.sort()
    return statistics.median(taken), taken[int(len(taken) * 0.95)]


def calls(tree: Tree) -> dict[str, Callable[[str], object]]:
    """The measured calls by name; each takes a phrase."""
    pairs = [FieldValue(field=f"{PLACES[n]} {NOUNS[n]}", value="x") for n in range(4)]
    return {
        "ground": lambda text: ground_target(Target(phrase=text), tree),
        "ground, quoted": lambda text: ground_target(Target(phrase=text, quoted=True), tree),
        "ground, within a row": lambda text: ground_target(
            Target(phrase="edit", within=text), tree
        ),
        "ground, delete": lambda text: ground_target(Target(phrase=text), tree, verb="delete"),
        "field": lambda text: find_field(text, tree),
        "fields (4)": lambda text: assign_fields(pairs, tree),
        "submit": lambda text: find_submitter(tree, after=["f1"]),
    }


def main() -> None:
    print(f"{'nodes':>6} {'call':<26} {'median ms':>10} {'p95 ms':>8}")
    for size in SIZES:
        tree = page(size)
        start = time.perf_counter()
        ground_target(Target(phrase="warm up"), tree)
        cold = (time.perf_counter() - start) * 1_000
        print(f"{size:>6} {'ground, cold':<26} {cold:>10.2f}")
        for name, act in calls(tree).items():
            median, late = milliseconds(act, phrases(200))
            print(f"{size:>6} {name:<26} {median:>10.2f} {late:>8.2f}")


if __name__ == "__main__":
    main()
