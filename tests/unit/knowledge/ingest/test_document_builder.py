"""The section names of a document."""

from knowledge.chunk.chunker import Piece
from knowledge.ingest.document_builder import MOST_SECTIONS, section_names


def pieces(*paths: tuple[str, ...]) -> list[Piece]:
    return [Piece(chunk_id=str(at), text="x", heading_path=path) for at, path in enumerate(paths)]


def test_they_stand_below_the_title_that_all_of_it_has():
    found = section_names(
        pieces(
            ("Manual",),
            ("Manual", "Registering", "By mail"),
            ("Manual", "Registering", "By hand"),
            ("Manual", "Fees"),
        )
    )
    assert found == ("Registering", "Fees")


def test_a_document_of_two_titles_has_these():
    assert section_names(pieces(("One", "a"), ("One", "b"), ("Two",))) == ("One", "Two")


def test_a_document_without_headings_has_none():
    assert section_names(pieces((), ())) == ()


def test_there_are_not_more_than_a_reader_takes_in():
    many = [("Manual", f"Section {at}") for at in range(50)]
    assert len(section_names(pieces(*many))) == MOST_SECTIONS
