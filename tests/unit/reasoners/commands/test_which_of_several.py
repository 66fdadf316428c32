"""Where several things fit the rules ask, and where nothing does they say what comes near."""

import pytest

from app.domain.page import Observation, Tree
from app.domain.reasoner import Situation
from app.grounding.values import nearest_names
from app.plans import choice_question
from app.reasoners.commands import parse
from app.reasoners.commands.actions.dispatch import refine_step
from app.reasoners.commands.expansion import plan_instruction
from tests.unit.reasoners.commands.pages import node


def asked(goal: str, *nodes):
    """What the rules make of the goal's first step on a page with these controls."""
    page = Observation(url="https://crm.example/", title="Patients", tree=Tree.of(nodes))
    plan = plan_instruction(parse(goal))
    return refine_step(Situation(goal=goal, page=page, plan=plan)), page


def record(first: int, who: str, *acts: str):
    """A row with a link to its record and what can be done with it."""
    place = f"row: {who}"
    link = node(str(first), "link", who.partition(",")[0], group=place)
    return [link, *(node(str(first + n), "btn", a, group=place) for n, a in enumerate(acts, 1))]


def form(first: int, name: str, *fields: str):
    place = f"form: {name}"
    made = [node(str(first + at), "inp", text, group=place) for at, text in enumerate(fields)]
    return [*made, node(str(first + 9), "btn", "Save", group=place)]


ACTS = ("Edit", "Delete")
TWO = [*record(1, "Jas Patel, 1990", *ACTS), *record(11, "Jas Cohen, 1985", *ACTS)]
TWINS = [*record(1, "Jas", "Edit", "Delete"), *record(11, "Jas", "Edit", "Delete")]
FORMS = [*form(1, "Billing", "City", "Zip"), *form(21, "Shipping", "City", "Zip")]


@pytest.mark.parametrize(
    ("goal", "nodes", "options"),
    [
        ("Open Jas", TWO, ["Jas Patel, 1990", "Jas Cohen, 1985"]),
        ("Edit Jas", TWO, ["Edit (row: Jas Patel, 1990)", "Edit (row: Jas Cohen, 1985)"]),
        ("Delete the patient Jas", TWO, ["Delete (row: Jas Patel, 1990)", "Delete (row: Jas Cohen, 1985)"]),
        ("Delete Jas", TWINS, [f"Delete (row: Jas), {at} from the top" for at in ("1st", "2nd")]),
        ("Edit Jas", TWINS, [f"Edit (row: Jas), {at} from the top" for at in ("1st", "2nd")]),
        ("Click Delete", TWINS, [f"Delete (row: Jas), {at} from the top" for at in ("1st", "2nd")]),
        ("Enter Paris in the City field", FORMS, ["City (form: Billing)", "City (form: Shipping)"]),
        ("Enter Paris as city and 75001 as zip", FORMS, ["City (form: Billing)", "City (form: Shipping)"]),
        (
            "Select Spain in Country",
            [node(str(n), "sel", "Country", group=f"form: {place}", options=("France", "Spain"))
             for n, place in enumerate(("Billing", "Shipping"), 1)],
            ["Country (form: Billing)", "Country (form: Shipping)"],
        ),
    ],
)  # fmt: skip
def test_several_that_fit_are_put_to_the_person(goal, nodes, options):
    found, page = asked(goal, *nodes)
    assert found.outcome == "ambiguous"
    assert [one.label for one in choice_question(found, page).options] == options


@pytest.mark.parametrize(
    ("goal", "nodes", "target"),
    [
        ("Delete Jas Cohen", TWO, "13"),
        ("Delete the second Jas", TWINS, "13"),
        ("In the shipping form, enter Paris as city and 75001 as zip", FORMS, "21"),
    ],
)
def test_what_the_words_tell_apart_is_not_asked(goal, nodes, target):
    found, _ = asked(goal, *nodes)
    assert found.outcome == "act"
    assert found.proposals[0].action.target == target


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (
            "Delete the patient Jas",
            "nothing called 'Jas' here; there are 'Jasper Cohen' and 'Jan Patel'.",
        ),
        ("Edit Jas", "nothing called 'Jas' here; there are 'Jasper Cohen' and 'Jan Patel'."),
        (
            "Open the patient Zed",
            "nothing called 'Zed' here. What is on 'Patients': 'Jan Patel'",
        ),
    ],
)
def test_what_is_not_here_is_told_with_what_comes_near(goal, said):
    rows = [*record(1, "Jan Patel, 1990", "Edit"), *record(11, "Jasper Cohen, 1985", "Edit")]
    found, _ = asked(goal, *rows, *record(21, "Ann Lee, 1970", "Edit"))
    assert found.outcome == "missing"
    assert found.reason.startswith(f"There is {said}")


def test_at_most_three_come_near():
    rows = [one for n in range(9) for one in record(n * 10, f"Jan {n}, 1990")]
    assert len(nearest_names("Jas", asked("Open Jas", *rows)[1])) == 3
