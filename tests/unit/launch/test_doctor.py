"""What doctor says."""

import json
from io import StringIO
from pathlib import Path

from rich.console import Console

from app.launch.doctor import Check, as_json, examine, missing, show
from app.settings import Settings

GOOD = Check(name="Disk", ok=True, detail="5 GB free")
BAD = Check(name="Store", ok=False, detail="no answer", todo="Start it.")
NOTE = Check(name="Port", ok=False, detail="taken", todo="Take another.", needed=False)


def test_only_what_is_needed_is_missing() -> None:
    assert missing([GOOD, BAD, NOTE]) == [BAD]
    assert json.loads(as_json([GOOD, NOTE]))["ok"] is True


def test_what_to_do_stands_below_what_is_missing() -> None:
    written = StringIO()
    show([GOOD, BAD], Console(file=written, width=100))
    assert "missing  Store  no answer\n" in written.getvalue()
    assert "Start it." in written.getvalue()


async def test_a_data_folder_that_cannot_be_is_missing_and_so_is_its_store(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    found = await examine(Settings(data_dir=in_the_way / "data", _env_file=None))
    assert [check.name for check in missing(found)] == ["Data folder", "Store"]
    assert all(check.todo for check in missing(found))
