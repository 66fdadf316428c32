"""The service, without a store to write to."""

import pytest

from app.usage.service import UsageService
from tests.unit.usage.observer import Watching, nowhere


@pytest.fixture
def watching() -> Watching:
    return Watching()


@pytest.fixture
def service(watching) -> UsageService:
    return UsageService(nowhere, watching)
