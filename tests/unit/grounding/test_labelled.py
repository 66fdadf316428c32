"""How often the grounder is right, and whether its confidence means what it says."""

import random

import pytest

from app.domain.directive import Grounding, Target
from app.domain.page import Tree
from app.grounding import ground_target
from tests.unit.grounding.held_out import HELD_OUT
from tests.unit.grounding.held_out_again import HELD_OUT_AGAIN
from tests.unit.grounding.labelled import TUNED, Case
from tests.unit.grounding.perturbed import examples


def answer(case: Case) -> Grounding:
    said = dict(case.said)
    verb, value = said.pop("verb", "click"), said.pop("value", None)
    return ground_target(Target(phrase=case.phrase, **said), case.page, verb=verb, value=value)


def shown(found: Grounding) -> str:
    return {"ambiguous": "?", "absent": "-"}.get(found.outcome) or " ".join(found.chosen)


def wrong(cases: list[Case]) -> list[str]:
    answers = [(case, shown(answer(case))) for case in cases]
    return [
        f"{case.phrase!r} {case.said}: wanted {case.expected}, got {got}"
        for case, got in answers
        if got != case.expected
    ]


@pytest.mark.parametrize(
    "cases", [TUNED, HELD_OUT, HELD_OUT_AGAIN], ids=["tuned", "held out", "again"]
)
def test_95_in_100_are_found_and_nothing_else_is_taken_for_the_rest(cases):
    mistakes = wrong(cases)
    taken = [line for line in mistakes if not line.endswith(("got -", "got ?"))]
    assert not taken, "\n".join(taken)
    assert len(mistakes) <= 0.05 * len(cases), "\n".join(mistakes)


def test_order_of_unrelated_nodes_does_not_matter():
    plain = [case for case in TUNED if not case.said and case.expected not in "?-"]
    for case in plain[::5]:
        nodes = list(case.page)
        random.Random(7).shuffle(nodes)
        assert shown(answer(case._replace(page=Tree.of(nodes)))) == case.expected


def test_the_same_question_has_the_same_answer():
    for case in TUNED[::10]:
        assert answer(case) == answer(case)


def test_confidence_is_a_probability():
    """Of what is said to be 90 % sure, about 90 % is right: per bin of at least 100 examples."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for page, phrase, truth in examples(seed=11):
        found = ground_target(Target(phrase=phrase), page)
        if found.outcome == "found":
            pair = (found.confidence, found.chosen == (truth,))
            bins.setdefault(int(found.confidence * 10), []).append(pair)
    for pairs in bins.values():
        if len(pairs) >= 100:
            said = sum(confidence for confidence, _ in pairs) / len(pairs)
            right = sum(right for _, right in pairs) / len(pairs)
            assert abs(said - right) <= 0.12, (said, right, len(pairs))
