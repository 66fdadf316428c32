"""The list of controls of a page that came as HTML alone."""

import pytest

from app.domain.page import MASK, MAX_NODES
from app.page import list_controls
from tests.unit.page.markup.test_hostile_html import HOSTILE

PAGE = """<nav aria-label="Main"><a href="/" data-llm-id="1">Home</a></nav>
<form aria-label="New patient">
<label>Name <input name="name" value="Jas" required data-llm-id="2"></label>
<label for="mail">E-mail</label><input id="mail" type="email" placeholder="a@b.c" data-llm-id="3">
<input type="password" aria-label="Password" value="hunter2" data-llm-id="4">
<label>Clinic <select data-llm-id="5"><option>North<option selected>South</select></label>
<label><input type="checkbox" checked data-llm-id="6"> Send a letter</label>
<textarea aria-label="Note" data-llm-id="7">a &lt; b</textarea>
<button aria-expanded="false" disabled data-llm-id="2:8">Save <b>it</b></button></form>
<table><tr><td>Karin<td>41<td><button data-llm-id="9">Edit</button>
<tr><td>Diego<td>9<td><button data-llm-id="10">Edit</button></table>
<div role="switch" aria-checked="true" data-llm-id="11">Dark</div>"""


def test_each_control_has_its_role_name_value_and_states():
    tree = list_controls(PAGE)
    known = {n.id: (n.role, n.name, n.value) for n in tree}
    assert known == {
        "1": ("link", "Home", None),
        "2": ("inp", "Name", "Jas"),
        "3": ("inp", "E-mail", ""),
        "4": ("inp", "Password", MASK),
        "5": ("sel", "Clinic", "South"),
        "6": ("chk", "Send a letter", None),
        "7": ("inp", "Note", "a < b"),
        "2:8": ("btn", "Save it", None),
        "9": ("btn", "Edit", None),
        "10": ("btn", "Edit", None),
        "11": ("chk", "Dark", None),
    }
    states = {n.id: set(n.states) for n in tree if n.states}
    assert states == {
        "2": {"required"},
        "6": {"checked"},
        "2:8": {"disabled", "collapsed"},
        "11": {"checked"},
    }


def test_where_a_control_is_tells_it_from_its_like():
    tree = list_controls(PAGE).by_id
    assert tree["1"].group == "nav: Main"
    assert tree["2"].group == "form: New patient"
    assert tree["9"].group == "row: Karin 41 Edit"
    assert tree["10"].group == "row: Diego 9 Edit"
    assert tree["2:8"].frame == 2
    assert tree["3"].hint == "a@b.c"
    assert tree["5"].options == ("North", "South")


def test_what_is_hidden_or_has_no_id_is_no_control():
    page = """<button>No id</button><button data-llm-id="x">Bad</button><div hidden>
    <button data-llm-id="1">Hidden</button></div><button data-llm-id="2">First</button>
    <button data-llm-id="2">Second</button><script>"<button data-llm-id='3'>"</script>"""
    assert [node.name for node in list_controls(page)] == ["First"]


def test_no_more_controls_than_are_read():
    page = "".join(f"<button data-llm-id={n}>Go</button>" for n in range(MAX_NODES + 50))
    assert len(list_controls(page)) == MAX_NODES


@pytest.mark.parametrize("html", HOSTILE, ids=lambda html: repr(html[:16]))
def test_of_hostile_html_little_is_kept(html):
    assert len(list_controls(html)) == 0


def test_a_name_keeps_few_of_many_words():
    deep = "".join(f"<li data-llm-id={n}>" for n in range(50)) + "word " * 100_000
    for node in list_controls(deep):
        assert len(node.name) <= 80
