"""What an action may do, by the control's words, its place, its dialog and its address."""

import pytest

from app.domain.action import action
from app.domain.page import Node, Observation, Tree
from app.engines.risk import assess

ASKED = "Delete patient\nAre you sure? This cannot be undone.\nContinue\nCancel"


def node(role, name="", group="", number="1", **more):
    return Node(id=number, role=role, name=name, group=group, **more)


def page(*nodes, **more):
    return Observation(**{"url": "https://a.example/", **more}, tree=Tree.of(nodes))


def test_a_delete_says_what_it_does_and_where_that_was_read():
    button = node("btn", "Delete Jas", "list: Patients > row: Jas")
    risk = assess(action("click", "1"), button, page(button))

    assert (risk.level, risk.effects) == ("high", ("destroys",))
    assert (risk.reason, risk.evidence) == ("Deletes something", "Delete Jas")


def test_a_plain_yes_takes_the_effect_of_its_dialog():
    button = node("btn", "Continue", "dialog: Delete patient")
    risk = assess(action("click", "1"), button, page(button, summary=ASKED))

    assert risk.effects == ("destroys", "irreversible")
    assert risk.reason == "Deletes something; cannot be undone"


def test_the_way_out_of_that_dialog_is_free():
    button = node("btn", "Cancel", "dialog: Delete patient")
    assert assess(action("click", "1"), button, page(button, summary=ASKED)).level == "low"


def test_text_elsewhere_on_the_page_is_not_the_dialogs():
    button = node("btn", "Continue", "dialog: Language")
    text = "How to delete a patient\nAre you sure?\nLanguage\nEnglish\nContinue"
    assert assess(action("click", "1"), button, page(button, summary=text)).level != "high"


@pytest.mark.parametrize(
    ("typed", "level"), [('Type "acme" to confirm', "high"), ("Type of record", "medium")]
)
def test_a_typed_confirmation_is_for_what_cannot_be_undone(typed, level):
    button = node("btn", "Save", "dialog: Rename project")
    field = node("inp", typed, "dialog: Rename project", "2")
    assert assess(action("click", "1"), button, page(button, field)).level == level


def test_enter_hands_in_what_its_form_would_send():
    field = node("inp", "Message", "form: Chat", states=frozenset({"focused"}))
    button = node("btn", "Send", "form: Chat", "2")
    other = node("btn", "Delete", "form: Other", "3")

    risk = assess(action("pressKey", "Enter"), None, page(field, button, other))
    assert (risk.level, risk.effects) == ("high", ("tells",))
    assert assess(action("pressKey", "Tab"), None, page(field, button)).level == "low"


def test_a_point_is_what_lies_under_it():
    row = node("row", "Jas", box=(0, 0, 500, 40))
    button = node("btn", "Delete", "row: Jas", "2", box=(400, 10, 60, 20))
    look = page(row, button)

    assert assess(action("clickAt", 430, 20), None, look).level == "high"
    assert assess(action("clickAt", 30, 20), None, look).level == "low"


def test_a_switch_of_rights_asks_only_where_it_takes_effect_at_once():
    group = "form: Role > fieldset: Permissions"
    switch = node("chk", "May publish", group)
    save = node("btn", "Save", "form: Role", "2")

    assert assess(action("setChecked", "1", True), switch, page(switch)).effects == ("grants",)
    assert assess(action("setChecked", "1", True), switch, page(switch, save)).level == "medium"


@pytest.mark.parametrize(
    ("url", "level"),
    [
        ("https://a.example/logout", "high"),
        ("https://a.example/users/3/delete", "high"),
        ("https://a.example/?action=delete&id=3", "high"),
        ("https://a.example/%6Cogout", "high"),
        ("https://a.example/docs/delete-user", "low"),
        ("https://a.example/orders", "low"),
        ("https://[broken", "low"),
        ("", "low"),
    ],
)
def test_an_address_may_do_it_too(url, level):
    assert assess(action("navigate", url), None, page()).level == level


@pytest.mark.parametrize("name", ["", "'", '"', "()", "?!", "\u200f", "1 2 3", "a" * 5_000])
def test_any_name_is_read(name):
    button = node("btn", name, "dialog: " + name)
    assert assess(action("click", "1"), button, page(button, summary=name)).level in (
        "low",
        "medium",
    )


def test_a_drawn_bin_deletes():
    button = node("btn", "\N{WASTEBASKET}", "row: Jas")
    assert assess(action("click", "1"), button, page(button)).effects == ("destroys",)


