"""What the review queue of files does beside: people's hands, full disks, and processes that die."""

import asyncio
import errno
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from app.domain.review import Depths, ReviewedRecord, new_record_id, with_review
from app.errors import AlreadyReviewed, NotFound, StoreUnavailable
from app.store.reviews.files import FileReviews
from app.store.reviews.record_files import FULL, READ_ONLY, TOO_MANY, Disk
from bench.reviews.__main__ import find_violations, killed
from bench.reviews.processes import read_folders, run_workers, start_workers
from tests.contract.store.failing_disk import READS, Killed, broken, failing_at, files, killed_at
from tests.contract.store.test_reviews import record, review

OLD_NS = int((time.time() - 3_600) * 1e9)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a dead machine loses is not shown here, and a sync may take long."""
    monkeypatch.setattr(Disk, "sync", lambda disk, handle: None)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file as it is."""
    paths = (folder / place for place in ("pending", "reviewed/approved", "reviewed/rejected"))
    found = [path for place in paths for path in sorted(place.iterdir())]
    return {str(path): path.read_bytes() if path.is_file() else None for path in found}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "review"


@pytest.fixture
def reviews(folder: Path) -> FileReviews:
    return FileReviews(folder)


def edited(**more: Any) -> Callable[[Path], None]:
    """Other fields by hand; None takes one away."""

    def edit(path: Path) -> None:
        given = json.loads(path.read_text()) | more
        path.write_text(
            json.dumps({name: value for name, value in given.items() if value is not None})
        )

    return edit


def moved(to: str) -> Callable[[Path], None]:
    return lambda path: path.rename(path.parent.parent / to / path.name) and None


def replaced(make: Callable[[Path], Any]) -> Callable[[Path], None]:
    def replace(path: Path) -> None:
        path.unlink()
        make(path)

    return replace


def huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(100_000_000)


def linked(path: Path) -> None:
    path.symlink_to(path.rename(path.parent.parent / "elsewhere.json"))


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "another schema": edited(schema_version=2),
    "an older schema": edited(schema_version=0),
    "no schema": edited(schema_version=None),
    "no status": edited(status=None),
    "a status that is not stored": edited(status="skip"),
    "reviewed by nobody": edited(status="reviewed"),
    "a field more": edited(mood="good"),
    "a number for a text": edited(why_escalated=7),
    "a text over the bound": edited(why_escalated="x" * 2_001),
    "another's name": edited(id=new_record_id()),
    "half of it": lambda path: path.write_bytes(path.read_bytes()[:200]),
    "empty": lambda path: path.write_bytes(b""),
    "not text": lambda path: path.write_bytes(b"\xff\xfe\0"),
    "deep": lambda path: path.write_bytes(b"[" * 100_000),
    "a list": lambda path: path.write_bytes(b"[1]"),
    "huge": huge,
    "a link": linked,
    "a link to nothing": replaced(lambda path: path.symlink_to("nowhere")),
    "a folder": replaced(Path.mkdir),
    "a pipe": replaced(os.mkfifo),
    "undecided among the approved": moved("reviewed/approved"),
}  # fmt: skip


