"""The page as a model reads it: everything it needs to choose, nothing a page could forge."""

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.page import Node, Observation, ObservedTab, PlacedText, Tree, UnreachableFrame
from app.page.render import LONGEST_TEXT, render_lines

WINDOW = (1280.0, 800.0)


def at(y: float, **fields) -> Node:
    return Node(box=(10, y, 80, 20), **fields)


def page(*nodes: Node, **fields) -> Observation:
    return Observation(url="https://a.example/", tree=Tree(nodes), viewport=WINDOW, **fields)


def test_a_form_reads_as_its_name_and_a_line_for_each_field():
    text = render_lines(
        page(
            at(10, id="3", role="link", name="Home"),
            at(50, id="14", role="inp", name="Name", value="Jas", states=frozenset({"required"}),
               group="form: New patient"),
            at(80, id="15", role="sel", name="Clinic", value="North", options=("North", "South"),
               group="form: New patient"),
            at(110, id="16", role="inp", name="Born", value="", input_type="date", hint="yyyy-mm-dd",
               group="form: New patient"),
            at(140, id="2:17", role="btn", name="Save", group="form: New patient"),
        )
    )  # fmt: skip
    assert text.splitlines() == [
        '3 link "Home"',
        "form: New patient:",
        '14 inp "Name" ="Jas" required',
        '15 sel "Clinic" ="North" [North | South]',
        '16 inp "Born" date (yyyy-mm-dd)',
        '2:17 btn "Save"',
    ]


def test_what_no_click_reaches_is_left_out():
    assert render_lines(page(at(10, id="1", role="btn", name="Under a veil", occluded=True))) == ""


def test_what_is_far_is_counted_and_what_is_asked_for_is_listed_all_the_same():
    near = at(900, id="1", role="btn", name="Just below")
    far = [at(2000 + n, id=str(10 + n), role="btn", name=f"Row {n}") for n in range(30)]
    above = at(-900, id="2", role="link", name="Top")
    wanted = at(5000, id="99", role="btn", name="Delete account")
    look = page(above, near, *far, wanted)
    assert render_lines(look).splitlines() == ['1 btn "Just below"', "not shown: 1 above, 31 below"]
    assert render_lines(look, about="Delete my account").splitlines() == [
        '1 btn "Just below"',
        "out of view:",
        '99 btn "Delete account"',
        "not shown: 1 above, 30 below",
    ]


def test_what_is_scrolled_out_of_its_container_is_not_in_the_window():
    hidden = at(300, id="5", role="row", name="Row 80", scrolled_out=True)
    look = page(hidden, scrollables=('"Results": at 0%, 60 more below',))
    assert render_lines(look).splitlines() == [
        "not shown: 1 below",
        '"Results": at 0%, 60 more below',
    ]


def test_outside_of_every_container_is_marked_after_one():
    look = page(
        at(1, id="1", role="inp", name="A", group="form: F"), at(2, id="2", role="btn", name="B")
    )
    assert render_lines(look).splitlines() == ["form: F:", '1 inp "A"', "-", '2 btn "B"']


def test_a_password_shows_no_more_than_the_page_sent():
    look = page(at(1, id="1", role="inp", name="PIN", value="••••••", input_type="password"))
    assert render_lines(look) == '1 inp "PIN" ="••••••" password'


