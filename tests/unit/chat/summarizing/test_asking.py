"""The length and the focus that a message asks for."""

import pytest

from app.chat.summarizing.asking import wanted
from app.chat.summarizing.length import Length


def length(message: str) -> Length:
    return wanted(message, message).length


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("Summarize the handbook in 3 sentences", 3),
        ("in one sentence, please", 1),
        ("no more than two sentences", 2),
        ("a five-sentence summary", 5),
        ("3 to 5 sentences", 5),
        ("between two and four sentences", 4),
        ("in a couple of sentences", 2),
        ("the three most important points", 3),
        ("five bullet points", 5),
        ("a dozen bullets", 12),
        ("in half a dozen key takeaways", 6),
        ("one line", 1),
        ("tl;dr", 2),
        ("TLDR", 2),
        ("very briefly", 2),
        ("briefly", 3),
        ("Fasse es in drei Sätzen zusammen", 3),
        ("in fünf Stichpunkten", 5),
        ("sehr kurz", 2),
        ("résume en trois phrases", 3),
        ("en une phrase", 1),
        ("resume en cinco puntos clave", 5),
        ("un resumen de 3 a 5 frases", 5),
        ("סכם בשלושה משפטים", 3),
        ("סכם במשפט אחד", 1),
        ("סכם ב-5 נקודות", 5),
    ],
)
def test_sentences_or_items_asked_for(message: str, sentences: int) -> None:
    assert length(message).sentences == sentences


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("max 100 words", 100),
        ("a 100-word summary", 100),
        ("under 1,000 words", 1000),
        ("in no more than two hundred and fifty words", 250),
        ("in twenty-five words or less", 25),
        ("höchstens 80 Wörter", 80),
        ("en 120 mots maximum", 120),
        ("en cien palabras", 100),
        ("two pages", 900),
        ("one and a half pages", 675),
        ("half a page", 225),
        ("eine halbe Seite", 225),
        ("a two-minute read", 460),
    ],
)
def test_words_asked_for(message: str, words: int) -> None:
    assert length(message).words == words


@pytest.mark.parametrize(
    "message",
    ["bullet points", "as bullets", "key takeaways", "als Stichpunkte", "en puces", "as a table"],
)
def test_a_list_is_asked_for(message: str) -> None:
    assert length(message).shape == "list"


@pytest.mark.parametrize(
    "message", ["Summarize it", "Summarize the 2024 report", "Summarize section 3", "", "words"]
)
def test_no_length_is_asked_for(message: str) -> None:
    assert length(message) == Length()


def test_words_of_each_item() -> None:
    asked = length("three bullets of at most 10 words each")
    assert (asked.sentences, asked.words, asked.words_each) == (3, None, 10)


def test_a_length_for_each_document() -> None:
    assert length("2 sentences per document").each
    assert not length("2 sentences").each


def test_paragraphs_and_detail() -> None:
    assert length("in one paragraph").settled(2_000).sentences == 5
    assert length("two short paragraphs").paragraphs == 2
    detailed, usual = length("a detailed summary").settled(8_000), Length().settled(8_000)
    assert (detailed.sentences, usual.sentences) == (24, 8)


def test_a_title_is_no_length() -> None:
    assert wanted("Summarize Ten Sentences on Safety", "Summarize").length == Length()


@pytest.mark.parametrize(
    ("message", "focus"),
    [
        ("summarize for new hires in 4 sentences", "new hires"),
        ("5 bullets, focus on deadlines and fees", "deadlines and fees"),
        ("Zusammenfassung für neue Mitarbeiter", "neue Mitarbeiter"),
        ("summarize it for me", ""),
        ("summarize", ""),
    ],
)
def test_what_to_dwell_on(message: str, focus: str) -> None:
    assert wanted(message, message).focus == focus
