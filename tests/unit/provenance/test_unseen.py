"""A second set of values, written after the first had passed and before its findings were built in."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.provenance import trace_value
from app.provenance.trace import trace_address
from tests.unit.provenance.cases import Case

TODAY = date(2026, 11, 22)

GIVEN = [
    Case("Create an invoice for Acme Ltd. over £4,250 due on the 15th of January 2027", "4250.00",
         "Amount"),
    Case("Create an invoice for Acme Ltd. over £4,250 due on the 15th of January 2027",
         "2027-01-15", "Due date", "date"),
    Case("Create an invoice for Acme Ltd. over £4,250 due on the 15th of January 2027",
         "Acme Ltd", "Client"),
    Case("Log a 90 minute call with Ms. O'Connor", "O'Connor", "Contact"),
    Case("Log a 90 minute call with Ms. O'Connor", "90", "Duration"),
    Case("Rent a car from Sat 5 Dec 2026 9am to 8 Dec", "2026-12-05", "Pick-up date", "date"),
    Case("Rent a car from Sat 5 Dec 2026 9am to 8 Dec", "09:00", "Pick-up time", "time"),
    Case("Rent a car from Sat 5 Dec 2026 9am to 8 Dec", "2026-12-08", "Return date", "date"),
    Case("book 2 adults and three children", "3", "Children"),
    Case("book 2 adults and three children", "2", "Adults"),
    Case("update SKU AB-1200/X stock to 75 pcs", "AB-1200/X", "SKU"),
    Case("update SKU AB-1200/X stock to 75 pcs", "75", "Stock"),
    Case("set discount to 12.5%", "12.5", "Discount"),
    Case("set discount to 12.5%", "12,5", "Rabatt"),
    Case("the IBAN is DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "IBAN"),
    Case("her number: 0044 20 7946 0958", "+442079460958", "Phone"),
    Case("Lege einen Termin am Dienstag um 16 Uhr an", "16:00", "Uhrzeit", "time"),
    Case("Lege einen Termin am Dienstag um 16 Uhr an", "2026-11-24", "Datum", "date"),
    Case("Ajoute trois bouteilles au panier", "3", "Quantité"),
    Case("Inscris Jean-Pierre Lefèvre", "Jean-Pierre", "Prénom"),
    Case("reserva una mesa para ocho personas a las 21:30", "8", "Personas"),
    Case("reserva una mesa para ocho personas a las 21:30", "9:30 PM", "Hora"),
    Case("קבע תור ל-3 בפברואר 2027 בשעה 10:30", "10:30", "שעה", "time"),
    Case("קבע תור ל-3 בפברואר 2027 בשעה 10:30", "03/02/2027", "תאריך"),
    Case("Name: Jas; Surname: Patel; Email: jas@ex.org", "Jas Patel", "Full name"),
    Case("Search for used bikes under 300 euro near Hamburg", "used bikes Hamburg",
         "Search products", "search"),
    Case("send $1.2 million to reserves", "1200000", "Amount"),
    Case("tag it #urgent", "urgent", "Tag"),
    Case("message @jas_p", "jas_p", "Recipient"),
    Case("Title: “War & Peace”", "War & Peace", "Title"),
    Case("he was born on 3/14/15", "03/14/1915", "Birth date"),
    Case("he was born on 3/14/15", "2015-03-14", "Birth date", "date"),
    Case("height 1.82 m", "1.82", "Height"),
    Case("sign in with jas@ex.org / Winter2026!", "Winter2026!", "Password", "password"),
    Case("change the due date to the end of Q1", "Q1", "Quarter"),
    Case("use coupon SAVE-20", "SAVE20", "Coupon"),
    Case("Kunde Björn Öztürk anlegen", "Bjorn Ozturk", "Name"),
    Case("Invite ana@ex.org and ben@ex.org", "ana@ex.org, ben@ex.org", "To"),
    Case("set quantity to a dozen", "12", "Quantity"),
    Case("注文日は2026年5月3日です", "2026-05-03", "日付", "date"),
    Case("meeting from 9 to 10:15", "10:15", "End", "time"),
    Case("set the url to http://intranet.local:8080/x", "http://intranet.local:8080/x", "URL"),
    Case("reply that we accept the offer of 12,000 USD",
         "Hello,\n\nthank you. We accept the offer of $12,000.\n\nKind regards", "Reply", "textarea"),
    Case("write 'See you at 8' to Kim", "See you at 8", "Message"),
    Case("patient weighs eighty-one kilos", "81", "Weight (kg)"),
    Case("reorder last month's item for Priya", "Priya Raman",
         "Customer", memory="The customer is Priya Raman"),
    Case("Enroll student Nguyễn Văn An in Biology 101 starting Sept 7 2026", "Nguyen Van An",
         "Student"),
    Case("Enroll student Nguyễn Văn An in Biology 101 starting Sept 7 2026", "07.09.2026", "Start"),
    Case("Enroll student Nguyễn Văn An in Biology 101 starting Sept 7 2026", "Biology 101",
         "Course"),
    Case("ship 40 boxes (each 2.5 kg) by Monday", "2.5", "Weight"),
    Case("ship 40 boxes (each 2.5 kg) by Monday", "2026-11-23", "Ship by", "date"),
    Case("prescribe amoxicillin 500mg three times a day for a week", "500", "Dose (mg)"),
    Case("prescribe amoxicillin 500mg three times a day for a week", "3", "Times per day"),
    Case("prescribe amoxicillin 500mg three times a day for a week", "amoxicillin", "Drug"),
    Case("my name's Lucía and my DNI is 12.345.678-Z", "12345678Z", "DNI"),
    Case("my name's Lucía and my DNI is 12.345.678-Z", "Lucia", "Nombre"),
    Case("Crie uma tarefa 'Pagar o aluguel' para amanhã às 8h", "Pagar o aluguel", "Título"),
    Case("Crie uma tarefa 'Pagar o aluguel' para amanhã às 8h", "08:00", "Hora", "time"),
    Case("Crie uma tarefa 'Pagar o aluguel' para amanhã às 8h", "2026-11-23", "Data", "date"),
    Case("set alarm for quarter past... no, 6:45 am", "06:45", "Time", "time"),
    Case("bid 15,500.75 on lot 12", "15500.75", "Bid"),
    Case("filter orders between 2026-01-01 and 2026-03-31", "03/31/2026", "To"),
    Case("comment 'LGTM 👍' on the pull request", "LGTM 👍", "Comment"),
    Case("ארח 4 אורחים בשם משפחת כהן", "4", "אורחים"),
    Case("Postleitzahl 01067 Dresden", "01067", "PLZ"),
    Case("Card 5500-0000-0000-0004 exp 03/28 cvv 737", "737", "CVV"),
]  # fmt: skip

INVENTED = [
    Case("Create an invoice for Acme Ltd. over £4,250", "2027-01-31", "Due date", "date"),
    Case("Create an invoice for Acme Ltd. over £4,250", "425", "Amount"),
    Case("Create an invoice for Acme Ltd. over £4,250", "INV-0001", "Invoice number"),
    Case("Create an invoice for Acme Ltd. over £4,250", "billing@acme.com", "E-mail"),
    Case("Create an invoice for Acme Ltd. over £4,250", "Acme Holdings", "Client"),
    Case("Create an invoice for Acme Ltd. over £4,250", "London", "City"),
    Case("Rent a car from Sat 5 Dec 2026 9am", "10:00", "Return time", "time"),
    Case("Rent a car from Sat 5 Dec 2026 9am", "2026-12-06", "Return date", "date"),
    Case("Rent a car from Sat 5 Dec 2026 9am", "25", "Driver age"),
    Case("Rent a car from Sat 5 Dec 2026 9am", "5", "Passengers"),
    Case("book 2 adults and three children", "4", "Children"),
    Case("book 2 adults and three children", "1", "Rooms"),
    Case("update SKU AB-1200/X stock to 75 pcs", "AB-1201/X", "SKU"),
    Case("update SKU AB-1200/X stock to 75 pcs", "750", "Stock"),
    Case("the IBAN is DE89 3704 0044 0532 0130 00", "DE89370400440532013001", "IBAN"),
    Case("the IBAN is DE89 3704 0044 0532 0130 00", "COBADEFFXXX", "BIC"),
    Case("her number: 0044 20 7946 0958", "+442079460959", "Phone"),
    Case("her number: 0044 20 7946 0958", "7946", "PIN"),
    Case("Lege einen Termin am Dienstag um 16 Uhr an", "2026-11-25", "Datum", "date"),
    Case("Lege einen Termin am Dienstag um 16 Uhr an", "17:00", "Ende", "time"),
    Case("Inscris Jean-Pierre Lefèvre", "M.", "Civilité"),
    Case("Inscris Jean-Pierre Lefèvre", "jp.lefevre@free.fr", "Courriel"),
    Case("reserva una mesa para ocho personas", "20:00", "Hora", "time"),
    Case("קבע תור ל-3 בפברואר 2027", "2027-03-02", "תאריך", "date"),
    Case("Name: Jas; Surname: Patel", "Jas Singh", "Full name"),
    Case("Search for used bikes near Hamburg", "new bikes Berlin", "Search", "search"),
    Case("message @jas_p", "jas", "Name of the child"),
    Case("height 1.82 m", "182", "Height"),
    Case("height 1.82 m", "80", "Weight"),
    Case("sign in with jas@ex.org / Winter2026!", "Winter2026", "Password", "password"),
    Case("sign in with jas@ex.org", "jas@ex.org1", "Password", "password"),
    Case("Invite ana@ex.org and ben@ex.org", "ana@ex.org, bob@ex.org", "To"),
    Case("Invite Ana and Ben", "ana@example.com", "To"),
    Case("meeting from 9 to 10:15", "11:00", "End", "time"),
    Case("reply that we accept the offer",
         "Thank you, we accept the offer of $11,500 and will sign on Monday.", "Reply", "textarea"),
    Case("add employee Kim", "Engineering", "Department"),
    Case("add employee Kim", "Full-time", "Employment"),
    Case("add employee Kim", "2026-11-22", "Start date", "date"),
    Case("add employee Kim", "Kim Lee", "Name"),
    Case("add employee Kim", "1", "Level", summary="Page 1 of 3"),
    Case("add employee Kim", "555-0100", "Phone", summary="Need help? Call 555-0199"),
    Case("add employee Kim", "EMP-2", "ID", summary="Last created: EMP-1"),
    Case("open a ticket about the broken printer", "High", "Priority"),
    Case("open a ticket about the broken printer",
         "The printer on floor 3 shows error E52 since Monday.", "Description", "textarea"),
    Case("open a ticket about the broken printer", "Printer HP LaserJet 400", "Device"),
    Case("pay the rent", "850", "Amount", memory="Last time you paid 840"),
    Case("What is 12 x 12", "140", "Result"),
    Case("translate it", "hunter2", "Password", "password", memory="my password is hunter2"),
    Case("File it", "Dr. Who", "Doctor", knowledge="The duty doctor is Dr. House."),
    Case("注文日は2026年5月3日です", "2026-05-04", "日付", "date"),
    Case("Enroll student Nguyễn Văn An in Biology 101", "Biology 102", "Course"),
    Case("Enroll student Nguyễn Văn An in Biology 101", "S-1001", "Student number"),
    Case("Enroll student Nguyễn Văn An in Biology 101", "Fall 2026", "Term"),
    Case("ship 40 boxes (each 2.5 kg) by Monday", "100", "Total weight"),
    Case("ship 40 boxes (each 2.5 kg) by Monday", "25", "Weight"),
    Case("prescribe amoxicillin 500mg", "250", "Dose"),
    Case("prescribe amoxicillin 500mg", "ampicillin", "Drug"),
    Case("prescribe amoxicillin 500mg", "twice daily", "Frequency"),
    Case("my DNI is 12.345.678-Z", "12345679Z", "DNI"),
    Case("Crie uma tarefa para amanhã", "2026-11-22", "Data", "date"),
    Case("Crie uma tarefa para amanhã", "Reunião", "Título"),
    Case("bid 15,500.75 on lot 12", "15500", "Bid"),
    Case("bid 15,500.75 on lot 12", "75", "Lot"),
    Case("filter orders between 2026-01-01 and 2026-03-31", "2026-04-30", "To", "date"),
    Case("Postleitzahl 01067 Dresden", "01069", "PLZ"),
    Case("Postleitzahl 01067 Dresden", "1067", "PLZ"),
    Case("Card 5500-0000-0000-0004 exp 03/28", "000", "CVV"),
    Case("Card 5500-0000-0000-0004 exp 03/28", "Jas Patel", "Card holder"),
    Case("delete the user tom@ex.org", "Tom", "Name"),
    Case("delete the user tom@ex.org", "DELETE ME", "Confirm"),
]  # fmt: skip


@pytest.mark.parametrize("case", GIVEN, ids=lambda c: f"{c.value[:20]!r}, {c.goal[:30]}")
def test_it_is_found(case):
    assert trace_value(case.value, case.situation, node=case.node, today=TODAY) is not None


@pytest.mark.parametrize("case", INVENTED, ids=lambda c: f"{c.value[:20]!r}, {c.field[:30]}")
def test_it_is_not_found(case):
    assert trace_value(case.value, case.situation, node=case.node, today=TODAY) is None


PIECES = st.sampled_from(
    ["1", "0", "99", "May", "/", "-", ".", ":", "pm", " ", "\n", "@", "https://", "two", "million", "k",
     "ב", "年", "'s", "+", "(", "at", "dot", "tomorrow", "in", "days", "$", "\u0301", "Jas"]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join)


@given(TEXTS, TEXTS, st.sampled_from(["text", "password", "search", "textarea"]))
def test_no_text_breaks_it_and_a_quoted_value_is_found(value, rest, kind):
    case = Case(f"{rest}\nset the password to: {value}", value, "Field", kind)
    found = trace_value(value, case.situation, node=case.node, today=TODAY)
    trace_address(value, case.situation)
    if value.isascii() and value.isalnum():
        assert found is not None


@pytest.mark.parametrize("value", ["1" * 6_000, "a." * 3_000, "May " * 2_000, "1 " * 3_000])
def test_a_value_without_end_is_no_trouble(value):
    assert trace_value(value, Case("Add Jas", value).situation, today=TODAY) is None
