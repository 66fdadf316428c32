"""What is written as one line stays one line, whoever chose its words, and holds no secret."""

import io
import json
import logging
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import structlog
import uvicorn
from uvicorn.lifespan.on import LifespanOn

from app import logs
from app.adapters import Adapters
from app.cli.run.children import ROOT
from app.errors import StoreUnavailable
from app.logs import bind_context, configure_logging
from app.main import create_app
from app.settings import Settings
from tests.fakes.log_lines import caught

FORGED = {
    "newline": 'x\n{"level":"info","event":"all is well"}',
    "carriage return": "x\r12:00:00 info all is well",
    "escape": "x\x1b[2K\x1b[1A\x1b[31mall is well",
    "csi": "x\x9b2Kall is well",
    "backspace": "x" + "\x08" * 40 + "all is well",
    "nul": "x\x00all is well",
    "line separator": "x\u2028all is well",
    "paragraph separator": "x\u2029all is well",
    "next line": "x\x85all is well",
    "form feed": "x\x0call is well",
    "bidi": "x\u202ellew si lla\u2066",
    "zero width": "x\u200ball\ufeff is well",
    "tag": "x\U000e0041all is well",
    "surrogate": "x\ud800all is well",
}


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    with caught() as text:
        yield text


def lines(out: io.StringIO) -> list[str]:
    return out.getvalue().split("\n")[:-1]


@pytest.mark.parametrize("shape", ["json", "console"])
@pytest.mark.parametrize("words", FORGED.values(), ids=FORGED)
def test_no_value_name_or_message_makes_a_line_of_its_own(out, shape, words):
    configure_logging("info", shape, out)
    bind_context(trace=words, tenant=words, task=words)
    structlog.get_logger("ours").info(words, path=words, many=[words, {words: words}])
    logging.getLogger("pymongo").warning("failed: %s", words)
    written = out.getvalue()
    assert (
        len(written.splitlines()) == 2
    )  # which also knows the separators that a terminal does not
    assert all(c.isprintable() or c == "\n" for c in written)
    assert written.isascii()


async def test_why_it_did_not_start_is_told_by_its_cause_and_by_places_alone(out):
    @asynccontextmanager
    async def broken(_: Settings) -> AsyncIterator[Adapters]:
        raise StoreUnavailable("The store did not answer")
        yield

    configure_logging("info", "json", out)
    config = uvicorn.Config(create_app(Settings(_env_file=None), broken), log_config=None)
    await LifespanOn(config).startup()
    failed, ended = (json.loads(line) for line in lines(out) if '"error"' in line)
    assert failed["event"] == "start-up or shutdown failed"
    assert failed["exception"][0].startswith("StoreUnavailable: The store did not answer at ")
    assert ended["event"] == "Application startup failed. Exiting."
    assert str(ROOT) not in out.getvalue()


def test_json_lines_hold_what_was_said_and_what_it_is_about(out):
    configure_logging("info", "json", out)
    bind_context(trace="t1", tenant="acme", task="k1")
    structlog.get_logger("ours").info("נשמר", count=3, share=0.5, gone=None, said='a "b" \\n')
    logging.getLogger("pymongo").warning("no %s", "primary")
    ours, theirs = (json.loads(line) for line in lines(out))
    context = {"traceId": "t1", "tenantId": "acme", "taskId": "k1"}
    assert list(ours)[:3] == ["timestamp", "level", "event"]
    assert ours.items() >= ({"event": "נשמר", "count": 3, "said": 'a "b" \\n'} | context).items()
    assert theirs.items() >= ({"event": "no primary", "logger": "pymongo"} | context).items()


def test_a_long_value_keeps_its_beginning_and_its_end(out):
    configure_logging("info", "json", out)
    structlog.get_logger().info("x", agent="a" + "b" * 5_000_000 + "c", many=list(range(999)))
    told = json.loads(out.getvalue())
    assert len(told["agent"]) <= logs.LONGEST + 1
    assert (told["agent"][0], told["agent"][-1]) == ("a", "c")
    assert len(told["many"]) == logs.MOST


@pytest.mark.parametrize(
    "said",
    [
        "Authorization: Bearer tw_9f8e7d6c5b4a39281706f5e4d3c2b1a0",
        "GET https://api.example/v1?key=hunter2&q=1 failed",
        "mongodb://ann:hunter2@db.example:27017/x",
        "key tw_hunter2hunter2hunter2 opens nothing",
        "sk-hunter2hunter2hunter2",
    ],
)
def test_secrets_of_a_known_shape_are_not_written(out, said):
    configure_logging("info", "json", out)
    structlog.get_logger().warning(said, api_key="hunter2", nested={"password": "hunter2"})
    assert "hunter2" not in out.getvalue()
    assert "9f8e7d6c" not in out.getvalue()


@pytest.mark.parametrize("shape", ["json", "console"])
def test_a_failure_is_told_by_its_places_and_in_ours_as_in_their_lines(out, shape):
    configure_logging("info", shape, out)

    def failing(goal: str) -> None:
        raise RuntimeError("no room\nleft " + goal[:0])

    for logger in (structlog.get_logger(), logging.getLogger("uvicorn.error")):
        try:
            failing("type hunter2 into Password")
        except RuntimeError:
            logger.exception("failed")
    assert out.getvalue().count("failing") == 2
    assert "no room\\u000aleft" in out.getvalue().replace("\\\\", "\\")
    assert "hunter2" not in out.getvalue()
    assert all(line.startswith(("{", " ")) or line[2] == ":" for line in lines(out))


def test_libraries_are_heard_when_they_warn_and_never_below(out):
    configure_logging("debug", "console", out)
    structlog.get_logger().debug("ours")
    for name in ("pymongo.command", "httpx", "openai"):
        logging.getLogger(name).setLevel(logging.DEBUG)  # as some do themselves when told to
        logging.getLogger(name).info("a whole body")
        logging.getLogger(name).debug("a whole body")
        logging.getLogger(name).setLevel(logging.NOTSET)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=True)
        warnings.warn("old", stacklevel=1)
    assert "a whole body" not in out.getvalue()
    assert "old" in out.getvalue()
    assert "ours" in lines(out)[0]
