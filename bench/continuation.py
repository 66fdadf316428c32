"""Trace the project's functions that a continuation enters, from its request to its answer.

    python -m bench.continuation [--first] [--brief]

Starts the real app on its own store with the commands reasoner, sends a task's first request and
then its second, and prints each function of `app` and `knowledge` in order of first entry, with its
caller if that is in the project too. All threads are traced; lambdas and comprehensions count as part of
their function. `--first` traces the first request instead, `--brief` prints only the counts per file.
"""

import argparse
import asyncio
import http.client
import json
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import uvicorn
from pydantic import SecretStr

from app.main import create_app
from app.server.connection import http_options
from app.settings import Settings
from tests.fakes.clinic import ClinicPage

ROOT = Path(__file__).resolve().parents[1]
ROOMS = (f"{ROOT}/app/", f"{ROOT}/knowledge/")
KEY = "a-key-for-this-bench"
GOAL = "Add a new patient with name 'Jas'"
START_S = 60.0
MOST_FILES, MOST_FUNCTIONS = 60, 250
# A thread that watches the store's server on its own schedule.
UNRELATED_THREADS = frozenset({"store-watch"})


class Trace:
    """The project's functions entered while recording, in order of first entry."""

    def __init__(self) -> None:
        self.recording = False
        self.entered: dict[tuple[str, int], tuple[str, str]] = {}  # (file, line): (name, caller)

    def install(self) -> None:
        """Trace this thread and all that start from now on."""
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if not self.recording or event != "call" or not _is_ours(frame.f_code):
            return
        if threading.current_thread().name in UNRELATED_THREADS:
            return
        at = (_relative(frame.f_code), frame.f_code.co_firstlineno)
        if at not in self.entered:
            self.entered[at] = (frame.f_code.co_qualname, _caller(frame))

    def files(self) -> Counter[str]:
        """The number of functions entered in each file, in order of first entry."""
        return Counter(file for file, _ in self.entered)


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(ROOMS) and not code.co_name.startswith("<")


def _relative(code: CodeType) -> str:
    return str(Path(code.co_filename).relative_to(ROOT))


def _caller(frame: FrameType) -> str:
    """The nearest project frame below this one as `file:line`; "" if the thread was started by a
    framework.
    """
    below = frame.f_back
    while below is not None and not _is_ours(below.f_code):
        below = below.f_back
    return f"{_relative(below.f_code)}:{below.f_lineno}" if below else ""


@contextmanager
def serve_app(folder: Path) -> Iterator[int]:
    """Serve the real app on a thread, with a store in this folder; yields the port."""
    settings = Settings(_env_file=None, data_dir=folder, api_key=SecretStr(KEY), llm="rules")
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(settings), log_config=None, log_level="warning", **http_options(settings)
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    waiting = threading.Event()
    while not server.started and thread.is_alive():
        waiting.wait(0.01)
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(START_S)


def post(port: int, body: dict[str, Any]) -> dict[str, Any]:
    """The terminal event of the answer. Raises if the request is refused."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "text/event-stream"}
    headers["Content-Type"] = "application/json"
    connection.request("POST", "/api/agent/interact", json.dumps(body), headers)
    reply = connection.getresponse()
    said = reply.read().decode()
    connection.close()
    if reply.status != http.client.OK:
        raise SystemExit(f"{reply.status}: {said}")
    events = [json.loads(line[6:]) for line in said.splitlines() if line.startswith("data: ")]
    last: dict[str, Any] = events[-1]
    return last


def trace_post(port: int, body: dict[str, Any], trace: Trace) -> dict[str, Any]:
    """`post` while recording."""
    trace.recording = True
    try:
        return post(port, body)
    finally:
        trace.recording = False


def trace_task(first: bool) -> Trace:
    """The trace of a task's first request, or of its second."""
    trace, page = Trace(), ClinicPage()
    trace.install()
    try:
        # The store's supervisor may write to the folder until it ends.
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            serve_app(Path(folder)) as port,
        ):
            # What is loaded once per process is not part of a request.
            begun = ClinicPage()
            answer = post(port, begun.observation() | {"query": GOAL})
            post(port, begun.step(answer))
            opening = page.observation() | {"query": GOAL}
            if first:
                trace_post(port, opening, trace)
            else:
                answer = trace_post(port, page.step(post(port, opening)), trace)
                if answer["type"] != "action":
                    raise SystemExit(f"not a continuation: {answer}")
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return trace


def main() -> None:
    """Print the trace and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", action="store_true", help="trace the first request instead")
    parser.add_argument("--brief", action="store_true", help="print only the counts per file")
    options = parser.parse_args()
    trace = trace_task(options.first)
    if not options.brief:
        for (file, line), (name, caller) in trace.entered.items():
            print(f"{file}:{line} {name}" + (f"  from {caller}" if caller else ""))
    files = trace.files()
    if options.brief:
        for file, count in files.most_common():
            print(f"{count:>4} {file}")
    rooms = Counter("/".join(file.split("/")[:2]) for file in files)
    print("files by room: " + ", ".join(f"{room} {count}" for room, count in rooms.most_common()))
    print(
        f"{len(files)} files (at most {MOST_FILES}), "
        f"{len(trace.entered)} functions (at most {MOST_FUNCTIONS})"
    )


if __name__ == "__main__":
    main()
