"""What a person notices of the grounder: it says no, it asks, it stays inside the record named."""

import pytest

from app.domain.directive import Target
from app.domain.page import Node, Tree
from app.grounding import find_field, ground_target
from app.plans.analysis import GROUNDED
from tests.unit.grounding.compact import tree
from tests.unit.grounding.pages import ADMIN, DIALOG


def test_absent_names_the_nearest():
    page = tree("""
    a btn Filter
    b link Flights archive
    """)
    found = ground_target(Target(phrase="Book a flight"), page)
    assert found.outcome == "absent"
    assert "nothing here is called 'Book a flight'" in found.reason
    assert "Flights archive" in found.reason


def test_ambiguous_candidates_are_told_apart_by_their_record():
    found = ground_target(Target(phrase="Edit"), ADMIN)
    assert found.outcome == "ambiguous"
    assert [one.group.split(": ")[-1] for one in found.candidates] == [
        "Jas Patel", "Maria Lopez", "Tom O'Neill",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["Peter Pan", "jas lopez", "user Peter"])
def test_another_record_is_never_taken_for_the_one_named(name):
    for target, verb in [
        (Target(phrase="Delete", within=name), "click"),
        (Target(phrase=name), "delete"),
    ]:
        assert ground_target(target, ADMIN, verb=verb).outcome == "absent"


def test_a_missing_record_is_said_to_be_missing():
    found = ground_target(Target(phrase="Edit", within="Peter Pan"), ADMIN)
    assert "there is no 'Peter Pan' here" in found.reason


def test_twins_count_as_one_with_less_confidence():
    page = tree("""
    a btn Save
    b btn Save
    c btn Close
    """)
    twins = ground_target(Target(phrase="Save"), page)
    single = ground_target(Target(phrase="Close"), page)
    assert twins.chosen == ("a",)
    assert twins.confidence < single.confidence


def test_a_part_of_a_longer_label_is_found_less_surely():
    whole = tree("a btn Save\nb btn Save and add another")
    part = tree("b btn Save and add another")
    sure = ground_target(Target(phrase="Save"), whole)
    unsure = ground_target(Target(phrase="Save"), part)
    assert (sure.chosen, unsure.chosen) == (("a",), ("b",))
    assert unsure.confidence < sure.confidence


def test_part_of_a_label_is_not_surely_meant_by_a_quoted_name():
    page = tree("a btn Save a copy of this\nb btn Submit")
    assert ground_target(Target(phrase="Save"), page).confidence >= GROUNDED
    assert ground_target(Target(phrase="Save", quoted=True), page).confidence < GROUNDED


def test_a_field_is_not_surely_meant_by_part_of_what_was_said():
    found = find_field("Telephone or cell", tree("a inp Phone\nb inp Zip code"))
    assert (found.chosen, found.confidence < GROUNDED) == (("a",), True)


def test_capitals_tell_two_labels_apart():
    page = tree("a btn no\nb btn No")
    assert ground_target(Target(phrase="No"), page).chosen == ("b",)
    assert ground_target(Target(phrase="no"), page).chosen == ("a",)


def test_a_disabled_control_is_found_and_said_to_be_disabled():
    found = ground_target(Target(phrase="Delete", within="Tom O'Neill"), ADMIN)
    assert found.chosen == ("c3",)
    assert found.reason == "it is disabled"


def test_what_is_behind_a_dialog_is_not_meant():
    assert ground_target(Target(phrase="Save"), DIALOG).chosen == ("s",)


@pytest.mark.parametrize("phrase", ["", "   ", "…", "的", "\ud800", "a" * 5_000, "(((", "%s {0}"])
def test_odd_phrases_are_answered(phrase):
    for page in (ADMIN, Tree()):
        assert ground_target(Target(phrase=phrase), page).outcome in (
            "found",
            "ambiguous",
            "absent",
        )
        assert find_field(phrase, page).outcome in ("found", "ambiguous", "absent")


def test_labels_in_other_scripts_are_found():
    page = Tree.of(
        [Node(id="1", role="btn", name="שמור"), Node(id="2", role="btn", name="Überweisen")]
    )
    assert ground_target(Target(phrase="שמור"), page).chosen == ("1",)
    assert ground_target(Target(phrase="uberweisen"), page).chosen == ("2",)
