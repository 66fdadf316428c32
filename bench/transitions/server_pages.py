"""Server-rendered pages: contacts in one style, bookings in another."""
# ruff: noqa: E501 (tables of scenes and pages read best as whole lines)

from html import escape
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from bench.transitions.site import Site

_SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} · Contacts</title>
<style>body{{font:16px sans-serif;margin:2em}}.error{{color:#b00}}.flash{{background:#dfd;padding:.5em}}</style>
</head><body><nav aria-label="Main"><a href="/contacts">Contacts</a> <a href="/contacts/new">New contact</a>
<a href="/contacts/report">Report</a> <a href="/contacts/gone">Archive</a></nav><main><h1>{title}</h1>{body}</main></body></html>"""
_BARE = """<!doctype html><html><head><meta charset="utf-8"><title>{title}</title></head><body bgcolor="#ffffff">
<table width="100%"><tr><td><b>Hotel desk</b></td><td><a href="/bookings">All bookings</a> | <a href="/bookings/new">Book a room</a>
| <a href="/bookings/terms">Terms</a></td></tr></table><h2>{title}</h2>{body}<hr><small>Hotel desk 2.1</small></body></html>"""
_FIELDS = ("name", "email", "city")


def contacts(site: Site) -> tuple[Route, ...]:
    """The routes of both, over the records of the site."""
    one, two = _Contacts(site), _Bookings(site)
    return (
        Route("/contacts", one.all),
        Route("/contacts", one.create, methods=["POST"]),
        Route("/contacts/new", one.new),
        Route("/contacts/report", one.report),
        Route("/contacts/{number:int}/edit", one.edit),
        Route("/contacts/{number:int}/edit", one.change, methods=["POST"]),
        Route("/contacts/{number:int}/delete", one.remove, methods=["POST"]),
        Route("/login", one.login),
        Route("/login", one.sign_in, methods=["POST"]),
        Route("/bookings", two.all),
        Route("/bookings/new", two.new),
        Route("/bookings/new", two.create, methods=["POST"]),
        Route("/bookings/{number:int}", two.one),
        Route("/bookings/{number:int}", two.change, methods=["POST"]),
        Route("/bookings/terms", two.terms),
    )


async def _form(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))


class _Contacts:
    """Labels, a navigation, messages with roles; after a save the list with a message on top."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def page(self, title: str, body: str, status: int = 200) -> Response:
        flash, self.site.flash = self.site.flash, ""
        told = f'<div class="flash" role="status">{escape(flash)}</div>' if flash else ""
        return HTMLResponse(_SHELL.format(title=title, body=told + body), status)

    def away(self) -> Response | None:
        if self.site.signed_in:
            return None
        self.site.flash = "Your session has expired. Please sign in again."
        return RedirectResponse("/login", 303)

    async def all(self, request: Request) -> Response:
        if gone := self.away():
            return gone
        sought = request.query_params.get("q", "")
        rows = "".join(
            f"<tr><td>{escape(row['name'])}</td><td>{escape(row.get('email', ''))}</td><td>"
            f'<a href="/contacts/{row["id"]}/edit">Edit</a> <form method="post" style="display:inline" '
            f'action="/contacts/{row["id"]}/delete"><button>Delete</button></form></td></tr>'
            for row in self.site.rows
            if sought.casefold() in row["name"].casefold()
        )
        empty = "" if rows else f"<p>No contacts match {escape(sought)}.</p>"
        search = f"""<form role="search"><label>Search contacts <input name="q" value="{escape(sought)}"></label>
<button>Search</button></form>"""
        head = "<tr><th>Name</th><th>Email</th><th>Actions</th></tr>"
        return self.page("Contacts", f"{search}<table>{head}{rows}</table>{empty}")

    def form(self, action: str, given: dict[str, Any], wrong: dict[str, str]) -> str:
        fields = ""
        for key in _FIELDS:
            said = wrong.get(key, "")
            note = f'<span class="error" id="{key}-e">{escape(said)}</span>' if said else ""
            marked = f'aria-invalid="true" aria-describedby="{key}-e"' if said else ""
            value = escape(str(given.get(key, "")))
            fields += f'<p><label>{key.title()} <input name="{key}" value="{value}" {marked}></label>{note}</p>'
        top = wrong.get("", "")
        alert = f'<div role="alert" class="error">{escape(top)}</div>' if top else ""
        return f'{alert}<form method="post" action="{action}">{fields}<button>Save contact</button> <a href="/contacts">Cancel</a></form>'

    async def new(self, _: Request) -> Response:
        return self.away() or self.page("New contact", self.form("/contacts", {}, {}))

    async def edit(self, request: Request) -> Response:
        row = self.site.get(request.path_params["number"]) or {}
        return self.away() or self.page(
            f"Edit {row.get('name', '')}", self.form(request.url.path, row, {})
        )

    async def create(self, request: Request) -> Response:
        given = await _form(request)
        return await self._take("New contact", "/contacts", given, lambda: self.site.add(given))

    async def change(self, request: Request) -> Response:
        given, row = await _form(request), self.site.get(request.path_params["number"])
        store = lambda: row.update(given) if row else None  # noqa: E731
        return await self._take("Edit contact", request.url.path, given, store)

    async def _take(self, title: str, path: str, given: dict[str, str], store: Any) -> Response:
        wrong = {} if given.get("name", "").strip() else {"name": "Enter a name."}
        if given.get("email") and "@" not in given["email"]:
            wrong["email"] = "This is not an e-mail address."
        if wrong:
            wrong[""] = "The contact could not be saved. Please check the fields below."
            return self.page(title, self.form(path, given, wrong), 422)
        if self.site.mode == "quiet":  # as some sites do: the form again, without a message
            return self.page(title, self.form(path, given, {}))
        status, told = await self.site.taken(store)
        if status == 401:
            self.site.signed_in = False
            return self.away() or Response()
        if status == 422:
            return self.page(title, self.form(path, given, {"": str(told)}), 422)
        if status == 500:
            return HTMLResponse(
                "<!doctype html><title>500</title><h1>Internal Server Error</h1>", 500
            )
        self.site.flash = f"{given['name']} was saved."
        return RedirectResponse("/contacts", 303)

    async def remove(self, request: Request) -> Response:
        number = request.path_params["number"]
        row = self.site.get(number) or {"name": "?"}

        def drop() -> None:
            self.site.rows = [one for one in self.site.rows if one["id"] != number]

        status, told = await self.site.taken(drop)
        said = f"{row['name']} was deleted." if status == 200 else str(told)
        self.site.flash = said if self.site.mode != "silent" else ""
        return RedirectResponse("/contacts", 303)

    async def report(self, _: Request) -> Response:
        body = "".join(f"<p id=part{n}>Part {n} of the report.</p>" + "<br>" * 30 for n in range(9))
        return self.page("Report", body + '<a href="#part8">To the end</a>')

    async def login(self, _: Request) -> Response:
        return self.page(
            "Sign in",
            """<form method="post" action="/login"><p><label>Username <input name="user"></label></p><p><label>Password
<input name="password" type="password"></label></p><button>Sign in</button></form>""",
        )

    async def sign_in(self, request: Request) -> Response:
        given = await _form(request)
        if given.get("password") != "open-sesame":
            self.site.flash = "Wrong username or password."
            return await self.login(request)
        self.site.signed_in = True
        return RedirectResponse("/contacts", 303)


class _Bookings:
    """Layout tables, no roles, answers as plain sentences on their own page."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def page(self, title: str, body: str, status: int = 200) -> Response:
        return HTMLResponse(_BARE.format(title=title, body=body), status)

    def form(self, given: dict[str, Any], said: str = "") -> str:
        top = f"<p><font color=red>{escape(said)}</font></p>" if said else ""
        rooms = "".join(
            f"<option{' selected' if given.get('room') == room else ''}>{room}</option>"
            for room in ("Choose a room", "Single", "Double", "Suite")
        )
        return f"""{top}<form method=post><table>
<tr><td>Guest</td><td><input name=name value="{escape(str(given.get("name", "")))}"></td></tr>
<tr><td>Arrival</td><td><input name=arrival type=date value="{escape(str(given.get("arrival", "")))}"></td></tr>
<tr><td>Room</td><td><select name=room>{rooms}</select></td></tr>
<tr><td>Breakfast</td><td><input name=breakfast type=checkbox></td></tr>
<tr><td></td><td><input type=submit value="Book now"> <input type=reset value="Start over"></td></tr></table></form>"""

    async def all(self, _: Request) -> Response:
        rows = "".join(
            f'<tr><td><a href="/bookings/{row["id"]}">{escape(row["name"])}</a></td><td>{row.get("room", "Single")}</td></tr>'
            for row in self.site.rows
        )
        return self.page("Bookings", f"<table border=1>{rows}</table>")

    async def new(self, _: Request) -> Response:
        return self.page("Book a room", self.form({}))

    async def create(self, request: Request) -> Response:
        given = await _form(request)
        if given.get("room") == "Choose a room":
            return self.page("Book a room", self.form(given, "You forgot to choose a room."))
        if not given.get("name"):
            return self.page("Book a room", self.form(given, "Who is the guest?"))
        if self.site.mode == "full":
            return self.page("Book a room", self.form(given, "We are fully booked on that day."))
        status, told = await self.site.taken(lambda: self.site.add(given))
        if status != 200:
            return self.page("Something went wrong", f"<p>{escape(str(told))}</p>", status)
        if self.site.mode == "lie":
            return self.page("Book a room", self.form({}))
        number = told["id"]
        return self.page(
            "Thank you",
            f"<p>Your room is reserved, {escape(given['name'])}.</p><p>Your booking number is {4000 + number}.</p>",
        )

    async def one(self, request: Request) -> Response:
        row = self.site.get(request.path_params["number"])
        if row is None:
            return self.page("Bookings", "<p>There is no booking of that number.</p>", 404)
        return self.page(
            f"Booking of {row['name']}",
            self.form(row)
            + f"<form method=post><button name=cancel value=1>Cancel booking {row['id']}</button></form>",
        )

    async def change(self, request: Request) -> Response:
        given, number = await _form(request), request.path_params["number"]
        row = self.site.get(number) or {}
        if "cancel" in given:
            if self.site.mode == "late":
                return self.page(
                    f"Booking of {row['name']}", "<p>It is too late to cancel this booking.</p>"
                )
            self.site.rows = [one for one in self.site.rows if one["id"] != number]
            return self.page("Bookings", f"<p>Booking {number} no longer exists.</p>")
        row.update(given)
        return self.page(
            f"Booking of {row.get('name', '')}", self.form(row) + "<p>Changes were stored.</p>"
        )

    async def terms(self, _: Request) -> Response:
        return self.page("Terms", "<p>Rooms are ready at three.</p>")
