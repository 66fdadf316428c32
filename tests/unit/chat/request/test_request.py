"""Understanding a message: by code if it is explicit, else with one model call."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from app.chat.documents.titles import Listing
from app.chat.request.questions import action_question, document_question
from app.chat.request.resolver import resolve_chosen, resolve_named, understand_request
from app.chat.tools import Tools
from app.domain.access import Policy
from app.domain.chat import ChatAction, ChatTurn, Intent, Mention, Resolution
from app.domain.knowledge import DocumentTitle
from app.errors import ModelFailed
from app.llm.port import ModelRequest

THEN = datetime(2026, 1, 1, tzinfo=UTC)
TITLES = tuple(
    DocumentTitle(document_id=given.split()[0], title=given.partition(" ")[2], ingested_at=THEN)
    for given in (
        "emp Employee Handbook",
        "tra Travel Policy 2024",
        "trc Travel Policy for Contractors 2024",
        "exp Expense policy",
        "h23 Safety Handbook 2023",
        "h24 Safety Handbook 2024",
        "onb Onboarding",
        "q1 Q1 Financial Report.pdf",
        "he \u05de\u05d3\u05d9\u05e0\u05d9\u05d5\u05ea \u05e0\u05e1\u05d9\u05e2\u05d5\u05ea",
        "same1 Price list",
        "same2 Price list",
    )
)


class Told:
    """A model that says one thing, documents by their ids, and keeps what it was asked."""

    names = {"fast": "told", "strong": "told"}

    def __init__(self, action: ChatAction = "inquire", **reply: Any) -> None:
        self.reply = {"action": action, "confidence": "high", **reply}
        self.asked: list[ModelRequest[Any]] = []

    async def ask(self, request: ModelRequest[Any]) -> Any:
        self.asked.append(request)
        if "raises" in self.reply:
            raise self.reply["raises"]
        refs = {}
        for line in request.prompt.splitlines():
            for one in TITLES:
                if line.startswith("D") and f" {one.title} (" in line:
                    refs.setdefault(one.document_id, line.split()[0])
        given = {
            key: [refs.get(one, one) for one in value]
            if key in ("documents", "candidates")
            else value
            for key, value in self.reply.items()
        }
        return request.reply.model_validate(given)


def tag(given: str, label: str = "") -> Mention:
    known = {one.document_id: one.title for one in TITLES}
    return Mention(kind="document", id=given, label=label or known[given])


def listing(*last: str) -> Listing:
    refs = Listing(titles=TITLES).registered(last)
    return Listing(titles=TITLES, registry={one.title: one.id for one in refs}, last=refs)


async def asked(
    plain: str,
    *mentions: Mention,
    model: Told | None = None,
    action: ChatAction | None = None,
    last: tuple[str, ...] = (),
    earlier: tuple[ChatTurn, ...] = (),
) -> tuple[Intent, Resolution]:
    tools = Tools(
        tenant="t", documents=cast("Any", None), policy=Policy(tenant="t"), model=cast("Any", model)
    )
    return await understand_request(plain, mentions, earlier, listing(*last), tools, action)


def ids(found: Resolution) -> set[str]:
    return {one.id for one in found.resolved}


PLAIN: list[tuple[str, ChatAction, str]] = [
    ("How many vacation days do I get?", "inquire", ""),
    ("What does the handbook say about parental leave?", "inquire", ""),
    ("What is our expense policy?", "inquire", "exp"),
    ('What does "Onboarding" say about laptops?', "inquire", "onb"),
    ("When is onboarding over?", "inquire", ""),
    ("Summarize the employee handbook", "summarize", "emp"),
    ("summarise Employee Handbook", "summarize", "emp"),
    ("Summarize the Q1 Financial Report.pdf", "summarize", "q1"),
    ("summarize onboarding", "summarize", "onb"),
    ("Summarize the travel policies", "summarize", "?tra trc"),
    ("compare safety handbook 2023 with safety handbook 2024", "compare", "h23 h24"),
    ("Summarize the Travel Policy for Contractors 2024", "summarize", "trc"),
    ("summarize the price list", "summarize", "?same1 same2"),
    (
        "summarize \u05de\u05d3\u05d9\u05e0\u05d9\u05d5\u05ea \u05e0\u05e1\u05d9\u05e2\u05d5\u05ea",
        "summarize",
        "he",
    ),
    ("Audit", "audit", ""),
    ("", "inquire", ""),
]


@pytest.mark.parametrize(("message", "action", "meant"), PLAIN)
async def test_without_a_model_only_what_is_said_plainly_counts(
    message: str, action: ChatAction, meant: str
):
    intent, documents = await asked(message)
    assert intent.action == action
    if meant.startswith("?"):
        assert {one.id for one in documents.candidates} == set(meant[1:].split())
    else:
        assert (ids(documents), documents.candidates) == (set(meant.split()), ())


async def test_without_a_model_a_command_that_names_nothing_is_of_what_was_spoken_of():
    assert ids((await asked("Summarize it", last=("exp",)))[1]) == {"exp"}
    assert ids((await asked("Summarize the Zorblax manual", last=("exp",)))[1]) == set()


@pytest.mark.parametrize(
    ("message", "mentions", "action"),
    [
        ("summarize onboarding", (), None),
        ("Compare Safety Handbook 2023 and Safety Handbook 2024", (), None),
        ("What is new?", (tag("emp"),), "inquire"),
        ("", (tag("emp"),), None),
        ("", (tag("emp"), tag("exp")), "compare"),
        ("compare with", (tag("emp"), tag("exp")), None),
        ("summarize", (tag("emp"),), None),
    ],
)
async def test_what_is_plain_asks_no_model(
    message: str, mentions: tuple[Mention, ...], action: ChatAction | None
):
    model = Told()
    _, documents = await asked(message, *mentions, model=model, action=action)
    assert not model.asked
    assert documents.resolved


async def test_a_word_of_a_title_chooses_no_document_for_the_model():
    model = Told(question="What does the expense policy say of hotels?")
    intent, documents = await asked("What is our expense policy?", model=model)
    assert ids(documents) == set()
    assert intent.question == "What does the expense policy say of hotels?"
    assert len(model.asked) == 1


async def test_what_is_tagged_or_in_quotes_counts_whatever_the_model_says():
    model = Told(documents=["exp", "D999", "nobody"])
    _, documents = await asked('Is "Onboarding" in line?', tag("emp"), model=model)
    assert ids(documents) == {"emp", "onb", "exp"}


async def test_a_confident_reading_is_not_asked_about():
    model = Told(candidates=["tra", "trc"], actions=["summarize", "compare"])
    intent, documents = await asked("the travel policy please", model=model)
    assert action_question(intent) is None
    assert document_question(documents, intent.action, listing()) is None


async def test_what_is_really_open_shows_its_candidates():
    model = Told(
        "summarize",
        confidence="low",
        candidates=["tra", "trc"],
        actions=["summarize", "audit"],
    )
    intent, documents = await asked("the travel policy, do the needful", model=model)
    question = action_question(intent)
    assert question is not None
    assert [one.id for one in question.options][:2] == ["summarize", "audit"]
    question = document_question(documents, intent.action, listing())
    assert question is not None
    assert {one.id for one in question.options} == {"tra", "trc"}


async def test_an_action_that_was_chosen_stays():
    intent, _ = await asked("the policies", model=Told("compare", confidence="low"), action="audit")
    assert (intent.action, intent.candidates) == ("audit", ())


async def test_a_name_that_no_document_has_is_asked_for_where_an_action_needs_it():
    _, documents = await asked(
        "the Zorblax manual", model=Told("summarize", unknown=["Zorblax manual"])
    )
    question = document_question(documents, "summarize", listing())
    assert question is not None
    assert "no document called \u201cZorblax manual\u201d" in question.text
    assert document_question(documents, "inquire", listing()) is None


async def test_a_deleted_document_is_said():
    _, documents = await asked("", tag("emp"), tag("gone", "Old rules"), action="compare")
    assert (ids(documents), documents.unresolved) == ({"emp"}, ("Old rules",))


async def test_a_model_that_is_away_leaves_what_is_plain_and_says_so():
    intent, documents = await asked(
        "Summarize the employee handbook, please", model=Told(raises=ModelFailed())
    )
    assert (intent.action, ids(documents)) == ("summarize", {"emp"})
    assert intent.notice.startswith("The model could not be asked")


async def test_a_hundred_thousand_characters_are_read_from_both_ends():
    model = Told()
    intent, _ = await asked("Begin here. " + "x " * 50_000 + "Is it the end?", model=model)
    assert len(model.asked[0].prompt) < 6_000
    assert "Begin here." in model.asked[0].prompt
    assert "Is it the end?" in model.asked[0].prompt
    assert len(intent.question) < 1_100


async def test_the_model_sees_what_sections_a_document_has():
    sections = ("Registering someone new", "Fees")
    manual = DocumentTitle(document_id="m", title="Manual", sections=sections, ingested_at=THEN)
    model = Told()
    tools = Tools(
        tenant="t", documents=cast("Any", None), policy=Policy(tenant="t"), model=cast("Any", model)
    )
    await understand_request("what are the fees", (), (), Listing(titles=(manual, *TITLES)), tools)
    assert "Manual (2026-01-01): Registering someone new; Fees" in model.asked[0].prompt


async def test_the_model_sees_two_hundred_titles_the_likeliest_first():
    many = tuple(
        DocumentTitle(document_id=f"n{at}", title=f"Note {at}", ingested_at=THEN)
        for at in range(400)
    )
    model = Told()
    tools = Tools(
        tenant="t", documents=cast("Any", None), policy=Policy(tenant="t"), model=cast("Any", model)
    )
    await understand_request("expenses?", (), (), Listing(titles=(*many, *TITLES)), tools)
    lines = [one for one in model.asked[0].prompt.splitlines() if one.startswith("D")]
    assert "Expense policy (2026-01-01)" in "".join(lines[:3])
    assert len([one for one in lines if one[1:2].isdigit()]) == 200


@pytest.mark.parametrize(
    ("said", "tags", "meant"),
    [
        ("the expense policy", (), "exp"),
        ("Employe handbok", (), "emp"),
        ("expense", (), "exp"),
        ("@Onboarding", ("onb",), "onb"),
        ("Employee Handbook and the Expense policy", (), "emp exp"),
        ("safety handbook", (), "?h23 h24"),
        ("I do not know", (), ""),
        ("", (), ""),
    ],
)
def test_a_name_that_was_asked_for(said: str, tags: tuple[str, ...], meant: str):
    found = resolve_named(Resolution(), said, [tag(one) for one in tags], listing())
    if meant.startswith("?"):
        assert {one.id for one in found.candidates} == set(meant[1:].split())
    else:
        assert ids(found) == set(meant.split())


def test_a_choice_takes_candidates_alone():
    open_ = Resolution(candidates=listing().registered(["tra", "trc"]), confidence="medium")
    assert ids(resolve_chosen(open_, ["trc", "emp"])) == {"trc"}
    assert document_question(resolve_chosen(open_, ["trc"]), "summarize", listing()) is None


def test_equal_titles_are_told_apart():
    open_ = Resolution(candidates=listing().registered(["same1", "same2"]), confidence="medium")
    question = document_question(open_, "inquire", listing())
    assert question is not None
    assert [one.label for one in question.options] == [
        f"Price list (default) ({n})" for n in (1, 2)
    ]
