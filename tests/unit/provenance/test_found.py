"""Values that were given in another spelling are found, and said to be from there."""
# ruff: noqa: RUF001

from datetime import date

import pytest

from app.provenance import trace_value
from tests.unit.provenance.cases import Case, shown

TODAY = date(2026, 11, 22)  # a Sunday

IN_THE_GOAL = [
    # names and words
    Case("Add a new patient with name 'Jas'", "Jas", "Name"),
    Case("add patient jas patel", "Jas Patel", "Full name"),
    Case("Register Jas Patel", "Patel", "Last name"),
    Case("first name Jas, last name Patel", "Jas Patel", "Full name"),
    Case("create contact: given name Zoë, surname O’Neill-Brandt", "Zoe O'Neill Brandt", "Name"),
    Case("Add Jas Patel", "Patel, Jas", "Name (last, first)"),
    Case("Change Maria's phone to 0151 2345678", "Maria", "Contact"),
    Case("Set the status to new", "New", "Status"),
    Case("Put  MÜLLER   GmbH as the customer", "Müller GmbH", "Customer"),
    Case("Set the middle initial to A", "A", "Middle initial"),
    Case("Type C++ into the skill field", "C++", "Skill"),
    Case("Note: patient is allergic to penicillin.", "Patient is allergic to penicillin", "Note"),
    Case("Ship to 12 High Street, Oxford, OX1 4AB", "12 High Street", "Street"),
    Case("Ship to 12 High Street, Oxford, OX1 4AB", "OX14AB", "Postcode"),
    Case("street 5 Main St, city Berlin, zip 10115", "5 Main St, 10115 Berlin", "Address"),
    Case("Set the sliders to [10,18,15]", "18", "Slider"),
    # dates and times
    Case("born 1 January 1990", "1990-01-01", "Birth date", "date"),
    Case("born 1990-01-05", "January 5, 1990", "Birth date"),
    Case("DOB 01/02/1990", "1990-02-01", "DOB", "date"),
    Case("DOB 01/02/1990", "1990-01-02", "DOB", "date"),
    Case("geboren am 5. März 1984", "05.03.1984", "Geburtsdatum"),
    Case("née le 14 juillet 1979", "14/07/1979", "Date de naissance"),
    Case("nacida el 3 de mayo de 2001", "2001-05-03", "Fecha", "date"),
    Case("родился 7 мая 1999", "07.05.1999", "Дата"),
    Case("Book it for tomorrow", "2026-11-23", "Date", "date"),
    Case("Book it for next Friday", "2026-11-27", "Date", "date"),
    Case("Meet on May 5", "2027-05-05", "Date", "date"),
    Case("at 2pm", "14:00", "Time", "time"),
    Case("at half past, I mean 14.30 Uhr", "14:30", "Uhrzeit", "time"),
    Case("Table at 7", "19:00", "Time", "time"),
    Case("the call is at noon", "12:00", "Time", "time"),
    Case("Meeting on 5 May 2026 at 2:30 pm", "2026-05-05T14:30", "Start", "datetime-local"),
    Case("Card expires 05/2027", "05/27", "Expiry"),
    Case("born on 12 May 1987", "1987", "Year of birth"),
    Case("born on 12 May 1987", "12", "Day of birth"),
    # numbers
    Case("order five of them", "5", "Quantity"),
    Case("transfer 1,000 to savings", "1000", "Amount"),
    Case("überweise 1.250,50 Euro", "1250.50", "Betrag"),
    Case("a budget of $2.5k", "2500", "Budget"),
    Case("invite twenty-five guests", "25", "Guests"),
    Case("two hundred and fifty copies", "250", "Copies"),
    Case("Preis 20 %", "20", "Rabatt"),
    Case("set the temperature to -5", "-5", "Temperature"),
    # telephone, mail, addresses
    Case("phone +49 30 1234567", "030 1234567", "Phone"),
    Case("call (555) 123-4567", "555-123-4567", "Phone"),
    Case("call 555 123 4567", "+1 5551234567", "Phone"),
    Case("call 555 1234", "1234", "Subscriber number"),
    Case("mail is Jas.Patel@Example.com.", "jas.patel@example.com", "E-mail"),
    Case("pay with 4111 1111 1111 1111", "4111111111111111", "Card number"),
    Case("website https://example.org/team/", "example.org/team", "Website"),
    # secrets, to the letter
    Case("log in as bob with password hunter2", "hunter2", "Password", "password"),
    Case("password: 'Tr0ub4dor&3'", "Tr0ub4dor&3", "Password", "password"),
    Case("If it asks for the private code: flat-Code-77", "flat-Code-77", "Current private code", "password"),
    # other scripts
    Case("הוסף מטופל בשם דנה לוי", "דנה לוי", "שם מלא"),
    Case("שלח הודעה לדנה", "דנה", "אל"),
    Case("添加联系人王小明", "王小明", "姓名"),
    Case("Напиши письмо для Анны Ивановой", "Анна Иванова", "Кому"),
    Case("أضف المريض أحمد حسن", "أحمد حسن", "الاسم"),
    Case("田中太郎さんを登録して", "田中太郎", "氏名"),
    Case("ajoute le client Hélène Dupont", "Helene Dupont", "Nom"),
    # searches and texts that were asked for
    Case("find cheap flights to Rome in May", "flights Rome May", "Search", "search"),
    Case("Write Bob a friendly message that I will be late on Friday",
         "Hi Bob,\nI am sorry, but I will be a bit late on Friday. See you soon!", "Message", "textarea"),
]  # fmt: skip

