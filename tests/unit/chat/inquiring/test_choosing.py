"""Which words are shown, what is said where nothing answers, and what a question is about."""

import pytest

from app.chat.evidence import from_parts
from app.chat.inquiring import inquire, retrieved
from app.chat.inquiring.frames import framed
from app.chat.tools import Asked
from app.domain.chat import DocumentRef, Turned
from app.domain.knowledge import Chunk, Placed
from knowledge.port import Part
from tests.supported import assert_supported
from tests.unit.chat.inquiring.given import NOW, Library, asked, tools

HOTELS = "A hotel may cost at most 120 euros a night. In London the limit is 180 euros a night."
SETUP = "The worker is started with this command:\n\n```\nrunner start --fast\n```\n\nIt stops by itself."
TRAVEL = DocumentRef(id="d", title="Travel policy")


async def test_the_special_case_is_shown_with_the_general_one() -> None:
    reply = await inquire(asked("What may a hotel in London cost a night?", HOTELS), tools())
    assert "180 euros" in reply.citations[0].quote
    assert "120 euros" in reply.text
    assert_supported(reply, {"c1": HOTELS})


async def test_code_is_shown_with_the_sentence_that_leads_to_it() -> None:
    reply = await inquire(asked("With which command is the worker started?", SETUP), tools())
    assert "runner start --fast" in [one.quote for one in reply.citations]
    assert_supported(reply, {"c1": SETUP})


async def test_at_most_four_passages_that_speak_of_it_are_quoted() -> None:
    texts = [f"Rule {at}: a hotel in town {at} costs {at}00 euros." for at in range(1, 7)]
    other = "The printer is on the second floor."
    reply = await inquire(asked("What does a hotel cost?", *texts, other), tools())
    assert 1 < len({one.chunk_id for one in reply.citations}) <= 4
    assert "printer" not in reply.text


async def test_what_no_passage_names_is_not_answered() -> None:
    reply = await inquire(asked("What may a hotel in Vienna cost a night?", HOTELS), tools())
    assert reply.text.startswith("The documents do not say.")
    assert "120 euros" in reply.text  # the nearest


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wer darf Hunde ins B\u00fcro mitbringen?", "Die Dokumente"),
        ("Wie hoch ist die Pauschale?", "Die Dokumente"),
        ("Combien co\u00fbte une nuit \u00e0 l'h\u00f4tel ?", "Les documents"),
        ("\u00bfCu\u00e1ntos d\u00edas de vacaciones hay?", "Los documentos"),
        (
            "\u05db\u05de\u05d4 \u05d9\u05de\u05d9 \u05d7\u05d5\u05e4\u05e9\u05d4?",
            "\u05d4\u05de\u05e1\u05de",
        ),
        ("Who may bring a dog to the office?", "The documents"),
        ("What is a die cut?", "The documents"),
    ],
)
async def test_that_nothing_is_said_is_told_in_the_language_of_the_question(
    question: str, said: str
) -> None:
    assert (await inquire(asked(question, score=0.0), tools())).text.startswith(said)


@pytest.mark.parametrize(
    ("message", "about"),
    [
        ("What does it say about hotels in London?", "hotels in London?"),
        ("What does the Travel policy say about hotels?", "hotels?"),
        ("Tell me about parental leave", "parental leave"),
        ("According to the handbook, who approves leave?", "who approves leave?"),
        ("Who pays for hotels in the Travel policy?", "Who pays for hotels ?"),
        ("Tell me more", "Tell me more"),
        ("What does the system do about errors?", "What does the system do about errors?"),
    ],
)
def test_what_frames_a_question_is_no_part_of_it(message: str, about: str) -> None:
    assert framed(message, [TRAVEL.title]) == about


class Small(Library):
    """A library whose search finds nothing, with one document of one part."""

    async def parts(self, tenant: str, document_id: str) -> tuple[Part, ...]:
        return (part(HOTELS, "Travel policy"),)


def part(text: str, *headings: str) -> Part:
    chunk = Chunk(
        chunk_id="c", tenant="t", document_id="d", text=text, heading_path=headings, created_at=NOW
    )
    return Part(chunk=chunk, placed=Placed(chunk_id="c", start=0, end=len(text)))


def of_it(message: str) -> Asked:
    before = Turned(message_id="m", role="user", text="Summarize it", documents=(TRAVEL,))
    return Asked(message=message, plain=message, documents=(TRAVEL,), earlier=(before,))


async def test_a_small_document_that_was_named_answers_where_it_has_the_words() -> None:
    library = Small()
    found = await retrieved(
        of_it("What does it say about hotels in London?"), tools(documents=library)
    )
    assert [one.text for one in library.queries] == ["hotels in London?"]
    assert not found.weak
    assert found.passages[0].text == HOTELS
    none = await retrieved(of_it("What does it say about sick leave?"), tools(documents=library))
    assert none.weak


def test_a_title_that_is_also_the_heading_is_said_once() -> None:
    (same, other) = from_parts(TRAVEL, [part("A.", "Travel policy"), part("B.", "Hotels")])
    assert (same.label, other.label) == ("Travel policy", "Travel policy, Hotels")
