"""One clear action on one control is simple."""

import pytest

from app.domain.directive import Directive, FieldValue, Instruction, Target
from app.domain.page import Node, Observation, Tree
from app.plans.analysis import classify_complexity

PAGE = Observation(
    url="",
    tree=Tree(
        (
            Node(id="1", role="btn", name="Save"),
            Node(id="2", role="inp", name="Name"),
            Node(id="3", role="btn", name="Edit"),
            Node(id="4", role="btn", name="Edit"),
            Node(id="5", role="btn", name="Export all patients"),
            Node(id="6", role="btn", name="Off", states=frozenset({"disabled"})),
            Node(id="7", role="link", name="Name"),
        )
    ),
)


def one(verb, phrase=None, **more):
    target = Target(phrase=phrase, **more.pop("target", {})) if phrase is not None else None
    return Directive(verb=verb, target=target, **more)


SIMPLE = {
    "click": one("click", "save"),
    "by some of its words": one("click", "export patients"),
    "by role": one("click", "name", target={"role": "link"}),
    "by ordinal": one("click", "edit", target={"ordinal": 2}),
    "last one": one("click", "edit", target={"ordinal": -1}),
    "fill": one("fill", "name", value="Jas", target={"role": "inp"}),
    "a key": one("press", value="Enter"),
    "an address": one("navigate", value="https://a.org"),
}
COMPLEX = {
    "two of that name": one("click", "edit"),
    "no third": one("click", "edit", target={"ordinal": 3}),
    "not here": one("click", "invoice"),
    "disabled": one("click", "off"),
    "all": one("click", "edit", target={"all": True}),
    "by its row": one("click", "edit", target={"within": "Jas Patel"}),
    "create": one("create", "patient", fields=(FieldValue(field="name", value="Jas"),)),
    "three times": one("click", "save", times=3),
    "several fields": one(
        "fill", "name", fields=(FieldValue(field="a", value="b"), FieldValue(field="c", value="d"))
    ),
    "delete": one("delete", "save"),
    "no control named": one("click"),
}


@pytest.mark.parametrize("directive", SIMPLE.values(), ids=SIMPLE.keys())
def test_simple(directive):
    assert (
        classify_complexity(Instruction(text="", directives=(directive,)), PAGE).level == "SIMPLE"
    )


@pytest.mark.parametrize("directive", COMPLEX.values(), ids=COMPLEX.keys())
def test_complex_with_a_reason(directive):
    found = classify_complexity(Instruction(text="", directives=(directive,)), PAGE)
    assert found.level == "COMPLEX"
    assert found.reason


@pytest.mark.parametrize(
    "instruction",
    [
        Instruction(text="", directives=(SIMPLE["click"], SIMPLE["a key"])),
        Instruction(text="", directives=()),
        Instruction(text="", directives=(SIMPLE["click"],), confidence=0.5),
        Instruction(text="", kind="question", directives=(SIMPLE["click"],)),
        Instruction(text="", directives=(SIMPLE["click"],), forbidden_verbs=("submit",)),
    ],
    ids=["two things", "nothing", "unclear", "question", "something forbidden"],
)
def test_other_goals_are_complex(instruction):
    assert classify_complexity(instruction, PAGE).level == "COMPLEX"
