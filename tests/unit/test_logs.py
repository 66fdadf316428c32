"""What a failed run leaves in the log."""

import errno
import io
import json
import logging
import os
import sys

import pytest
import structlog
from pydantic import BaseModel

from app.logs import configure_logging, describe_traceback
from tests.fakes.log_lines import caught


class Shape(BaseModel):
    number: int


def failing(goal: str) -> None:
    if goal:
        Shape.model_validate({"number": goal})


def test_a_failure_is_logged_without_what_it_was_about():
    try:
        failing("log in with password hunter2")
    except ValueError:
        told = json.dumps(describe_traceback(sys.exc_info()))
    assert "failing" in told
    assert "hunter2" not in told


def test_a_failure_keeps_its_own_words():
    with pytest.raises(RuntimeError) as caught:
        raise RuntimeError("no room on the disk" + "!" * 999)
    (told,) = describe_traceback((RuntimeError, caught.value, caught.tb))
    assert told["exc_value"].startswith("no room on the disk")
    assert len(told["exc_value"]) <= 200


def test_a_log_that_cannot_be_written_stops_nobody() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with caught():
        configure_logging("info", "json", Full())
        structlog.get_logger("x").warning("our own")
        logging.getLogger("library").warning("a library's")
