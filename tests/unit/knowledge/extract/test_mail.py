"""Messages with what was attached to them."""

from email.message import EmailMessage

from tests.unit.knowledge.extract.sample_files import Desk


def message(subject: str, text: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "Ann <a@x.example>", "b@x.example", subject
    made["Date"], made["Message-ID"] = "Mon, 02 Nov 2026 10:00:00 +0100", "<1@x.example>"
    made.set_content(text)
    return made


def test_a_message_is_read_with_its_attachments(desk: Desk) -> None:
    made = message("Preise für März", "As agreed.")
    made.add_alternative("<p>As agreed, <b>see below</b>.</p>", subtype="html")
    made.add_attachment(b"part,price\nbolt,3\n", maintype="text", subtype="csv", filename="p.csv")
    made.add_attachment(b"%PDF-1.7 cut", maintype="application", subtype="pdf", filename="q.pdf")
    found = desk.read("prices.eml", bytes(made))
    assert found.title == "Preise für März"
    assert found.published_at is not None
    assert found.published_at.isoformat() == "2026-11-02T10:00:00+01:00"
    assert "- From: Ann <a@x.example>" in found.markdown
    assert found.markdown.count("As agreed") == 1
    assert "## p.csv\n\n| part | price |\n| --- | --- |\n| bolt | 3 |" in found.markdown
    assert len(found.notes) == 1
    assert found.notes[0].startswith("The attachment “q.pdf” was not read: ")


def test_messages_in_messages_end_somewhere(desk: Desk) -> None:
    made = message("innermost", "zero")
    for depth in range(1, 12):
        outer = message(f"outer {depth}", f"text {depth}")
        outer.add_attachment(made)
        made = outer
    found = desk.read("deep.eml", bytes(made))
    assert "text 11" in found.markdown
    assert "text 8" not in found.markdown
    assert found.notes == ("Messages attached to attached messages were not read.",)


def test_headers_that_make_no_sense_do_no_harm(desk: Desk) -> None:
    heads = (
        'From: "\n <@@>',
        "To: =?x?",
        "Subject: =?utf-8?b?////?=",
        "Date: soon",
        "Message-ID: [",
    )
    text = "\n".join([*heads, "MIME-Version: 1.0", "", "Still here."])
    assert "Still here." in desk.read("odd.eml", text).markdown
