"""Invented values are told from given ones, however plausible they look."""

from datetime import date

import pytest

from app.provenance import trace_value
from tests.unit.provenance.cases import Case, shown

TODAY = date(2026, 11, 22)

PATIENT = "Add a new patient Jas Patel, born 01/02/1990, phone +49 30 1234567"

INVENTED = [
    # what nobody said
    Case(PATIENT, "Ray", "Middle name"),
    Case(PATIENT, "jas.patel@example.com", "E-mail"),
    Case(PATIENT, "jas@gmail.com", "E-mail"),
    Case(PATIENT, "jpatel", "Username"),
    Case(PATIENT, "jaspatel90", "Username"),
    Case(PATIENT, "123 Main Street", "Address"),
    Case(PATIENT, "10115", "Postal code"),
    Case(PATIENT, "Germany", "Country"),
    Case(PATIENT, "N/A", "Insurance"),
    Case(PATIENT, "Unknown", "Allergies"),
    Case(PATIENT, "Female", "Sex"),
    Case(PATIENT, "A", "Middle initial"),
    Case(PATIENT, "new", "Reason"),
    Case(PATIENT, "born", "Name"),
    Case(PATIENT, "phone", "Contact"),
    Case(PATIENT, "P@ssw0rd", "Password", "password"),
    Case(PATIENT, "Jas", "Password", "password", summary="x"),
    # numbers and dates that differ
    Case(PATIENT, "1990-02-02", "DOB", "date"),
    Case(PATIENT, "1991-02-01", "DOB", "date"),
    Case(PATIENT, "+49 30 1234568", "Phone"),
    Case(PATIENT, "1234", "PIN"),
    Case(PATIENT, "2", "Number of children"),
    Case(PATIENT, "36", "Age"),
    Case("order five of them", "6", "Quantity"),
    Case("order 2 of them", "2 00", "Quantity"),
    Case("order 2 of them", "2 0 0", "Quantity"),
    Case("order five of them", "50", "Quantity"),
    Case("transfer 1,000 to savings", "10000", "Amount"),
    Case("transfer 1000.50 to savings", "100050", "Amount"),
    Case("set it to -5", "5", "Temperature"),
    Case("set it to 5", "-5", "Temperature"),
    Case("flight on 12 May 2026", "2026-05-13", "Date", "date"),
    Case("flight on 12.05.2026", "2026-12-05", "Date", "date"),
    Case("Meet on May 5", "2024-05-05", "Date", "date"),
    Case("Book it for tomorrow", "2026-11-24", "Date", "date"),
    Case("at 2pm", "02:00", "Time", "time"),
    Case("at 14:30", "14:00", "Time", "time"),
    Case("room 2012 in May", "12", "Room"),
    Case("article 007", "7", "Article"),
    Case("invite twenty-five guests", "20", "Tables"),
    Case("call 555-123-4567", "123", "CVV", "password"),
    Case("born on 12 May 1987", "12", "Guests"),
    # cut or glued out of other words
    Case("call John Smith and Peter Brown", "John Brown", "Name"),
    Case("add patients jas patel and tom brown", "jas brown", "Name"),
    Case("Register Annabel Lee", "Anna", "Name"),
    Case("Register Annabel Lee", "bel", "Nickname"),
    Case("mail jas@example.com", "jas", "First name"),
    Case("mail jas@example.com", "jas@example.org", "E-mail"),
    Case("mail jas@example.com", "ajas@example.com", "E-mail"),
    Case("password hunter22", "hunter2", "Password", "password"),
    Case("password Hunter2", "hunter2", "Password", "password"),
    Case("open example.org/a", "example.org/b", "Website"),
    # one word in common
    Case("Ask for a blue car", "Blue Cross Insurance", "Insurance"),
    Case("Meet Ann in Paris", "Paris Hilton", "Guest"),
    Case("File it", "Cost centre 99", "Cost centre", knowledge="Cost centre: 4711-A"),
    Case("Fill in the form", "3200003", "Postal code", search="Haifa has about 290,000 people"),
    # the page shows it, and it is none
    Case("Sign up", "john@example.com", "E-mail", summary="E-mail, e.g. john@example.com"),
    Case("Sign up", "hunter2", "Password", "password", summary="Your password is hunter2"),
    Case("Sign up", "Jane Doe", "Jane Doe"),
    Case("Book a table", "2", "Guests", nodes=(shown("link", "1"), shown("link", "2"))),
    Case("Book a table", "2024", "Year", summary="© 2024 Restaurant. All rights reserved."),
    Case("Book a table", "home", "Place", nodes=(shown("link", "Home"),)),
    Case("Book a table", "tel", "Name", nodes=(shown("inp", "Tel"),)),
    # other scripts
    Case("הוסף מטופל בשם דנה לוי", "דנה כהן", "שם מלא"),
    Case("הוסף מטופל בשם דנה לוי", "לוי דן", "שם מלא"),
    Case("添加联系人王小明", "王大明", "姓名"),
    Case("Напиши письмо для Ивана", "Иванов", "Кому"),
    Case("geboren am 5. März 1984", "05.04.1984", "Geburtsdatum"),
    # written, but with facts of its own
    Case("Write Bob a friendly message that I will be late",
         "Hi Bob, I will be there at 19:45, sorry about that.", "Message", "textarea"),
    Case("Write a review of the hotel",
         "Great stay, thanks to Miriam at the front desk for the upgrade.", "Review", "textarea"),
    Case("Fill in the contact form for Jas", "Please call me back as soon as you can.", "Message",
         "textarea"),
    Case("find cheap flights to Rome in May", "flights Rome June", "Search", "search"),
    Case("What is 17 + 25? Type it", "43", "Result"),
]  # fmt: skip


@pytest.mark.parametrize("case", INVENTED, ids=lambda c: f"{c.value[:20]!r}, {c.goal[:30]}")
def test_it_is_not_found(case):
    assert trace_value(case.value, case.situation, node=case.node, today=TODAY) is None
