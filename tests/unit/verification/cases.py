"""Transitions by what came of them: (before, after, action)."""

from app.domain.action import action
from app.domain.page import MASK
from tests.unit.verification.looks import (
    CLICK_SAVE,
    FORM,
    SET_NAME,
    alter,
    form,
    having,
    n,
    page,
    saw,
    toast,
)

FILLED = form("Jas Patel")
MENU_SHUT = page(n("1", "btn", "Patient", "collapsed haspopup"), n("2", "link", "Help"))
LIST = page(n("1", "link", "Patients"), n("30", "row", "Ann Lee 1980"), n("31", "btn", "New"))
LOGIN = page(
    n("60", "inp", "Email"),
    n("61", "inp", "Password", input_type="password"),
    n("62", "btn", "Sign in"),
    url="https://app.example.org/login",
)
FULL_LOGIN = alter(alter(LOGIN, "60", value="a@b.org"), "61", value=MASK)
SLIDER = page(n("80", "range", "Volume"), n("81", "btn", "Apply"))

WORKED = {
    "signed in": (
        FULL_LOGIN,
        page(n("1", "btn", "Log out"), url="https://app.example.org/"),
        action("click", "62"),
    ),
    "save answered in plain text": (FILLED, having(FILLED, summary="Patient saved"), CLICK_SAVE),
    "a suggestion that went into its field": (
        having(
            form("Jas"),
            n("71", "opt", "Jas Patel"),
            n("72", "opt", "Jas Porter"),
        ),
        form("Jas Patel"),
        action("click", "71"),
    ),
    "value read back": (form(), form("Jas Patel"), SET_NAME),
    "a slider that only the page can read": (SLIDER, SLIDER, action("setValue", "80", "7")),
    "a cell that is called what it holds": (
        page(n("90", "el", "41", group="row: Jas")),
        page(n("90", "el", "42", group="row: Jas")),
        action("setValue", "90", "42"),
    ),
    "a slider that is told by its place": (
        alter(SLIDER, "80", value="12.5 %"),
        alter(SLIDER, "80", value="63.5 %"),
        action("setValue", "80", "5"),
    ),
    "value in other case and spaces": (form(), form(" jas  patel"), SET_NAME),
    "a date in the page's own spelling": (
        form(),
        alter(form(), "11", value="1990-01-05"),
        action("setValue", "11", "05/01/1990"),
    ),
    "a number with separators": (
        form(),
        form("1,234.50"),
        action("setValue", "10", "1234.5"),
    ),
    "a telephone number with spaces": (
        form(),
        form("+49 30 1234"),
        action("setValue", "10", "+49301234"),
    ),
    "a value that became a tag": (
        form(),
        having(form(), n("40", "btn", "Jas Patel remove", group=FORM)),
        SET_NAME,
    ),
    "field emptied": (FILLED, form(), action("setValue", "10", "")),
    "password masked": (
        LOGIN,
        alter(LOGIN, "61", value=MASK),
        action("setValue", "61", "s3cret"),
    ),
    "field drawn anew under another id": (
        form(),
        alter(form("Jas Patel"), "10", id="77"),
        SET_NAME,
    ),
    "option chosen": (form(), form(note="Female"), action("selectOption", "12", "female")),
    "box ticked": (
        form(),
        alter(form(), "13", states=frozenset({"checked"})),
        action("setChecked", "13", True),
    ),
    "box ticked by click": (
        form(),
        alter(form(), "13", states=frozenset({"checked"})),
        action("click", "13"),
    ),
    "menu opened, state told": (
        MENU_SHUT,
        having(
            alter(MENU_SHUT, "1", states=frozenset({"expanded", "haspopup"})), n("5", "menu", "New")
        ),
        action("click", "1"),
    ),
    "menu opened, only items come": (
        MENU_SHUT,
        having(MENU_SHUT, n("5", "menu", "New")),
        action("click", "1"),
    ),
    "link went": (LIST, page(url="https://app.example.org/x"), action("click", "1")),
    "tab selected": (
        page(n("1", "tab", "Notes"), n("2", "tab", "Info", "selected")),
        page(n("1", "tab", "Notes", "selected"), n("2", "tab", "Info")),
        action("click", "1"),
    ),
    "field focused": (
        form(),
        alter(form(), "11", states=frozenset({"focused"})),
        action("click", "11"),
    ),
    "dialog opened": (
        LIST,
        having(LIST, n("50", "inp", "Name", group="dialog: New patient")),
        action("click", "31"),
    ),
    "save answered by a message": (FILLED, having(FILLED, toast("Patient created")), CLICK_SAVE),
    "save answered in German": (
        FILLED,
        having(FILLED, toast("Erfolgreich gespeichert")),
        CLICK_SAVE,
    ),
    "save answered in Hebrew": (FILLED, having(FILLED, toast("המטופל נשמר")), CLICK_SAVE),
    "save shows the record": (FILLED, having(form(), n("30", "row", "Jas Patel 1990")), CLICK_SAVE),
    "save shows the record in the text": (
        FILLED,
        page(n("1", "link", "Patients"), summary="Patients\nJas Patel"),
        CLICK_SAVE,
    ),
    "save went on": (
        FILLED,
        page(n("2", "btn", "New"), url="https://app.example.org/patients/7"),
        CLICK_SAVE,
    ),
    "scrolled": (page(scroll="0%"), page(scroll="50%"), action("scroll", "page", "down")),
    "address reached": (
        page(),
        page(url="https://www.example.org/a/"),
        action("navigate", "http://example.org/a"),
    ),
    "went back": (page(url="https://a.org/2"), page(url="https://a.org/1"), action("goBack")),
    "escape closed the dialog": (
        page(n("1", "btn", "Yes", group="dialog: Sure?")),
        page(),
        action("pressKey", "Escape"),
    ),
    "tab key moved the focus": (
        form(),
        alter(form(), "11", states=frozenset({"focused"})),
        action("pressKey", "Tab"),
    ),
    "search by Enter": (
        page(n("1", "inp", "Search", "focused", value="lee", input_type="search")),
        page(
            n("1", "inp", "Search", "focused", value="lee", input_type="search"),
            n("9", "row", "Ann Lee"),
        ),
        action("pressKey", "Enter"),
    ),
    "text is there": (
        page(),
        page(summary="Total: 12 EUR"),
        action("verifySuccess", "Total: 12 EUR"),
    ),
}

