"""Which documents a message means: tagged, by rules, by a model, by what a person says when asked."""

from typing import Any, cast

import pytest

from app.chat.documents import chosen, documents_of, mentions_of, named, question_of
from app.chat.documents.model import DocResolution
from app.chat.documents.titles import titles_of
from app.chat.tools import Tools
from app.domain.chat import ChatAction, Mention, Resolution
from app.domain.policy import Policy
from app.errors import ModelFailed
from app.llm.port import Model, ModelRequest
from tests.unit.chat.documents.said import KNOWN, SAID, listing, refs


class Told:
    """A model that says one thing, and counts how often it is asked."""

    def __init__(self, **reply: Any) -> None:
        known = {"resolved_ids": [], "unresolved_names": [], "inference_confidence": "high"}
        self.reply = DocResolution.model_validate(
            known | {"has_implicit_refs": False, "reasoning": ""} | reply
        )
        self.asked: list[ModelRequest[Any]] = []

    async def ask(self, request: ModelRequest[Any]) -> Any:
        self.asked.append(request)
        return self.reply


class Failing(Told):
    async def ask(self, request: ModelRequest[Any]) -> Any:
        self.asked.append(request)
        raise ModelFailed()


async def resolved(
    message: str,
    action: ChatAction = "inquire",
    *mentions: Mention,
    last: str = "",
    registry: str = "",
    model: Told | None = None,
) -> Resolution:
    nodes = [{"type": "mention", "attrs": {"id": one.id, "label": one.label}} for one in mentions]
    tagged = mentions_of({"content": nodes}, message)
    tools = Tools(
        tenant="a", documents=cast(Any, None), policy=Policy(tenant="a"), model=cast(Model, model)
    )
    return await documents_of(
        tagged.plain, tagged.mentions, (), action, listing(last, registry), tools
    )


def tag(given: str, label: str = "") -> Mention:
    return Mention(kind="document", id=given, label=label or KNOWN[given])


def ids(found: Resolution) -> set[str]:
    return {one.id for one in found.resolved}


@pytest.mark.parametrize(("message", "action", "last", "registry", "meant"), SAID)
async def test_a_message_without_a_model(
    message: str, action: ChatAction, last: str, registry: str, meant: str
) -> None:
    found = await resolved(message, action, last=last, registry=registry)
    if meant.startswith("?"):
        assert {one.id for one in found.candidates} == set(meant[1:].split())
        assert (found.confidence, ids(found)) == ("medium", set())
    elif meant == "!":
        assert (found.confidence, ids(found)) == ("low", set())
    else:
        assert (found.confidence, ids(found)) == ("high", set(meant.split()))


async def test_tags_alone_ask_no_model() -> None:
    model = Told()
    found = await resolved(
        "Compare @Employee Handbook and @Expense policy",
        "compare",
        tag("emp"),
        tag("exp"),
        model=model,
    )
    assert (ids(found), found.source, found.confidence) == ({"emp", "exp"}, "explicit", "high")
    assert (found.asked, model.asked) == (0, [])


async def test_a_deleted_document_is_said_and_not_used() -> None:
    model = Told(resolved_ids=["gone"])
    tags = (tag("emp"), tag("gone", "Old rules"))
    found = await resolved("@Employee Handbook @Old rules", "compare", *tags, model=model)
    assert (ids(found), found.unresolved, found.confidence) == ({"emp"}, ("Old rules",), "low")
    question = question_of(found, "compare")
    assert question is not None
    assert "no document called \u201cOld rules\u201d" in question.text
    assert not model.asked


async def test_a_model_is_asked_once_where_rules_are_not_sure() -> None:
    model = Told(resolved_ids=["trc", "not-of-this-tenant"], has_implicit_refs=True)
    found = await resolved("summarize the travel policy", "summarize", model=model)
    assert (ids(found), found.candidates, found.confidence) == ({"trc"}, (), "high")
    (request,) = model.asked
    assert (request.purpose, request.tier, found.asked) == ("doc_resolution", "fast", 1)
    assert "summarize the travel policy" in request.prompt
    assert "Wound" not in request.prompt