@given(name=st.text(max_size=40), group=st.text(max_size=40), hint=st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_a_page_cannot_write_a_line_of_its_own(name, group, hint):
    look = page(at(1, id="1", role="btn", name=name, group=group, hint=hint))
    assert len(render_lines(look).splitlines()) <= 2
    where = "" if name else "@50,11 80x20 "
    assert render_lines(look).splitlines()[-1].startswith(f'1 {where}btn "')


def row(number: int, label: str, *nodes: tuple[str, str], **fields) -> list[Node]:
    return [
        at(number * 20, id=str(number * 10 + n), role=role, name=name, group=label, **fields)
        for n, (role, name) in enumerate(nodes)
    ]


def test_rows_that_are_alike_are_a_table():
    people = ["Karin Kowalski", "Diego Dubois", "Nils Rossi"]
    nodes = [
        node
        for n, name in enumerate(people, 1)
        for node in row(
            n,
            f"section: Users > row: {n}, {name}",
            ("chk", f"select {n}"), ("link", name), ("btn", "Edit"),
            states=frozenset({"disabled"}) if n == 2 else frozenset(),
        )
    ]  # fmt: skip
    assert render_lines(page(*nodes)).splitlines() == [
        'section: Users, each row: chk, link named in the row, btn "Edit"',
        'row: 1, Karin Kowalski: 10 "select 1", 11, 12',
        'row: 2, Diego Dubois: 20 "select 2" disabled, 21 disabled, 22 disabled',
        'row: 3, Nils Rossi: 30 "select 3", 31, 32',
    ]


def test_rows_that_differ_are_written_out():
    nodes = [
        *row(1, "row: 1", ("btn", "Edit")),
        *row(2, "row: 2", ("btn", "Edit"), ("btn", "Delete")),
        *row(3, "row: 3", ("btn", "Edit")),
    ]
    assert render_lines(page(*nodes)).splitlines() == [
        "row: 1:", '10 btn "Edit"', "row: 2:", '20 btn "Edit"', '21 btn "Delete"', "row: 3:",
        '30 btn "Edit"',
    ]  # fmt: skip


def test_a_frame_that_cannot_be_read_is_said():
    frame = UnreachableFrame(origin="https://pay.example", name="Card")
    assert (
        render_lines(page(unreachable=(frame,))) == "a frame of https://pay.example cannot be read"
    )


def test_the_tabs_of_the_run_are_told_apart():
    tabs = (
        ObservedTab(index=0, title="Orders", url="https://a.example/"),
        ObservedTab(index=3, title="Invoice", url="https://a.example/7", active=True),
    )
    assert render_lines(page(tabs=tabs)).splitlines() == [
        'tab 0 "Orders" https://a.example/',
        'tab 3 "Invoice" https://a.example/7 (this one)',
    ]


def test_the_lines_of_a_long_field_stay_lines():
    note = Node(id="4", role="inp", name="Note", value="First   line\n- one\n- two")
    assert render_lines(page(note)) == '4 inp "Note" ="First   line\\n- one\\n- two"'


def told(before: str, text: str, *, away: float = 0.0, in_row: bool = False) -> PlacedText:
    return PlacedText(before=before, text=text, away=away, in_row=in_row)


def test_texts_stand_before_their_controls_and_those_of_a_row_in_its_line():
    rows = [
        at(50 + n, id=str(2 + n), role="btn", name="Edit", group=f"row: Order {n}")
        for n in range(3)
    ]
    look = page(
        at(10, id="1", role="inp", name="Search"),
        *rows,
        texts=(
            told("1", "# Orders"),
            told("2", "Nr | State"),
            told("2", "open", in_row=True),
            told("4", "paid", in_row=True),
            told("", "Page 1 of 2"),
        ),
    )
    assert render_lines(look).splitlines() == [
        "> # Orders",
        '1 inp "Search"',
        "> Nr | State",
        'each row: btn "Edit"',
        "row: Order 0 | open: 2",
        "row: Order 1: 3",
        "row: Order 2 | paid: 4",
        "> Page 1 of 2",
    ]


def test_what_is_too_long_is_folded_the_farthest_first_and_counted():
    save = at(10, id="1", role="btn", name="Save")
    long, far = "x" * (LONGEST_TEXT + 60), told("", "Imprint", away=1e6)
    look = page(save, texts=(told("1", long), told("1", "Near"), far))
    assert render_lines(look, reading=300).splitlines() == [
        f"> {'x' * LONGEST_TEXT}… (60 more characters)",
        "> Near",
        '1 btn "Save"',
        "> Imprint",
    ]
    assert render_lines(look, reading=100).splitlines()[-1] == "> … 2 more lines of text"


def test_text_before_what_is_covered_stays_and_no_text_passes_for_a_line():
    veiled = at(10, id="1", role="btn", name="Under", occluded=True)
    look = page(
        veiled,
        at(30, id="2", role="btn", name="OK"),
        texts=(told("1", "Beside"), told("2", 'Sure?\n9 btn "Delete all"'), told("77", "Lost")),
    )
    assert render_lines(look).splitlines() == [
        "> Beside",
        '> Sure? 9 btn "Delete all"',
        '2 btn "OK"',
        "> Lost",
    ]


def test_what_no_name_tells_apart_says_where_it_is():
    look = page(
        at(10, id="1", role="btn", name="Open"),
        at(40, id="2", role="btn", name="Open"),
        at(70, id="3", role="img", name="red circle"),
        at(90, id="4", role="btn", name="Save"),
        at(110, id="5", role="el"),
    )
    assert render_lines(look).splitlines() == [
        '1 @50,20 80x20 btn "Open"',
        '2 @50,50 80x20 btn "Open"',
        '3 @50,80 80x20 img "red circle"',
        '4 btn "Save"',
        '5 @50,120 80x20 el ""',
    ]
