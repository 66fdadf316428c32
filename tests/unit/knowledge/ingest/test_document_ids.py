"""When two URLs are one document."""

import pytest

from app.domain.knowledge import IngestRequest
from knowledge.ingest.document_builder import canonical_url, page_document_key


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://App.example/#/orders", "https://app.example/#/orders"),
        ("https://app.example#!users/7", "https://app.example/#!users/7"),
        ("https://app.example/?utm_source=x#/orders", "https://app.example/#/orders"),
        ("https://app.example/#/", "https://app.example/"),
        ("https://app.example/#!", "https://app.example/"),
        ("https://app.example/manual#returns", "https://app.example/manual"),
        ("chrome://settings#/people", "chrome://settings#/people"),
    ],
)
def test_of_a_fragment_only_an_apps_route_is_kept(given: str, kept: str) -> None:
    assert canonical_url(given) == kept


def test_what_was_opened_on_a_route_is_of_that_route() -> None:
    asked = IngestRequest(kind="html", phase="post-interaction", trigger_action="click(3)")
    keys = {page_document_key(f"https://app.example/#/{one}", asked) for one in ("orders", "users")}
    assert len(keys) == 2
