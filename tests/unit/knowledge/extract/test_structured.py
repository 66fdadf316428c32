"""JSON, YAML, XML and CSV as a person reads them, and what is hostile in them."""

import pytest

from tests.unit.knowledge.extract.sample_files import Desk

ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefghi", "bcdefghij", strict=True)
)
LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>'
FILE = '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><l>&a;</l>'


def test_objects_of_one_shape_become_a_table(desk: Desk) -> None:
    people = '{"people": [{"name": "Ann", "job": {"title": "nurse"}}, {"name": "Bob|B", "age": 4}]}'
    assert desk.read("a.json", people).markdown == (
        "# people\n\n| name | job.title | age |\n| --- | --- | --- |\n| Ann | nurse |  |\n| Bob\\|B |  | 4 |"
    )


def test_a_file_of_lines_that_was_cut_keeps_its_whole_lines(desk: Desk) -> None:
    found = desk.read("a.jsonl", '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n{"a": 5')
    assert found.markdown.endswith("| 1 | 2 |\n| 3 | 4 |")
    assert found.notes == ("The last line is truncated.",)


def test_yaml_is_plain_values(desk: Desk) -> None:
    text = "hours: &h {from: 9, to: 17}\nweekend: *h\nimage: !Ref logo\nwhen: 2026-03-01\n"
    found = desk.read("a.yaml", text).markdown
    assert "# weekend\n\n- from: 9\n- to: 17" in found
    assert "- image: logo\n- when: 2026-03-01" in found


def test_xml_keeps_its_order_and_makes_tables_of_records(desk: Desk) -> None:
    text = (
        '<list><title>Parts</title><part id="1"><name>Bolt</name></part><part id="2"><name>Nut</name></part>'
        "<note>Ask <b>Ann</b> first.</note></list>"
    )
    assert desk.read("a.xml", text).markdown == (
        "- title: Parts\n\n| id | name |\n| --- | --- |\n| 1 | Bolt |\n| 2 | Nut |\n\nAsk Ann first."
    )


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("name;hours\nAnn;3,5\nBob;4,5\n", "| name | hours |"),
        ("name\thours\nAnn\t3\n", "| name | hours |"),
        ("sep=;\nname;hours\nAnn;3\n", "| name | hours |"),
        ("Ann,3,x\nBob,4,y\n", "| A | B | C |"),
        ("part,2024,2025\nbolt,3,4\n", "| part | 2024 | 2025 |"),
    ],
)
def test_a_table_of_values_has_its_head_and_separator_found(
    desk: Desk, text: str, head: str
) -> None:
    assert desk.read("a.csv", text).markdown.startswith(f"{head}\n| ---")


def test_a_hundred_thousand_rows_are_read(desk: Desk) -> None:
    rows = "".join(f"part {n},{n * 3},bay {n % 90}\n" for n in range(100_000))
    found = desk.read("a.csv", f"part,price,bay\n{rows}")
    assert found.markdown.count("\n") == 100_001
    assert not found.notes


def test_a_quote_that_never_ends_does_not_swallow_the_rest(desk: Desk) -> None:
    rows = "".join(f"part {n},{n}\n" for n in range(500))
    found = desk.read("a.csv", f'part,size\nrod,5\nplank,"2\n{rows}')
    assert '| plank | "2 |\n| part 0 | 0 |' in found.markdown
    assert found.notes == ("A quote never ends, so quotes were read literally.",)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.json", "[" * 100_000 + "]" * 100_000, "DOCUMENT_DAMAGED"),
        ("a.json", '{"a": ', "DOCUMENT_DAMAGED"),
        ("a.json", '{"a": {}}', "DOCUMENT_EMPTY"),
        ("a.yaml", ALIASES, "DOCUMENT_TOO_LARGE"),
        ("a.yaml", "a: &a [*a]", "DOCUMENT_DAMAGED"),
        ("a.yaml", "a: [1", "DOCUMENT_DAMAGED"),
        ("a.yaml", "[" * 2_000, "DOCUMENT_DAMAGED"),
        ("a.xml", LAUGHS, "DOCUMENT_DAMAGED"),
        ("a.xml", FILE, "DOCUMENT_DAMAGED"),
        ("a.xml", "<a>" * 50_000 + "</a>" * 50_000, "DOCUMENT_DAMAGED"),
        ("a.xml", "<a><b>cut", "DOCUMENT_DAMAGED"),
    ],
)  # fmt: skip
def test_what_is_hostile_or_cut_is_refused(desk: Desk, name: str, data: str, code: str) -> None:
    assert desk.refused(name, data) == code