class TestHands:
    @pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
    async def test_what_is_no_record_is_counted_and_left_alone(
        self, folder: Path, reviews: FileReviews, damage: Callable[[Path], Any]
    ) -> None:
        bad, good = record(2), record(1)
        for one in (bad, good):
            await reviews.submit(one)
        damage(folder / "pending" / f"{bad.id}.json")
        before = contents(folder)
        for fresh in (reviews, FileReviews(folder)):
            assert await fresh.listed("a", "pending", limit=5) == [good]
            assert await fresh.listed("a", "approved", limit=5) == []
            assert await fresh.damaged() == 1
            assert await fresh.depths("a") == Depths(pending=1, oldest_ms=1)
            assert await fresh.find("a", bad.id) is None
            with pytest.raises(NotFound):
                await fresh.decide("a", bad.id, review())
            with pytest.raises(StoreUnavailable, match="Repair it or move it away"):
                await fresh.submit(bad)
        assert contents(folder) == before
        await reviews.decide("a", good.id, review())

    async def test_a_file_that_is_mended_is_a_record_again(
        self, folder: Path, reviews: FileReviews
    ) -> None:
        one = record()
        await reviews.submit(one)
        path = folder / "pending" / f"{one.id}.json"
        kept = path.read_bytes()
        path.write_bytes(kept.replace(b'"pending"', b'"skip"'))
        assert (await reviews.damaged("a"), await reviews.damaged("b")) == (1, 0)
        path.write_bytes(kept)
        assert await reviews.listed("a", "pending", limit=5) == [one]
        assert await reviews.damaged() == 0

    async def test_a_decision_under_the_other_outcome_is_none(
        self, folder: Path, reviews: FileReviews
    ) -> None:
        one = record()
        await reviews.submit(one)
        await reviews.decide("a", one.id, review(decision="rejected"))
        name = f"{one.id}.json"
        (folder / "reviewed/rejected" / name).rename(folder / "reviewed/approved" / name)
        assert await reviews.find("a", one.id) is None
        assert await reviews.depths("a") == Depths()
        assert await reviews.damaged("a") == 1

    async def test_a_copy_that_waits_again_is_not_decided_again(
        self, folder: Path, reviews: FileReviews
    ) -> None:
        one = record()
        await reviews.submit(one)
        path = folder / "pending" / f"{one.id}.json"
        kept = path.read_bytes()
        done = await reviews.decide("a", one.id, review())
        path.write_bytes(kept)
        assert await reviews.find("a", one.id) == done
        assert await reviews.listed("a", "pending", limit=5) == []
        assert await reviews.depths("a") == Depths(approved=1)
        with pytest.raises(AlreadyReviewed):
            await reviews.decide("a", one.id, review(decision="rejected"))

    async def test_files_are_for_people_to_read(self, folder: Path, reviews: FileReviews) -> None:
        one = record()
        await reviews.submit(one)
        text = (folder / "pending" / f"{one.id}.json").read_text()
        assert text.startswith('{\n  "schema_version": 1,\n')
        assert text.endswith("}\n")
        assert "Ein Umlaut: ä" in text
        assert json.loads(text) == one.model_dump(mode="json")

    async def test_files_put_there_and_taken_away_by_others_are_seen(
        self, folder: Path, reviews: FileReviews
    ) -> None:
        mine, other = record(1), record(2)
        await reviews.submit(mine)
        assert await reviews.listed("a", "pending", limit=5) == [mine]
        await FileReviews(folder).submit(other)
        assert await reviews.listed("a", "pending", limit=5) == [other, mine]
        (folder / "pending" / f"{mine.id}.json").unlink()
        assert await reviews.listed("a", "pending", limit=5) == [other]
        assert await reviews.find("a", mine.id) is None


class TestDeath:
    """A process that dies at any call of the disk leaves each record whole and in one place."""

    async def test_of_whoever_submits(self, tmp_path: Path) -> None:
        for call in count(1):
            folder, one = tmp_path / str(call), record()
            disk = killed_at(call)
            with suppress(Killed):
                await FileReviews(folder, disk).submit(one)
            fresh = FileReviews(folder)
            found = await fresh.find("a", one.id)
            assert found in (None, one)
            assert list(files(folder).values()) == ([["pending"]] if found else [])
            assert await fresh.listed("a", "pending", limit=5) == ([one] if found else [])
            assert await fresh.submit(one) == one
            assert await fresh.depths("a") == Depths(pending=1, oldest_ms=1_000)
            if not disk.failed:
                break
        assert call > 8

    async def test_of_whoever_decides(self, tmp_path: Path) -> None:
        seen = set()
        for call in count(1):
            folder, one = tmp_path / str(call), record()
            await FileReviews(folder).submit(one)
            disk = killed_at(call)
            with suppress(Killed):
                await FileReviews(folder, disk).decide("a", one.id, review())
            (places,) = files(folder).values()
            assert len(places) == 1
            fresh = FileReviews(folder)
            by_list = await fresh.listed("a", "approved", limit=5)
            found = await fresh.find("a", one.id)
            assert found in (one, with_review(one, review()))
            seen.add((*places, type(found).__name__))
            assert by_list == ([found] if found != one else [])
            if found == one:
                await fresh.decide("a", one.id, review())
            with pytest.raises(AlreadyReviewed):
                await fresh.decide("a", one.id, review(decision="rejected"))
            assert files(folder) == {f"{one.id}.json": ["reviewed/approved"]}
            assert await fresh.damaged() == 0
            if not disk.failed:
                break
        assert seen == {
            ("pending", "Submission"), ("pending", "ReviewedRecord"), ("reviewed/approved", "ReviewedRecord")
        }  # fmt: skip

    async def test_what_the_dead_were_writing_goes_when_it_is_old(self, folder: Path) -> None:
        await FileReviews(folder).submit(record())
        for call in range(1, 20):
            with suppress(Killed):
                await FileReviews(folder, killed_at(call)).submit(record())
        left = list((folder / ".staging").iterdir())
        assert left
        await FileReviews(folder).submit(record())
        assert set(left) <= set((folder / ".staging").iterdir())
        for path in left:
            os.utime(path, ns=(OLD_NS, OLD_NS))
        await FileReviews(folder).submit(record())
        assert list((folder / ".staging").iterdir()) == []


