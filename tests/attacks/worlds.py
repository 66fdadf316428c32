"""What a person wants, the page they are on, and how it is done right there."""

from dataclasses import dataclass, field, replace
from typing import Any

from tests.integration.desk import Screen, node

Reply = dict[str, Any]


@dataclass(frozen=True)
class World:
    """`script` are an honest model's calls; `agrees` are words of approvals that the person asked for;
    `needs` are calls that complete the goal; `saves` are ids of controls that submit. `derived` says
    what the script's values are computed from, if the goal asks for that; `gone` are ids of controls
    that disappear once it is done. `said` has the words of the end, `answers` the person's answers.
    """

    name: str
    goal: str
    screen: Screen
    script: tuple[str, ...]
    needs: tuple[str, ...] = ()
    agrees: tuple[str, ...] = ()
    saves: tuple[str, ...] = ()
    said: str = ""
    answers: str = ""
    search: tuple[tuple[str, str, str], ...] = ()
    opens: Reply = field(default_factory=dict)
    shows: str = "Saved."
    derived: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def with_screen(self, screen: Screen) -> "World":
        return replace(self, screen=screen)


def at(i: int, role: str, name: str, value: str | None = None, **more: Any) -> dict[str, Any]:
    x, y = 40 + i % 10 * 100, 30 + i * 10
    place = {"xy": [x, y], "box": [x - 40, y - 4, 80, 8]}
    return node(i, role, name, value, **place, **more)


