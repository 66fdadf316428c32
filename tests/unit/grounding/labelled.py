"""What a person would expect on the pages of `pages`: (page, phrase, how it was said, expected).

Expected is an id, several with blanks between, "?" for ambiguous, "-" for absent. `said` holds the
rest of a `Target`, and `verb` and `value`.
"""

from typing import Any, NamedTuple

from app.domain.page import Tree
from tests.unit.grounding.pages import (
    ADMIN,
    CALENDAR,
    DIALOG,
    FORM,
    INBOX,
    LOGIN,
    MENUS,
    RESULTS,
    SETTINGS,
    SHOP,
    TOOLBAR,
    WIZARD,
)  # fmt: skip


class Case(NamedTuple):
    page: Tree
    phrase: str
    said: dict[str, Any]
    expected: str


def on(page: Tree, *rows: tuple[Any, ...]) -> list[Case]:
    return [Case(page, row[0], row[1] if len(row) == 3 else {}, row[-1]) for row in rows]


TUNED = [
    *on(
        ADMIN,
        ("Add user", "t2"), ("add a user", "t2"), ("New user", "t2"), ("Reports", "n3"),
        ("reprots", "n3"), ("dashboard", {"role": "link"}, "n1"), ("Export", "t3"),
        ("export csv", {"role": "btn"}, "t3"), ("Edit", "?"), ("Delete", {"role": "btn"}, "?"),
        ("Edit", {"within": "Maria Lopez"}, "b2"), ("Edit", {"within": "the row of Jas Patel"}, "a2"),
        ("delete", {"within": "jas patel"}, "a3"), ("Edit", {"near": "Tom O'Neill"}, "c2"),
        ("Edit", {"ordinal": 2}, "b2"), ("Edit", {"ordinal": -1}, "c2"), ("Edit", {"ordinal": 5}, "-"),
        ("Edit", {"within": "the third row"}, "c2"), ("Edit", {"all": True}, "a2 b2 c2"),
        ("Delete", {"within": "Peter Pan"}, "-"), ("Jas Patel", {"verb": "delete"}, "a3"),
        ("Maria Lopez", {"verb": "edit"}, "b2"), ("Maria Lopez", {"verb": "open"}, "b1"),
        ("Tom O\u2019Neill", "c1"), ("Flight", "-"), ("Book a flight", "-"), ("Orders", "n4"),
        ("Next", "p5"), ("next page", "p5"), ("2", "p3"), ("Search users", {"verb": "fill"}, "t1"),
        ("role", {"verb": "select", "value": "Admin"}, "t4"), ("Maria", {"verb": "check"}, "b0"),
        ("", {"role": "chk", "all": True, "verb": "check"}, "a0 b0 c0"),
        ("", {"role": "chk", "ordinal": 2, "verb": "check"}, "b0"),
        ("user", {"verb": "create"}, "t2"), ("account", "n5"), ("Import CSV", "-"),
        ("", {"role": "chk", "all": True, "verb": "check", "excluding": ("Select Jas Patel",)}, "b0 c0"),
        ("Edit", {"quoted": True, "within": "Jas Patel"}, "a2"), ("Invite", {"quoted": True}, "-"),
        ("users", {"role": "link"}, "n2"),
    ),
    *on(
        LOGIN,
        ("Sign in", "s"), ("log in", "s"), ("Login", {"role": "btn"}, "s"), ("sign up", "n2"),
        ("register", "n2"), ("email", {"verb": "fill"}, "u"), ("password", {"verb": "fill"}, "p"),
        ("Remember me", {"verb": "check"}, "r"), ("remember", {"verb": "check"}, "r"),
        ("forgot password", "f"), ("Google", "g"), ("terms", "x"), ("privacy policy", "y"),
        ("", {"verb": "submit"}, "s"), ("logout", "-"), ("username", {"verb": "fill"}, "u"),
        ("pasword", {"verb": "fill"}, "p"), ("", {"role": "btn", "ordinal": 1}, "s"),
        ("", {"verb": "login"}, "s"), ("Sign in with Apple", "-"),
        ("Log out", {"quoted": True}, "-"), ("e-mail", {"verb": "fill"}, "u"),
    ),
    *on(
        SHOP,
        ("Add to cart", "?"), ("Add to cart", {"within": "Blue Teapot"}, "j2"),
        ("add to cart", {"ordinal": 1}, "i2"), ("add to basket", {"within": "red mug"}, "i2"),
        ("basket", "h4"), ("cart", {"role": "link"}, "h4"), ("Red Mug", "i1"), ("red mugs", "i1"),
        ("search", {"verb": "fill"}, "h2"), ("Search", "h3"), ("search button", "h3"),
        ("In stock only", {"verb": "check"}, "f1"), ("sale", {"verb": "check"}, "f2"),
        ("sort by", {"verb": "select", "value": "Newest"}, "f4"), ("contact", "z3"),
        ("Home", {"within": "footer"}, "z1"), ("like", {"within": "Green Plate"}, "k3"),
        ("teapot", "j1"), ("Yellow Bowl", "-"), ("shipping", "z2"), ("Sign in", "h5"),
        ("max price", {"verb": "fill"}, "f3"), ("clear filters", "f5"), ("wishlist", "-"),
    ),
    *on(
        INBOX,
        ("Inbox", "f1"), ("drafts", "f3"), ("Trash", "f4"), ("Compose", "f6"), ("Delete", "t3"),
        ("Reply", "?"), ("Reply", {"within": "Bob Stone"}, "b3"), ("star", {"near": "Carol White"}, "c2"),
        ("Invoice 4411", {"verb": "open"}, "b1"), ("select all", {"verb": "check"}, "t1"),
        ("minutes of the meeting", {"verb": "open"}, "c1"), ("more", "t5"), ("mark as unread", "-"),
        ("", {"role": "row", "ordinal": 2}, "b1"), ("Alice Brown", {"verb": "check"}, "a0"),
        ("Reply", {"ordinal": -1}, "c3"), ("archvie", "t2"), ("spam", {"role": "link"}, "f5"),
        ("Snooze", "-"),
    ),
    *on(
        SETTINGS,
        ("Security", "t3"), ("billing", {"role": "tab"}, "t4"), ("notifications tab", "t2"),
        ("Save", "g"), ("save changes", "g"), ("Dark mode", {"verb": "check"}, "e"),
        ("language", {"verb": "select", "value": "Deutsch"}, "c"), ("timezone", {"verb": "select"}, "d"),
        ("Change", "?"), ("Change", {"within": "avatar"}, "v"), ("Remove", {"within": "Cover photo"}, "y"),
        ("bio", {"verb": "fill"}, "b"), ("Delete account", "z"), ("Delete my account", "z"),
        ("show my email", {"verb": "uncheck"}, "f"), ("Two-factor authentication", "-"),
        ("", {"role": "tab", "ordinal": 3}, "t3"), ("discard", "h"),
        ("", {"role": "tab", "ordinal": -1}, "t4"),
    ),
    *on(
        FORM,
        ("First name", {"verb": "fill"}, "a"), ("surname", {"verb": "fill"}, "b"),
        ("dob", {"verb": "fill"}, "c"), ("birthday", {"verb": "fill"}, "c"),
        ("Male", {"verb": "select"}, "s2"),
        ("Other", {"role": "rad"}, "s3"), ("email", {"verb": "fill"}, "e"), ("phone", {"verb": "fill"}, "f"),
        ("zip code", {"verb": "fill"}, "h"), ("country", {"verb": "select", "value": "France"}, "j"),
        ("Travel", {"verb": "check"}, "k3"), ("terms", {"verb": "check"}, "n"),
        ("notes", {"verb": "fill"}, "m"), ("Reset", "q"), ("Register", "r"), ("sign up", "r"),
        ("", {"verb": "submit"}, "r"), ("CV", {"role": "file"}, "o"), ("middle name", {"verb": "fill"}, "-"),
        ("Female", {"within": "Sex"}, "s1"), ("town", {"verb": "fill"}, "i"),
        ("", {"role": "chk", "all": True, "within": "Interests", "verb": "check"}, "k1 k2 k3"),
        ("United Kingdom", {"verb": "select"}, "j"), ("company", {"verb": "fill"}, "-"),
    ),
    *on(
        WIZARD,
        ("City", {"verb": "fill"}, "?"), ("City", {"verb": "fill", "within": "shipping address"}, "e"),
        ("zip", {"verb": "fill", "within": "Billing"}, "c"), ("Continue", "z"), ("next", "z"),
        ("back", "x"), ("Save", "y"), ("cancel", "w"), ("Payment", "s3"), ("Submit", "-"),
        ("same as billing", {"verb": "check"}, "g"), ("City", {"verb": "fill", "ordinal": 2}, "e"),
    ),
    *on(
        DIALOG,
        ("Save", "s"), ("Save", {"quoted": True}, "s"), ("save and add another", "v"), ("Close", "x"),
        ("Cancel", "c"), ("name", {"verb": "fill"}, "n"), ("dialog", {"verb": "close"}, "x"),
        ("", {"verb": "submit"}, "s"), ("Save", {"within": "the dialog"}, "s"),
        ("Delete patient", "-"), ("phone number", {"verb": "fill"}, "p"),
    ),
    *on(
        TOOLBAR,
        ("bold", "b"), ("italic", "i"), ("underline", "u"), ("link", "l"), ("delete", "d"), ("trash", "d"),
        ("undo", "z"), ("redo", "y"), ("more", "m"), ("search", "s"), ("settings", "g"), ("help", "q"),
        ("image", "p"), ("strikethrough", "-"),
    ),
    *on(
        CALENDAR,
        ("22", "d22"), ("1", "d1"), ("next month", "b"), ("previous", "a"), ("today", "t"),
        ("2", {"quoted": True}, "d2"), ("November", "m"), ("31", "-"), ("clear", "c"),
    ),
    *on(
        RESULTS,
        ("Adopt a cat", "c"), ("", {"role": "link", "ordinal": 1, "within": "results"}, "a"),
        ("", {"role": "row", "ordinal": 3}, "c"), ("next", "pn"), ("2", {"role": "link"}, "p2"),
        ("Search", {"verb": "fill"}, "q"), ("Search", {"role": "btn"}, "s"), ("Search", "s"),
        ("cat food", "d"), ("dog food", "-"), ("tabby", "?"),
    ),
    *on(
        MENUS,
        ("Save", "f3"), ("Save as", "f4"), ("New", "f1"), ("Export", {"role": "menu"}, "f5"),
        ("Edit", "m2"), ("Tab #2", "w2"), ("tab", {"ordinal": 2, "role": "tab"}, "w2"),
        ("Page 3", "w4"), ("page", {"ordinal": 3}, "w4"), ("readme", "e3"), ("tests", {"role": "tree"}, "e2"),

        ("Patient", "m4"), ("New patient", "-"), ("Open", "f2"), ("quit", "f6"), ("Print", "-"),
    ),
]  # fmt: skip
