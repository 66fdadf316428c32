"""Mentions in arbitrary JSON."""

from typing import Any

import pytest

from app.chat.documents.mentions import parse_mentions


def mention(given: object, label: object = "", **attrs: object) -> dict[str, Any]:
    return {"type": "mention", "attrs": {"id": given, "label": label, **attrs}}


def document(*nodes: object) -> dict[str, Any]:
    return {"type": "doc", "content": [{"type": "paragraph", "content": list(nodes)}]}


def test_each_kind_is_taken_once_in_its_order() -> None:
    tree = document(
        mention("d1", "Handbook", category="document"),
        {"type": "text", "text": " and "},
        mention("hr", "HR", category="set"),
        mention("compare", "Compare", kind="action"),
        mention("web", "Web", category="web"),
        mention("d1", "Handbook"),
    )
    found = parse_mentions(tree, "@Compare @Handbook and @HR, handbook rules on @Web").mentions
    assert [(one.kind, one.id) for one in found] == [
        ("document", "d1"), ("set", "hr"), ("action", "compare"), ("web", "web"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("Compare @Handbook and @Handbook 2024", "Compare and"),
        ("Handbook", ""),
        ("Is the handbook like Handbook 2024, or not?", "Is the like, or not?"),
        ("Handbooks", "Handbooks"),
    ],
)
def test_labels_are_no_part_of_the_plain_text(message: str, plain: str) -> None:
    tree = document(mention("a", "Handbook"), mention("b", "Handbook 2024"))
    assert parse_mentions(tree, message).plain == plain


@pytest.mark.parametrize(
    "tree",
    [
        None, 5, "text", [], [[1]], {"type": "mention"}, {"type": "mention", "attrs": 3},
        document(mention(None)), document(mention({"a": 1}, [2])), document(mention(True)),
        {"content": {"content": 7}},
    ],
)  # fmt: skip
def test_other_shapes_hold_no_mention(tree: object) -> None:
    assert parse_mentions(tree, " hello ").mentions == ()
    assert parse_mentions(tree, " hello ").plain == "hello"


def test_a_number_is_an_id() -> None:
    assert parse_mentions(document(mention(7)), "x").mentions[0].id == "7"


def test_depth_width_and_number_are_bounded() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"type": "doc", "content": [deep]}
    wide = document(*({"type": "text"} for _ in range(100_000)), mention("late"))
    many = document(*(mention(f"d{at}", f"No {at}") for at in range(3_000)))
    assert parse_mentions(deep, "x").mentions == ()
    assert parse_mentions(wide, "x").mentions == ()
    assert len(parse_mentions(many, "x").mentions) == 1_000
