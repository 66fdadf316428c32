"""Tier 1 on transitions recorded in a real browser, whose truth is known from the pages' own servers."""

import gzip
from pathlib import Path

import pytest

from bench.transitions.dataset import FOLDER, Recorded, load, store
from bench.transitions.score import Judged, judge_transition, reliability, score

MOST_BYTES = 3_000_000
LEAST_IN_BIN = 15  # fewer say nothing of how often one is right


@pytest.fixture(scope="module")
def items() -> list[Recorded]:
    return load()


@pytest.fixture(scope="module")
def results(items: list[Recorded]) -> list[Judged]:
    return [judge_transition(item) for item in items]


def test_it_is_right_of_what_it_decides_and_decides_most(results: list[Judged]) -> None:
    found = score(results)
    wrong = [one.item.name for one in results if one.decided and not one.right]
    assert found.count >= 150
    assert found.right_share >= 0.95, wrong
    assert found.decided_share >= 0.80


def test_it_is_as_right_on_pages_no_rule_was_tuned_on(results: list[Judged]) -> None:
    held_out = [one for one in results if one.item.held_out]
    assert len(held_out) >= 50
    assert score(held_out).right_share >= 0.95
    can_be_told = [one for one in held_out if one.item.happened is not None]
    assert score(can_be_told).decided_share >= 0.80


def test_a_failed_save_is_never_completed(results: list[Judged]) -> None:
    failed = [one for one in results if one.item.last_step and one.item.happened is False]
    assert len(failed) >= 50
    assert [one.item.name for one in results if one.false_end] == []


def test_a_save_that_is_still_on_its_way_is_not_decided(results: list[Judged]) -> None:
    early = [
        one
        for one in results
        if one.item.kind.startswith("slow save") and one.item.happened is None
    ]
    assert len(early) >= 10
    assert [one.item.name for one in early if one.decided] == []


def test_most_tasks_that_are_done_are_told_so(results: list[Judged]) -> None:
    found = score(results)
    assert found.ends_told / found.ends >= 0.85


def test_confidence_promises_no_more_than_it_keeps(results: list[Judged]) -> None:
    rows, brier = reliability(results)
    assert brier <= 0.1
    for low, count, said, right in rows:
        if count >= LEAST_IN_BIN:
            assert right >= said - 0.1, low


def test_kinds_that_matter_are_all_in_it(items: list[Recorded]) -> None:
    kinds = {item.kind for item in items}
    assert {
        "save accepted", "silent failure", "slow save", "validation error", "session expired",
        "error page", "partial chain", "lying message", "stale message", "lost click",
        "optimistic, rolled back", "hidden error element", "overlay in the way",
    } <= kinds  # fmt: skip
    assert len({item.page for item in items}) >= 8
    assert len({item.acted for item in items}) >= 9


def test_it_is_stored_alike_without_ports_or_times(items: list[Recorded], tmp_path: Path) -> None:
    total = 0
    for file in store(items, tmp_path):
        kept = FOLDER / file.name
        total += kept.stat().st_size
        text = gzip.decompress(kept.read_bytes())
        assert gzip.decompress(file.read_bytes()) == text
        assert b"127.0.0.1" not in text
        assert b"localhost" not in text
    assert total < MOST_BYTES
