"""Cleaning queries, and the site of a page."""

import pytest

from app.search.query import clean_query, registrable_domain


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ("reset password of the acme portal", "reset password of the acme portal"),
        ("password policy hospitals", "password policy hospitals"),
        ("acme login password: hunter2", "acme login password"),
        ("acme password = 'two words' help", "acme password help"),
        ('my password is "two words" now', "my password now"),
        ("sign in with password hunter2 at acme", "sign in with password at acme"),
        ("door PIN 4821 does not work", "door PIN does not work"),
        ("https://acme.com/?token=abc123 meaning", "https://acme.com/?token meaning"),
        ("error for key sk-proj-abcdefgh1234567890XYZ", "error for key"),
        ("ICD-10 code E11.9 meaning", "ICD-10 code E11.9 meaning"),
        ("  two\n lines\t", "two lines"),
        ("סיסמה איפוס", "סיסמה איפוס"),
        ("", ""),
    ],
)
def test_secrets_are_taken_out_and_words_stay(said: str, sent: str) -> None:
    assert clean_query(said) == sent


def test_a_short_secret_goes_only_where_it_stands_alone() -> None:
    assert clean_query("cat category CAT", {"cat"}) == "category"


def test_a_long_query_ends_at_a_word() -> None:
    sent = clean_query("word " * 200)
    assert 390 < len(sent) <= 400
    assert sent.endswith("word")
    assert len(clean_query("x" * 5_000)) == 400


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://example.com/a", "example.com"),
        ("https://www.app.example.com", "example.com"),
        ("https://app.example.co.uk:8443/", "example.co.uk"),
        ("https://example.co.il", "example.co.il"),
        ("https://co.uk", "co.uk"),
        ("https://t.co/x", "t.co"),
        ("https://www.t.co/x", "t.co"),
        ("https://team.github.io/docs", "team.github.io"),
        ("https://acme.my.salesforce.com/x", "acme.my.salesforce.com"),
        ("https://github.io", None),
        ("https://EXAMPLE.com.", "example.com"),
        ("https://www.xn--bcher-kva.de/", "xn--bcher-kva.de"),
        ("http://10.0.0.7/x", None),
        ("http://127.1/", None),
        ("http://router.home.arpa", None),
        ("http://a..b.com", None),
        ("file:///tmp/a.html", None),
        ("about:blank", None),
    ],
)  # fmt: skip
def test_the_site_is_what_someone_registered(url: str, site: str | None) -> None:
    assert registrable_domain(url) == site