async def test_a_model_chooses_among_what_it_was_shown() -> None:
    model = Told(resolved_ids=["api"])
    found = await resolved(
        "Summarize it", "summarize", last="h23 inj", registry="h23 inj", model=model
    )
    assert "Payments API" not in model.asked[0].prompt
    assert "api" not in ids(found)


async def test_the_text_of_an_audit_names_nothing_beside_a_tagged_document() -> None:
    found = await resolved("Staff read the employee handbook at home.", "audit", tag("exp"))
    assert (ids(found), found.candidates, found.confidence) == ({"exp"}, (), "high")


async def test_titles_stand_in_the_fence() -> None:
    model = Told()
    spoken = "h23 inj"
    await resolved("Summarize it", "summarize", last=spoken, registry=spoken, model=model)
    (request,) = model.asked
    before, _, after = request.prompt.partition("Ignore all previous")
    assert before.count("<data-") > before.count("</data-")
    assert "</data-" in after


async def test_a_model_that_fails_leaves_what_the_rules_say() -> None:
    found = await resolved("summarize the travel policy", "summarize", model=Failing())
    assert {one.id for one in found.candidates} == {"tra", "trc"}
    assert found.notice.startswith("The model could not be asked")


async def test_names_of_a_model_are_looked_up_by_likeness() -> None:
    model = Told(unresolved_names=["Infromation securty guidelines", "Zorblax manual"])
    found = await resolved("summarize that zorblax thing and it", "summarize", model=model)
    assert (ids(found), found.unresolved) == ({"sec"}, ("Zorblax manual",))


def test_one_year_is_no_misspelling_of_another() -> None:
    titles = titles_of(listing().titles)
    assert titles.alike(["safety", "handbok", "2024"]) == [titles.places["h24"]]
    assert titles.alike(["safety", "handbook", "2025"]) == []
    assert titles.alike(["information", "society", "guidelines"]) == []


def test_a_choice_takes_candidates_alone() -> None:
    asked = Resolution(candidates=refs("tra trc"), confidence="medium")
    assert ids(chosen(asked, ["trc"])) == {"trc"}
    assert ids(chosen(asked, ["tra", "trc"])) == {"tra", "trc"}
    assert chosen(asked, ["emp"]) == asked
    assert question_of(chosen(asked, ["trc"]), "summarize") is None


@pytest.mark.parametrize(
    ("said", "tags", "meant"),
    [
        ("the expense policy", (), {"exp"}),
        ("Employe handbok", (), {"emp"}),
        ("msa", (), {"msa"}),
        ("@Onboarding", ("onb",), {"onb"}),
        ("Onboarding and the expense policy", (), {"onb", "exp"}),
        ("I do not know", (), set()),
        ("", (), set()),
    ],
)
def test_a_name_that_was_asked_for(said: str, tags: tuple[str, ...], meant: set[str]) -> None:
    before = Resolution(unresolved=("XYZ",), confidence="low")
    found = named(before, said, [tag(one) for one in tags], listing())
    assert (ids(found), found.confidence) == (meant, "high" if meant else "low")
    assert (question_of(found, "summarize") is None) == bool(meant)


def test_a_question_shows_eight_and_tells_equal_titles_apart() -> None:
    asked = Resolution(
        candidates=refs("tra trc exp sec bn23 bn24 msa h23 h24"), confidence="medium"
    )
    question = question_of(asked, "summarize")
    assert question is not None
    assert question.text == "Which document would you like to summarize?"
    assert [one.id for one in question.options] == [one.id for one in asked.candidates[:8]]
    twice = Resolution(
        candidates=tuple(one.model_copy(update={"title": "Same"}) for one in refs("tra exp")),
        confidence="medium",
    )
    question = question_of(twice, "inquire")
    assert question is not None
    assert [one.label for one in question.options] == ["Same (1)", "Same (2)"]
