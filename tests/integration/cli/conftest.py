"""Undoes the log configuration of commands after each test."""

from collections.abc import Iterator

import pytest

from tests.fakes.log_lines import caught


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    with caught():
        yield