ELSEWHERE = [
    ("answer", Case("Add Jas", "Ray", "Middle name", answer="Ray", asked="Middle name?")),
    ("answer", Case("Add Jas", "1990-03-04", "DOB", answer="It's March 4th, 1990", asked="DOB?")),
    ("answer", Case("Add Jas", "new", "Status", answer="new", asked="Which status?")),
    ("answer", Case("Sign me in", "s3cret!", "Password", "password", answer="s3cret!", asked="?")),
    ("subtask", Case("Order it and track it", "AB-10293", "Order number", handed="AB-10293")),
    ("memory", Case("Do it again for him", "Tom Becker", "Name", memory="Add Tom Becker please")),
    ("knowledge", Case("File it", "4711-A", "Cost centre", knowledge="Cost centre: 4711-A")),
    ("search", Case("Fill in Haifa's postal code", "3109601", "Postal code", search="Haifa 3109601")),
    ("page", Case("Give the same ID", "P-20391", "Patient ID", nodes=(shown("txt", "P-20391"),))),
    ("page", Case("Copy it over", "Ann Lee", "Owner", nodes=(shown("inp", "Author", "Ann Lee"),))),
    ("page", Case("As shown", "Blue Lagoon", "Name", summary="Your stay: Blue Lagoon, 2 nights")),
    ("page", Case("Same number of guests", "3", "Guests", summary="Guests: 3\nNights: 4")),
    ("page", Case("Delete her", "DELETE", "Type DELETE to go on", summary='Type "DELETE" to go on.')),
    ("page", Case("Book", "Zimmer 12b", "Room", nodes=(shown("btn", "Open", None, "row: Zimmer 12b"),))),
]  # fmt: skip


@pytest.mark.parametrize("case", IN_THE_GOAL, ids=lambda c: f"{c.value[:20]!r}, {c.goal[:30]}")
def test_it_is_found_in_the_goal(case):
    found = trace_value(case.value, case.situation, node=case.node, today=TODAY)
    assert found is not None
    assert found.origin == "goal"


@pytest.mark.parametrize(
    ("origin", "case"), ELSEWHERE, ids=lambda v: v if isinstance(v, str) else v.value
)
def test_it_is_found_elsewhere(origin, case):
    found = trace_value(case.value, case.situation, node=case.node, today=TODAY)
    assert found is not None
    assert found.origin == origin
