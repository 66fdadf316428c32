"""The page in another form, as a model reads it."""

from app.domain.page import Node, Observation, Tree
from app.page.render import render_lines, render_markup

SAVE = Node(id="14", role="btn", name="Save", center=(640.4, 31.6), box=(600, 20, 80, 24))
PICTURE = b"\xff\xd8\xff"


def page(**over):
    given = {"url": "http://x.test", "tree": Tree((SAVE,)), "viewport": (1280, 800)}
    return Observation(**given | over)


def test_the_list_of_controls_alone_has_no_other_form():
    assert render_markup(page()) == ""
    assert "@" not in render_lines(page())


def test_markup_carries_the_ids_of_the_list():
    markup = '<button data-llm-id="14">Save</button><a data-llm-id="2:3">x</a>'
    text = render_markup(page(mode="skeleton", markup=markup))
    assert "<button i=14>Save</button><a i=2:3>x</a>" in text
    assert "data-llm-id" not in text


def test_with_a_picture_controls_say_where_they_are():
    seen = page(mode="hybrid", screenshot=PICTURE, markup="<p>x")
    assert '14 @512,25 64x19 btn "Save"' in render_lines(seen)
    assert "1024x640 of its pixels" in render_markup(seen)
    assert "1 is 1.25 of the page" in render_markup(seen)
    assert "<p>x" in render_markup(seen)


def test_a_picture_that_could_not_be_taken_is_told():
    seen = page(mode="hybrid", markup="<p>x", no_picture="NOT_GRANTED")
    assert "no picture could be taken: the person has not allowed" in render_markup(seen)
    assert "@" not in render_lines(seen)
