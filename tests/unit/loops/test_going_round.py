"""What is stopped, and that the reason names what repeats."""

from app.engines.loops import Asked, reflect
from tests.unit.loops.acts import deed, pages, press

MODELS = Asked(own=False)


def test_two_actions_in_turn_on_the_same_two_pages():
    turn = [press("Edit", page="list"), press("Cancel", page="form")]
    deeds = tuple(one.model_copy(update={"step": at}) for at, one in enumerate(turn * 2))
    assert reflect(deeds[:3], asked=MODELS) is None
    said = reflect(deeds, asked=MODELS)
    assert "Click Edit" in said
    assert "Click Cancel" in said
    assert "2 times" in said


def test_two_actions_in_turn_on_pages_that_never_stand_still():
    turn = [press("Edit", url="/list"), press("Cancel", url="/form")] * 4
    deeds = tuple(
        one.model_copy(update={"step": at, "fingerprint": page})
        for at, (one, page) in enumerate(zip(turn, pages(8), strict=True))
    )
    assert reflect(deeds[:7], asked=MODELS) is None
    assert "4 times" in reflect(deeds, asked=MODELS)


def test_the_same_in_ever_new_steps_of_a_model():
    deeds = tuple(press("Refresh", step=at) for at in range(4))
    assert reflect(deeds[:3], asked=MODELS, ended=True) is None
    said = reflect(deeds, asked=MODELS, ended=True)
    assert "Click Refresh" in said
    assert "4 times" in said


def test_page_after_page():
    deeds = tuple(press("Next", page=page, step=at) for at, page in enumerate(pages(11)))
    assert reflect(deeds[:10], asked=MODELS, ended=True) is None
    said = reflect(deeds, asked=MODELS, ended=True)
    assert "11 pages were turned" in said
    assert "Click Next" in said


def test_page_numbers_that_grow():
    links = [press(str(at), role="link", page=f"p{at}") for at in range(2, 13)]
    said = reflect(tuple(links))
    assert "Click 2" in said
    assert "Click 12" in said


def test_addresses_whose_number_grows_in_any_language():
    deeds = tuple(
        press("Weiter", page=f"p{at}", url=f"https://a.example/?sort=2&page={at}")
        for at in range(1, 13)
    )
    assert reflect(deeds) is not None
    ways = [f"https://a.example/p/{at}" for at in range(12)]
    to = tuple(deed("navigate", way, page=way, signature=None) for way in ways)
    assert reflect(to) is not None


def test_a_feed_that_goes_on():
    deeds = tuple(deed("scroll", "page", "down", page=page) for page in pages(11))
    assert reflect(deeds[:10]) is None
    assert reflect(deeds) is not None


def test_scrolling_between_does_not_hide_it():
    turned = [
        (press("Next", page=page), deed("scroll", "page", "down", page=f"{page}b"))
        for page in pages(11)
    ]
    assert reflect(tuple(one for pair in turned for one in pair)) is not None


def test_a_page_that_changes_by_itself_hides_no_loop():
    deeds = tuple(press(f"B{at % 3}", page=page) for at, page in enumerate(pages(24)))
    assert reflect(deeds[:22]) is None
    said = reflect(deeds)
    assert "keeps changing" in said
    assert "Click B1" in said


def test_the_page_that_just_came_is_progress():
    seen = ["a", "b", "a", "b", "a", "b", "a"]
    deeds = tuple(deed("click", str(i), page=p) for i, p in enumerate(seen))
    assert reflect(deeds, now=lambda: "c") is None
    assert reflect(deeds, now=lambda: "a") is not None


def test_a_step_that_just_ended_is_progress():
    seen = ["a", "b", "a", "b", "a", "b", "a"]
    deeds = tuple(deed("click", str(i), page=p) for i, p in enumerate(seen))
    assert reflect(deeds, ended=True) is None
