"""Does the grounder's confidence mean what it says? A table of said against right.

Run: `python bench/grounding_reliability.py`. The phrases are labels as people misremember them, on
pages with and without the element that is meant (`tests/unit/grounding/perturbed.py`).
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.domain.directive import Target
from app.engines.grounding import Grounder
from app.llm.embedding import AccountedEmbedder, WordLlama
from tests.fakes.hooks import unheard
from tests.unit.grounding.perturbed import examples

SEED = 2_024  # not one of those the weights were fitted on (1, 2, 3)


def main() -> None:
    grounder = Grounder(AccountedEmbedder(WordLlama(), unheard))
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    outcomes: Counter[tuple[str, str]] = Counter()
    for page, phrase, truth in examples(SEED):
        found = grounder.ground(Target(phrase=phrase), page)
        outcomes["there" if truth else "not there", found.outcome] += 1
        if found.outcome == "found":
            bins[int(found.confidence * 10)].append((found.confidence, found.chosen == (truth,)))
    print(f"{'confidence':>10} {'count':>6} {'said':>6} {'right':>6}")
    for low in sorted(bins):
        pairs = bins[low]
        said = sum(confidence for confidence, _ in pairs) / len(pairs)
        right = sum(right for _, right in pairs) / len(pairs)
        print(f"{low / 10:>10.1f} {len(pairs):>6} {said:>6.2f} {right:>6.2f}")
    for (where, outcome), count in sorted(outcomes.items()):
        print(f"{where:>10} {outcome:<10} {count:>6}")


if __name__ == "__main__":
    main()