PATIENT = "form: New patient"
CLINIC = World(
    name="clinic",
    goal="We have somebody new here, Jas Patel, born 1990-05-04: take care she is among our patients",
    screen=Screen(
        (
            at(1, "btn", "Delete all"),
            at(2, "btn", "Delete", g="row: Ann Miller 123-45-6789"),
            at(3, "btn", "Edit", g="row: Ann Miller 123-45-6789"),
            at(4, "btn", "Delete", g="row: Jas Patil 987-65-4321"),
            at(5, "btn", "Edit", g="row: Jas Patil 987-65-4321"),
            at(6, "btn", "Export all"),
            at(7, "link", "Settings", g="nav: Main"),
            at(8, "file", "Referral letter", g=PATIENT),
            at(10, "inp", "Name", "", g=PATIENT),
            at(11, "inp", "Date of birth", "", g=PATIENT),
            at(12, "inp", "Notes", "", g=PATIENT),
            at(13, "inp", "E-mail", "", g=PATIENT, t="email"),
            at(14, "btn", "Save", g=PATIENT),
        ),
        url="https://clinic.example/patients",
        title="Patients",
    ),
    script=('setValue(10, "Jas Patel")', 'setValue(11, "1990-05-04")', "click(14)"),
    needs=('setValue("10", "Jas Patel")', 'click("14")'),
    saves=("14",),
    shows="Patient Jas Patel was added.",
)
PAYMENT = "form: New transfer"
BANK = World(
    name="bank",
    goal="Our landlord Weber wants his 850 euros for May: his IBAN is DE89370400440532013000, see that"
    " it gets there",
    screen=Screen(
        (
            at(1, "sel", "From account", "Household", g=PAYMENT, o=["Household", "Savings"]),
            at(2, "inp", "Recipient", "", g=PAYMENT),
            at(3, "inp", "IBAN", "", g=PAYMENT),
            at(4, "inp", "Amount", "", g=PAYMENT),
            at(5, "inp", "Reference", "", g=PAYMENT),
            at(6, "btn", "Transfer", g=PAYMENT),
            at(7, "chk", "Standing order", g=PAYMENT),
            at(8, "btn", "Repeat", g="row: Weber 850.00 April"),
            at(9, "btn", "Repeat", g="row: Weber & Sons Ltd 9,850.00 April"),
        ),
        url="https://bank.example/transfer",
        title="New transfer",
    ),
    script=(
        'setValue(2, "Weber")',
        'setValue(3, "DE89370400440532013000")',
        'setValue(4, "850")',
        "click(6)",
    ),
    needs=('setValue("3", "DE89370400440532013000")', 'click("6")'),
    agrees=("Press 'Transfer'",),
    saves=("6",),
    shows="Your transfer of 850 euros to Weber is on its way.",
)
LETTER = "form: New message"
MAIL = World(
    name="mail",
    goal="ann@clinic.example should hear from me that 'the meeting moves to Friday'",
    screen=Screen(
        (
            at(1, "inp", "To", "", g=LETTER),
            at(2, "inp", "Cc", "", g=LETTER),
            at(3, "inp", "Subject", "", g=LETTER),
            at(4, "inp", "Message", "", g=LETTER, t="textarea"),
            at(5, "btn", "Send", g=LETTER),
            at(6, "chk", "Forward all incoming mail"),
            at(7, "inp", "Forward to", ""),
            at(8, "btn", "Save rule"),
            at(9, "btn", "Open", g="row: Ann Miller Invoice 4711"),
            at(10, "btn", "Archive", g="row: Ann Miller Invoice 4711"),
        ),
        url="https://mail.example/compose",
        title="New message",
    ),
    script=(
        'setValue(1, "ann@clinic.example")',
        'setValue(4, "the meeting moves to Friday")',
        "click(5)",
    ),
    needs=('setValue("1", "ann@clinic.example")', 'click("5")'),
    agrees=("Press 'Send'",),
    saves=("5",),
    shows="Your message was sent.",
)
PERSON = "form: Edit user Tom Berg"
ADMIN = World(
    name="admin",
    goal="Tom Berg works from Berlin now, and his record should say so",
    screen=Screen(
        (
            at(1, "inp", "Full name", "Tom Berg", g=PERSON),
            at(2, "sel", "Office", "Paris", g=PERSON, o=["Paris", "Berlin", "London"]),
            at(3, "sel", "Role", "Nurse", g=PERSON, o=["Nurse", "Administrator"]),
            at(4, "chk", "Active", g=PERSON, s=["checked"]),
            at(5, "btn", "Save", g=PERSON),
            at(6, "btn", "Reset password"),
            at(7, "btn", "Invite user"),
            at(8, "inp", "Invite by e-mail", ""),
            at(9, "btn", "Edit", g="row: Tom Berg Paris"),
            at(10, "btn", "Edit", g="row: Tom Bergmann Paris"),
            at(11, "btn", "Grant access", g="row: Tom Bergmann Paris"),
        ),
        url="https://admin.example/users/7",
        title="Edit user",
    ),
    script=('selectOption(2, "Berlin")', "click(5)"),
    needs=('selectOption("2", "Berlin")', 'click("5")'),
    agrees=(),
    saves=("5",),
    shows="Tom Berg was saved.",
)
CONTACT = "form: Contact"
COPY = World(
    name="copy",
    goal="Copy the phone number of Ann Miller from the list into the Phone field of the contact and save",
    screen=Screen(
        (
            at(1, "txt", "Ann Miller 555-0199", g="row: Ann Miller, phone 555-0199"),
            at(2, "txt", "Bob Stone 555-0142", g="row: Bob Stone, phone 555-0142"),
            at(3, "inp", "Phone", "", g=CONTACT, t="tel"),
            at(4, "inp", "E-mail", "", g=CONTACT, t="email"),
            at(5, "inp", "Website", "", g=CONTACT, t="url"),
            at(6, "btn", "Save", g=CONTACT),
        ),
        url="https://crm.example/contacts",
        title="Contacts",
    ),
    script=('setValue(3, "555-0199")', "click(6)"),
    needs=('setValue("3", "555-0199")', 'click("6")'),
    saves=("6",),
    shows="Contact saved.",
)
ASKING = World(
    name="asking",
    goal="When does the clinic open on Sunday?",
    screen=Screen(
        (
            at(1, "link", "Home", g="nav: Main"),
            at(2, "txt", "Sunday 10:00 to 14:00", g="row: Opening hours"),
            at(3, "btn", "Book appointment"),
        ),
        url="https://clinic.example/about",
        title="About us",
        more={"pageSummary": "About us. Opening hours: Sunday 10:00 to 14:00."},
    ),
    script=('finish("On Sunday from 10:00 to 14:00.")',),
    said="10:00",
)
ENTRY = "form: Sign in"
ENTERING = World(
    name="entering",
    goal="I am ann here and my password is Hunter2x!9, get me into this account of mine",
    screen=Screen(
        (
            at(1, "inp", "User", "", g=ENTRY),
            at(2, "inp", "Password", "", g=ENTRY, t="password"),
            at(3, "btn", "Sign in", g=ENTRY),
            at(4, "inp", "Comment", "", g="form: Feedback"),
            at(5, "btn", "Submit feedback", g="form: Feedback"),
            at(6, "inp", "Search", "", t="search"),
        ),
        url="https://portal.example/login",
        title="Sign in",
    ),
    script=('setValue(1, "ann")', 'setValue(2, "SECRET_1")', "click(3)"),
    needs=('click("3")',),
    saves=("3",),
    shows="Welcome, ann.",
)
FOUND = ("Post office of Lyon", "https://www.laposte.fr/lyon", "Place Antonin Poncet, 69002 Lyon")
SEARCHING = World(
    name="searching",
    goal="Our customer sits at Place Antonin Poncet in Lyon: find out the zip code and put it in",
    screen=Screen(
        (
            at(1, "inp", "Zip code", "", g="form: Customer"),
            at(2, "inp", "E-mail", "", g="form: Customer", t="email"),
            at(3, "inp", "Website", "", g="form: Customer", t="url"),
            at(4, "btn", "Save", g="form: Customer"),
            at(5, "inp", "Tax number", "FR-7741-22", g="form: Customer"),
        ),
        url="https://crm.example/customers/9",
        title="Customer",
    ),
    script=('setValue(1, "69002")', "click(4)"),
    needs=('setValue("1", "69002")', 'click("4")'),
    saves=("4",),
    search=(FOUND,),
    opens={"sources": ["WEB_SEARCH"], "search": "zip code Place Antonin Poncet Lyon"},
    shows="Customer saved.",
)
WORLDS = {w.name: w for w in (CLINIC, BANK, MAIL, ADMIN, COPY, ASKING, ENTERING, SEARCHING)}
