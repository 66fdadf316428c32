"""What is missing is searched for, or asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.page import Observation
from app.domain.reasoner import Background, Situation, WebSearch
from app.provenance.enforcement import LONGEST, MOST, classify_missing, parse_missing_info

WORLD = [
    "postal code of Haifa", "zip code of the Lyon post office",
    "opening hours of the British Museum", "exchange rate EUR to USD", "capital of Peru",
    "IATA code of Munich airport", "time zone of Quito",
    "SWIFT code of the bank", "public holidays in Spain", "ISBN", "weather in Oslo",
    "Öffnungszeiten des Rathauses", "heures d'ouverture du musée", "horario de la embajada",
    "taxa de câmbio", "שעות פתיחה",
]  # fmt: skip
PRIVATE = [
    "middle name", "password", "phone number", "email", "postal code", "address", "date of birth",
    "address of the patient", "phone number of Jas Patel", "the customer's phone number", "which plan",
    "my account number", "card number", "preferred time", "reason for the visit", "number of guests",
    "Geburtsdatum", "Vorname des Kunden", "mot de passe", "nombre del paciente", "senha", "סיסמה",
    "phone number of Siemens AG", "zip code for Springfield",
    "username for the bank", "customer service number of Lufthansa",
    "opening hours of my shop", "x", "", "???", "insurance policy number",
]  # fmt: skip


def situation(*searches):
    page = Observation(url="")
    return Situation(goal="", page=page, background=Background(searches=searches))


@pytest.mark.parametrize("what", WORLD)
def test_facts_of_the_world_are_searched_for(what):
    assert classify_missing(what, situation()) == "EXTERNAL_KNOWLEDGE"


@pytest.mark.parametrize("what", PRIVATE)
def test_what_only_a_person_knows_is_asked_for(what):
    assert classify_missing(what, situation()) == "PRIVATE_DATA"


def test_what_was_searched_for_is_asked_for():
    done = WebSearch(need="the capital of Peru", query="Peru capital city")
    assert classify_missing("capital of Peru", situation(done)) == "PRIVATE_DATA"
    assert classify_missing("capital of Chile", situation(done)) == "EXTERNAL_KNOWLEDGE"
    assert classify_missing("exchange rate", situation(done)) == "EXTERNAL_KNOWLEDGE"


SAID = {
    "MISSING_INFO: middle name": ("middle name",),
    "The form wants it. MISSING_INFO: [middle name]. I stop.": ("middle name",),
    "MISSING_INFO: e-mail, phone and 'date of birth'": ("e-mail", "phone", "date of birth"),
    "MISSING_INFO: one\nmissing info = two; then": ("one", "two"),
    "MISSING_INFO: one MISSING_INFO: one": ("one",),
    "MISSING_INFO:": (),
    "nothing is missing: info": (),
    "": (),
}


@pytest.mark.parametrize(("text", "names"), SAID.items())
def test_what_a_model_names_as_missing(text, names):
    assert parse_missing_info(text) == names


@given(
    st.text()
    | st.lists(st.sampled_from(["MISSING_INFO:", ",", "and", "x" * 99, "\n"])).map(" ".join)
)
def test_what_it_names_is_bounded(text):
    found = parse_missing_info(text)
    assert len(found) <= MOST
    assert all(0 < len(name) <= LONGEST for name in found)
