"""The pages that the site's server renders."""

import html
import json
from collections.abc import Iterable, Mapping
from typing import Any

from bench.faults.refusals import EXTRA, Refusal

_DOCUMENT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/pages/site.css">
<script>const FAULT = {settings};</script><script src="/pages/faults.js"></script></head><body>
<header><a href="/suppliers">Suppliers</a><a href="/contacts">Contacts</a><a href="/orders">Orders</a>
<a href="/bookings">Bookings</a><a href="/tickets">Tickets</a><a href="/settings">Settings</a></header>
<main>{body}</main>{after}</body></html>"""
SIGN_IN = """<div class="backdrop"><div class="card" role="dialog" aria-modal="true" aria-label="Sign in">
<h2>Sign in</h2><p role="alert">Your session has expired. Please sign in again.</p>
<form onsubmit="return false"><p class="field"><label>User <input name="user"></label></p>
<p class="field"><label>Password <input name="password" type="password"></label></p>
<button>Sign in</button></form></div></div>"""
_SIGN_IN_PAGE = """<h1>Sign in</h1><p role="alert">Your session has expired. Please sign in again.</p>
<form method="post" action="/sign-in"><p><label>User <input name="user"></label></p>
<p><label>Password <input name="password" type="password"></label></p><button>Sign in</button></form>"""
_AGAIN = """<h1>One moment</h1><p role="status">Your session has expired. Signing you in again…</p>
<script>setTimeout(() => location.replace({to}), 1200)</script>"""
_UNSEEN = """<h1>One moment</h1><p role="status">Renewing your session…</p>
<form method="post" action="{to}" hidden>{fields}</form>
<script>setTimeout(() => document.querySelector("form").submit(), 1200)</script>"""
OFFER = '<h1>Special offer</h1><p>Only today.</p><button onclick="window.close()">Close</button>'
SUPPLIER = (
    ("name", "Name", "text"),
    ("phone", "Phone", "text"),
    ("email", "Email", "email"),
    ("city", "City", "text"),
)
BOOKING = (("title", "Title", "text"), ("date", "Date", "text"))
ROOMS = ("", "Garden", "Library", "Attic")


def document(title: str, body: str, settings: Mapping[str, Any], after: str = "") -> str:
    """A whole page; `settings` describe the fault to its scripts."""
    told = json.dumps(settings).replace("<", "\\u003c")
    return _DOCUMENT.format(title=title, body=body, settings=told, after=after)


def single_page(name: str, settings: Mapping[str, Any]) -> str:
    """An app rendered by its own script."""
    waiting = '<div class="skeleton"></div>' * 5
    scripts = f'<script src="/pages/app.js"></script><script src="/pages/{name}.js"></script>'
    return document(name.capitalize(), waiting, settings, scripts)


def suppliers(rows: Iterable[Mapping[str, Any]], notice: str) -> str:
    """The list with the last notice."""
    return _list("Suppliers", "supplier", _table(("name", "phone", "city"), rows), notice)


def bookings(rows: Iterable[Mapping[str, Any]], notice: str) -> str:
    """The list with the last notice."""
    return _list("Bookings", "booking", _table(("title", "date", "room", "guests"), rows), notice)


def _list(title: str, thing: str, table: str, notice: str) -> str:
    said = f'<p class="notice" role="status">{html.escape(notice)}</p>' if notice else ""
    new = f'<a class="button part-open" href="/{thing}s/new">New {thing}</a>'
    return f'<h1>{title}</h1>{said}<p class="tools">{new}</p>{table}'


def supplier_form(values: Mapping[str, str], refusal: Refusal | None) -> str:
    """A form with one submission."""
    fields = _fields(SUPPLIER, values, refusal)
    return f"""<h1>New supplier</h1>
<form method="post" action="/suppliers/save" aria-label="New supplier" novalidate>{fields}
<p><button class="part-save">Save supplier</button>
<a class="button plain" href="/suppliers">Cancel</a></p></form>"""


def booking_form(values: Mapping[str, str], refusal: Refusal | None) -> str:
    """The first page of two."""
    fields = _fields(BOOKING, values, refusal)
    return f"""<h1>New booking</h1><p>Step 1 of 2</p>
<form method="post" action="/bookings/new" aria-label="New booking" novalidate>{fields}
<p><button class="part-next">Next</button></p></form>"""


def room_form(values: Mapping[str, str], refusal: Refusal | None) -> str:
    """The second page, which submits everything."""
    options = "".join(
        f"<option{' selected' if r == values.get('room') else ''}>{r}</option>" for r in ROOMS
    )
    again = _fields(BOOKING, values, refusal) if refusal and refusal.errors else _said(refusal)
    guests = _fields((("guests", "Guests", "number"),), values, None)
    return f"""<h1>Room and guests</h1><p>Step 2 of 2</p>
<form method="post" action="/bookings/save" aria-label="Room" novalidate>{again}
<p><label for="room">Room</label> <select id="room" name="room">{options}</select></p>
{guests}<p><button class="part-save">Confirm booking</button></p></form>"""


def sign_in(again_to: str) -> str:
    """The sign-in page: it returns to `again_to` by itself, or waits for a person if that is empty."""
    return _AGAIN.format(to=json.dumps(again_to)) if again_to else _SIGN_IN_PAGE


def renewing(to: str, values: Mapping[str, str]) -> str:
    """A page that resubmits a refused form by itself."""
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value, quote=True)}">'
        for name, value in values.items()
    )
    return _UNSEEN.format(to=to, fields=fields)


def _fields(
    fields: Iterable[tuple[str, str, str]], values: Mapping[str, str], refusal: Refusal | None
) -> str:
    errors = refusal.errors if refusal else {}
    more = ((*EXTRA, "text"),) if EXTRA[0] in errors else ()
    return _said(refusal) + "".join(_field(*one, values, errors) for one in (*fields, *more))


def _said(refusal: Refusal | None) -> str:
    return f'<p class="error" role="alert">{refusal.error}</p>' if refusal and refusal.error else ""


def _field(
    name: str, label: str, kind: str, values: Mapping[str, str], errors: Mapping[str, str]
) -> str:
    value = html.escape(values.get(name, ""), quote=True)
    said = errors.get(name)
    marked = f' aria-invalid="true" aria-describedby="{name}-error"' if said else ""
    told = f' <span class="error" id="{name}-error">{said}</span>' if said else ""
    field = f'<input id="{name}" name="{name}" type="{kind}" value="{value}"{marked}>'
    return f'<p><label for="{name}">{label}</label> {field}{told}</p>'


def _table(names: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> str:
    names = tuple(names)
    head = "".join(f"<th>{name.capitalize()}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(row.get(n, '')))}</td>" for n in names) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
