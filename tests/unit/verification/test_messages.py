"""What a message says, in six languages."""

import pytest

from app.page.messages import is_busy, message_kind
from app.verification.evidence import is_error_page
from tests.unit.verification.looks import page

ERRORS = (
    "Name is required",
    "Invalid email address",
    "Could not save",
    "Couldn't save",
    "Please enter a date",
    "Username already exists",
    "Something went wrong",
    "Not saved",
    "Unsuccessful",
    "Access denied",
    "Ungültige Eingabe",
    "Speichern fehlgeschlagen",
    "Pflichtfeld",
    "Nicht gespeichert",
    "Une erreur est survenue",
    "Champ obligatoire",
    "No se pudo guardar",
    "Campo obligatorio",
    "Não foi possível salvar",
    "Campo obrigatório",
    "שגיאה בשמירה",
    "שדה חובה",
)
SUCCESSES = (
    "Patient created",
    "Saved",
    "Your changes have been saved successfully",
    "Thank you!",
    "Record deleted",
    "Saved with no errors",
    "Erfolgreich gespeichert",
    "Patient angelegt",
    "Patient créé avec succès",
    "Enregistré",
    "Paciente creado",
    "Guardado",
    "Salvo com sucesso",
    "Obrigado!",
    "נשמר בהצלחה",
    "המטופל נוצר",
)
OTHERS = ("3 results", "No errors", "Patients", "Loading…", "0 errors", "Ergebnisse: 3", "")


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text):
    assert message_kind(text) == "error"


@pytest.mark.parametrize("text", SUCCESSES)
def test_successes(text):
    assert message_kind(text) == "success"


@pytest.mark.parametrize("text", OTHERS)
def test_neither(text):
    assert message_kind(text) == "info"


@pytest.mark.parametrize(
    "text",
    ["Saving…", "Please wait", "Bitte warten", "Chargement…", "Guardando", "Aguarde", "טוען"],
)
def test_what_is_still_going_on(text):
    assert is_busy(text)


@pytest.mark.parametrize(
    ("look", "is_one"),
    [
        (page(title="404 Not Found"), True),
        (page(summary="# Page not found\nGo home"), True),
        (page(url="chrome-error://chromewebdata/"), True),
        (page(title="Room 404"), False),
        (page(title="Patients", summary="Patients\nNot found: none"), False),
    ],
)
def test_error_pages(look, is_one):
    assert is_error_page(look) is is_one
