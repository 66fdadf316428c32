"""Score tier 1 against the labels."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.domain.plan import Proposal
from app.domain.verdict import Verdict
from app.page.snapshot import pack, unpack
from app.plans.analysis import SURE
from app.plans.prediction import predict
from app.reasoners.commands import parse
from app.verification import verify
from bench.transitions.dataset import Recorded

BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)


@dataclass(frozen=True, slots=True)
class Judged:
    """A transition and tier 1's verdict."""

    item: Recorded
    verdict: Verdict

    @property
    def decided(self) -> bool:
        """Whether tier 1 decides that it did or did not happen."""
        return self.verdict.succeeded is not None

    @property
    def right(self) -> bool:
        """Whether a decided verdict is true and reports no unfinished task as done."""
        return self.verdict.succeeded == self.item.happened and not self.false_end

    @property
    def false_end(self) -> bool:
        """Whether an unfinished task is reported as done."""
        return self.verdict.task_completed and not self.item.done


def judge_transition(item: Recorded) -> Judged:
    """The verification node's verdict, with the observation before packed and unpacked and the rules'
    prediction.
    """
    before, after, report = item.looks()
    chain = item.chain
    proposals = tuple(
        Proposal(action=one.action, description=one.description, can_fail=one.can_fail)
        for one in chain.actions
    )
    chain = chain.model_copy(update={"expected": predict(proposals, before)})
    goal = parse(item.goal)
    held = goal if goal.confidence >= SURE or goal.kind != "operation" else None
    steps = parse(item.step).directives if item.step else ()
    verdict = verify(
        unpack(pack(before)),
        after,
        chain,
        report,
        last_step=item.last_step,
        completes_step=True,
        goal=held,
        step=steps[0] if len(steps) == 1 else None,
    )
    return Judged(item, verdict)


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of a set. `early` counts those that cannot be decided yet: undecided is right for them."""

    count: int
    decided: int
    right: int
    false_ends: int
    early: int
    ends: int
    ends_told: int

    @property
    def decided_share(self) -> float:
        return self.decided / max(1, self.count)

    @property
    def right_share(self) -> float:
        return self.right / max(1, self.decided)


def score(results: Iterable[Judged]) -> Score:
    """Count the results."""
    found = list(results)
    decided = [one for one in found if one.decided]
    ends = [one for one in found if one.item.last_step and one.item.done]
    return Score(
        count=len(found),
        decided=len(decided),
        right=sum(one.right for one in decided),
        false_ends=sum(one.false_end for one in found),
        early=sum(one.item.happened is None for one in found),
        ends=len(ends),
        ends_told=sum(one.verdict.task_completed for one in ends),
    )


def reliability(results: Iterable[Judged]) -> tuple[list[tuple[float, int, float, float]], float]:
    """(from, count, mean confidence, share right) by confidence bin of the decided, and the Brier score."""
    decided = [(one.verdict.confidence, one.right) for one in results if one.decided]
    rows = []
    for low, high in pairwise(BINS):
        pairs = [(said, right) for said, right in decided if low <= said < high]
        if pairs:
            said = sum(one for one, _ in pairs) / len(pairs)
            rows.append((low, len(pairs), said, sum(right for _, right in pairs) / len(pairs)))
    brier = sum((said - right) ** 2 for said, right in decided) / max(1, len(decided))
    return rows, brier


def show(items: Sequence[Recorded], *, wrong: bool = False, held_out: bool = False) -> None:
    """Print the tables."""
    results = [judge_transition(item) for item in items]
    parts = {
        "pages known to the rules' authors": [one for one in results if not one.item.held_out],
        "held-out pages": [one for one in results if one.item.held_out],
    }
    for title, found in parts.items():
        if found:
            _show_part(title, found)
    _show_part("all", results)
    for title, by in (("kind", _kind), ("action", _action), ("page", _page)):
        _show_by(title, results, by)
    _show_reliability(results)
    if wrong:
        for one in results:
            if held_out or not one.item.held_out:
                _show_one(one)


def _show_part(title: str, found: Sequence[Judged]) -> None:
    of = score(found)
    print(
        f"{title}: {of.count} transitions; decided {of.decided} ({of.decided_share:.1%}; {of.early} cannot "
        f"be told yet); right {of.right} ({of.right_share:.1%}); called done and not: {of.false_ends}; "
        f"done and told so: {of.ends_told} of {of.ends}"
    )


def _show_by(title: str, results: Sequence[Judged], by: Callable[[Judged], str]) -> None:
    groups: dict[str, list[Judged]] = defaultdict(list)
    for one in results:
        groups[by(one)].append(one)
    print(f"\n{title:<44}{'count':>6}{'decided':>9}{'right':>7}{'falsely done':>14}")
    for name in sorted(groups):
        of = score(groups[name])
        print(f"{name:<44}{of.count:>6}{of.decided:>9}{of.right:>7}{of.false_ends:>14}")


def _show_reliability(results: Sequence[Judged]) -> None:
    rows, brier = reliability(results)
    print(f"\n{'confidence from':>16}{'count':>7}{'said':>7}{'right':>7}")
    for low, count, said, right in rows:
        print(f"{low:>16.2f}{count:>7}{said:>7.2f}{right:>7.2f}")
    print(f"Brier score {brier:.4f}")


def _show_one(one: Judged) -> None:
    item, verdict = one.item, one.verdict
    if one.decided and one.right and not one.false_end:
        return
    if item.happened is None and not one.decided and not one.false_end:
        return
    word = "WRONG" if one.decided or one.false_end else "open "
    end = ", called done" if one.false_end else ""
    print(
        f"{word} {item.name} [{item.kind}]: truth {item.happened}, said {verdict.succeeded} "
        f"{verdict.confidence:.2f}{end}: {verdict.reason}"
    )


def _kind(one: Judged) -> str:
    return one.item.kind


def _action(one: Judged) -> str:
    return one.item.acted


def _page(one: Judged) -> str:
    return one.item.page + (" (held out)" if one.item.held_out else "")


__all__ = ["Judged", "Score", "judge_transition", "reliability", "score", "show"]
