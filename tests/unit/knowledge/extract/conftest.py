import pytest

from tests.unit.knowledge.extract.reading import Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()
