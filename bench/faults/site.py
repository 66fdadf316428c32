"""The site: apps that store records and count submissions, with the faults of one run."""

import asyncio
import copy
import json
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from bench.faults import html_pages
from bench.faults.apps import APPS, Goal, Row
from bench.faults.cases import Case
from bench.faults.refusals import BROKEN, EXTRA, LOST, Refusal, find_refusal

PAGES = Path(__file__).with_name("pages")
SINGLE = ("contacts", "orders", "settings", "tickets")
SAVE_S = 0.1  # a save without a delay fault
Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission; `accepted` if it changed the records."""

    op: str
    row: int | None
    values: Values
    accepted: bool


@dataclass
class Site:
    """The server's side of one run: its records, and every submission in order."""

    case: Case | None = None
    goal: Goal | None = None
    rows: list[Row] = field(default_factory=list)
    handed: list[Submission] = field(default_factory=list)
    refusals: int = 0
    draft: Values = field(default_factory=dict)  # the values of the wizard's first page
    notice: str = ""

    def begin(self, case: Case) -> Goal:
        """Reset everything for a run; returns its goal."""
        app = APPS[case.app]
        self.case, self.goal = case, app.goal(random.Random(case.seed))
        self.rows, self.handed = copy.deepcopy(list(app.rows)), []
        self.refusals, self.draft, self.notice = 0, {}, ""
        return self.goal

    def app(self) -> Starlette:
        """The routes."""
        routes: list[BaseRoute] = [
            Mount("/pages", StaticFiles(directory=PAGES)),
            Route("/suppliers", self._suppliers),
            Route("/suppliers/new", self._supplier_form),
            Route("/suppliers/save", self._save_supplier, methods=["POST"]),
            Route("/bookings", self._bookings),
            Route("/bookings/new", self._booking_form),
            Route("/bookings/new", self._draft_booking, methods=["POST"]),
            Route("/bookings/room", self._room_form),
            Route("/bookings/save", self._save_booking, methods=["POST"]),
            Route("/sign-in", self._sign_in, methods=["GET", "POST"]),
            Route("/offer", lambda _: HTMLResponse(html_pages.OFFER)),
        ]
        for name in SINGLE:
            routes += [
                Route(f"/{name}", self._single),
                Route(f"/{name}/records", self._records),
                Route(f"/{name}/{'delete' if name == 'orders' else 'save'}", self._post, methods=["POST"]),
            ]  # fmt: skip
        return Starlette(routes=routes)

    def settings(self) -> dict[str, Any]:
        """The fault's description for the page's scripts."""
        if self.case is None:
            return {"variant": "none", "part": "save"}
        app = APPS[self.case.app]
        return {
            "variant": self.case.fault, "part": self.case.part, "ms": self.case.ms,
            "field": app.field, "rows": list(app.more), "extra": EXTRA[0], "extraLabel": EXTRA[1],
        }  # fmt: skip

    async def take(self, op: str, row: int | None, values: Values) -> Refusal | None:
        """Process a submission: stored unless this run's fault refuses it, counted either way."""
        if self.case is None:
            return None
        found = find_refusal(self.case, op, values, first=not self.handed)
        kept = found is None or found.kept
        self.handed.append(Submission(op, row, values, kept))
        self.refusals += found is not None
        if kept:
            self._keep(op, row, values)
        is_slow = self.case.fault in ("slow save", "save with spinner")
        await asyncio.sleep(self.case.ms / 1000 if is_slow else SAVE_S)
        return found

    def _keep(self, op: str, row: int | None, values: Values) -> None:
        if op == "add":
            self.rows.append({**values, "id": 100 + len(self.rows)})
        elif op == "delete":
            self.rows = [one for one in self.rows if one["id"] != row]
        else:
            for one in self.rows:
                if one["id"] == row:
                    one.update(values)

    async def _page(self, title: str, body: str, status: int = 200, after: str = "") -> Response:
        if self.case is not None and self.case.fault == "slow page":
            await asyncio.sleep(self.case.ms / 1000)
        return HTMLResponse(html_pages.document(title, body, self.settings(), after), status)

    async def _suppliers(self, _: Request) -> Response:
        notice, self.notice = self.notice, ""
        return await self._page("Suppliers", html_pages.suppliers(self.rows, notice))

    async def _supplier_form(self, request: Request) -> Response:
        if self._turned_away():
            return RedirectResponse(f"/sign-in?next={quote(request.url.path)}", 303)
        return await self._page("New supplier", html_pages.supplier_form({}, None))

    def _turned_away(self) -> bool:
        """Whether the way to the form leads through the sign-in page, which it does once."""
        expired = self.case is not None and self.case.fault == "expired on the way"
        self.refusals += expired
        return expired and self.refusals == 1

    async def _save_supplier(self, request: Request) -> Response:
        values = await _form(request)
        found = await self.take("add", None, values)
        if found is None:
            self.notice = f"The supplier {values['name']} was saved"
            return RedirectResponse("/suppliers", 303)
        return await self._refusal("New supplier", "/suppliers/new", values, found)

    async def _bookings(self, _: Request) -> Response:
        notice, self.notice = self.notice, ""
        return await self._page("Bookings", html_pages.bookings(self.rows, notice))

    async def _booking_form(self, request: Request) -> Response:
        if self._turned_away():
            return RedirectResponse(f"/sign-in?next={quote(request.url.path)}", 303)
        return await self._page("New booking", html_pages.booking_form({}, None))

    async def _draft_booking(self, request: Request) -> Response:
        self.draft = await _form(request)
        lacking = [name for name in ("title", "date") if not self.draft.get(name)]
        if lacking:
            errors = {name: f"{name.capitalize()} is required" for name in lacking}
            body = html_pages.booking_form(self.draft, Refusal(errors=errors))
            return await self._page("New booking", body, 422)
        return RedirectResponse("/bookings/room", 303)

    async def _room_form(self, _: Request) -> Response:
        return await self._page("Room and guests", html_pages.room_form({}, None))

    async def _save_booking(self, request: Request) -> Response:
        values = {**self.draft, **await _form(request)}
        found = await self.take("add", None, values)
        if found is None:
            self.notice = f"The booking {values['title']} was confirmed"
            return RedirectResponse("/bookings", 303)
        return await self._refusal("Room and guests", "/bookings/new", values, found)

    async def _refusal(self, title: str, form: str, values: Values, found: Refusal) -> Response:
        """The form again with the complaint, or a redirect to the sign-in page."""
        if found.sign_in in ("page", "again"):
            to = f"?next={quote(form)}" if found.sign_in == "again" else ""
            return RedirectResponse(f"/sign-in{to}", 303)
        if found.sign_in == "unseen":
            save = f"{form.rpartition('/')[0]}/save"
            return await self._page("One moment", html_pages.renewing(save, values), found.status)
        kept = {name: "" if name in found.clear else value for name, value in values.items()}
        draw = html_pages.supplier_form if title == "New supplier" else html_pages.room_form
        after = html_pages.SIGN_IN if found.sign_in == "dialog" else ""
        if found.error in (LOST, BROKEN):
            return await self._page("Error", f"<h1>{found.error}</h1>", found.status)
        status = found.status if found.status != 200 else 422
        return await self._page(title, draw(kept, found), status, after)

    async def _sign_in(self, request: Request) -> Response:
        return await self._page("Sign in", html_pages.sign_in(request.query_params.get("next", "")))

    async def _single(self, request: Request) -> Response:
        return HTMLResponse(html_pages.single_page(request.url.path[1:], self.settings()))

    async def _records(self, _: Request) -> Response:
        if self.case is not None and self.case.fault == "skeleton":
            await asyncio.sleep(self.case.ms / 1000)
        return JSONResponse({"records": self.rows})

    async def _post(self, request: Request) -> Response:
        path = request.url.path
        op, row, values = self._meant(path, json.loads(await request.body()))
        found = await self.take(op, row, values)
        if found is None:
            return JSONResponse({"records": self.rows})
        if found.sign_in:
            place = path.rpartition("/")[0]
            return JSONResponse(_way_in(found.sign_in, place), 401)
        told = {"errors": found.errors or None, "error": found.error or None, "clear": found.clear}
        return JSONResponse(told, found.status if found.status != 200 else 422)

    def _meant(self, path: str, sent: dict[str, Any]) -> tuple[str, int | None, Values]:
        """The operation, record and values in the body of a single page's request."""
        if path == "/orders/delete":
            return "delete", int(sent["id"]), {}
        if path == "/settings/save":
            before = {one["id"]: one["on"] for one in self.rows}
            turned = [one for one in sent["switches"] if one["on"] != before[one["id"]]]
            row = turned[0]["id"] if len(turned) == 1 else None
            return "set", row, {"on": str(turned[0]["on"]).lower()} if row else {}
        row = sent.pop("id", None)
        values = {name: str(value) for name, value in sent.items()}
        return ("change", int(row), values) if row else ("add", None, values)


def _way_in(sign_in: str, place: str) -> dict[str, Any]:
    if sign_in == "unseen":
        return {"again": 1200}
    if sign_in == "dialog":
        return {"error": "", "dialog": html_pages.SIGN_IN}
    return {"location": "/sign-in" + (f"?next={quote(place)}" if sign_in == "again" else "")}


async def _form(request: Request) -> Values:
    return dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
