"""A disk that runs full: it is warned of, new work stops, all else goes on, and it ends by itself."""

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from structlog.testing import capture_logs

from app.cli.doctor import _space
from app.errors import StorageFull
from app.settings import Settings
from app.store import disk_space
from app.store.disk_space import DiskSpace
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import INTERACT, begin, to_the_end

TOTAL = 200_000_000_000


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Has the disk so many percent free."""
    now = {"free": TOTAL}

    def free(percent: float) -> None:
        now["free"] = int(TOTAL * percent / 100)

    real = shutil.disk_usage
    there = SimpleNamespace(disk_usage=lambda place: (TOTAL, real(place).used, now["free"]))
    monkeypatch.setattr(disk_space, "shutil", there)
    monkeypatch.setattr(disk_space, "FRESH_S", 0.0)
    return free


async def test_new_work_stops_with_a_clear_error_and_everything_else_goes_on(
    client: httpx.AsyncClient, disk: Callable[[float], None], server_settings: Settings
) -> None:
    page = ClinicPage()
    running = await begin(client, page)
    disk(2.9)
    text = {"kind": "text", "title": "Guide", "text": "Wash it."}
    new = {
        INTERACT: ClinicPage().observation() | {"query": "Add a new patient with name 'Bea'"},
        "/api/chat": {"message": "What is there to know?"},
        "/api/knowledge/ingest": text,
    }
    for path, body in new.items():
        refused = await client.post(path, json=body)
        problem = refused.json()
        assert (refused.status_code, problem["code"]) == (503, "STORAGE_FULL"), path
        assert int(refused.headers["Retry-After"]) > 0
        assert f"{server_settings.data_dir.resolve()}: 5.8 GB free (2.9 %)" in problem["detail"]
        assert "TABWRIGHT_DISK_STOP_PERCENT" in problem["detail"]
    for path in ("/api/tasks", "/api/sessions", "/api/knowledge/documents", "/readyz"):
        assert (await client.get(path)).status_code == 200, path
    answer, _ = await to_the_end(client, page, running)  # what is under way may finish
    assert answer["status"] == "completed"
    disk(3.1)
    assert (await client.post(INTERACT, json=new[INTERACT])).status_code == 200


def test_each_crossing_is_logged_once_and_reverses(
    tmp_path: Path, disk: Callable[[float], None]
) -> None:
    watched = DiskSpace(Settings(_env_file=None, data_dir=tmp_path / "later"))
    with capture_logs() as lines:
        for percent in (50, 9.9, 9.8, 2.9, 1, 5, 12, 12):
            disk(percent)
            watched.report()
    told = [(line["before"], line["level"], line["threshold_percent"]) for line in lines]
    assert told == [("ok", "low", 10), ("low", "full", 3), ("full", "low", 3), ("low", "ok", 10)]
    assert {line["folder"] for line in lines} == {str(tmp_path / "later")}


def test_the_thresholds_are_settings(tmp_path: Path, disk: Callable[[float], None]) -> None:
    disk(20)
    given = Settings(_env_file=None, data_dir=tmp_path, disk_warn_percent=40, disk_stop_percent=30)
    with pytest.raises(StorageFull, match="below 30 %"):
        DiskSpace(given).require()


@pytest.mark.parametrize(
    ("percent", "ok", "needed"), [(50, True, False), (9, False, False), (2, False, True)]
)
def test_doctor_notes_a_low_disk_and_misses_a_full_one(
    tmp_path: Path, disk: Callable[[float], None], percent: float, ok: bool, needed: bool
) -> None:
    disk(percent)
    check = _space(Settings(_env_file=None, data_dir=tmp_path))
    assert (check.ok, check.needed) == (ok, needed)
    assert f"({percent:.1f} %)" in check.detail
