"""Patterns find what `re` finds, in time that grows with the text alone."""

import gc
import re
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text import patterns

TEXTS = [
    "",
    "or",
    "señor, or señora",
    "a 123 45.6, b_2\n\nnew line",
    "שלום עולם, ok-ok",
    "e.g. this; that? No! …and 12%",
    "ends with spaces \n",
    "x\ud800y \x01\x1f z\u2028",
    "Delete all\tcontacts\nexcept 'Alice Berg'",
    "\U0001f600 smile\u00a0now",
]
PATTERNS = [
    (r"\bor\b", 0),
    (r"(?<!\d)(\d{2})(?!\d)", 0),
    (r"(?:^|(?<= ))(?P<what>new|all)(?!\S)", 0),
    (r"[^\W\d_]+(?:['-]\w+)*", 0),
    (r"(?<=[.!?…])\s+(?=\S)|\n+", 0),
    (r"\s*(?:,|\band\b)\s*", re.IGNORECASE),
    (r"^\W*(delete|new)\b.*", re.IGNORECASE | re.MULTILINE),
    (r"[^\S\n]+(?=[,;]|$)", 0),
    (r"(?:\b\w+\b ?){2,3}", 0),
    (r"[\W_]+", 0),
    (r"[^\ud800-\udfff\s]+|[\x00-\x08\ud000-\uffff]", 0),
    (r"\d+(?:[.,]\d+)?\b%?", re.ASCII),
    (r"(?i:DELETE) \w", 0),
    (r"\B\w\B", 0),
    (r"\b(?:new|all)\b(?!\s+(?:contacts|smile)\b)", 0),
    (r"(?=[\w-]*\d)[\w-]{2,}|,(?= or\b)", 0),
    (r"(?<!\w\s)(?<=\s)[^\W\d_]\w*|\d(?<![\w.]\d)", 0),
    (r"^(?!.*\b(?:in|or)\b)\w+(?=\W+$|.{2,9}x)", re.MULTILINE),
    (r"'([^']*?)'|\"(.*?)\"", re.DOTALL),
]


@pytest.fixture(autouse=True, scope="module")
def forget_patterns() -> Iterator[None]:
    """What is made here is no pattern of the product, all of which another test looks for."""
    yield
    patterns.compile.cache_clear()
    gc.collect()


def known_as(pattern: str, flags: int) -> re.Pattern[str]:
    """As `re` has it, but that `$` is the end of the text alone: the one difference."""
    return re.compile(pattern if flags & re.MULTILINE else pattern.replace("$", r"\Z"), flags)


def spans(found: Iterable[re.Match[str]], names: Iterable[str]) -> list[tuple[object, ...]]:
    return [
        (one.span(), one.groups(), [(one[name], one.span(name)) for name in names]) for one in found
    ]


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
@pytest.mark.parametrize("text", TEXTS)
def test_it_finds_what_re_finds(pattern: str, flags: int, text: str) -> None:
    known, linear = known_as(pattern, flags), patterns.compile(pattern, flags)
    names = known.groupindex
    assert spans(linear.finditer(text), names) == spans(known.finditer(text), names)
    assert linear.sub(r"<\g<0>>", text) == known.sub(r"<\g<0>>", text)
    assert linear.split(text) == known.split(text)
    assert linear.findall(text) == known.findall(text)
    for start in range(0, len(text), 3):
        for how in ("match", "search", "fullmatch"):
            ours, theirs = (getattr(one, how)(text, start) for one in (linear, known))
            assert spans([ours] if ours else [], names) == spans([theirs] if theirs else [], names)


def test_a_match_from_a_position_sees_the_text_before_it() -> None:
    text = "word, " * 200 + "a 12 b"
    found = patterns.compile(r"(?<=\s)(\d+)\b(?= |$)").search(text, 1_202)
    assert found is not None
    assert (found.span(1), found[1]) == ((1_202, 1_204), "12")
    assert patterns.compile(r"^a").search(text, 1_200) is None


@given(
    st.sampled_from(PATTERNS),
    st.text(st.sampled_from(" \n\t.,;'\"-_%aAzZ09éñßא\u00a0\u2028\U0001f600orandelt"), max_size=60),
)
def test_it_finds_what_re_finds_in_any_text(which: tuple[str, int], text: str) -> None:
    known = known_as(*which)
    ours, theirs = patterns.compile(*which).finditer(text), known.finditer(text)
    assert spans(ours, known.groupindex) == spans(theirs, known.groupindex)


@pytest.mark.parametrize("pattern", [r"(a)\1", r"(?=(a))b", r"a++b", r"(?>a)b", r"x{2000}"])
def test_what_has_no_linear_form_is_refused(pattern: str) -> None:
    with pytest.raises(patterns.PatternNotLinear):
        patterns.search(pattern, "abc")


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    wrong = patterns.compile("(never closed")
    with pytest.raises(re.error):
        wrong.search("")


def test_the_end_is_the_end_and_not_before_a_last_newline() -> None:
    assert patterns.search(r"a$", "a\n") is None
    assert patterns.search(r"\ba$", "a\n") is None
    assert patterns.search(r"a$", "a\n", patterns.MULTILINE) is not None
