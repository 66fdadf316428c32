"""Detects the language of a text."""

from functools import cache
from typing import TYPE_CHECKING

from app.text import patterns

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LEAST = 60  # letters needed for detection; with fewer it is a guess
SAMPLE = 3_000  # characters to look at: more do not change the result
SURE = 0.9  # the lowest probability to accept
_CODE = patterns.compile(r"```.*?```|`[^`]*`|https?://\S+|[\d_#|*<>{}\[\]()=;]+", patterns.DOTALL)
_SCRIPTS = {
    "he": patterns.compile(r"[\u0590-\u05ff]"),
    "ar": patterns.compile(r"[\u0600-\u06ff]"),
    "ru": patterns.compile(r"[\u0400-\u04ff]"),
    "el": patterns.compile(r"[\u0370-\u03ff]"),
    "zh": patterns.compile(r"[\u4e00-\u9fff]"),
    "ja": patterns.compile(r"[\u3040-\u30ff]"),
    "ko": patterns.compile(r"[\uac00-\ud7af]"),
    "th": patterns.compile(r"[\u0e00-\u0e7f]"),
    "hi": patterns.compile(r"[\u0900-\u097f]"),
}
_LANGUAGES_OF_SCRIPT = {
    "ar": {"ar", "fa", "ur", "ps", "ug", "sd", "ku", "ckb"},
    "ru": {"ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "mn", "tg", "tt", "os", "uz", "az"},
    "zh": {"zh", "yue"},
    "hi": {"hi", "mr", "ne", "sa"},
    "he": {"he", "yi", "iw"},
}
KANA = 0.1
MOSTLY = 0.3  # the share of letters that decides the script of a text

_SCRIPT_ONLY = frozenset({"he", "el", "zh", "ja", "ko", "th"})


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - 0.2 s

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect_language(text: str, declared: str | None = None) -> str | None:
    """The language, such as "en". The `declared` one wins unless the script contradicts it,
    since templates declare "en" for everything. None if undeclared and too short or unclear to tell.
    """
    words = _CODE.sub(" ", text[: 4 * SAMPLE])[:SAMPLE]
    letters = sum(map(str.isalpha, words))
    if letters < LEAST:
        return declared
    script = _script_of(words, letters)
    if declared is not None and declared in _LANGUAGES_OF_SCRIPT.get(
        script or "", {script or declared}
    ):
        return declared
    if script in _SCRIPT_ONLY:
        return script
    language, probability = _identifier().classify(words)
    return str(language) if probability >= SURE else declared


def _script_of(words: str, letters: int) -> str | None:
    """The main language of the prevailing script; Japanese is recognized by its kana."""
    if len(_SCRIPTS["ja"].findall(words)) > KANA * letters:
        return "ja"
    return next(
        (
            name
            for name, pattern in _SCRIPTS.items()
            if len(pattern.findall(words)) > MOSTLY * letters
        ),
        None,
    )