class TestDisks:
    @pytest.mark.parametrize(
        ("number", "said"),
        [(errno.ENOSPC, FULL), (errno.EDQUOT, FULL), (errno.EROFS, READ_ONLY), (errno.EACCES, READ_ONLY),
         (errno.EPERM, READ_ONLY), (errno.EMFILE, TOO_MANY), (errno.EIO, "disk of the review queue")],
    )  # fmt: skip
    async def test_a_disk_that_takes_nothing_is_said_and_still_read(
        self, folder: Path, reviews: FileReviews, number: int, said: str
    ) -> None:
        one = record()
        await reviews.submit(one)
        bad = FileReviews(folder, broken(number))
        for act in (
            bad.submit(record()), bad.decide("a", one.id, review()), bad.refused("a", 1),
            bad.delete_tenant("a"),
        ):  # fmt: skip
            with pytest.raises(StoreUnavailable) as error:
                await act
            assert said in error.value.detail
            assert str(folder) not in error.value.detail
        assert await bad.listed("a", "pending", limit=5) == [one]
        assert await bad.find("a", one.id) == one

    async def test_at_whatever_call_it_fails_nothing_is_left_half_done(
        self, tmp_path: Path
    ) -> None:
        for call in count(1):
            folder, one, new = tmp_path / str(call), record(1), record(2)
            await FileReviews(folder).submit(one)
            disk = failing_at(call, errno.ENOSPC)
            reviews = FileReviews(folder, disk)
            ends = [
                await _end(reviews.submit(new)),
                await _end(reviews.decide("a", one.id, review())),
            ]
            assert all(end is None or FULL in end for end in ends)
            fresh = FileReviews(folder)
            assert all(len(places) == 1 for places in files(folder).values())
            assert await fresh.submit(new) == new
            found = await fresh.find("a", one.id)
            assert (
                isinstance(found, ReviewedRecord) or ends[1] is not None
            )  # what was kept is there
            assert await _end(fresh.decide("a", one.id, review())) in (None, AlreadyReviewed.title)
            assert (await fresh.depths("a")).approved == 1
            assert await fresh.damaged() == 0
            if not disk.failed:
                break
            unlinking = ends == [None, None]  # clearing up itself failed: a sweep for later
            assert unlinking or list((folder / ".staging").iterdir()) == []
        assert call > 8

    async def test_too_many_open_files_are_not_taken_for_damage(
        self, folder: Path, reviews: FileReviews
    ) -> None:
        one = record()
        await reviews.submit(one)
        for call in count(1):
            disk = failing_at(call, errno.EMFILE, calls=READS)
            bad = FileReviews(folder, disk)
            ends = [await _end(bad.listed("a", "pending", limit=5)), await _end(bad.damaged())]
            if not disk.failed:
                break
            assert any(end and TOO_MANY in end for end in ends)
            assert await bad.listed("a", "pending", limit=5) == [one]
            assert await bad.damaged() == 0

    async def test_a_queue_that_was_never_written_to_is_empty(self, reviews: FileReviews) -> None:
        assert await reviews.listed("a", "pending", limit=5) == []
        assert await reviews.depths("a") == Depths()
        assert await reviews.damaged() == await reviews.refusals("a", 0, 9) == 0
        assert await reviews.delete_tenant("a") == 0

    async def test_refusals_take_a_bounded_space(
        self, folder: Path, reviews: FileReviews, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.store.reviews.file_storage.MOST_REFUSAL_BYTES", 30)
        await asyncio.gather(*(reviews.refused("a", 10 + n) for n in range(50)))
        assert sum(path.stat().st_size for path in (folder / ".refusals").iterdir()) < 80
        assert 10 <= await reviews.refusals("a", 0, 100) < 50


async def _end(act: Any) -> str | None:
    """What it said in the end; None where it did its work."""
    try:
        await act
    except (StoreUnavailable, AlreadyReviewed) as error:
        return error.detail
    return None


class TestProcesses:
    def test_at_once_lose_nothing_and_decide_each_once(self, folder: Path) -> None:
        with start_workers(folder, 3, 120, "all") as them:
            told = run_workers(them)
        assert find_violations(read_folders(folder), told, 120, 3) == []

    def test_killed_amid_decisions_leave_each_readable_in_one_place(self, folder: Path) -> None:
        assert killed(folder, 60, 2) == []
