"""A way to the store on which one command is held back for as long as one likes, or breaks off."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

COMMAND = b"createIndexes"


class HeldWire:
    """Passes on what comes, but for messages with `COMMAND` in them: these wait until `release`."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._released = threading.Event()
        self._counting = threading.Lock()
        self.uri = f"mongodb://127.0.0.1:{self._listener.getsockname()[1]}/?directConnection=true"
        self.commands = 0
        self.cuts = 0
        """How many of the next such messages end their connection."""

    def release(self) -> None:
        """Let them through."""
        self._released.set()

    def serve(self) -> None:
        """Until closed."""
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._port))
            for source, target in ((client, server), (server, client)):
                pump = threading.Thread(target=self._pump, args=(source, target), daemon=True)
                pump.start()

    def close(self) -> None:
        """Take no more connections."""
        self._released.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if COMMAND in data:
                    with self._counting:
                        self.commands += 1
                        self.cuts -= 1
                        if self.cuts >= 0:
                            break
                    self._released.wait()
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def held_wire(uri: str) -> Iterator[HeldWire]:
    """To the server at `mongodb://127.0.0.1:PORT/…`."""
    wire = HeldWire(int(uri.partition("://127.0.0.1:")[2].partition("/")[0]))
    serving = threading.Thread(target=wire.serve, daemon=True)
    serving.start()
    try:
        yield wire
    finally:
        wire.close()
        serving.join()
