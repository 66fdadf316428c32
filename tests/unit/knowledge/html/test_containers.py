"""How the parts of a page are called, and where they stand in its Markdown."""

import pytest

from knowledge.html.containers import container_name
from knowledge.html.reader import read_html


@pytest.mark.parametrize(
    ("role", "ident", "name", "called"),
    [
        ("dialog", "dlg", "New  patient", "dialog[New patient]"),
        ("alertdialog", "", "Sure?", "dialog[Sure?]"),
        ("dialog", "dlg", "", "#dlg"),
        ("dialog", "radix-:r1:", "", "dialog"),
        ("tabpanel", "", "Orders [3]", "tabpanel[Orders (3)]"),
        ("main", "app", "The app", "main"),
        ("", "orders", "", "#orders"),
        ("", "mui-48213", "", ""),
        ("region", "", "", ""),
        ("button", "", "Save", ""),
    ],
)
def test_a_part_is_called_by_role_and_name_else_by_a_lasting_id(role, ident, name, called):
    assert container_name(role, ident, name) == called


BODY = """
<main><h1>Ward</h1><p>Before.</p>
<section id="orders"><h2>Orders</h2><p>First order.</p><ul><li>Second order</li></ul></section>
<div role="tabpanel" aria-labelledby="t1"><p>In the tab.</p></div></main>
<span id="t1">History</span>
<div role="dialog" aria-modal="true"><h2>New patient</h2><p>Enter a name.</p></div>
"""


def test_each_part_is_where_its_words_are():
    found = read_html(f"<html><body>{BODY}</body></html>", phase="initial")
    held = {one.container: found.markdown[one.start : one.end] for one in found.regions}
    assert held["#orders"] == "## Orders\n\nFirst order.\n\n- Second order"
    assert held["tabpanel[History]"] == "In the tab."
    assert held["dialog[New patient]"] == "## New patient\n\nEnter a name."
    assert held["main"].startswith("# Ward")
    assert held["main"].endswith("In the tab.")
    assert "\ufdd0" not in found.markdown


def test_a_captured_piece_is_called_as_in_its_page():
    piece = '<div role="dialog" aria-modal="true"><h2>New patient</h2><p>Enter a name.</p></div>'
    found = read_html(piece, phase="post-interaction")
    assert [one.container for one in found.regions] == ["dialog[New patient]"]
    assert (found.regions[0].start, found.regions[0].end) == (0, len(found.markdown))


def test_a_part_that_begins_another_is_called_by_its_own_words():
    piece = '<main><div role="dialog"><h2>Sure?</h2><p>It is final.</p></div></main>'
    found = read_html(f"<html><body>{piece}</body></html>", phase="initial")
    assert [one.container for one in found.regions] == ["main", "dialog[Sure?]"]
