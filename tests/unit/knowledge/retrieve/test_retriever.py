"""What a search finds, and for whom."""

import pytest

from app.domain.access import Policy
from knowledge.port import Query
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import TENANT, Documents, add, embedder, store

ANY = Policy(tenant=TENANT)
LEAVE = "Parental leave lasts fourteen weeks and is paid in full. Ask for it two months ahead."
TRAVEL = (
    "Train tickets are booked by the travel desk; first class is paid for journeys over four hours."
)
PRINTER = "If the printer shows error E-52, open the rear door and take out the jammed paper."


@pytest.fixture(params=[False, True], ids=["vectors in memory", "vectors in the server"])
def documents(request) -> Documents:
    return Documents(searches=request.param)


@pytest.fixture
async def retriever(documents):
    made = Retriever(store(documents), embedder())
    yield made
    await made.close()


async def asked(retriever, text, policy=ANY, tenant=TENANT, **about):
    return await retriever.resolve(tenant, Query(text=text, **about), policy)


async def test_the_passage_is_found_by_its_words_with_where_it_stands(documents, retriever):
    add(documents, "Handbook", [(("Handbook", "Leave"), LEAVE), (("Handbook", "Travel"), TRAVEL)])
    add(documents, "Devices", [PRINTER])
    found = await asked(retriever, "How long is parental leave?")
    assert found.found[0].text == LEAVE
    assert found.found[0].citation.label == "Handbook, Leave"
    assert (found.confidence, found.has_org_knowledge) == ("high", True)
    assert found.confidence_score == found.found[0].score


async def test_nothing_relevant_is_an_answer_where_there_is_much(documents, retriever):
    for number in range(40):
        rooms = [f"Room {number}{letter} seats {number + 4} people." for letter in "abcde"]
        add(documents, f"House {number}", rooms)
    add(documents, "Handbook", [LEAVE, TRAVEL, PRINTER])
    found = await asked(retriever, "What is the boiling point of tungsten?")
    assert (found.found, found.confidence, found.confidence_score) == ((), "low", 0.0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("time off for new parents", LEAVE), ("the copier is stuck", PRINTER)],
)
async def test_a_short_library_answers_in_other_words_than_its_own(
    documents, retriever, question, answer
):
    """What it says rarely, or not at all, is not rare: few chunks tell little of how common a word is."""
    add(documents, "Handbook", [LEAVE])
    add(documents, "Journeys", [TRAVEL])
    add(documents, "Devices", [PRINTER])
    found = await asked(retriever, question)
    assert found.found[0].text == answer


async def test_a_tenant_finds_its_own_alone(documents, retriever):
    add(documents, "Handbook", [LEAVE], tenant="other")
    assert (await asked(retriever, "How long is parental leave?")).found == ()
    assert (await asked(retriever, "How long is parental leave?", tenant="other")).found


async def test_what_this_process_publishes_is_found_at_once_and_what_is_deleted_is_gone(
    documents, retriever
):
    assert (await asked(retriever, "printer error E-52")).found == ()
    add(documents, "Devices", [PRINTER])
    retriever.mark_stale(TENANT)
    found = await asked(retriever, "printer error E-52")
    assert [one.text for one in found.found] == [PRINTER]
    documents.remove(TENANT, found.found[0].document.document_id)
    retriever.mark_stale(TENANT)
    assert (await asked(retriever, "printer error E-52")).found == ()


async def test_a_new_revision_takes_the_place_of_the_old(documents, retriever):
    add(documents, "Handbook", [LEAVE, TRAVEL])
    assert (await asked(retriever, "How long is parental leave?")).found
    add(documents, "Handbook", [TRAVEL, LEAVE.replace("fourteen", "sixteen")], hours=1)
    retriever.mark_stale(TENANT)
    texts = [one.text for one in (await asked(retriever, "How long is parental leave?")).found]
    assert texts == [LEAVE.replace("fourteen", "sixteen")]


