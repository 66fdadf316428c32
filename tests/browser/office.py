"""A small office on the web: a form for customers, an order, and a page to look its parcel up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.fakes.serving import served

REFERENCE = "KX-4471-LYS"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="icon" href="data:,"></head><body>
<nav aria-label="Main"><a href="/customers/new">Customers</a> <a href="/orders/17">Orders</a>
<a href="/parcels">Parcels</a></nav><main><h1>{title}</h1>{body}</main></body></html>"""
FORM = """<form method="post" action="/customers" aria-label="New customer">
<p><label>Name <input name="name" required></label></p>
<p><label>Email <input name="email" type="email"></label></p>
<p><label>Phone <input name="phone"></label></p>
<p><label>City <input name="city"></label></p>
<p><label>Country <select name="country"><option value="">Choose</option><option>Germany</option>
<option>France</option><option>Spain</option></select></label></p>
<button>Save customer</button></form>"""
PARCELS = """<form method="post" action="/parcels" aria-label="Find a parcel">
<label>Tracking number <input name="number"></label> <button>Look up</button></form>"""


@dataclass
class Office:
    """What was posted to each of its pages, in order."""

    url: str = ""
    customers: list[dict[str, str]] = field(default_factory=list)
    lookups: list[str] = field(default_factory=list)

    def forget(self) -> None:
        """As if nothing had been posted."""
        self.customers.clear()
        self.lookups.clear()

    def app(self) -> Starlette:
        """Its pages."""
        return Starlette(
            routes=[
                Route("/customers/new", lambda _: _page("New customer", FORM)),
                Route("/customers", self._customers),
                Route("/customers", self._save, methods=["POST"]),
                Route("/orders/17", lambda _: _page("Order 17", _order())),
                Route("/parcels", lambda _: _page("Parcels", PARCELS)),
                Route("/parcels", self._look_up, methods=["POST"]),
            ]
        )

    async def _save(self, request: Request) -> Response:
        self.customers.append(await _sent(request))
        return RedirectResponse("/customers", 303)

    async def _customers(self, request: Request) -> Response:
        rows = "".join(f"<li>{one['name']}</li>" for one in self.customers)
        return _page("Customers", f"<p role=status>The customer was saved</p><ul>{rows}</ul>")

    async def _look_up(self, request: Request) -> Response:
        number = (await _sent(request))["number"]
        self.lookups.append(number)
        return _page("Parcels", f"<p role=status>Parcel {number} is on its way</p>{PARCELS}")


async def _sent(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))


def _order() -> str:
    return f"<p>One lamp, sent on Monday.</p><p>Tracking number: {REFERENCE}</p>"


def _page(title: str, body: str) -> Response:
    return HTMLResponse(PAGE.format(title=title, body=body))


@contextmanager
def opened_office() -> Iterator[Office]:
    """The office on a port of its own."""
    office = Office()
    with served(office.app()) as office.url:
        yield office
