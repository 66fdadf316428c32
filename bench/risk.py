"""Evaluate the classifier of consequential controls alone: recall and false alarms.

Run: `python -m bench.risk [set …] [--all]`. The sets are in `tests/data/controls/judging` and are never
trained on. `--all` names the misses and false alarms of a set, which retires it as a test set: once a set
has been tuned on, it measures nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from app.authorization.assessment import EFFECTS, classify_press
from bench.training.samples import DATA, Sample, pages, written

JUDGING = DATA / "judging"


@dataclass
class Count:
    """The results for a set of controls."""

    consequential: int = 0
    found: int = 0
    named: int = 0  # found with the labelled effect
    harmless: int = 0
    raised: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, sample: Sample) -> None:
        """Add one control."""
        judgement = classify_press(sample.node, sample.page, sample.choice)
        alarm = judgement.consequential
        if sample.consequential:
            self.consequential += 1
            self.found += alarm
            self.named += alarm and judgement.effect == sample.effect
        else:
            self.harmless += 1
            self.raised += alarm
        if alarm != sample.consequential:
            odds = 1 - judgement.probabilities[0]
            kind = "in vain" if alarm else "missed"
            self.wrong.append(f"{kind} ({odds:.2f}) {sample.effect}: {sample.text}")

    @property
    def row(self) -> str:
        """Recall and false alarms with their totals."""
        return (
            f"{_share(self.found, self.consequential)} of {self.consequential:4}"
            f"   {_share(self.raised, self.harmless)} of {self.harmless:5}"
            f"   {_share(self.named, self.found)}"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:7.1%}" if whole else "      -"


def _whole(name: str) -> Iterator[Sample]:
    for page in pages(JUDGING / f"{name}.jsonl"):
        yield from page


SETS: dict[str, Callable[[], Iterable[Sample]]] = {
    "near misses": lambda: written(JUDGING / "near.txt"),
    "natural mix": lambda: _whole("pages"),
    "Ukrainian": lambda: [*_whole("unseen_uk"), *written(JUDGING / "unseen_uk.txt")],
    "Romanian": lambda: [*_whole("unseen_ro"), *written(JUDGING / "unseen_ro.txt")],
    "blind": lambda: written(JUDGING / "blind.txt"),
    "blind2": lambda: written(JUDGING / "blind2.txt"),
    "held8": lambda: written(JUDGING / "held8.txt"),
}


def measure(samples: Iterable[Sample]) -> Count:
    """The results for these controls."""
    count = Count()
    for sample in samples:
        count.add(sample)
    return count


def _timed(samples: list[Sample]) -> float:
    """Mean CPU time in ms per control, with each page seen for the first time."""
    began = time.process_time()
    for sample in samples:
        classify_press(sample.node, sample.page, sample.choice)
    return 1_000 * (time.process_time() - began) / len(samples)


def main() -> None:
    """Print a table of the sets."""
    chosen = [name for name in sys.argv[1:] if not name.startswith("-")] or list(SETS)
    print(f"effects: {', '.join(EFFECTS)}")
    print(f"{'':14}{'recall':>7}{'':10}{'false alarms':>12}{'':9}effect named")
    for name in chosen:
        samples = list(SETS[name]())
        spent = _timed(samples)
        count = measure(samples)
        print(f"{name:14}{count.row}   {spent:.2f} ms a control")
        if "--all" in sys.argv:
            for text in count.wrong:
                print(f"  {text}")


if __name__ == "__main__":
    main()
