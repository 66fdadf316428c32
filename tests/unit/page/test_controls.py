"""Controls that exploration must never click, in six languages, and those it may."""

import pytest

from app.domain.page import Node, Observation, Tree
from app.page.controls import enclosing_form, is_dismiss_button, is_submit
from app.text.lexicon import is_risky

RISKY = (
    "Delete",
    "Delete patient",
    "Remove",
    "Pay now",
    "Buy now",
    "Place order",
    "Checkout",
    "Send",
    "Send message",
    "Publish",
    "Post",
    "Share",
    "Change password",
    "Log out",
    "Sign out",
    "Cancel subscription",
    "Transfer",
    "Deactivate account",
    "Löschen",
    "Patient löschen",
    "Jetzt kaufen",
    "Kostenpflichtig bestellen",
    "Senden",
    "Veröffentlichen",
    "Abmelden",
    "Entfernen",
    "Supprimer",
    "Payer",
    "Commander",
    "Envoyer",
    "Publier",
    "Se déconnecter",
    "Eliminar",
    "Borrar",
    "Pagar",
    "Comprar",
    "Enviar",
    "Publicar",
    "Cerrar sesión",
    "Excluir",
    "Apagar",
    "Finalizar compra",
    "Compartilhar",
    "Sair",
    "מחק",
    "מחיקה",
    "שלח",
    "תשלום",
    "פרסם",
    "התנתק",
)
HARMLESS = (
    "Search",
    "Find",
    "Filter",
    "Next",
    "Previous",
    "Patients",
    "New",
    "Save draft",
    "Open menu",
    "Settings",
    "Show deleted",
    "Preview post",
    "Search orders",
    "New order",
    "Neue Bestellung",
    "Nuevo pedido",
    "Create new payment",
    "Start visit",
    "Details",
    "Close",
    "Cancel",
    "Patient",
    "Help",
    "Home",
    "Reports",
    "Sort by date",
    "",
    "Suchen",
    "Weiter",
    "Abbrechen",
    "Patienten",
    "Rechercher",
    "Suivant",
    "Annuler",
    "Buscar",
    "Siguiente",
    "Cancelar",
    "Pesquisar",
    "Próximo",
    "חיפוש",
    "הבא",
    "ביטול",
    "Sendai office",
    "Paypal help centre overview of all your accounts and cards",
)


@pytest.mark.parametrize("name", RISKY)
def test_hard_to_undo(name):
    assert is_risky(name)


@pytest.mark.parametrize("name", HARMLESS)
def test_easy_to_undo(name):
    assert not is_risky(name)


def node(role, name="", group="", **more):
    return Node(id="1", role=role, name=name, group=group, **more)


FORM = "form: New"


@pytest.mark.parametrize(
    ("button", "is_one"),
    [
        (node("btn", "Save", FORM), True),
        (node("btn", "Anlegen", FORM), True),
        (node("btn", "שמור", FORM), True),
        (node("btn", "Whatever", FORM, input_type="submit"), True),
        (node("inp", "Go", FORM, input_type="submit"), True),
        (node("btn", "Cancel", FORM), False),
        (node("btn", "Save", FORM, states=frozenset({"haspopup"})), False),
        (node("btn", "Add", "nav: Main"), False),
        (node("link", "Create", FORM), False),
        (node("btn", "Details", FORM), False),
    ],
)
def test_what_hands_a_form_in(button, is_one):
    look = Observation(
        url="", tree=Tree((Node(id="2", role="inp", name="Name", group=FORM), button))
    )
    assert is_submit(button, look) is is_one


@pytest.mark.parametrize(
    ("name", "beside", "is_one"),
    [
        ("New order", "Search orders", False),
        ("Add order", "Search orders", False),
        ("New order", "Quantity", False),
        ("Order now", "Quantity", True),
        ("Save", "Quantity", True),
        ("Go", "Search orders", True),
    ],
)
def test_what_hands_in_on_a_page_without_a_form(name, beside, is_one):
    button, field = node("btn", name), Node(id="2", role="inp", name=beside)
    assert is_submit(button, Observation(url="", tree=Tree((field, button)))) is is_one


@pytest.mark.parametrize(
    "name",
    [
        "Close",
        "\u00d7",
        "Not now",
        "Reject all",
        "Schließen",
        "Plus tard",
        "Ahora no",
        "Fechar",
        "סגור",
    ],
)
def test_what_takes_an_overlay_away(name):
    assert is_dismiss_button(node("btn", name))


def test_the_innermost_form_or_dialog_is_the_container():
    assert (
        enclosing_form(node("inp", "", "dialog: New > form: F > fieldset: X"))
        == "dialog: New > form: F"
    )
    assert enclosing_form(node("inp", "", "nav: Main")) is None
