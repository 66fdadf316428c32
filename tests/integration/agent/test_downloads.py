"""What the browser saved, over the wire: told to the model, read on request, a source, proof of an end."""

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.scripted import asks_for
from tests.integration.desk import Desk, Screen, Trip, doing, node, opening
from tests.unit.knowledge.extract.pdf_files import flowing, text

REPORTS = Screen(
    (
        node(1, "link", "Home", g="nav: Main"),
        node(2, "btn", "Export", g="section: Reports"),
        node(3, "inp", "Phone", "", g="form: Customer"),
    ),
    title="Reports",
)
GOAL = "Export the reports, and put the phone of Jas into Phone"
CSV = b"name,phone\nAnn,555 9999\nJas,555 1234\n"


def file(name: str, data: bytes | None = None, **more: Any) -> dict[str, Any]:
    """A download as the extension sends it."""
    held = {} if data is None else {"data": base64.b64encode(data).decode(), "size": len(data)}
    return {"name": name, "url": "https://crm.example/export", **held, **more}


async def exported(desk: Desk, *downloads: dict[str, Any], **reply: Any) -> Trip:
    """The export was pressed, and this is what came; what is asked then, answered by `reply`."""
    steps = [{"text": "Export the reports"}, {"text": "Put the phone into Phone"}]
    desk.gemini.script(opening("click(2)", steps=steps))
    pressed = await desk.begin(REPORTS, GOAL)
    desk.gemini.script(*(reply.pop("script", None) or [doing("wait(100)")]))
    return await desk.go_on(pressed, REPORTS, downloads=list(downloads))


async def test_a_press_that_saves_a_file_worked_and_the_model_is_told_of_it(desk: Desk) -> None:
    trip = await exported(desk, file("report.csv", CSV))
    verdict = trip.answer["verification"]
    assert verdict["actionSucceeded"] is True
    assert verdict["reason"] == "Downloaded report.csv"
    assert verdict["observations"][0] == "Downloaded report.csv"
    assert "Nothing changed" not in verdict["observations"]
    prompt = trip.calls[-1].prompt
    assert f'report.csv, {len(CSV)} bytes, 4 lines: read("report.csv") tells it' in prompt
    assert "555 1234" not in prompt  # nobody asked yet


async def test_a_file_is_read_by_its_name_and_what_it_says_may_be_entered(desk: Desk) -> None:
    types = 'setValue(3, "555 1234")'
    trip = await exported(
        desk, file("report.csv", CSV), script=[doing('read("report.csv")'), doing(types)]
    )
    assert "| Jas | 555 1234 |" in trip.thinking[-1].prompt
    assert trip.actions == ['setValue("3", "555 1234")']
    source = trip.answer["actions"][0]["provenance"]
    assert (source["origin"], source["ref"]) == ("page", "https://crm.example/export")


async def test_a_text_is_found_in_a_file(desk: Desk) -> None:
    trip = await exported(
        desk, file("report.csv", CSV), script=[doing('find("jas")'), doing("wait(100)")]
    )
    assert "report.csv > | Jas | 555 1234 |" in trip.thinking[-1].prompt


async def test_a_question_is_answered_from_a_file(desk: Desk) -> None:
    asked = doing('extract("the phone of Jas")')
    answered = {"found": True, "answer": "555 1234"}
    trip = await exported(
        desk, file("report.csv", CSV), script=[asked, answered, doing('setValue(3, "555 1234")')]
    )
    assert "| Jas | 555 1234 |" in trip.calls[-2].prompt
    assert trip.actions == ['setValue("3", "555 1234")']


async def test_what_a_file_says_proves_an_end_and_is_not_kept_after_it(desk: Desk) -> None:
    quote = "Jas | 555 1234"
    ended = doing('finish("Jas has 555 1234")', quote=quote, effect="reads")
    desk.gemini.when(asks_for("ok"), {"ok": True, "why": "So it is."}, always=True)
    trip = await exported(desk, file("report.csv", CSV), script=[ended])
    assert trip.ended == ("done", "completed")
    [held] = (await desk.state(trip))["background"].downloads
    assert (held.name, held.text) == ("report.csv", "")


async def test_a_pdf_is_read(desk: Desk, tmp_path: Path) -> None:
    path = flowing(tmp_path / "made.pdf", [text("The heron walk opens in the spring.")])
    trip = await exported(
        desk,
        file("walk.pdf", path.read_bytes(), mime="application/pdf"),
        script=[doing('read("walk.pdf")'), doing("wait(100)")],
    )
    assert "The heron walk opens in the spring." in trip.thinking[-1].prompt


LONG = "x" * 5_000


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        (file("all.zip", size=100_000_000, unread="it is too large to be read"),
         "all.zip, 100 MB, not read: it is too large to be read"),
        (file("photo.jpg", size=2_345_678), "photo.jpg, 2.3 MB\n"),
        (file("broken.pdf", b"%PDF-1.7\n" + bytes(500)), "broken.pdf, 509 bytes, not read: "),
        (file("empty.csv", b""), "empty.csv, 0 bytes, not read: "),
        (file("../..\\etc/passwd\n.csv", b"a,b"), 'passwd .csv, 3 bytes, '),
        (file(LONG), "x" * 299),
        (file(""), "download"),
    ],
    ids=["large", "picture", "broken", "empty", "path", "long", "nameless"],
)  # fmt: skip
async def test_what_cannot_be_read_is_told_plainly(
    desk: Desk, sent: dict[str, Any], line: str
) -> None:
    trip = await exported(desk, sent)
    assert trip.answer["verification"]["actionSucceeded"] is True
    assert line in trip.calls[-1].prompt


async def test_many_files_at_once_are_all_told_and_their_texts_bounded(desk: Desk) -> None:
    rows = b"a,b\n" * 8_000
    trip = await exported(desk, *(file(f"r{n}.csv", rows, url="blob:x") for n in range(20)))
    kept = (await desk.state(trip))["background"].downloads
    assert [one.name for one in kept] == [f"r{n}.csv" for n in range(20)]
    assert 0 < sum(len(one.text) for one in kept) <= 200_000
    assert kept[-1].text
    assert "newer files" in kept[0].unread
    assert {one.url for one in kept} == {REPORTS.url}


async def test_one_of_the_same_name_is_the_newest(desk: Desk) -> None:
    newer = file("report.csv", CSV.replace(b"1234", b"4321"))
    script = [doing('read("report.csv")'), doing("wait(100)")]
    trip = await exported(desk, file("report.csv", CSV), newer, script=script)
    assert "555 4321" in trip.thinking[-1].prompt
    assert "555 1234" not in trip.thinking[-1].prompt
