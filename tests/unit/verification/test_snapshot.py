"""A packed page is the page; hashes change with what matters and with nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from app.domain.page import MASK, Tree
from app.page.snapshot import dom_hash, fingerprint, pack, page_outline, unpack
from tests.unit.verification.looks import alter, form, having, n, page, without
from tests.unit.verification.strategies import pages


@given(pages())
@settings(max_examples=150, deadline=None)
def test_unpacking_gives_back_what_was_packed(look):
    assert unpack(pack(look)) == look


def test_a_packed_page_holds_no_password():
    look = page(n("1", "inp", "Password", value="s3cret", input_type="password"))
    assert unpack(pack(look)).tree.nodes[0].value == MASK


def test_lone_surrogates_do_not_break_packing():
    look = page(n("1", "btn", "bad \ud800 name"))
    assert unpack(pack(look)).tree.nodes[0].name.startswith("bad ")


@pytest.mark.parametrize("data", [b"", b"nonsense"])
def test_other_bytes_are_refused(data):
    with pytest.raises(ValueError, match="not a packed"):
        unpack(data)


BASE = form(
    "Jas",
    n("40", "btn", "Inbox (3)"),
    n("41", "txt", "3 of 10", "status"),
    summary="Patients 12:40",
)

SAME = {
    "ids": replace(BASE, tree=Tree.of(replace(x, id=f"9{x.id}") for x in BASE.tree)),
    "order": replace(BASE, tree=Tree(BASE.tree.nodes[::-1])),
    "focus": alter(BASE, "10", states=frozenset({"required", "focused"})),
    "position": alter(BASE, "10", center=(1.0, 2.0)),
    "counter": alter(BASE, "40", name="Inbox (4)"),
    "number in a message": alter(BASE, "41", name="4 of 10"),
    "clock": replace(BASE, summary="Patients 12:41"),
}
OTHER = {
    "value": alter(BASE, "10", value="Jon"),
    "state": alter(BASE, "13", states=frozenset({"checked"})),
    "name": alter(BASE, "14", name="Send"),
    "a control more": having(BASE, n("50", "btn", "New")),
    "a control less": without(BASE, "15"),
    "path": replace(BASE, url="https://app.example.org/other"),
    "route": replace(BASE, url=BASE.url + "#/new"),
    "content": replace(BASE, summary="Orders 12:40"),
}


@pytest.mark.parametrize("look", SAME.values(), ids=SAME.keys())
def test_the_fingerprint_overlooks(look):
    assert fingerprint(look) == fingerprint(BASE)


@pytest.mark.parametrize("look", OTHER.values(), ids=OTHER.keys())
def test_the_fingerprint_sees(look):
    assert fingerprint(look) != fingerprint(BASE)


def test_the_dom_hash_sees_order_and_text():
    assert dom_hash(BASE) == dom_hash(form("Jas", *BASE.tree.nodes[7:]))
    assert dom_hash(SAME["order"]) != dom_hash(BASE)


def test_the_skeleton_names_containers_and_holds_no_value():
    text = page_outline(BASE)
    assert "form: New patient: inp Name" in text
    assert "Jas" not in text
    assert len(page_outline(page(*(n(str(i), "btn", f"Button {i}") for i in range(500))))) <= 1_000
