"""The patient register: invented people, in memory, and counters of requests."""

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

_PEOPLE = Path(__file__).parent / "people.txt"  # invented; "name, sex" a line
_NOTES = ("", "Allergic to penicillin.", "Prefers mornings.", "", "Yearly check-up in spring.")


class PatientForm(BaseModel):
    """The fields of the form."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    name: str = Field(min_length=1, max_length=120)
    date_of_birth: str = Field(default="", max_length=10)
    sex: Literal["", "female", "male", "other"] = ""
    phone: str = Field(default="", max_length=40)
    notes: str = Field(default="", max_length=2000)
    consent: bool = False


class Patient(PatientForm):
    """A stored patient."""

    id: int


class Stats(BaseModel):
    """Requests of each kind since the last reset, and the number of patients."""

    posts: int = 0
    puts: int = 0
    deletes: int = 0
    patients: int = 0


class Register:
    """All patients, newest first. Names need not be unique, so that a double submit shows."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Restore the initial patients, zero the counters, and sign in."""
        self._ids = itertools.count(1)
        self._patients = {p.id: p for p in _seed(self._ids)}
        self._stats = Stats()
        self.signed_in = True

    @property
    def stats(self) -> Stats:
        return self._stats.model_copy(update={"patients": len(self._patients)})

    def find(self, text: str = "") -> list[Patient]:
        """Patients whose name, phone or notes contain every word of `text`, newest first."""
        words = text.casefold().split()
        return [p for p in reversed(self._patients.values()) if _contains_all(p, words)]

    def get(self, number: int) -> Patient | None:
        return self._patients.get(number)

    def add(self, form: PatientForm) -> Patient:
        self._stats.posts += 1
        patient = Patient(id=next(self._ids), **form.model_dump())
        self._patients[patient.id] = patient
        return patient

    def change(self, number: int, form: PatientForm) -> Patient | None:
        """Replace a patient's details; None if there is no such patient."""
        self._stats.puts += 1
        if number not in self._patients:
            return None
        self._patients[number] = Patient(id=number, **form.model_dump())
        return self._patients[number]

    def remove(self, number: int) -> bool:
        """Delete a patient; False if there is no such patient."""
        self._stats.deletes += 1
        return self._patients.pop(number, None) is not None


def _contains_all(patient: Patient, words: Iterable[str]) -> bool:
    text = f"{patient.name} {patient.phone} {patient.notes}".casefold()
    return all(word in text for word in words)


def _seed(ids: "itertools.count[int]") -> list[Patient]:
    lines = _PEOPLE.read_text("utf-8").splitlines()
    return [_invent_patient(next(ids), *line.split(", ")) for line in lines]


def _invent_patient(number: int, name: str, sex: str) -> Patient:
    """Derive the details from the number, so that every start is the same."""
    day = f"{number * 5 % 12 + 1:02}-{number * 11 % 28 + 1:02}"
    return Patient.model_validate(
        {
            "id": number,
            "name": name,
            "sex": sex,
            "date_of_birth": f"{1940 + number * 37 % 78}-{day}",
            "phone": f"+44 20 7946 {number * 271 % 1000:04}",  # Ofcom keeps 020 7946 0xxx for fiction
            "notes": _NOTES[number % len(_NOTES)],
            "consent": number % 3 != 0,
        }
    )
