"""The difference of two looks, and how it is told."""

from hypothesis import given, settings

from app.domain.action import action
from app.page.difference import compare_pages, describe_difference
from tests.unit.verification.looks import alter, form, having, n, page, toast, without
from tests.unit.verification.strategies import pages


@given(pages(heard=False))
@settings(max_examples=100, deadline=None)
def test_a_page_does_not_differ_from_itself(look):
    diff = compare_pages(look, look)
    assert not diff.has_changes
    assert describe_difference(diff)[0] == "Nothing changed"


@given(pages(), pages())
@settings(max_examples=100, deadline=None)
def test_what_is_added_one_way_is_removed_the_other(one, other):
    there, back = compare_pages(one, other), compare_pages(other, one)
    assert {x.id for x in there.added} == {x.id for x in back.removed}
    assert {x.id for x in there.removed} == {x.id for x in back.added}
    assert {(c.before.id, c.after.id) for c in there.changed} == {
        (c.after.id, c.before.id) for c in back.changed
    }
    assert there.opened == back.closed


def test_a_control_with_a_new_id_is_the_same_control():
    diff = compare_pages(form("Jas"), alter(form("Jas Patel"), "10", id="70"))
    assert not diff.added
    assert not diff.removed
    assert diff.changed[0].kinds == {"value"}


def test_a_renamed_control_is_the_same_control():
    diff = compare_pages(form(), alter(form(), "14", name="Saved"))
    assert [c.kinds for c in diff.changed] == [{"name"}]


def test_the_same_words_in_a_new_element_are_no_news():
    before = having(form(), toast("Saved"))
    assert compare_pages(before, having(form(), toast("Saved", "91"))).successes == ()
    assert compare_pages(before, having(before, toast("Saved", "91"))).successes == ("Saved",)


def test_dialogs_that_open_and_close_are_named():
    shut, opened = page(), page(n("1", "btn", "OK", group="dialog: Delete patient?"))
    assert compare_pages(shut, opened).opened == ("Delete patient?",)
    assert compare_pages(opened, shut).closed == ("Delete patient?",)


def test_ticking_numbers_are_not_solid_and_new_words_are():
    before = page(n("1", "btn", "Go"), summary="Left: 9")
    assert compare_pages(before, page(n("1", "btn", "Go"), summary="Left: 8")).has_only_numbers
    assert compare_pages(before, page(n("1", "btn", "Go"), summary="Left: none")).is_substantial


def test_the_observations_are_in_words_a_person_would_use():
    before = page(n("1", "btn", "Patient", "collapsed"), url="https://a.org/")
    after = page(
        n("1", "btn", "Patient", "expanded"),
        n("2", "menu", "New"),
        n("3", "menu", "Search"),
        url="https://a.org/list",
    )
    told = describe_difference(compare_pages(before, after), action("click", "1"))
    assert told[0] == "Patient is now open"
    assert "The page went to https://a.org/list" in told
    assert "A menu opened: New, Search" in told


def test_at_most_eight_observations_are_told():
    many = [n(str(i), "chk", f"Box {i}") for i in range(40)]
    ticked = [n(str(i), "chk", f"Box {i}", "checked") for i in range(40)]
    assert len(describe_difference(compare_pages(page(*many), page(*ticked)))) == 8


def test_a_message_is_told_by_its_kind():
    told = describe_difference(
        compare_pages(form(), having(without(form(), "13"), toast("Patient created")))
    )
    assert told[0] == "A message appeared: Patient created"
