"""A register of patients on the web: who can be checked in and deleted, at once and for good."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tests.fakes.serving import served

LONGEST_S = 10.0  # only ends a hang
PATIENTS = {1: "Jas Patel", 2: "Jas Ndiaye", 3: "Ann Lee"}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Patients</title>
<link rel="icon" href="data:,"></head><body><h1>Patients</h1><p role="status" id="said"></p>
<label>Note <input id="note"></label> <button id="keep">Keep note</button> <a href="/">Reload list</a>
<table><thead><tr><th>Name<th>Actions</thead><tbody>{rows}</tbody></table>
<script>
  const send = async (method, path) => {{
    const reply = await fetch(path, {{method}});
    said.textContent = await reply.text();
  }};
  document.querySelector("tbody").addEventListener("click", async ({{target}}) => {{
    const row = target.closest("tr");
    if (target.dataset.does === "visit") await send("POST", `/visits/${{row.dataset.id}}`);
    if (target.dataset.does !== "delete") return;
    await send("DELETE", `/patients/${{row.dataset.id}}`);
    row.remove();
  }});
  keep.addEventListener("click", () => {{ said.textContent = `Kept: ${{note.value}}`; }});
</script></body></html>"""
ROW = """<tr data-id="{id}"><td>{name}<td><button data-does="visit">Check in</button>
<button data-does="delete">Delete</button></tr>"""

FRAMED = """<!doctype html><title>Office</title><h1>Office</h1>
<iframe title="Patients" src="/" width="700" height="400"></iframe>"""


@dataclass
class Register:
    """The patients there are, and who was checked in and deleted, in order. To check in takes until the
    desk is `free`.
    """

    url: str = ""
    patients: dict[int, str] = field(default_factory=lambda: dict(PATIENTS))
    arrived: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    free: threading.Event = field(default_factory=threading.Event)

    def fill(self) -> None:
        """As it was at first."""
        self.patients = dict(PATIENTS)
        self.arrived.clear()
        self.deleted.clear()
        self.free.set()

    def app(self) -> Starlette:
        """Its page, and what its buttons do."""
        return Starlette(
            routes=[
                Route("/", self._page),
                Route("/framed", lambda _: HTMLResponse(FRAMED)),
                Route("/visits/{id:int}", self._check_in, methods=["POST"]),
                Route("/patients/{id:int}", self._delete, methods=["DELETE"]),
            ]
        )

    async def _page(self, _: Request) -> Response:
        rows = "".join(ROW.format(id=key, name=name) for key, name in self.patients.items())
        return HTMLResponse(PAGE.format(rows=rows))

    async def _check_in(self, request: Request) -> Response:
        name = self.patients[request.path_params["id"]]
        self.arrived.append(name)
        await asyncio.to_thread(self.free.wait, LONGEST_S)
        return Response(f"{name} was checked in")

    async def _delete(self, request: Request) -> Response:
        name = self.patients.pop(request.path_params["id"])
        self.deleted.append(name)
        return Response(f"{name} was deleted")


@contextmanager
def opened_register() -> Iterator[Register]:
    """The register on a port of its own."""
    register = Register()
    with served(register.app()) as register.url:
        yield register
