"""What kind of value a field takes, by its control where the page has one and by its name."""

from dataclasses import dataclass
from typing import Literal

from app.domain.page import Node, Observation
from app.engines.gates.sayings import folded
from app.engines.redaction import SECRET_FIELD
from app.engines.refinement.values import option_for, truth
from app.text import patterns

Kind = Literal["text", "sentence", "date", "email", "phone", "number", "choice", "yes_no", "secret"]

# A paragraph a concept: the words for it in English, German, French, Spanish, Portuguese and Hebrew.
_CONCEPT_WORDS = """
first_name given_name forename vorname prenom nombre_de_pila primer_nombre primeiro_nome שם_פרטי

last_name surname family_name nachname familienname nom_de_famille apellido apellidos sobrenome
שם_משפחה

name full_name patient_name customer_name nom nombre nome שם שם_מלא

phone phone_number telephone tel mobile mobile_number cell telefon telefonnummer handy portable
telefono movil telefone celular טלפון נייד מספר_טלפון

email e_mail mail e_mail_address email_address mail_adresse courriel correo correo_electronico
מייל אימייל

date_of_birth birth_date birthdate birthday dob born geburtsdatum geburtstag geboren
date_de_naissance ne_le fecha_de_nacimiento data_de_nascimento nascimento תאריך_לידה

date day datum tag jour fecha dia data תאריך יום

address street adresse anschrift strasse rue direccion calle endereco rua כתובת רחוב

city town ort stadt ville ciudad cidade עיר

zip zip_code postcode postal_code plz postleitzahl code_postal codigo_postal cep מיקוד

country land pays pais מדינה ארץ

age alter edad idade גיל

amount price total betrag preis montant prix importe precio valor preco סכום מחיר

company organisation organization firma unternehmen entreprise societe empresa חברה

quantity number count anzahl menge quantite nombre_de cantidad quantidade כמות מספר

gender sex geschlecht sexe sexo genero מין
"""
_CONCEPTS = tuple(
    frozenset(word.replace("_", " ") for word in words.split())
    for words in _CONCEPT_WORDS.split("\n\n")
)
_SENTENCES = patterns.compile(
    r"\b(?:title|subject|task|to ?do|notes?|comments?|message|description|text|reason|summary|content|"
    r"details|body|remarks?|instructions?|question|headline|betreff|titel|aufgabe|notiz|kommentar|"
    r"nachricht|beschreibung|grund|sujet|titre|tache|commentaire|raison|asunto|titulo|tarea|nota|"
    r"comentario|mensaje|descripcion|motivo|assunto|tarefa|mensagem|descricao)\b"
    r"|נושא|כותרת|משימה|הערה|הודעה|תיאור|סיבה"
)
_DATES = patterns.compile(
    r"\b(?:date|datum|fecha|birthday|geburtstag|born|dob|day of birth)\b|תאריך"
)
_PHONES = patterns.compile(
    r"\b(?:phone|telephone|mobile|cell|fax|telefon\w*|telefono|telefone|handy|tel)\b|טלפון"
)
_EMAILS = patterns.compile(r"\b(?:e ?mail|courriel|correo electronico|mail)\b|מייל")
_NUMBERS = patterns.compile(
    r"\b(?:age|amount|price|quantity|alter|betrag|preis|anzahl|edad|idade|total)\b"
)
_INPUTS: dict[str, Kind] = {
    "date": "date", "datetime-local": "date", "email": "email", "tel": "phone", "number": "number",
    "password": "secret", "textarea": "sentence",
}  # fmt: skip

_WORD = r"[^\W\d_]{3,}\.?"
DATE = (
    rf"\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d{{2}})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+|ב)?{_WORD},?\s+(?:de\s+)?\d{{4}}"
    rf"|{_WORD}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
)
_PART = r"[^\s@.,;<>\"'()]{1,64}"
EMAIL = rf"{_PART}(?:\.{_PART}){{0,4}}@(?:{_PART}\.){{1,5}}{_PART}"
PHONE = r"\+?\(?\d[\d ()./-]{3,}\d"
NUMBER = r"[-+]?\d+(?:[.,]\d+)*"
PATTERNS: dict[Kind, str] = {"date": DATE, "email": EMAIL, "phone": PHONE, "number": NUMBER}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A field that was asked for: its name, what it takes, and whether it must not stay empty."""

    name: str
    kind: Kind = "text"
    options: tuple[str, ...] = ()
    required: bool = True

    @property
    def aliases(self) -> frozenset[str]:
        """What people call it, folded: its own name, and the words for it in six languages."""
        own = folded(self.name)
        found = {own}
        for words in _CONCEPTS:
            if any(own == word or own.endswith(f" {word}") for word in words):
                found |= words
                break
        return frozenset(found)

    def fits(self, value: str) -> bool:
        """Whether the value is one of its kind."""
        said = value.strip()
        if self.kind == "choice":
            return not self.options or option_for(self.options, said) is not None
        if self.kind == "yes_no":
            return truth(said) is not None
        pattern = PATTERNS.get(self.kind)
        return bool(said) and (pattern is None or patterns.fullmatch(pattern, said) is not None)


def wanted(name: str, page: Observation) -> Wanted:
    """What the field of that name takes; by its name alone where the page has no such field."""
    node = field_named(name, page)
    if node is None:
        return Wanted(name, _by_name(name), required=False)
    required = bool({"required", "invalid"} & node.states)
    if node.role == "sel" or node.options:
        return Wanted(name, "choice", node.options, required)
    if node.role == "chk":
        return Wanted(name, "yes_no", required=required)
    return Wanted(name, _INPUTS.get(node.input_type or "") or _by_name(name), required=required)


def field_named(name: str, page: Observation) -> Node | None:
    """The page's field of that name; where several have it, the one that is still empty."""
    said = folded(name)
    found = [
        node
        for node in page.tree
        if node.role in ("inp", "sel", "chk", "range")
        and node.enabled
        and said in (folded(node.name), folded(node.hint))
    ]
    bare = [node for node in found if not node.value]
    return next(iter(bare or found), None)


def _by_name(name: str) -> Kind:
    said = folded(name)
    if SECRET_FIELD.search(name):
        return "secret"
    by: tuple[tuple[patterns.Pattern, Kind], ...] = (
        (_SENTENCES, "sentence"), (_EMAILS, "email"), (_PHONES, "phone"), (_DATES, "date"),
        (_NUMBERS, "number"),
    )  # fmt: skip
    return next((kind for pattern, kind in by if pattern.search(said)), "text")