async def test_a_policy_keeps_documents_to_its_sites(documents, retriever):
    policy = Policy(tenant=TENANT, knowledge_domains=("crm.example",))
    add(documents, "Inside", [LEAVE], url="https://help.crm.example/", domain="help.crm.example")
    add(documents, "Outside", [LEAVE + " Or so."], domain="elsewhere.example")
    add(documents, "Public", [LEAVE + " They say."], scope="public")
    ask = "How long is parental leave?"
    here = await asked(retriever, ask, policy, url="https://crm.example/staff")
    assert (here.allowed, here.domain) == (True, "crm.example")
    assert "Inside" in (titles := {one.document.title for one in here.found})
    assert "Outside" not in titles
    there = await asked(retriever, ask, policy, url="https://elsewhere.example/")
    assert (there.allowed, there.has_org_knowledge) == (False, False)
    assert {one.document.title for one in there.found} <= {"Public"}


async def test_a_document_of_a_site_answers_there_alone_unless_it_is_named(documents, retriever):
    add(documents, "Payroll", [LEAVE], domain="pay.example")
    add(documents, "Page", [PRINTER], url="https://wiki.example/printers", domain="wiki.example")
    add(documents, "Journeys", [TRAVEL])

    async def titles(**more):
        found = await asked(retriever, "parental leave, printer error, train tickets", **more)
        return {one.document.title: one.document.document_id for one in found.found}

    there = await titles(url="https://hr.pay.example/leave")
    assert set(there) == {"Payroll", "Page", "Journeys"}
    for elsewhere in ("", "https://crm.example/"):
        assert set(await titles(url=elsewhere)) == {"Page", "Journeys"}
        assert set(await titles(url=elsewhere, documents=(there["Payroll"],))) == {"Payroll"}


async def test_the_teams_own_comes_before_what_everybody_can_read(documents, retriever):
    add(documents, "Web", [PRINTER], scope="public")
    own = "Our printers: error E-52 is a paper jam. Call the porter, do not open the printer yourself."
    add(documents, "House rules", [own])
    found = await asked(retriever, "printer error E-52")
    assert [one.document.scope for one in found.found] == ["organization", "public"]


async def test_a_query_can_be_limited_to_sets_documents_and_a_language(documents, retriever):
    add(documents, "English", [LEAVE], language="en", set_name="people")
    add(
        documents,
        "German",
        ["Die Elternzeit (parental leave) dauert vierzehn Wochen."],
        language="de",
    )
    ask = "parental leave"
    titles = {one.document.title: one.document for one in (await asked(retriever, ask)).found}
    assert set(titles) == {"English", "German"}
    for limit in (
        {"language": "de"},
        {"sets": ("default",)},
        {"documents": (titles["German"].document_id,)},
    ):
        found = (await asked(retriever, ask, **limit)).found
        assert {one.document.title for one in found} == {"German"}, limit


async def test_what_a_later_capture_supersedes_is_not_found(documents, retriever):
    page = {"url": "https://crm.example/orders/7"}
    (old,) = add(documents, "Order", ["Order 7, status: pending review by Ms Cole."], **page)
    add(
        documents,
        "Order, opened",
        ["Order 7, status: approved by Ms Cole on Monday."],
        hours=1,
        supersedes={old: "x"},
        phase="post-interaction",
        **page,
    )
    found = (await asked(retriever, "status of order 7")).found
    assert [one.phase for one in found] == ["post-interaction"]
    documents.remove(TENANT, found[0].document.document_id)
    retriever.mark_stale(TENANT)
    assert "pending" in (await asked(retriever, "status of order 7")).found[0].text


async def test_the_same_text_on_many_pages_is_found_once(documents, retriever):
    for page in range(5):
        add(documents, f"Page {page}", [PRINTER])
    assert len((await asked(retriever, "printer error E-52")).found) == 1


async def test_chunks_of_another_model_are_found_by_their_words(documents, retriever):
    add(documents, "Devices", [PRINTER], model="another-768")
    assert (await asked(retriever, "printer error E-52")).found


async def test_an_index_goes_on_as_it_began_when_the_server_begins_to_search():
    documents = Documents()
    made = Retriever(store(documents), embedder())
    add(documents, "Handbook", [LEAVE])
    assert (await asked(made, "How long is parental leave?")).found
    documents.searches = True
    for name in "abcdef":
        add(documents, name, [f"{name} {TRAVEL}", f"{name} {PRINTER}"])
        made.mark_stale(TENANT)
        assert (await asked(made, "printer error E-52")).found
    assert "nearest" not in documents.reads
    made = Retriever(store(documents), embedder())
    assert (await asked(made, "printer error E-52")).found
    assert "nearest" in documents.reads
    await made.close()
