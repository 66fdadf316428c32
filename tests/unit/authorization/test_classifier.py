"""The shipped classifier: what it says of clear controls, its size, its speed of loading, its data."""

from importlib.resources import files

import pytest

from app.authorization.assessment import EFFECTS, WEIGHTS, classify_press, weights
from app.domain.page import Node, Observation, Tree
from bench.training.samples import checksum


def _judged(name, role="btn", group="", *, summary="", url="https://app.example/", **more):
    node = Node(id="1", role=role, name=name, group=group, **more.pop("node", {}))
    beside = [Node(id=str(i), **fields) for i, fields in enumerate(more.pop("beside", ()), 2)]
    page = Observation(url=url, summary=summary, tree=Tree.of([node, *beside]), **more)
    return classify_press(node, page)


_SUBMIT = {"input_type": "submit"}
CONSEQUENTIAL = [
    ("deletes", "Delete", "row: Ana Ruiz, ana@example.org", "", {}),
    ("deletes", "Delete account", "section: Danger zone", "", {}),
    ("deletes", "Yes, I'm sure", "section: Delete > form",
     "Delete | Site\nDelete\nAre you sure you want to delete the user bob?", _SUBMIT),
    ("deletes", "OK", "dialog: Delete 3 files?", "Delete 3 files?\nThere is no way back.\nOK\nCancel", {}),
    ("deletes", "Konto löschen", "section: Einstellungen", "", {}),
    ("deletes", "Supprimer", "dialog: Supprimer ce client ?", "", {}),
    ("deletes", "削除", "row: 田中", "", {}),
    ("deletes", "Удалить", "row: Анна", "", {}),
    ("deletes", "حذف", "row: آنا", "", {}),
    ("pays", "Pay now", "form: Checkout", "", _SUBMIT),
    ("pays", "Zahlungspflichtig bestellen", "form: Kasse", "", _SUBMIT),
    ("sends", "Send", "dialog: New message", "", {}),
    ("sends", "Publish", "toolbar: Draft", "", {}),
    ("grants", "Invite", "dialog: Add people", "", {}),
]  # fmt: skip
HARMLESS = [
    ("Cancel", "btn", "dialog: Delete 3 files?", "Delete 3 files?\nThere is no way back.\nOK\nCancel", {}),
    ("Save", "btn", "form: Edit customer", "", _SUBMIT),
    ("Search", "btn", "form", "", _SUBMIT),
    ("Log out", "btn", "menu: Ana", "", {}),
    ("Orders", "link", "nav", "", {}),
    ("Payment methods", "link", "nav: Account", "", {}),
    ("Clear filter", "btn", "toolbar", "", {}),
    ("Name", "inp", "form: New customer", "", {}),
    ("Published", "tab", "tablist", "", {}),
    ("Abbrechen", "btn", "dialog: Kunden löschen?", "", {}),
    ("Speichern", "btn", "form: Kunde", "", _SUBMIT),
]  # fmt: skip


@pytest.mark.parametrize(("effect", "name", "group", "summary", "node"), CONSEQUENTIAL)
def test_a_consequential_press_is_told(effect, name, group, summary, node):
    judgement = _judged(name, "btn", group, summary=summary, node=node)
    assert judgement.consequential
    assert judgement.effect == effect


@pytest.mark.parametrize(("name", "role", "group", "summary", "node"), HARMLESS)
def test_a_harmless_press_is_told(name, role, group, summary, node):
    judgement = _judged(name, role, group, summary=summary, node=node)
    assert not judgement.consequential
    assert judgement.effect == "harmless"


def test_the_same_control_gets_the_same_judgement():
    first, second = (_judged("Delete", group="row: Ana Ruiz") for _ in range(2))
    assert first == second
    assert sum(first.probabilities) == pytest.approx(1, abs=1e-5)
    assert len(first.probabilities) == len(EFFECTS)


def test_a_control_without_any_text_is_judged_too():
    assert not _judged("", "inp").consequential


def test_the_weights_are_small_and_of_the_data_that_is_here():
    content = files("app.authorization").joinpath(WEIGHTS).read_bytes()
    assert len(content) < 500_000
    assert weights().data_checksum == checksum(), (
        "run `make train`: the labelled controls were changed"
    )
