"""A worker process: `python -m knowledge.extract.worker FOLDER`. Reads documents, one after the other.

It is asked on standard input and answers on standard output, in frames. It is started afresh, never
forked off the server, and knows none of the server's settings.
"""

import logging
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from app.errors import Unreadable
from knowledge.extract.kinds import read
from knowledge.extract.port import Raw
from knowledge.extract.workers_confine import confine, limit_cpu, limit_memory
from knowledge.extract.workers_frames import MOST_REQUEST, read_frame, write_frame

LOOK_S = 1.0
MOST_REASON = 500


def main(folder: Path) -> None:
    """Answer until nobody asks any more."""
    asked, answers = _streams()
    tempfile.tempdir = str(folder)
    logging.disable()  # the libraries' messages quote documents
    sys.setrecursionlimit(3000)  # markup nests deeper than code
    confine(folder)
    if os.name == "posix":
        threading.Thread(target=_end_with_server, args=(os.getppid(),), daemon=True).start()
    write_frame(answers, {"ready": True})
    while (request := read_frame(asked, MOST_REQUEST)) is not None:
        write_frame(answers, _answer(orjson.loads(request)))


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    """{"extracted": …} or {"unreadable": {code, detail}}."""
    try:
        limit_cpu(request["seconds"])
        limit_memory(request["memory"])
        found = read(Raw.model_validate(request["raw"]))
        answer = found.model_dump(mode="json")
        if len(found.markdown) > request["output"]:
            return _refusal(
                "DOCUMENT_TOO_LARGE", "The document holds more text than is kept of one."
            )
    except Unreadable as error:
        return _refusal(error.code, error.detail)
    except MemoryError:
        return _refusal(
            "DOCUMENT_TOO_LARGE", "Reading the document takes more memory than there is."
        )
    except RecursionError:
        return _refusal("DOCUMENT_DAMAGED", "The document's parts lie in each other without end.")
    except Exception as error:  # noqa: BLE001 - a reader's fault is that document's failure
        # The kind of the error, without its message, which may quote the document.
        return _refusal(
            "DOCUMENT_DAMAGED", f"The document could not be read ({type(error).__name__})."
        )
    return {"extracted": answer}


def _refusal(code: str, detail: str) -> dict[str, Any]:
    return {"unreadable": {"code": code, "detail": detail[:MOST_REASON]}}


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Where requests come from and answers go; what a library prints goes nowhere."""
    asked = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place in (0, 1, 2):
        os.dup2(nowhere, place)
    return asked, answers


def _end_with_server(server: int) -> None:
    """End when the server was killed in the middle of a document."""
    while os.getppid() == server:
        time.sleep(LOOK_S)
    os._exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
