"""What the classifier sees of a control."""

from app.authorization.features import (
    STRUCTURE,
    TEXTS,
    address_words,
    feature_words,
    features_of,
    gram_buckets,
)
from app.domain.page import Node, Observation, Tree


def _seen(*nodes, **page):
    page.setdefault("url", "https://app.example/")
    features = features_of(nodes[0], Observation(tree=Tree.of(nodes), **page))
    return dict(zip(TEXTS, features.texts, strict=True)), {STRUCTURE[i] for i in features.flags}


def test_the_question_of_a_page_reaches_its_button():
    yes = Node(id="1", role="btn", name="Yes", group="section: Objects > form", input_type="submit")
    texts, flags = _seen(
        yes,
        summary="Admin\nObjects\nAre you sure you want to delete bob? It is final.",
        url="https://app.example/users/3/delete/?next=/users",
    )
    assert texts["question"] == "Are you sure you want to delete bob?"
    assert texts["address"] == "users delete next users"
    assert {"submit", "form", "section", "page asks", "role btn"} <= flags


def test_a_dialog_is_read_and_not_the_page_behind_it():
    yes = Node(id="1", role="btn", name="OK", group="dialog: Move file?")
    said = Node(id="2", role="txt", name="It goes to the archive.", group="dialog: Move file?")
    behind = Node(id="3", role="btn", name="Delete all", group="toolbar")
    texts, flags = _seen(yes, said, behind, summary="Files\nDelete all files?\nDelete all")
    assert texts["question"] == "It goes to the archive."
    assert texts["box"] == "Move file?"
    assert "Delete all" not in texts["siblings"]
    assert "box asks" in flags


def test_fields_and_choices_are_those_of_the_same_form():
    go = Node(id="1", role="btn", name="Go", group="form: Actions")
    action = Node(id="2", role="sel", name="Action", value="Delete selected", group="form: Actions")
    other = Node(id="3", role="inp", name="Search", input_type="search", group="form: Find")
    texts, flags = _seen(go, action, other)
    assert texts["choices"] == "Delete selected"
    assert texts["fields"] == "Action"
    assert "searches" not in flags
    assert "fields 1" in flags


def test_a_chosen_option_stands_for_the_name():
    select = Node(id="1", role="sel", name="Status")
    features = features_of(select, Observation(url="https://app.example/"), "Published")
    assert features.texts[0] == "Published"


def test_words_are_split_alike_in_every_script():
    assert feature_words("Pay 20 €, now!") == ("Pay", "20", "€", "now")
    assert feature_words("हटाएं अभी") == ("हटाएं", "अभी")
    assert gram_buckets("") == ()
    assert set(gram_buckets("削除")) & set(gram_buckets("削除する"))
    assert address_words("https://a.example/a1b2/users/17/delete?x=1") == "users delete"
