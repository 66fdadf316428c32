"""The reader process, `python -m knowledge.extract.sandbox.reader_process MEMORY`.

It receives documents on standard input and answers on standard output, in frames. It is spawned
rather than forked, gets none of the server's settings, and is confined before the first document
arrives.
"""

import io
import logging
import os
import sys
import tempfile
from typing import Any, BinaryIO

import orjson

from app.bounds import Bounds, set_bounds
from app.errors import Unreadable
from knowledge.extract.port import Raw
from knowledge.extract.reader import read_document
from knowledge.extract.sandbox.confinement import confine, limit_cpu
from knowledge.extract.sandbox.frames import MOST_REQUEST, read_frame, write_frame

MOST_REASON = 500


def main(memory: int) -> None:
    """Serve requests until standard input is closed."""
    requests, answers = _streams()
    logging.disable()  # messages of libraries quote documents
    sys.setrecursionlimit(3000)  # markup nests deeper than code
    # The language detector unpacks its model into a temporary file; no folder is writable.
    tempfile.TemporaryFile = lambda *_, **__: io.BytesIO()  # type: ignore[assignment]
    layers = confine(memory)
    write_frame(answers, layers.model_dump())
    while (frame := read_frame(requests, MOST_REQUEST)) is not None:
        request = orjson.loads(frame)
        write_frame(answers, _answer(request, requests.read(request["bytes"])))


def _answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    """{"extracted": …} or {"unreadable": {code, detail}}."""
    try:
        limit_cpu(request["seconds"])
        set_bounds(Bounds(**request["bounds"]))
        extracted = read_document(Raw(data=data, **request["described"]))
        answer = extracted.model_dump(mode="json")
        if len(extracted.markdown) > request["output"]:
            return _refusal("DOCUMENT_TOO_LARGE", "The document has too much text.")
    except Unreadable as error:
        return _refusal(error.code, error.detail)
    except MemoryError:
        return _refusal("DOCUMENT_TOO_LARGE", "Reading the document needs too much memory.")
    except RecursionError:
        return _refusal("DOCUMENT_DAMAGED", "The document is nested too deeply.")
    except Exception as error:  # noqa: BLE001 - a bug in a reader fails only this document
        # The type of the error only: its message may quote the document.
        return _refusal(
            "DOCUMENT_DAMAGED", f"The document could not be read ({type(error).__name__})."
        )
    return {"extracted": answer}


def _refusal(code: str, detail: str) -> dict[str, Any]:
    return {"unreadable": {"code": code, "detail": detail[:MOST_REASON]}}


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """The streams of requests and answers; output of libraries is discarded."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    return requests, answers


if __name__ == "__main__":
    main(int(sys.argv[1]))
