"""`python -m demo.clinic [--host H] [--port P]`: prints its address, then serves."""

import argparse
import socket
import sys

import uvicorn

from demo.clinic.server import create_clinic


def main() -> None:
    """Listen before printing the address, so that `--port 0` prints the actual port."""
    parser = argparse.ArgumentParser(prog="python -m demo.clinic", description="The demo clinic.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8788)
    arguments = parser.parse_args()
    listener = socket.create_server((arguments.host, arguments.port))
    sys.stdout.write(f"http://{arguments.host}:{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(create_clinic(), log_level="warning", timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