def test_what_only_enters_or_looks_is_low():
    field = node("inp", "Delete after", "form: Retention")
    for call in (("setValue", "1", "30"), ("hover", "1"), ("wait", 100), ("scroll", "1", "down")):
        assert assess(action(*call), field, page(field)).level == "low"


@pytest.mark.parametrize("place", ["row: Jas", "menu: Actions", "section: Danger zone"])
def test_a_command_that_nobody_knows_is_not_guessed_to_be_harmless(place):
    button = node("btn", "Frobnicate", place)
    risk = assess(action("click", "1"), button, page(button))
    assert (risk.level, risk.reason) == ("high", "Does something whose words are not known")


@pytest.mark.parametrize(
    ("name", "place", "role"),
    [
        ("Zoom in", "toolbar: Map", "btn"),
        ("Frobs", "nav: Main", "btn"),
        ("Frobs", "row: Jas", "link"),
        ("Frobs (12)", "section: Jas", "btn"),
        ("Frobs", "section: Jas", "btn"),
        ("Frobs", "form: Filters", "btn"),
    ],
)
def test_what_leads_somewhere_or_looks_is_known(name, place, role):
    button = node(role, name, place)
    assert assess(action("click", "1"), button, page(button)).level == "low"


def test_an_amount_on_what_hands_in_a_form_is_paid():
    button = node("btn", "Give $50 monthly", "form: Shelter", input_type="submit")
    assert assess(action("click", "1"), button, page(button)).effects == ("spends",)


def test_an_agreement_on_a_record_decides_and_one_in_a_notice_does_not():
    there, told = node("btn", "Valider", "row: Congés"), node("btn", "Valider", "dialog: Aide", "2")
    assert assess(action("click", "1"), there, page(there)).effects == ("decides",)
    assert assess(action("click", "2"), told, page(told)).level != "high"


@pytest.mark.parametrize(
    ("title", "text", "effect"),
    [
        ("Withdrawal", "Take $40 out of your savings?", "spends"),
        ("Kontolöschung", "Wie gewünscht.", "destroys"),
        ("Attention", "Votre dossier va être supprimé.", "destroys"),
        ("Aviso", "Ya no podrás cambiar tus respuestas.", "irreversible"),
    ],
)
def test_an_ok_agrees_to_what_its_dialog_warns_of(title, text, effect):
    button = node("btn", "OK", f"dialog: {title}")
    risk = assess(action("click", "1"), button, page(button, summary=f"{title}\n{text}\nOK"))
    assert effect in risk.effects


SEALED = "Seal the ballot box\nThe box of station 4 goes to the vault."


@pytest.mark.parametrize("name", ["Yes, do it", "OK", "Confirm"])
def test_agreeing_to_what_nobody_knows_is_not_guessed_to_be_harmless(name):
    button = node("btn", name, "dialog: Seal the ballot box")
    risk = assess(action("click", "1"), button, page(button, summary=f"{SEALED}\n{name}\nNo\n"))

    assert risk.level == "high"
    assert risk.reason == "Agrees to something whose words are not known"
    assert risk.evidence == "The box of station 4 goes to the vault."


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Yes", "Save changes?\nYou have unsaved changes.\nYes\nNo\n"),
        ("Ja", "Sprache\nZur deutschen Seite wechseln?\nJa\nNein\n"),
        ("OK", "Saved\nYour three files are in the library.\nOK\n"),
    ],
)
def test_agreeing_to_what_is_known_to_harm_nothing_is_free(name, text):
    button = node("btn", name, f"dialog: {text.partition(chr(10))[0]}")
    assert assess(action("click", "1"), button, page(button, summary=text)).level == "low"


@pytest.mark.parametrize(
    "name", ["Doch nicht", "Mejor no", "Plutôt pas", "Melhor não", "עדיף שלא", "Maybe later",
             "Yes, keep it"]
)  # fmt: skip
def test_no_in_other_words_is_free(name):
    button = node("btn", name, "dialog: Delete patient")
    assert assess(action("click", "1"), button, page(button, summary=ASKED)).level == "low"


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("Launch payout run", "spends"),
        ("Rotate the signing key", "grants"),
        ("Make the page public", "tells"),
        ("Clôturer la caisse", "destroys"),
    ],
)
def test_a_verb_goes_with_what_it_is_done_to(name, effect):
    button = node("btn", name, "section: May")
    assert effect in assess(action("click", "1"), button, page(button)).effects