FAILED = {
    "save refused in plain text": (
        FILLED,
        having(FILLED, summary="Please enter a valid date"),
        CLICK_SAVE,
    ),
    "sign-in refused in plain text": (
        FULL_LOGIN,
        having(LOGIN, summary="Wrong password"),
        action("click", "62"),
    ),
    "value not taken": (form(), form(), SET_NAME),
    "value cut off": (form(), form("Jas"), SET_NAME),
    "other value": (form(), form("Jon"), SET_NAME),
    "decimals are no date": (form(), form("5.1"), action("setValue", "10", "1.5")),
    "option not chosen": (
        form(note="Male"),
        form(note="Male"),
        action("selectOption", "12", "Female"),
    ),
    "box not ticked": (form(), form(), action("setChecked", "13", True)),
    "click left the box": (form(), form(), action("click", "13")),
    "menu stayed shut": (MENU_SHUT, MENU_SHUT, action("click", "1")),
    "save refused": (
        FILLED,
        having(FILLED, toast("Name is already taken", kind="alert")),
        CLICK_SAVE,
    ),
    "save refused in Spanish": (
        FILLED,
        having(FILLED, toast("No se pudo guardar", kind="alert")),
        CLICK_SAVE,
    ),
    "save refused, told by the page script": (
        FILLED,
        having(FILLED, errors=("Server error, try again",)),
        CLICK_SAVE,
    ),
    "field marked invalid": (
        FILLED,
        alter(FILLED, "11", states=frozenset({"invalid"})),
        CLICK_SAVE,
    ),
    "required field empty, silently": (form(), form(), CLICK_SAVE),
    "error page": (FILLED, page(title="500 Internal Server Error"), CLICK_SAVE),
    "link is dead": (
        LIST,
        page(url="https://app.example.org/x", title="404 Not Found"),
        action("click", "1"),
    ),
    "session expired": (FILLED, LOGIN, CLICK_SAVE),
    "address not reached": (page(), page(), action("navigate", "https://other.example.org")),
    "browser's error page": (
        page(),
        page(url="chrome-error://chromewebdata/"),
        action("navigate", "https://a.b"),
    ),
    "back did nothing": (page(), page(), action("goBack")),
    "no more to scroll": (
        page(scroll="100%"),
        page(scroll="100%"),
        action("scroll", "page", "down"),
    ),
    "text is not there": (page(), page(summary="Total: 13"), action("verifySuccess", "Total: 12")),
}

OPEN = {
    "save emptied the form": (FILLED, form(), CLICK_SAVE),
    "stale message but the form was emptied": (
        having(FILLED, toast("Patient created")),
        having(form(), toast("Patient created")),
        CLICK_SAVE,
    ),
    "message in words that are not known": (
        FILLED,
        having(FILLED, toast("A mező üres", kind="alert")),
        CLICK_SAVE,
    ),
    "sign-in form emptied": (FULL_LOGIN, LOGIN, action("click", "62")),
    "save without any answer": (FILLED, FILLED, CLICK_SAVE),
    "save with only a request seen": (FILLED, saw(FILLED, network=True, mutated=True), CLICK_SAVE),
    "slow save": (
        FILLED,
        alter(FILLED, "14", name="Saving…", states=frozenset({"disabled"})),
        CLICK_SAVE,
    ),
    "message from before": (
        having(FILLED, toast("Patient created")),
        having(FILLED, toast("Patient created")),
        CLICK_SAVE,
    ),
    "message from before, drawn anew": (
        having(FILLED, toast("Patient created")),
        having(FILLED, toast("Patient created", "91")),
        CLICK_SAVE,
    ),
    "success and error at once": (
        FILLED,
        having(FILLED, toast("Saved"), toast("Mail failed", "91", "alert")),
        CLICK_SAVE,
    ),
    "plain click without any trace": (LIST, LIST, action("click", "31")),
}
