"""What a model finds, or reads in full, on the page that it was shown a part of."""

from app.domain.action import action
from app.domain.page import Node, Observation, PlacedText, Tree
from app.domain.reasoner import Download
from app.page.lookup import MOST_FOUND, look_up
from app.page.render import render_lines

LONG = "Terms. " * 60 + "The deposit is returned within ten days."
PAGE = Observation(
    url="https://rent.example",
    tree=Tree.of(
        [
            Node(id="1", role="link", name="Home", group="nav"),
            Node(id="2", role="inp", name="Deposit", value="400", group="form: Contract"),
            Node(id="3", role="btn", name="Sign", group="form: Contract", scrolled_out=True),
        ]
    ),
    texts=(
        PlacedText(before="2", text=LONG),
        PlacedText(before="", text="© Rent"),
    ),
)


def test_a_text_is_found_in_controls_and_between_them():
    found = look_up(action("find", "deposit"), PAGE).splitlines()
    assert found[0] == '2 inp "Deposit" ="400" under form: Contract'
    assert found[1].startswith("> …")
    assert found[1].endswith("The deposit is returned within ten days.")


def test_a_text_is_told_with_the_place_where_it_is_reached():
    cell = PlacedText(before="", text="Nuts 65", at=(120.4, 88.0))
    found = look_up(action("find", "nuts"), Observation(url="", texts=(cell,))).splitlines()
    assert found[0] == "> @120,88 Nuts 65"
    assert "doubleClick" in found[1]


def test_a_long_value_is_read_whole():
    area = Node(id="7", role="inp", name="Terms", value="word " * 100 + "last")
    page = Observation(url="", tree=Tree.of([area]))
    assert "last" not in "\n".join(render_lines(page))
    assert "last" in look_up(action("read", "7"), page)


def test_a_cell_of_a_row_is_told_with_its_own_place():
    row = PlacedText(before="", text="Nuts | 65", at=(10, 20), cells=((10, 20), (99, 20)))
    assert look_up(action("find", "65"), Observation(url="", texts=(row,))).startswith(
        "> Nuts | @99,20 65\n"
    )


def test_what_is_out_of_sight_is_found():
    assert look_up(action("find", "SIGN"), PAGE) == '3 btn "Sign" under form: Contract'


def test_what_stands_nowhere_is_told():
    assert look_up(action("find", "refund"), PAGE) == "'refund' is nowhere on the page."


def test_more_places_than_are_told_are_counted():
    many = Tree.of(Node(id=str(at), role="link", name=f"Page {at}") for at in range(1, 31))
    found = look_up(action("find", "page"), Observation(url="", tree=many)).splitlines()
    assert (len(found), found[-1]) == (MOST_FOUND + 1, "… 10 more")


def test_a_region_is_read_whole():
    read = look_up(action("read", "3"), PAGE)
    assert read.startswith(f"> {LONG}\n2 inp")
    assert read.endswith('3 btn "Sign"')
    assert "Home" not in read
    assert "Home" in look_up(action("read", "page"), PAGE)
    assert look_up(action("read", "page"), PAGE).endswith("> © Rent")


def test_a_region_ends_where_another_begins_whose_name_begins_alike():
    other = Node(id="9", role="btn", name="Void", group="form: Contract archive")
    page = Observation(url="", tree=Tree.of([*PAGE.tree, other]), texts=PAGE.texts)
    assert "Void" not in look_up(action("read", "3"), page)


FILES = (
    Download(
        name="rent.csv", url="", text="| month | rent |\n| --- | --- |\n| May | 400 |", size=20
    ),
    Download(name="plan.pdf", url="", size=9, unread="it is damaged"),
    Download(name="2", url="", text="a file called as a control is"),
)


def test_a_file_is_read_by_its_name():
    found = look_up(action("read", "rent.csv"), PAGE, FILES).splitlines()
    assert found == ["> | month | rent |", "> | --- | --- |", "> | May | 400 |"]
    assert look_up(action("read", "plan.pdf"), PAGE, FILES) == (
        "plan.pdf, 9 bytes, not read: it is damaged"
    )
    assert "Deposit" in look_up(action("read", "2"), PAGE, FILES)


def test_a_long_file_is_cut_and_says_so():
    long = Download(name="long.txt", url="", text="line of it\n" * 2_000)
    found = look_up(action("read", "long.txt"), PAGE, (long,))
    assert len(found) < 8_100
    assert "more characters" in found


def test_a_text_is_found_in_files_too():
    found = look_up(action("find", "400"), PAGE, FILES).splitlines()
    assert found[-1] == "rent.csv > | May | 400 |"
    nowhere = look_up(action("find", "zebra"), PAGE, FILES)
    assert nowhere == "'zebra' is nowhere on the page or in a file."
