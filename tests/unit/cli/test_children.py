"""Child processes: start, readiness and failure; and the check of the stored patient."""

import stat
from pathlib import Path

import httpx
import psutil
import pytest

from app.cli.run.children import NotStarted, clinic, local_key, serving
from app.cli.run.goal import PATIENT, Outcome, check_patient


def test_local_key_is_created_once_and_private(tmp_path: Path) -> None:
    key = local_key(tmp_path / "data")
    assert local_key(tmp_path / "data") == key
    assert len(key) > 32
    assert stat.S_IMODE((tmp_path / "data" / "local.key").stat().st_mode) == 0o600


def test_reports_the_last_output_of_a_child_that_exits(tmp_path: Path) -> None:
    failing = ("-c", "raise SystemExit('no such luck')")
    with pytest.raises(NotStarted, match="no such luck"):  # noqa: SIM117
        with serving(failing, log=tmp_path / "log", ready="/"):
            pass


async def test_patient_must_be_stored_exactly_once(tmp_path: Path) -> None:
    done = Outcome(ok=True, status="completed")
    with clinic(tmp_path / "clinic.log") as child:
        assert (await check_patient(done, child.url)).ok is False
        save(child.url)
        assert await check_patient(done, child.url) == done
        save(child.url)
        twice = await check_patient(done, child.url)
        assert (twice.ok, "2 patients" in twice.reason) == (False, True)
    assert not psutil.pid_exists(child.pid)


def save(url: str) -> None:
    answer = httpx.post(f"{url}/api/patients", json={"name": PATIENT}, trust_env=False)
    answer.raise_for_status()
