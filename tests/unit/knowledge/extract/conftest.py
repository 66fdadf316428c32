from pathlib import Path

import pytest

from tests.unit.knowledge.extract.sample_files import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
