"""`tabwright serve` without a store and the app: the real supervisor with misbehaving workers."""

import os
import socket
import sys

from app.logs import configure_logging
from app.server.supervisor import Patience, Supervisor
from tests.integration.server.supervised_worker import HERE

configure_logging("info", "json")
listener = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)  # noqa: T201
patience = Patience(blocked_s=0.3, hung_s=1.5, stop_s=float(os.environ["STOP_S"]))
sys.exit(Supervisor(listener, workers=1, patience=patience, module=HERE).run())
